//! `cam` (Pandey 2003): for each coming day the instants at which changes are likeliest, among all sources and slots.
//!
//! Its four phases: which sources matter for the queries (here: what the user's folders make an article worth), tracking (a new
//! source is visited often at first, to learn when it changes), allocation (the C largest of W·ρ), and scheduling (the instants of a
//! slot are spread so that fetchers are not all needed at once).

use crate::bounds;
use crate::ground::Ground;
use crate::policy::{Observation, Past, Plan, Policy, Watched};
use crate::settings::{Pace, PlanSettings};
use crate::week::{after_hours, cell, hour_of_week, hours_between};
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Hours of an epoch.
const EPOCH: f64 = 24.0;
/// A source is tracked until it is known for so many hours.
const TRACKED: f64 = 72.0;
/// A tracked source is visited so many times as often as on average.
const TRACKING: f64 = 2.0;
/// First visits are made before the first epoch begins.
const SETTLING: f64 = 1.0 / 60.0;

/// An instant to be chosen: its worth, and where it lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Instant {
    pub(crate) value: f64,
    pub(crate) source: SourceId,
    pub(crate) slot: usize,
}

/// The policy.
#[derive(Debug)]
pub(crate) struct Cam {
    ground: Ground,
    epoch: Option<Timestamp>,
    /// Visits that an earlier epoch left over.
    rest: f64,
    chosen: BTreeMap<SourceId, VecDeque<(Timestamp, f32)>>,
}

impl Cam {
    pub(crate) fn new(settings: &PlanSettings) -> Self {
        Self { ground: Ground::new(settings), epoch: None, rest: 0.0, chosen: BTreeMap::new() }
    }

    fn tracked(&self, place: usize, now: Timestamp) -> bool {
        let since = self.ground.histories.list[place].since;
        since.is_none_or(|since| hours_between(since, now) < TRACKED)
    }

    /// Allocation for the epoch that begins now.
    fn allocate(&mut self, now: Timestamp) {
        let settings = Arc::clone(&self.ground.settings);
        let mean = settings.mean_interval().as_secs_f64() / 3600.0;
        let slots = (EPOCH / (mean * settings.tuning.cam_slot).max(0.1)).round().max(1.0) as usize;
        let slot_hours = EPOCH / slots as f64;
        let start = hour_of_week(&settings.zone, now);
        let mut instants = Vec::new();
        let mut for_tracking = 0.0;
        for source in self.ground.roster.budgeted() {
            let Some(place) = self.ground.histories.find(source) else { continue };
            if self.tracked(place, now) {
                for_tracking += TRACKING * settings.visits_per_source_day;
                continue;
            }
            let rates = self.ground.histories.rates(place);
            let worth = self.ground.histories.worth(place);
            instants.extend((0..slots).map(|slot| {
                let middle = start + (slot as f64 + 0.5) * slot_hours;
                let change = 1.0 - (-f64::from(rates[cell(middle)]) * slot_hours).exp();
                Instant { value: worth * change, source, slot }
            }));
        }
        let visits =
            self.ground.roster.a_day(&settings) / self.ground.correction() - for_tracking + self.rest;
        let chosen = match settings.pace {
            Pace::Free => {
                self.rest = visits.max(0.0).fract();
                top(instants, visits.max(0.0) as usize)
            }
            Pace::Hourly => self.slot_by_slot(&instants, slots, visits),
        };
        self.schedule(now, slot_hours, chosen);
    }

    /// The same budget in each slot.
    fn slot_by_slot(&mut self, instants: &[Instant], slots: usize, visits: f64) -> Vec<Instant> {
        let mut chosen = Vec::new();
        let mut allowed = 0.0;
        for slot in 0..slots {
            allowed += visits.max(0.0) / slots as f64;
            let here = instants.iter().filter(|instant| instant.slot == slot).copied().collect();
            let more = top(here, allowed as usize);
            allowed -= more.len() as f64;
            chosen.extend(more);
        }
        self.rest = allowed.min(1.0);
        chosen
    }

    /// The instants of a slot, spread around its end: what changed in the slot is there to be seen.
    fn schedule(&mut self, now: Timestamp, slot_hours: f64, mut chosen: Vec<Instant>) {
        self.chosen.clear();
        chosen.sort_by(|a, b| {
            a.slot.cmp(&b.slot).then(b.value.total_cmp(&a.value)).then(a.source.cmp(&b.source))
        });
        for here in chosen.chunk_by(|a, b| a.slot == b.slot) {
            for (place, instant) in here.iter().enumerate() {
                let within = (place as f64 + 0.5) / here.len() as f64 + 0.5;
                let at = after_hours(now, (instant.slot as f64 + within) * slot_hours);
                self.chosen.entry(instant.source).or_default().push_back((at, instant.value as f32));
            }
        }
    }

