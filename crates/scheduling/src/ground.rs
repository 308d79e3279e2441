//! What every policy with a memory stands on: histories, the sources in the budget, and what was spent of it.

use crate::history::Histories;
use crate::policy::{Observation, Past, Watched};
use crate::roster::Roster;
use crate::settings::PlanSettings;
use crate::spending::Spending;
use crate::week::{hour_of_week, hours_between};
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use std::sync::Arc;
use std::time::Duration;

/// The common part of the policies that learn rates.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) settings: Arc<PlanSettings>,
    pub(crate) histories: Histories,
    pub(crate) roster: Roster,
    pub(crate) spending: Spending,
    /// When the policy's common scale was last worked out, and for how many sources.
    scaled: Option<(Timestamp, usize)>,
}

/// How fast intervals follow the spending: by half of what is ahead, in days of the budget.
const GAIN: f64 = 0.5;
/// More than this share of sources added or gone: the common scale is worked out anew.
const CHANGED: f64 = 0.25;

impl Ground {
    pub(crate) fn new(settings: &PlanSettings) -> Self {
        let settings = Arc::new(settings.clone());
        Self {
            histories: Histories::new(&settings),
            roster: Roster::default(),
            spending: Spending::new(),
            scaled: None,
            settings,
        }
    }

    pub(crate) fn learn(&mut self, source: Watched, past: &Past<'_>) {
        self.roster.add(source, past.to);
        self.histories.learn_counts(source.id, past);
    }

    pub(crate) fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit {
        self.roster.add(source, now);
        self.histories.place(source.id);
        PlannedVisit { at: now, reason: "first visit".into() }
    }

    /// Takes up a visit. Returns the source's place.
    pub(crate) fn take(&mut self, visit: &Observation) -> usize {
        self.roster.add(visit.source, visit.at);
        let place = self.histories.place(visit.source.id);
        if visit.outcome.is_success() {
            self.histories.see_counts(place, visit.at, &visit.news);
        }
        if visit.source.interval.is_none() {
            let hour = hour_of_week(&self.settings.zone, visit.at);
            self.spending.spend(visit.at, hour, self.roster.a_day(&self.settings), GAIN);
        }
        place
    }

    /// Keeps what was planned after a visit.
    pub(crate) fn note(&mut self, visit: &Observation, planned: PlannedVisit) -> PlannedVisit {
        self.roster.note(visit, planned.at);
        planned
    }

    pub(crate) fn set_budget(&mut self, visits_per_source_day: f64) {
        Arc::make_mut(&mut self.settings).visits_per_source_day = visits_per_source_day;
        self.histories.settings = Arc::clone(&self.settings);
        self.scaled = None;
    }

    pub(crate) fn forget(&mut self, source: SourceId) {
        self.roster.remove(source);
        self.histories.forget(source);
    }

    /// The factor on all intervals that brings the spending back to the budget. Visits are in inverse proportion to intervals.
    pub(crate) fn correction(&self) -> f64 {
        self.spending.correction(GAIN).clamp(-3.0, 3.0).exp()
    }

    /// Whether a common scale is to be worked out anew: once a day, or when sources came or went.
    pub(crate) fn scale_is_due(&mut self, now: Timestamp) -> bool {
        let sources = self.roster.in_budget();
        let due = self.scaled.is_none_or(|(at, then)| {
            hours_between(at, now) >= 24.0 || sources.abs_diff(then) as f64 > CHANGED * then as f64
        });
        if due {
            self.scaled = Some((now, sources));
        }
        due
    }

    /// The places of the sources in the budget.
    pub(crate) fn places(&self) -> Vec<usize> {
        self.roster.budgeted().filter_map(|source| self.histories.find(source)).collect()
    }

    /// The level at which `visits(place, level)` an hour, which grow with the level, together meet the budget, the longest and the
    /// shortest gap included.
    pub(crate) fn level(&self, visits: impl Fn(usize, f64) -> f64) -> f64 {
        let hours = |gap: Duration| gap.as_secs_f64().max(1.0) / 3600.0;
        let least = 1.0 / hours(self.settings.longest());
        let most = (1.0 / hours(self.settings.shortest_gap)).max(least);
        let places = self.places();
        let budget = self.settings.visits_per_source_day / 24.0 * places.len() as f64;
        let spent =
            |level: f64| -> f64 { places.iter().map(|place| visits(*place, level).clamp(least, most)).sum() };
        let (mut low, mut high) = (-60.0_f64, 60.0_f64);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if spent(middle.exp()) < budget { low = middle } else { high = middle }
        }
        f64::midpoint(low, high).exp()
    }
}
