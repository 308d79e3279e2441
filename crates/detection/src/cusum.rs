//! Likelihood-ratio CUSUM on the seasonal baseline: is the folder at twice its usual for some time?

use crate::baseline::{Baseline, Dispersion, Expectation};
use crate::calibration::Calibration;
use crate::detector::Detector;
use crate::explain::{explain, in_weeks};
use crate::score::Score;
use crate::settings::Settings;
use crate::statistics::largest_with;
use crate::window::Window;
use jiff::Timestamp;
use model::SourceId;
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_2;

/// κ: how many times the usual is looked for.
const TIMES: f64 = 2.0;
const CALIBRATION: Calibration = Calibration([(7.0, 0.49), (1.0, 3.20), (0.25, 7.50)]);

/// Scores S ← max(0, S + [x ln κ − µ(κ − 1)] / φ), from 0 again after an alarm.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Cusum {
    baseline: Baseline,
    dispersion: Dispersion,
    sum: f64,
}

/// One step of the sum.
fn step(sum: f64, observed: f64, expected: f64, phi: f64) -> f64 {
    (sum + (observed * LN_2 - expected * (TIMES - 1.0)) / phi.max(1.0)).clamp(0.0, 1e12)
}

impl Detector for Cusum {
    fn score(&self, window: &Window, settings: &Settings) -> Score {
        let seen = self.baseline.expect(window, settings);
        let threshold = threshold(settings);
        let score = self.next(&seen, seen.observed);
        let high = largest_with(seen.expected, self.dispersion.phi(), |count| {
            count <= 0.0 || self.next(&seen, count) < threshold
        });
        let explained = explain(&seen, self.dispersion.phi(), high, settings);
        let reason = format!("{}; {}", explained.reason, in_weeks(1.0 / CALIBRATION.rate(score)));
        Score { score, threshold, alarm: score >= threshold, outputs: vec![score], reason, ..explained }
    }

    fn usual(&self, window: &Window, settings: &Settings) -> Option<f64> {
        Some(self.baseline.usual(window, settings))
    }

    fn bare_score(&self, window: &Window, settings: &Settings) -> f64 {
        let seen = self.baseline.expect(window, settings);
        self.next(&seen, seen.observed)
    }

    fn learn(&mut self, window: &Window, usual: bool, settings: &Settings) {
        let seen = self.baseline.expect(window, settings);
        let next = self.next(&seen, seen.observed);
        self.sum = if next >= threshold(settings) { 0.0 } else { next };
        let hours = window.to.duration_since(window.from).as_secs_f64() / 3600.0;
        self.baseline.learn(window, &seen, usual, self.dispersion.phi(), settings);
        // An event is no wavering.
        if usual {
            self.dispersion.learn(hours, seen.observed, seen.expected);
        }
    }

    fn introduce(&mut self, source: SourceId, count: u32, since: Timestamp, until: Timestamp) {
        self.baseline.introduce(source, count, since, until);
    }
}

impl Cusum {
    fn next(&self, seen: &Expectation, observed: f64) -> f64 {
        step(self.sum, observed, seen.expected, seen.widened(self.dispersion.phi()))
    }
}

fn threshold(settings: &Settings) -> f64 {
    settings.threshold.unwrap_or_else(|| CALIBRATION.threshold(settings.sensitivity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector() {
        let mut sum = 0.0;
        let counts = [3.0, 2.0, 4.0, 6.0, 7.0, 8.0, 5.0, 3.0];
        let sums = [0.0, 0.0, 0.0, 1.1589, 3.0109, 5.5561, 6.0218, 5.1013];
        for (count, expected) in counts.into_iter().zip(sums) {
            sum = step(sum, count, 3.0, 1.0);
            assert!((sum - expected).abs() < 1e-4, "{sum} should be {expected}");
        }
    }
}