    /// The source's next chosen instant, if there is one, not before `soonest`.
    fn next(&mut self, source: SourceId, soonest: Timestamp) -> Option<PlannedVisit> {
        let queue = self.chosen.get_mut(&source)?;
        while queue.front().is_some_and(|(at, _)| *at < soonest) {
            queue.pop_front();
        }
        queue.front().map(|(at, value)| PlannedVisit {
            at: *at,
            reason: format!("among the day's likeliest changes: {:.0} %", value.min(1.0) * 100.0),
        })
    }

    fn plan(&mut self, source: SourceId, place: usize, now: Timestamp) -> PlannedVisit {
        let settings = Arc::clone(&self.ground.settings);
        if self.tracked(place, now) {
            let hours = settings.mean_interval().as_secs_f64() / 3600.0 / TRACKING;
            let reason = "tracking: learning when it changes".into();
            return PlannedVisit { at: after_hours(now, hours), reason };
        }
        let soonest = crate::even::later(now, settings.shortest_gap);
        self.next(source, soonest).unwrap_or_else(|| PlannedVisit {
            at: crate::even::later(now, settings.longest()),
            reason: "unless a likelier change is chosen before".into(),
        })
    }
}

/// The `count` instants of most value.
pub(crate) fn top(mut instants: Vec<Instant>, count: usize) -> Vec<Instant> {
    let better = |a: &Instant, b: &Instant| {
        b.value.total_cmp(&a.value).then(a.slot.cmp(&b.slot)).then(a.source.cmp(&b.source))
    };
    if count == 0 {
        instants.clear();
    } else if count < instants.len() {
        instants.select_nth_unstable_by(count - 1, better);
        instants.truncate(count);
    }
    instants
}

impl Policy for Cam {
    fn name(&self) -> &'static str {
        "cam"
    }

    fn learn(&mut self, source: Watched, past: &Past<'_>) {
        self.ground.learn(source, past);
    }

    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit {
        self.epoch = self.epoch.or(Some(after_hours(now, SETTLING)));
        self.ground.begin(source, now)
    }

    fn observe(&mut self, visit: &Observation) -> PlannedVisit {
        self.epoch = self.epoch.or(Some(after_hours(visit.at, SETTLING)));
        let place = self.ground.take(visit);
        let settings = Arc::clone(&self.ground.settings);
        let planned = bounds::next_visit(visit, &settings, || self.plan(visit.source.id, place, visit.at));
        self.ground.note(visit, planned)
    }

    fn next_round(&self) -> Option<Timestamp> {
        self.epoch
    }

    fn round(&mut self, now: Timestamp) -> Vec<Plan> {
        self.allocate(now);
        self.epoch = Some(after_hours(now, EPOCH));
        let mut plans = Vec::new();
        for source in self.ground.roster.budgeted().collect::<Vec<_>>() {
            let Some(standing) = self.ground.roster.get(source).copied() else { continue };
            let Some(place) = self.ground.histories.find(source) else { continue };
            let last = self.ground.histories.list[place].until.unwrap_or(now);
            let soonest = crate::even::later(last, self.ground.settings.shortest_gap).max(standing.earliest);
            if self.tracked(place, now) || standing.held {
                continue;
            }
            if let Some(planned) = self.next(source, soonest.max(now))
                && planned.at < standing.planned
            {
                self.ground.roster.plan(source, planned.at);
                plans.push((source, planned));
            }
        }
        plans
    }

    fn set_budget(&mut self, visits_per_source_day: f64) {
        self.ground.set_budget(visits_per_source_day);
    }

    fn forget(&mut self, source: SourceId) {
        self.chosen.remove(&source);
        self.ground.forget(source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn picks_the_true_top(values in prop::collection::vec(0.0..1.0_f64, 0..60), count in 0..70_usize) {
            let instants: Vec<Instant> = values
                .iter()
                .enumerate()
                .map(|(place, value)| Instant { value: *value, source: SourceId(place as i64 / 7), slot: place % 7 })
                .collect();
            let mut chosen: Vec<f64> = top(instants, count).iter().map(|instant| instant.value).collect();
            chosen.sort_by(|a, b| b.total_cmp(a));
            let mut sorted = values;
            sorted.sort_by(|a, b| b.total_cmp(a));
            sorted.truncate(count);
            prop_assert_eq!(chosen, sorted);
        }
    }
}
