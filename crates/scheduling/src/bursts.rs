//! Is a source busier than usual, or quieter? What it brought lately against what its profile expected.

use crate::profile::Rates;
use crate::week::cell;
use serde::{Deserialize, Serialize};

/// How far what was seen lately changes what is expected. The defaults were chosen on training weeks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BurstScale {
    /// How long a burst lasts: after so many hours e times less is left of it.
    pub hours: f64,
    /// Articles that must come beyond the expected ones before a burst is believed: g = (prior + seen) / (prior + expected).
    pub prior: f64,
    /// The power of g that is believed.
    pub trust: f64,
}

/// Articles seen and expected, each faded by its age.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bursts<const SCALES: usize> {
    seen: [f32; SCALES],
    expected: [f32; SCALES],
}

impl<const SCALES: usize> Default for Bursts<SCALES> {
    fn default() -> Self {
        Self { seen: [0.0; SCALES], expected: [0.0; SCALES] }
    }
}

impl<const SCALES: usize> Bursts<SCALES> {
    /// `hours` passed in which the rates led to expect something, the first at `hour` of the week. Returns what the expectation
    /// grew by.
    pub(crate) fn pass(
        &mut self,
        hour: f64,
        hours: f64,
        rates: &Rates,
        scales: &[BurstScale; SCALES],
    ) -> [f32; SCALES] {
        self.fade(hours, scales);
        let more = scales.map(|scale| faded_sum(hour, hours, rates, scale.hours));
        self.expect(&more);
        more
    }

    /// `hours` passed.
    pub(crate) fn fade(&mut self, hours: f64, scales: &[BurstScale; SCALES]) {
        for (scale, (seen, expected)) in scales.iter().zip(self.seen.iter_mut().zip(&mut self.expected)) {
            let keep = (-hours / scale.hours).exp() as f32;
            *seen *= keep;
            *expected *= keep;
        }
    }

    /// So much more was expected.
    pub(crate) fn expect(&mut self, more: &[f32; SCALES]) {
        for (expected, more) in self.expected.iter_mut().zip(more) {
            *expected += more;
        }
    }

    /// An article of `age` hours ago.
    pub(crate) fn see(&mut self, age: f64, scales: &[BurstScale; SCALES]) {
        for (scale, seen) in scales.iter().zip(&mut self.seen) {
            *seen += (-age.max(0.0) / scale.hours).exp() as f32;
        }
    }

    /// The burst factor of each scale as a logarithm.
    pub(crate) fn logs(&self, scales: &[BurstScale; SCALES]) -> [f64; SCALES] {
        std::array::from_fn(|index| {
            let scale = scales[index];
            let g =
                (scale.prior + f64::from(self.seen[index])) / (scale.prior + f64::from(self.expected[index]));
            g.ln()
        })
    }

    /// Seen and expected lately, on the scale that stands out most.
    pub(crate) fn standing_out(&self, scales: &[BurstScale; SCALES]) -> (f64, f64) {
        let logs = self.logs(scales);
        let most = (0..SCALES).max_by(|a, b| logs[*a].abs().total_cmp(&logs[*b].abs())).unwrap_or(0);
        (f64::from(self.seen[most]), f64::from(self.expected[most]))
    }
}

/// What the rates led to expect in the last `hours`, faded by age.
fn faded_sum(hour: f64, hours: f64, rates: &Rates, scale: f64) -> f32 {
    // What is older than eight times the scale leaves no trace.
    let mut from = (hours - 8.0 * scale).max(0.0);
    let mut faded = ((from - hours) / scale).exp();
    let an_hour = scale.recip().exp();
    let mut sum = 0.0;
    while from < hours {
        let to = ((hour + from).floor() + 1.0 - hour).min(hours).max(from + 1e-6);
        let then = if to - from > 1.0 - 1e-9 { faded * an_hour } else { ((to - hours) / scale).exp() };
        sum += f64::from(rates[cell(hour + from)]) * (then - faded);
        (from, faded) = (to, then);
    }
    (sum * scale) as f32
}
