//! What a policy is.

use jiff::Timestamp;
use model::{Outcome, PlannedVisit, SourceId};
use std::time::Duration;

/// A source as a policy sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watched {
    /// The source.
    pub id: SourceId,
    /// The interval the user set for it, if any.
    pub interval: Option<Duration>,
}

/// What a policy is told about a visit.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The source visited.
    pub source: Watched,
    /// When the visit ended.
    pub at: Timestamp,
    /// How it ended. Anything but success is *missing*, not "no news".
    pub outcome: Outcome,
    /// Articles never seen before.
    pub new: u32,
    /// Failures in a row, this visit included.
    pub failures: u32,
    /// Hints of the server (feed ttl, Cache-Control): not before this time. A limit, never the policy.
    pub earliest: Option<Timestamp>,
}

/// A pure state machine that says when to visit. Time and observations come in, plans come out.
pub trait Policy: Send {
    /// Its name in settings and reports.
    fn name(&self) -> &'static str;

    /// A source is watched from now on: when is its first visit?
    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit;

    /// A visit has ended: when is the next one to this source?
    fn observe(&mut self, visit: &Observation) -> PlannedVisit;
}
