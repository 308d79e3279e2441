//! `planner`: one price for a visit, and each source is visited when waiting longer would cost more.

mod decision;
mod hourly;
mod outlook;

use crate::bounds;
use crate::even::later;
use crate::history::Histories;
use crate::market::Demand;
use crate::policy::{Observation, Outlook, Past, Plan, Policy, Signal, Watched};
use crate::price::Prices;
use crate::recursion::Recursion;
use crate::roster::Roster;
use crate::settings::{Pace, PlanSettings};
use crate::spending::Spending;
use crate::week::{after_hours, hour_of_week, hours_between};
use decision::Desk;
use hourly::Hourly;
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How the planner looks ahead. The defaults were chosen on training weeks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlannerTuning {
    /// Minutes of a slot.
    pub slot_minutes: f64,
    /// Hours looked beyond the longest gap.
    pub beyond_hours: f64,
    /// How fast the price follows the spending.
    pub gain: f64,
    /// Days after which prices are worked out anew.
    pub reprice_days: f64,
}

/// The planner.
#[derive(Debug)]
pub struct Planner {
    settings: Arc<PlanSettings>,
    histories: Histories,
    roster: Roster,
    prices: Prices,
    /// When prices were last worked out, and for how many sources.
    priced: Option<(Timestamp, usize)>,
    spending: Spending,
    desk: Desk,
    /// With the same budget each hour, visits are chosen in rounds.
    hourly: Option<Hourly>,
    round: Option<Timestamp>,
}

/// More than this share of sources added or gone: prices are worked out anew.
const CHANGED: f64 = 0.25;
/// A signal makes at most this of a source's usual articles.
const STRONGEST_SIGNAL: f64 = 20.0;

impl Planner {
    /// A planner that knows nothing yet.
    pub fn new(settings: &PlanSettings) -> Self {
        let settings = Arc::new(settings.clone());
        Self {
            histories: Histories::new(&settings),
            roster: Roster::default(),
            prices: Prices::new(&settings),
            priced: None,
            spending: Spending::new(),
            desk: Desk::default(),
            hourly: (settings.pace == Pace::Hourly).then(Hourly::default),
            round: None,
            settings,
        }
    }

    /// Works out prices when they are missing, old, or made for other sources. Lazily, so that the same observations always
    /// lead to the same plans.
    fn reprice_if_due(&mut self, now: Timestamp) {
        let sources = self.roster.in_budget();
        let days = self.settings.tuning.planner.reprice_days;
        let due = self.priced.is_none_or(|(at, then)| {
            hours_between(at, now) >= 24.0 * days || sources.abs_diff(then) as f64 > CHANGED * then as f64
        });
        if due && sources > 0 {
            let places: Vec<usize> =
                self.roster.budgeted().filter_map(|source| self.histories.find(source)).collect();
            self.histories.compare(&places);
            self.prices.solve(&self.histories, &places, &mut Recursion::default());
            self.spending.set_shape(self.prices.shape());
            self.priced = Some((now, sources));
        }
    }

    /// The factor by which spending ahead of the budget, or behind, changes all prices.
    fn correction(&self) -> f64 {
        self.spending.correction(self.settings.tuning.planner.gain).exp()
    }

    /// The best next visit to a source, not before `soonest`.
    fn plan(&mut self, source: SourceId, place: usize, now: Timestamp, soonest: Timestamp) -> PlannedVisit {
        let correction = self.correction();
        let decision = self.desk.decide(&self.histories, &self.prices, correction, place, now, soonest);
        let share = if self.histories.list[place].since == self.histories.list[place].until {
            // Nothing is known of it: others that were added with it look just the same.
            self.roster.first_share(source)
        } else {
            1.0
        };
        let wait = hours_between(now, decision.at) * share;
        PlannedVisit { at: after_hours(now, wait), reason: decision.reason(&self.histories, place) }
    }
}

/// With the same budget each hour.
impl Planner {
    /// After a visit: at the latest when the longest gap is over, unless a round chooses the source before.
    fn wait(&mut self, source: SourceId, place: usize, now: Timestamp) -> PlannedVisit {
        if let Some(hourly) = &mut self.hourly {
            hourly.visited(source, &mut self.desk, &self.histories, &self.prices, place, now);
        }
        self.round = self.round.or(Some(after_hours(now, hourly::step(&self.settings))));
        PlannedVisit {
            at: later(now, self.settings.longest()),
            reason: "unless it is among those most worth a visit before".into(),
        }
    }

