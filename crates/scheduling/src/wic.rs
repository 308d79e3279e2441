//! `wic` (Pandey 2004): at each instant, the sources with most unseen updates, each by how urgent it still is.

use crate::bounds;
use crate::even::later;
use crate::ground::Ground;
use crate::policy::{Observation, Past, Plan, Policy, Watched};
use crate::settings::{Pace, PlanSettings};
use crate::week::{HOURS, after_hours, cell, hour_of_week};
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// First visits are made before the first instant.
const SETTLING: f64 = 1.0 / 60.0;

/// The unseen updates of one source, by how urgent they still are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Unseen {
    utility: f64,
    /// Updates since the last visit: what goes beyond a page's length has been pushed off it.
    updates: f64,
}

impl Unseen {
    /// One instant passes: an update with probability `p`, older ones keep the share `keep` of their urgency. The page shows
    /// `length` updates.
    pub(crate) fn pass(&mut self, p: f64, keep: f64, length: f64) {
        self.updates += p;
        let still_there = if self.updates > length { length / self.updates } else { 1.0 };
        self.utility = self.utility * keep * still_there + p;
    }

    pub(crate) fn utility(self) -> f64 {
        self.utility
    }
}

/// The policy.
#[derive(Debug)]
pub(crate) struct Wic {
    ground: Ground,
    instant: Option<Timestamp>,
    sources: BTreeMap<SourceId, (Unseen, f64)>,
    /// Visits saved up for the next instant.
    allowed: f64,
    /// With a free pace: a visit is made from this utility on.
    enough: f64,
}

impl Wic {
    pub(crate) fn new(settings: &PlanSettings) -> Self {
        Self {
            ground: Ground::new(settings),
            instant: None,
            sources: BTreeMap::new(),
            allowed: 0.0,
            enough: f64::INFINITY,
        }
    }

    fn step_hours(&self) -> f64 {
        let interval = self.ground.settings.mean_interval().as_secs_f64() / 3600.0;
        (self.ground.settings.tuning.wic_step * interval).clamp(1.0 / 60.0, 12.0)
    }

    /// Lets one instant pass for all sources. Returns those that may be visited, with their utility.
    fn pass(&mut self, now: Timestamp) -> Vec<(f64, SourceId)> {
        let step = self.step_hours();
        let urgency = self.ground.settings.tuning.wic_urgency_hours;
        let keep = if urgency > 0.0 { (-step / urgency).exp() } else { 1.0 };
        let hour = cell(hour_of_week(&self.ground.settings.zone, now) + HOURS as f64 - step / 2.0);
        let mut candidates = Vec::new();
        for source in self.ground.roster.budgeted() {
            let Some(place) = self.ground.histories.find(source) else { continue };
            let rate = self.ground.histories.rate(place, hour);
            let (unseen, length) = self.sources.entry(source).or_insert((Unseen::default(), f64::INFINITY));
            unseen.pass(1.0 - (-rate * step).exp(), keep, *length);
            let Some(standing) = self.ground.roster.get(source) else { continue };
            let last = self.ground.histories.list[place].until;
            let rested = last.is_none_or(|last| later(last, self.ground.settings.shortest_gap) <= now);
            if rested && standing.earliest <= now && !standing.held && standing.planned > now {
                candidates.push((unseen.utility() * self.ground.histories.worth(place), source));
            }
        }
        candidates
    }

    /// Updates that are enough for a visit, if every update counts alike: all of a day, over a day's visits.
    fn find_enough(&self) -> f64 {
        let histories = &self.ground.histories;
        let visits = |place: usize, level: f64| histories.mean(place) * histories.worth(place) * level;
        1.0 / self.ground.level(visits)
    }

    fn choose(&mut self, now: Timestamp, mut candidates: Vec<(f64, SourceId)>) -> Vec<(f64, SourceId)> {
        let settings = Arc::clone(&self.ground.settings);
        if settings.pace == Pace::Free {
            if self.ground.scale_is_due(now) {
                self.enough = self.find_enough();
            }
            let enough = self.enough * self.ground.correction();
            candidates.retain(|(utility, _)| *utility >= enough);
        }
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        if settings.pace == Pace::Hourly {
            let a_day = self.ground.roster.a_day(&settings) / self.ground.correction();
            self.allowed = (self.allowed + a_day / 24.0 * self.step_hours()).min(a_day);
            candidates.truncate(self.allowed as usize);
            self.allowed -= candidates.len() as f64;
        }
        candidates
    }
}

