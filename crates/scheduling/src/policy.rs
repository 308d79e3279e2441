//! What a policy is.

use crate::market::Demand;
use jiff::Timestamp;
use model::{FolderId, Outcome, PlannedVisit, SourceId};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A source as a policy sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    /// The source.
    pub id: SourceId,
    /// The interval the user set for it, if any: then no policy chooses another.
    pub interval: Option<Duration>,
}

/// An article as a policy sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct News {
    /// When it was published, as far as anybody knows: by its own date, or when it was first seen.
    pub at: Timestamp,
    /// The folders it was filed in.
    pub folders: Vec<FolderId>,
}

/// What is known of a source from before it was watched by this policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Past<'a> {
    /// Since when its articles are known.
    pub from: Timestamp,
    /// Until when.
    pub to: Timestamp,
    /// Its articles in that time, in any order.
    pub news: &'a [News],
}

/// What a policy is told about a visit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The source visited.
    pub source: Watched,
    /// When the visit ended.
    pub at: Timestamp,
    /// How it ended. Anything but success is *missing*, not "no news".
    pub outcome: Outcome,
    /// The articles never seen before.
    pub news: Vec<News>,
    /// How many articles the page showed, known ones included.
    pub listed: u32,
    /// Failures in a row, this visit included.
    pub failures: u32,
    /// Hints of the server (feed ttl, Cache-Control): not before this time. A limit, never the policy.
    pub earliest: Option<Timestamp>,
}

/// Something that makes more articles likely: an event, or an entry of the calendar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    /// The source that may have more of it.
    pub source: SourceId,
    /// When it was noticed.
    pub at: Timestamp,
    /// How many times its usual articles are expected from now on.
    pub factor: f64,
    /// What it is, in words that fit after a colon: "event in Sport".
    pub reason: String,
}

/// What a policy expects of one source, for people who look.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outlook {
    /// Articles expected in each hour of the week, Monday first, in the policy's zone.
    pub week: Vec<f64>,
    /// The coming hours.
    pub points: Vec<Point>,
    /// Minutes of waiting, summed over articles, that a visit must save to be made.
    pub price: f64,
    /// How many times its usual articles it brings lately.
    pub burst: f64,
}

/// What is expected at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// When.
    pub at: Timestamp,
    /// Articles expected since the last visit, weighted by interest.
    pub backlog: f64,
    /// A visit is made as soon as so many are expected.
    pub threshold: f64,
}

/// A plan for one source.
pub type Plan = (SourceId, PlannedVisit);

/// A pure state machine that says when to visit. Time and observations come in, plans come out.
pub trait Policy: Send {
    /// Its name in settings and reports.
    fn name(&self) -> &'static str;

    /// Takes up what is known of a source from before.
    fn learn(&mut self, source: Watched, past: &Past<'_>) {
        let _ = (source, past);
    }

    /// A source is watched from now on: when is its first visit?
    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit;

    /// A visit has ended: when is the next one to this source?
    fn observe(&mut self, visit: &Observation) -> PlannedVisit;

    /// A source is taken up again after a start: this was its last visit, long paid for. When is the next one?
    fn resume(&mut self, last: &Observation) -> PlannedVisit {
        self.observe(last)
    }

    /// Something makes more articles likely: the source's new plan, if that changes it.
    fn signal(&mut self, signal: &Signal) -> Option<PlannedVisit> {
        let _ = signal;
        None
    }

    /// When the policy wants to plan without waiting for a visit. Policies that compare all sources at each instant do.
    fn next_round(&self) -> Option<Timestamp> {
        None
    }

    /// Plans that change because time has come to [`Self::next_round`].
    fn round(&mut self, now: Timestamp) -> Vec<Plan> {
        let _ = now;
        Vec::new()
    }

    /// The budget changed: the user's, or the number of sources it is shared by.
    fn set_budget(&mut self, visits_per_source_day: f64) {
        let _ = visits_per_source_day;
    }

    /// How many visits its sources ask for at which price, where it has one: to find a price with others.
    fn demand(&self) -> Option<Demand> {
        None
    }

    /// What it expects of a source, where it expects anything.
    fn outlook(&self, source: SourceId, now: Timestamp) -> Option<Outlook> {
        let _ = (source, now);
        None
    }

    /// A source is watched no more.
    fn forget(&mut self, source: SourceId) {
        let _ = source;
    }
}