    /// The sources most worth a visit, as many as the budget has.
    fn choose(&mut self, now: Timestamp) -> Vec<Plan> {
        self.round = Some(after_hours(now, hourly::step(&self.settings)));
        let round = hourly::step(&self.settings);
        let correction = self.correction();
        let Some(hourly) = &mut self.hourly else { return Vec::new() };
        let mut candidates = Vec::new();
        for source in self.roster.budgeted() {
            let worth = hourly.worth(source, now);
            let Some(standing) = self.roster.get(source) else { continue };
            let Some(place) = self.histories.find(source) else { continue };
            let last = self.histories.list[place].until.unwrap_or(now);
            let rested = later(last, self.settings.shortest_gap) <= now;
            if rested && standing.earliest <= now && standing.planned > now && !standing.held {
                candidates.push((worth, source));
            }
        }
        let a_day = self.roster.a_day(&self.settings) / correction.sqrt();
        let most = hourly.allow(a_day, round).min(candidates.len());
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        candidates.truncate(most);
        hourly.spend(most);
        let step = round / most.max(1) as f64;
        let mut plans = Vec::with_capacity(most);
        for (place, (worth, source)) in candidates.into_iter().enumerate() {
            let at = after_hours(now, step * place as f64);
            self.roster.plan(source, at);
            plans.push((source, PlannedVisit { at, reason: format!("{worth:.1} times worth a visit") }));
        }
        plans
    }
}

impl Policy for Planner {
    fn name(&self) -> &'static str {
        "planner"
    }

    fn learn(&mut self, source: Watched, past: &Past<'_>) {
        self.roster.add(source, past.to);
        self.histories.learn(source.id, past);
    }

    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit {
        self.roster.add(source, now);
        self.histories.place(source.id);
        PlannedVisit { at: now, reason: "first visit".into() }
    }

    fn observe(&mut self, visit: &Observation) -> PlannedVisit {
        self.roster.add(visit.source, visit.at);
        let place = self.histories.place(visit.source.id);
        if visit.outcome.is_success() {
            self.histories.see(place, visit.at, &visit.news);
        }
        if visit.source.interval.is_none() {
            let hour = hour_of_week(&self.settings.zone, visit.at);
            let a_day = self.roster.a_day(&self.settings);
            self.spending.spend(visit.at, hour, a_day, self.settings.tuning.planner.gain);
        }
        self.resume(visit)
    }

    fn resume(&mut self, visit: &Observation) -> PlannedVisit {
        self.roster.add(visit.source, visit.at);
        let place = self.histories.place(visit.source.id);
        if visit.source.interval.is_none() {
            self.reprice_if_due(visit.at);
        }
        let settings = Arc::clone(&self.settings);
        let planned = bounds::next_visit(visit, &settings, || {
            if self.hourly.is_some() {
                self.wait(visit.source.id, place, visit.at)
            } else {
                self.plan(visit.source.id, place, visit.at, visit.at)
            }
        });
        self.roster.note(visit, planned.at);
        planned
    }

    fn signal(&mut self, signal: &Signal) -> Option<PlannedVisit> {
        let standing = *self.roster.get(signal.source)?;
        let place = self.histories.find(signal.source)?;
        if !signal.factor.is_finite() || signal.factor <= 0.0 {
            return None;
        }
        let log = signal.factor.clamp(1.0 / STRONGEST_SIGNAL, STRONGEST_SIGNAL).ln() as f32;
        if !self.histories.boost(place, log, signal.at) {
            return None;
        }
        if standing.source.interval.is_some() || standing.held || self.priced.is_none() {
            return None;
        }
        let soonest = standing.earliest.max(signal.at);
        let mut planned = self.plan(signal.source, place, signal.at, soonest);
        if planned.at >= standing.planned {
            // More articles are no reason to come later.
            return None;
        }
        planned.reason = format!("{}; {}", signal.reason, planned.reason);
        self.roster.plan(signal.source, planned.at);
        Some(planned)
    }

    fn next_round(&self) -> Option<Timestamp> {
        self.round
    }

    fn round(&mut self, now: Timestamp) -> Vec<Plan> {
        self.choose(now)
    }

    fn set_budget(&mut self, visits_per_source_day: f64) {
        Arc::make_mut(&mut self.settings).visits_per_source_day = visits_per_source_day;
        self.histories.settings = Arc::clone(&self.settings);
        self.priced = None;
    }

    fn demand(&self) -> Option<Demand> {
        let places: Vec<usize> =
            self.roster.budgeted().filter_map(|source| self.histories.find(source)).collect();
        self.prices.demand(&self.histories, &places, &mut Recursion::default())
    }

    fn outlook(&self, source: SourceId, now: Timestamp) -> Option<Outlook> {
        outlook::outlook(self, source, now)
    }

    fn forget(&mut self, source: SourceId) {
        self.roster.remove(source);
        self.histories.forget(source);
        if let Some(hourly) = &mut self.hourly {
            hourly.forget(source);
        }
    }
}
