//! The default: evidence for a burst, gathered over windows, for small, middling and large bursts at once.
//!
//! For each size, how much more likely the last windows are if a burst began at any of them than if none did: the statistic of
//! Shiryaev and Roberts, R ← (1 + ρR)·L, where L is the likelihood ratio of the window's count, negative-binomial around the
//! seasonal baseline. A burst adds stories whatever the hour: at night it shows sooner than a multiple of the usual would.

mod training;

pub(crate) use training::train;

use crate::baseline::{Baseline, Dispersion, Expectation};
use crate::calibration::Calibration;
use crate::detector::Detector;
use crate::explain::{explain, in_weeks, plain, surprise};
use crate::score::Score;
use crate::settings::Settings;
use crate::statistics::{largest_with, ln_burst_ratio};
use crate::window::Window;
use jiff::Timestamp;
use model::SourceId;
use serde::{Deserialize, Serialize};

/// How many bursts are looked for at once.
const BURSTS: usize = 3;
/// What they add in a window, in mean windows of the folder; twelve hours of the middle one are a mean day.
const SIZES: [f64; BURSTS] = [1.0, 2.0, 4.0];
/// … but at least so many stories: in a quiet folder two at once are no burst.
const LEAST: f64 = 0.5;
/// How much of the evidence is kept from window to window. Half is lost in 13 hours: bursts do not last for ever.
const KEPT: f64 = 0.9;
/// Evidence beyond any threshold; keeps everything finite.
const MOST: f64 = 500.0;
/// A chance of 10⁻⁴, once in two years of two-hour windows, is as much as the evidence that comes by chance in four weeks.
const SUDDEN: (f64, f64) = (4.0, 7.4);
const WEIGHTS: [f64; BURSTS] = [1.0 / 3.0; BURSTS];
const CALIBRATION: Calibration = Calibration([(7.0, 1.45), (1.0, 4.20), (0.25, 7.50)]);

/// What won the evaluation: scores the weighted mean of ln(1 + R) over the sizes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Combination {
    baseline: Baseline,
    dispersion: Dispersion,
    /// ln(1 + R) for each size, after the last window.
    evidence: [f64; BURSTS],
    weights: [f64; BURSTS],
    run: Run,
}

/// The windows the evidence comes from.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Run {
    hours: f64,
    observed: f64,
    expected: f64,
}

impl Default for Combination {
    fn default() -> Self {
        Self {
            baseline: Baseline::default(),
            dispersion: Dispersion::default(),
            evidence: [0.0; BURSTS],
            weights: WEIGHTS,
            run: Run::default(),
        }
    }
}

impl Detector for Combination {
    fn score(&self, window: &Window, settings: &Settings) -> Score {
        let seen = self.baseline.expect(window, settings);
        let phi = self.dispersion.phi();
        let threshold = threshold(settings);
        let (outputs, score) = self.judge(&seen, seen.observed);
        let spread = seen.widened(phi);
        let high = largest_with(seen.expected, spread, |count| {
            count <= 0.0 || self.judge(&seen, count).1 < threshold
        });
        let rate = CALIBRATION.rate(score);
        let explained = explain(&seen, phi, high, settings);
        let mut reason = format!("{}; {}", explained.reason, in_weeks(1.0 / rate));
        if self.run.hours > 0.0 && score >= threshold {
            let (observed, expected) = (self.run.observed + seen.observed, self.run.expected + seen.expected);
            let hours = self.run.hours + hours(window);
            reason = format!("{reason} ({observed} against {} over {hours:.0} hours)", plain(expected));
        }
        Score { score, threshold, alarm: score >= threshold, outputs: outputs.to_vec(), reason, ..explained }
    }

    fn usual(&self, window: &Window, settings: &Settings) -> Option<f64> {
        Some(self.baseline.usual(window, settings))
    }

    fn bare_score(&self, window: &Window, settings: &Settings) -> f64 {
        let seen = self.baseline.expect(window, settings);
        self.judge(&seen, seen.observed).1
    }

    fn learn(&mut self, window: &Window, usual: bool, settings: &Settings) {
        let seen = self.baseline.expect(window, settings);
        let (outputs, score) = self.judge(&seen, seen.observed);
        self.baseline.learn(window, &seen, usual, self.dispersion.phi(), settings);
        // An event is no wavering.
        if usual {
            self.dispersion.learn(hours(window), seen.observed, seen.expected);
        }
        // After an alarm the evidence is used up: what comes next has to be unusual by itself.
        if score >= threshold(settings) {
            (self.evidence, self.run) = ([0.0; BURSTS], Run::default());
            return;
        }
        self.evidence = outputs;
        // Below this the windows so far speak no more for a burst than against one.
        if score < std::f64::consts::LN_2 {
            self.run = Run::default();
        } else {
            self.run.hours += hours(window);
            self.run.observed += seen.observed;
            self.run.expected += seen.expected;
        }
    }

    fn introduce(&mut self, source: SourceId, count: u32, since: Timestamp, until: Timestamp) {
        self.baseline.introduce(source, count, since, until);
    }

    fn weights(&self) -> Vec<f64> {
        self.weights.to_vec()
    }

    fn set_weights(&mut self, weights: &[f64]) {
        if let Some(weights) = training::fitting(weights) {
            self.weights = weights;
        }
    }
}

impl Combination {
    /// The evidence for each size, and the score: that evidence weighted, or the window's own suddenness if that says more.
    fn judge(&self, seen: &Expectation, observed: f64) -> ([f64; BURSTS], f64) {
        let outputs = self.outputs(seen, observed);
        (outputs, self.weigh(&outputs).max(self.suddenness(seen, observed)))
    }

    /// Evidence is for bursts of a few sizes: what is larger by far shows in the tail at once, above all in small folders. Its
    /// square leaves ordinary thresholds to the evidence; at this one both say the same. What dismissals take from all weights
    /// they take from it too.
    fn suddenness(&self, seen: &Expectation, observed: f64) -> f64 {
        let surprise = surprise(observed, seen.expected, seen.widened(self.dispersion.phi()));
        let trust: f64 = self.weights.iter().sum();
        trust * SUDDEN.1 * (surprise / SUDDEN.0).powi(2)
    }

    /// ln(1 + R) for each size, had the window brought so many stories.
    fn outputs(&self, seen: &Expectation, observed: f64) -> [f64; BURSTS] {
        let phi = seen.widened(self.dispersion.phi());
        let mut outputs = self.evidence;
        for (output, size) in outputs.iter_mut().zip(SIZES) {
            let added = (size * seen.flat).max(LEAST);
            let ratio = ln_burst_ratio(observed, seen.expected, added, phi);
            // R is e^evidence − 1.
            let before = (KEPT * output.exp_m1()).ln_1p();
            *output = softplus(before + ratio).clamp(0.0, MOST);
        }
        outputs
    }

    fn weigh(&self, outputs: &[f64; BURSTS]) -> f64 {
        self.weights.iter().zip(outputs).map(|(weight, output)| weight * output).sum()
    }
}

/// ln(1 + e^x), which is x where that would overflow.
fn softplus(x: f64) -> f64 {
    if x > 30.0 { x } else { x.exp().ln_1p() }
}

fn threshold(settings: &Settings) -> f64 {
    settings.threshold.unwrap_or_else(|| CALIBRATION.threshold(settings.sensitivity))
}

fn hours(window: &Window) -> f64 {
    window.to.duration_since(window.from).as_secs_f64() / 3600.0
}
