//! The chance of so many stories or more, by a negative binomial around the seasonal baseline.

use crate::baseline::{Baseline, Dispersion};
use crate::detector::Detector;
use crate::explain::{LEAST_EXPECTED, explain, in_weeks, surprise};
use crate::score::Score;
use crate::settings::Settings;
use crate::statistics::highest_usual;
use crate::window::Window;
use jiff::Timestamp;
use model::SourceId;
use serde::{Deserialize, Serialize};

/// 10^LONG windows are for ever.
const LONG: f64 = 30.0;

/// Scores −log10 P(X ≥ observed).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct NegativeBinomial {
    baseline: Baseline,
    dispersion: Dispersion,
}

impl Detector for NegativeBinomial {
    fn score(&self, window: &Window, settings: &Settings) -> Score {
        let seen = self.baseline.expect(window, settings);
        let phi = self.dispersion.phi();
        let threshold = threshold(settings);
        let score = surprise(seen.observed, seen.expected, seen.widened(phi));
        let wide = seen.widened(phi);
        let high = highest_usual(threshold, seen.expected.max(LEAST_EXPECTED), wide);
        let explained = explain(&seen, phi, high, settings);
        let weeks = 10_f64.powf(score.min(LONG)) * settings.window.as_secs_f64() / (168.0 * 3600.0);
        let reason = format!("{}; {}", explained.reason, in_weeks(weeks));
        Score { score, threshold, alarm: score >= threshold, outputs: vec![score], reason, ..explained }
    }

    fn usual(&self, window: &Window, settings: &Settings) -> Option<f64> {
        Some(self.baseline.usual(window, settings))
    }

    fn bare_score(&self, window: &Window, settings: &Settings) -> f64 {
        let seen = self.baseline.expect(window, settings);
        surprise(seen.observed, seen.expected, seen.widened(self.dispersion.phi()))
    }

    fn introduce(&mut self, source: SourceId, count: u32, since: Timestamp, until: Timestamp) {
        self.baseline.introduce(source, count, since, until);
    }

    fn learn(&mut self, window: &Window, usual: bool, settings: &Settings) {
        let seen = self.baseline.expect(window, settings);
        let hours = window.to.duration_since(window.from).as_secs_f64() / 3600.0;
        self.baseline.learn(window, &seen, usual, self.dispersion.phi(), settings);
        // An event is no wavering.
        if usual {
            self.dispersion.learn(hours, seen.observed, seen.expected);
        }
    }
}

fn threshold(settings: &Settings) -> f64 {
    settings.threshold.unwrap_or_else(|| {
        let windows = 168.0 * 3600.0 / settings.window.as_secs_f64().max(1.0);
        (windows / settings.sensitivity.clamp(1e-6, 1e3)).log10().max(0.5)
    })
}
