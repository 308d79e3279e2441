//! Policies whose intervals grow and shrink with what each visit brings: `nutch` and `duplicate-share`.

use crate::bounds;
use crate::even::in_words;
use crate::ground::Ground;
use crate::policy::{Observation, Past, Policy, Watched};
use crate::settings::PlanSettings;
use crate::week::after_hours;
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// By what an interval is multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AdaptiveTuning {
    /// After a visit that was worth it.
    pub shorter: f64,
    /// After one that was not.
    pub longer: f64,
}

/// What a visit must bring for the interval to shrink or grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nutch: anything new.
    Changed,
    /// Media Cloud: at most 33 % already seen shortens, at least 67 % lengthens.
    DuplicateShare,
}

/// One of these policies. Intervals are relative: all together are scaled to meet the budget.
#[derive(Debug)]
pub(crate) struct Adaptive {
    ground: Ground,
    verdict: Verdict,
    tuning: AdaptiveTuning,
    /// Hours, before scaling.
    intervals: BTreeMap<SourceId, f64>,
    /// The sum of their inverses: visits an hour, before scaling.
    visits: f64,
}

/// Unscaled intervals stay within these hours, that no source wanders off for ever.
const HOURS: (f64, f64) = (0.05, 2000.0);

impl Adaptive {
    pub(crate) fn new(verdict: Verdict, settings: &PlanSettings) -> Self {
        let tuning = match verdict {
            Verdict::Changed => settings.tuning.nutch,
            Verdict::DuplicateShare => settings.tuning.duplicate_share,
        };
        Self { ground: Ground::new(settings), verdict, tuning, intervals: BTreeMap::new(), visits: 0.0 }
    }

    /// By what this visit multiplies the interval.
    fn judge(&self, visit: &Observation) -> (f64, &'static str) {
        let shorter = (self.tuning.shorter, "sooner");
        let longer = (self.tuning.longer, "later");
        match self.verdict {
            Verdict::Changed if visit.news.is_empty() => longer,
            Verdict::Changed => shorter,
            Verdict::DuplicateShare => {
                let listed = f64::from(visit.listed).max(visit.news.len() as f64).max(1.0);
                match 1.0 - visit.news.len() as f64 / listed {
                    seen if seen >= 0.67 => longer,
                    seen if seen <= 0.33 => shorter,
                    _ => (1.0, "as before"),
                }
            }
        }
    }

    fn plan(&mut self, visit: &Observation) -> PlannedVisit {
        let start = self.ground.settings.mean_interval().as_secs_f64() / 3600.0;
        let (factor, word) = self.judge(visit);
        let before = self.intervals.get(&visit.source.id).copied();
        let interval = (before.unwrap_or(start) * factor).clamp(HOURS.0, HOURS.1);
        self.intervals.insert(visit.source.id, interval);
        self.visits += 1.0 / interval - before.map_or(0.0, |before| 1.0 / before);
        let budget = self.ground.settings.visits_per_source_day / 24.0 * self.intervals.len() as f64;
        let hours = interval * (self.visits / budget.max(1e-9)) * self.ground.correction();
        let minutes = (hours.clamp(0.0, 1e4) * 60.0).round().max(1.0) as u64;
        let words = in_words(Duration::from_mins(minutes));
        let reason = format!("{} new: {word}, every {words}", visit.news.len());
        let wait = hours.clamp(0.0, 1e4) * self.ground.roster.first_share(visit.source.id);
        PlannedVisit { at: after_hours(visit.at, wait), reason }
    }
}

impl Policy for Adaptive {
    fn name(&self) -> &'static str {
        match self.verdict {
            Verdict::Changed => "nutch",
            Verdict::DuplicateShare => "duplicate-share",
        }
    }

    fn learn(&mut self, source: Watched, past: &Past<'_>) {
        self.ground.learn(source, past);
    }

    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit {
        self.ground.begin(source, now)
    }

    fn observe(&mut self, visit: &Observation) -> PlannedVisit {
        self.ground.take(visit);
        let settings = Arc::clone(&self.ground.settings);
        let planned = bounds::next_visit(visit, &settings, || self.plan(visit));
        self.ground.note(visit, planned)
    }

    fn set_budget(&mut self, visits_per_source_day: f64) {
        self.ground.set_budget(visits_per_source_day);
    }

    fn forget(&mut self, source: SourceId) {
        if let Some(interval) = self.intervals.remove(&source) {
            self.visits -= 1.0 / interval;
        }
        self.ground.forget(source);
    }
}
