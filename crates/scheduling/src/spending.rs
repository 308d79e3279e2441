//! The budget: what may be spent, what was, and what follows for the price.

use crate::week::{HOURS, cell, hours_between};
use jiff::Timestamp;

/// A slow controller: spending ahead of the budget makes visits dearer.
#[derive(Debug, Clone)]
pub(crate) struct Spending {
    until: Option<Timestamp>,
    /// The share of the budget in each hour of the week, 1 on average.
    shape: [f64; HOURS],
    /// Days of the budget that are spent ahead.
    ahead: f64,
    drift: f64,
}

/// Nothing beyond this is made good: after a week without visits the budget of that week is gone.
const MOST_DAYS: f64 = 1.5;

/// After so many hours without a visit, and the time in which so many would have come, the program cannot have run.
const PATIENCE: f64 = 12.0;
const MISSED: f64 = 4.0;

impl Spending {
    pub(crate) fn new() -> Self {
        Self { until: None, shape: [1.0; HOURS], ahead: 0.0, drift: 0.0 }
    }

    pub(crate) fn set_shape(&mut self, shape: &[f64; HOURS]) {
        self.shape = *shape;
    }

    /// A visit at `at`, in that hour of the week, under a budget of so many visits a day.
    pub(crate) fn spend(&mut self, at: Timestamp, hour: f64, a_day: f64, gain: f64) {
        let a_day = a_day.max(1e-9);
        if let Some(until) = self.until {
            // A longer time without any visit was no saving: nobody was there to visit.
            let longest = PATIENCE + MISSED * 24.0 / a_day;
            let hours = hours_between(until, at).clamp(0.0, longest.min(48.0));
            let mut allowed = 0.0;
            let mut from = hour - hours;
            while from < hour - 1e-9 {
                let to = (from.floor() + 1.0).min(hour);
                allowed += (to - from) * self.shape[cell(from + 2.0 * HOURS as f64)];
                from = to;
            }
            self.ahead -= allowed / 24.0;
            self.drift += gain * gain / 8.0 * self.ahead * hours / 24.0;
        }
        self.until = Some(self.until.map_or(at, |until| until.max(at)));
        self.ahead = (self.ahead + 1.0 / a_day).clamp(-MOST_DAYS, MOST_DAYS);
        self.drift = self.drift.clamp(-1.5, 1.5);
    }

    /// By how much the price's logarithm is to rise.
    pub(crate) fn correction(&self, gain: f64) -> f64 {
        gain * self.ahead + self.drift
    }
}