impl Policy for Wic {
    fn name(&self) -> &'static str {
        "wic"
    }

    fn learn(&mut self, source: Watched, past: &Past<'_>) {
        self.ground.learn(source, past);
    }

    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit {
        self.instant = self.instant.or(Some(after_hours(now, SETTLING)));
        self.ground.begin(source, now)
    }

    fn observe(&mut self, visit: &Observation) -> PlannedVisit {
        self.instant = self.instant.or(Some(after_hours(visit.at, SETTLING)));
        self.ground.take(visit);
        if visit.outcome.is_success() {
            let length = if visit.listed == 0 { f64::INFINITY } else { f64::from(visit.listed) };
            self.sources.insert(visit.source.id, (Unseen::default(), length));
        }
        let settings = Arc::clone(&self.ground.settings);
        let floor = || PlannedVisit {
            at: later(visit.at, settings.longest()),
            reason: "unless more is likely unseen before".into(),
        };
        let planned = bounds::next_visit(visit, &settings, floor);
        self.ground.note(visit, planned)
    }

    fn next_round(&self) -> Option<Timestamp> {
        self.instant
    }

    fn round(&mut self, now: Timestamp) -> Vec<Plan> {
        let step = self.step_hours();
        self.instant = Some(after_hours(now, step));
        let candidates = self.pass(now);
        let chosen = self.choose(now, candidates);
        let all = chosen.len().max(1) as f64;
        let mut plans = Vec::with_capacity(chosen.len());
        for (place, (utility, source)) in chosen.into_iter().enumerate() {
            // Spread over the time until the next instant.
            let at = after_hours(now, step * place as f64 / all);
            self.ground.roster.plan(source, at);
            let reason = format!("most unseen: {utility:.1} articles' worth");
            plans.push((source, PlannedVisit { at, reason }));
        }
        plans
    }

    fn set_budget(&mut self, visits_per_source_day: f64) {
        self.ground.set_budget(visits_per_source_day);
    }

    fn forget(&mut self, source: SourceId) {
        self.sources.remove(&source);
        self.ground.forget(source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What visits collect: at each instant one source, `chosen` by the unseen of all.
    fn collect(
        updates: &[Vec<f64>],
        worth: &[f64],
        keep: f64,
        mut choose: impl FnMut(usize, &[f64]) -> usize,
    ) -> f64 {
        let mut unseen = vec![Unseen::default(); worth.len()];
        let mut collected = 0.0;
        for (instant, updates) in updates.iter().enumerate() {
            for (unseen, p) in unseen.iter_mut().zip(updates) {
                unseen.pass(*p, keep, f64::INFINITY);
            }
            let utilities: Vec<f64> =
                unseen.iter().zip(worth).map(|(unseen, worth)| unseen.utility() * worth).collect();
            let chosen = choose(instant, &utilities);
            collected += utilities[chosen];
            unseen[chosen] = Unseen::default();
        }
        collected
    }

    fn greedy(utilities: &[f64]) -> usize {
        (0..utilities.len()).max_by(|a, b| utilities[*a].total_cmp(&utilities[*b])).unwrap()
    }

    proptest! {
        #[test]
        fn collects_at_least_half_of_the_best_possible(
            updates in prop::collection::vec(prop::collection::vec(0.0..1.0_f64, 3), 1..7),
            worth in prop::collection::vec(0.1..5.0_f64, 3),
            keep in 0.0..=1.0_f64,
        ) {
            let ours = collect(&updates, &worth, keep, |_, utilities| greedy(utilities));
            let ways = 3_usize.pow(updates.len() as u32);
            let best = (0..ways)
                .map(|way| collect(&updates, &worth, keep, |instant, _| way / 3_usize.pow(instant as u32) % 3))
                .fold(0.0, f64::max);
            prop_assert!(ours >= best / 2.0 - 1e-9, "{ours} of {best}");
        }
    }
}
