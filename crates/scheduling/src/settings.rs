//! What a policy is told before it begins.

use crate::even::mean_interval;
use crate::tuning::Tuning;
use jiff::tz::TimeZone;
use model::FolderId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// A small budget makes the longest gap as long as so many mean intervals, but no longer than a season.
const LONGEST_IN_MEANS: f64 = 2.5;
const LONGEST: Duration = Duration::from_hours(90 * 24);

/// Budget, limits and interests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanSettings {
    /// The budget: visits a day, for each source without an interval of its own.
    pub visits_per_source_day: f64,
    /// How the budget may be spread over the day.
    pub pace: Pace,
    /// No source is left alone for longer, where the budget suffices (see [`Self::longest`]).
    pub longest_gap: Duration,
    /// No source is visited more often.
    pub shortest_gap: Duration,
    /// What the user cares for.
    pub interests: Interests,
    /// Whose hours and weekdays the sources keep.
    #[serde(with = "jiff::fmt::serde::tz::required")]
    pub zone: TimeZone,
    /// Where lots are drawn, they come from this.
    pub seed: u64,
    /// Parameters of single policies.
    pub tuning: Tuning,
}

/// How the budget may be spread over the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// Visits may move from the night to the day.
    #[default]
    Free,
    /// The same budget each hour.
    Hourly,
}

/// What an article is worth, by its folders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interests {
    /// The weight of articles in no folder listed here.
    pub others: f64,
    /// The weight of the articles of a folder.
    pub folders: BTreeMap<FolderId, f64>,
}

impl PlanSettings {
    /// The interval that even polling needs to spend the budget.
    pub fn mean_interval(&self) -> Duration {
        mean_interval(self.visits_per_source_day).max(self.shortest_gap)
    }

    /// The longest gap, or a longer one where the budget has too few visits for it: somebody must wait longer than the mean if
    /// another is to be visited sooner.
    pub fn longest(&self) -> Duration {
        self.longest_gap.max(self.mean_interval().mul_f64(LONGEST_IN_MEANS).min(LONGEST))
    }
}

impl Interests {
    /// What an article of these folders is worth: the most that one of its folders is.
    pub fn weight(&self, folders: &[FolderId]) -> f64 {
        let listed = folders.iter().filter_map(|folder| self.folders.get(folder).copied());
        listed.reduce(f64::max).unwrap_or(self.others)
    }
}

impl Default for Interests {
    fn default() -> Self {
        Self { others: 1.0, folders: BTreeMap::new() }
    }
}

impl Default for PlanSettings {
    fn default() -> Self {
        Self {
            visits_per_source_day: 4.8,
            pace: Pace::Free,
            longest_gap: Duration::from_hours(24),
            shortest_gap: Duration::from_mins(5),
            interests: Interests::default(),
            zone: TimeZone::UTC,
            seed: 0,
            tuning: Tuning::default(),
        }
    }
}
