//! Has a source changed its hours? What it brought at each hour of the day lately, against what its profile expected.

use crate::profile::Rates;
use crate::week::cell;
use serde::{Deserialize, Serialize};

/// How far the last days' hours change what is expected. The defaults were chosen on training weeks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DriftTuning {
    /// After so many days e times less is left of what was seen.
    pub days: f64,
    /// Articles beyond the expected ones before a change is believed.
    pub prior: f64,
    /// The power of the change that is believed.
    pub trust: f64,
    /// The share that the hours beside an hour have in it.
    pub spread: f64,
}

/// Articles seen and expected by hour of the day, each faded by its age.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Drift {
    seen: [f32; 24],
    expected: [f32; 24],
}

impl Drift {
    /// `hours` passed in which the rates led to expect something, the first at `hour` of the week.
    pub(crate) fn pass(&mut self, hour: f64, hours: f64, rates: &Rates, tuning: &DriftTuning) {
        let keep = (-hours / (24.0 * tuning.days)).exp() as f32;
        for index in 0..24 {
            self.seen[index] *= keep;
            self.expected[index] *= keep;
        }
        let mut from = (hours - 24.0 * 8.0 * tuning.days).max(0.0);
        while from < hours {
            let to = ((hour + from).floor() + 1.0 - hour).min(hours).max(from + 1e-6);
            let faded = if hours - from > 24.0 { ((from - hours) / (24.0 * tuning.days)).exp() } else { 1.0 };
            let index = cell(hour + from);
            self.expected[index % 24] += rates[index] * ((to - from) * faded) as f32;
            from = to;
        }
    }

    /// An article of `age` hours ago.
    pub(crate) fn see(&mut self, hour: f64, age: f64, tuning: &DriftTuning) {
        let faded = if age > 24.0 { (-age / (24.0 * tuning.days)).exp() } else { 1.0 };
        self.seen[cell(hour) % 24] += faded as f32;
    }

    /// By how much more is expected at an hour of the day, as a logarithm.
    pub(crate) fn log(&self, hour: usize, tuning: &DriftTuning) -> f64 {
        let beside = (tuning.spread / 2.0) as f32;
        let around = |counts: &[f32; 24], hour: usize| {
            f64::from(
                (1.0 - 2.0 * beside) * counts[hour]
                    + beside * (counts[(hour + 1) % 24] + counts[(hour + 23) % 24]),
            )
        };
        let (seen, expected) = (around(&self.seen, hour), around(&self.expected, hour));
        ((tuning.prior + seen) / (tuning.prior + expected)).ln()
    }
}
