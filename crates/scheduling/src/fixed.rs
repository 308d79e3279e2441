//! `static-top-down`, `static-bottom-up`, `static-random`: 2, 4, 8, 12 and 24 hours, assigned once.

use crate::even::Even;
use crate::policy::{News, Observation, Past, Policy, Watched};
use crate::roster::Roster;
use crate::settings::PlanSettings;
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

/// Who gets the shortest intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The sources with most classified articles.
    TopDown,
    /// Those with fewest.
    BottomUp,
    /// Drawn by lot.
    Random,
}

/// Paper 000's static scheduling.
#[derive(Debug)]
pub(crate) struct Fixed {
    settings: PlanSettings,
    order: Order,
    roster: Roster,
    counts: BTreeMap<SourceId, (u32, u32)>,
    intervals: BTreeMap<SourceId, Duration>,
}

/// Paper 000's intervals, in hours.
const INTERVALS: [f64; 5] = [2.0, 4.0, 8.0, 12.0, 24.0];

impl Fixed {
    pub(crate) fn new(order: Order, settings: &PlanSettings) -> Self {
        Self {
            settings: settings.clone(),
            order,
            roster: Roster::default(),
            counts: BTreeMap::new(),
            intervals: BTreeMap::new(),
        }
    }

    /// Articles filed in a folder, and all.
    fn count(&mut self, source: SourceId, news: &[News]) {
        let counts = self.counts.entry(source).or_default();
        counts.0 += news.iter().filter(|news| !news.folders.is_empty()).count() as u32;
        counts.1 += news.len() as u32;
    }

    /// A fifth of the sources gets each interval; all are stretched so that they meet the budget.
    fn assign(&mut self) {
        let count = |source: &SourceId| self.counts.get(source).copied().unwrap_or_default();
        let mut sources: Vec<SourceId> = self.roster.budgeted().collect();
        match self.order {
            Order::TopDown => sources.sort_by_key(|source| Reverse(count(source))),
            Order::BottomUp => sources.sort_by_key(count),
            Order::Random => sources.sort_by_key(|source| lot(self.settings.seed, *source)),
        }
        let all = sources.len();
        let hours = |place: usize| INTERVALS[place * INTERVALS.len() / all.max(1)];
        let visits: f64 = (0..all).map(|place| 24.0 / hours(place)).sum();
        let stretch = visits / (self.settings.visits_per_source_day.max(1e-3) * all as f64);
        let interval = |place: usize| Duration::from_secs_f64((hours(place) * stretch * 3600.0).max(1.0));
        self.intervals =
            sources.iter().enumerate().map(|(place, source)| (*source, interval(place))).collect();
    }
}

/// A number drawn for a source.
fn lot(seed: u64, source: SourceId) -> u64 {
    // SplitMix64.
    let mut state = seed ^ source.0.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ (state >> 31)
}

impl Policy for Fixed {
    fn name(&self) -> &'static str {
        match self.order {
            Order::TopDown => "static-top-down",
            Order::BottomUp => "static-bottom-up",
            Order::Random => "static-random",
        }
    }

    fn learn(&mut self, source: Watched, past: &Past<'_>) {
        self.roster.add(source, past.to);
        self.count(source.id, past.news);
    }

    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit {
        self.roster.add(source, now);
        PlannedVisit { at: now, reason: "first visit".into() }
    }

    fn observe(&mut self, visit: &Observation) -> PlannedVisit {
        self.roster.add(visit.source, visit.at);
        self.count(visit.source.id, &visit.news);
        if visit.source.interval.is_none() && !self.intervals.contains_key(&visit.source.id) {
            self.assign();
        }
        let interval = self.intervals.get(&visit.source.id).copied();
        Even::new(interval.unwrap_or_else(|| self.settings.mean_interval())).observe(visit)
    }

    fn set_budget(&mut self, visits_per_source_day: f64) {
        self.settings.visits_per_source_day = visits_per_source_day;
        self.assign();
    }

    fn forget(&mut self, source: SourceId) {
        self.roster.remove(source);
        self.counts.remove(&source);
        self.intervals.remove(&source);
    }
}
