//! One result: a policy with one budget and one seed.

use super::contestant::Contestant;
use super::measure::{Day, Delays};
use scheduling::Pace;
use serde::Serialize;

/// One result: a policy with one budget and one seed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The policy.
    pub policy: &'static str,
    /// The seed.
    pub seed: u64,
    /// The budget: visits a source and day that were asked for.
    pub budget: f64,
    /// Whether visits may move from the night to the day.
    pub pace: Pace,
    /// Visits a source and day that were made.
    pub visits_per_source_day: f64,
    /// Mean delay.
    pub mean_minutes: f64,
    /// Half the articles waited no longer.
    pub median_minutes: f64,
    /// One article in twenty waited longer.
    pub p95_minutes: f64,
    /// Mean delay of the articles in bursts.
    pub burst_mean_minutes: f64,
    /// Mean delay, each article with its weight.
    pub interest_mean_minutes: f64,
    /// Share of the articles that were met before newer ones pushed them off the page.
    pub coverage: f64,
    /// Visits for each article.
    pub visits_per_article: f64,
    /// Which share of the way from even polling to the oracle it makes; nothing if there is no way to go.
    pub gap_closed: Option<f64>,
    /// Day by day.
    #[serde(skip)]
    pub days: Vec<Day>,
    /// Who.
    #[serde(skip)]
    pub contestant: Contestant,
}

impl Row {
    pub(super) fn new(
        contestant: Contestant,
        (seed, budget, pace): (u64, f64, Pace),
        visits: (usize, f64),
        delays: Delays,
    ) -> Self {
        Self {
            policy: contestant.word(),
            seed,
            budget,
            pace,
            visits_per_source_day: visits.1,
            mean_minutes: delays.mean,
            median_minutes: delays.median,
            p95_minutes: delays.p95,
            burst_mean_minutes: delays.burst_mean,
            interest_mean_minutes: delays.interest_mean,
            coverage: delays.coverage,
            visits_per_article: visits.0 as f64 / delays.articles.max(1) as f64,
            gap_closed: None,
            days: delays.days,
            contestant,
        }
    }

    /// Says where it lies between even polling and the oracle, each article with its weight.
    pub(super) fn close_gap(&mut self, even: &Self, oracle: &Self) {
        let gap = even.interest_mean_minutes - oracle.interest_mean_minutes;
        let closed = even.interest_mean_minutes - self.interest_mean_minutes;
        self.gap_closed = (gap > 1e-9).then(|| closed / gap);
    }
}
