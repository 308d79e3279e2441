//! Grubbs' test for one outlier (paper 001's first choice) on the counts of the same time of the day.

use crate::history::{Counting, History};
use crate::score::{Contribution, Score, strongest};
use crate::statistics::t_quantile;
use crate::{Detector, Settings, Window};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// With fewer counts the test can hardly reject anything.
const LEAST: usize = 6;

/// Grubbs' one-sided test: is the newest of the last N counts of this time of the day an outlier? Counts go through
/// Anscombe's transform 2·√(x + 3/8) first, after which chance makes deviations of about 1. The score is the test's t
/// form, the distance from the other counts in their deviations, which rejects exactly where G does and goes on
/// growing where G comes up against its bound (N−1)/√N.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Grubbs {
    history: History,
}

/// How Grubbs' test is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GrubbsSettings {
    /// The chance of an alarm where nothing is unusual.
    pub alpha: f64,
    /// Counts in the test, the newest included.
    pub counts: u16,
    /// Deviations are at least this, after the transform: else one story in a folder that never has any alarms. 0 is
    /// the test as published.
    pub least_deviation: f64,
}

impl Default for GrubbsSettings {
    fn default() -> Self {
        // Two weeks: as many weekends on each side of the test.
        Self { alpha: 0.05, counts: 15, least_deviation: 1.0 }
    }
}

impl Detector for Grubbs {
    fn score(&self, window: &Window, settings: &Settings) -> Score {
        let least = LEAST.min(usize::from(settings.grubbs.counts)).max(3) - 1;
        let past = self.history.past(window, least, settings);
        let level = window.level.multiplier;
        let mut observed = 0.0;
        let mut contributions = Vec::new();
        for (part, profile) in window.parts.iter().zip(&past.parts) {
            let Some(profile) = profile else { continue };
            let count = Counting::PerWindow.count(part, settings);
            observed += count;
            let usual = profile.mean * level;
            if count > usual {
                contributions.push(Contribution {
                    source: part.source,
                    observed: count,
                    expected: usual,
                    unusual: false,
                });
            }
        }
        let mut contributions = strongest(contributions);
        // Most sources were seen equally often: a critical value takes longer than all the rest, and serves again.
        let mut criticals: BTreeMap<usize, f64> = BTreeMap::new();
        for one in &mut contributions {
            let others = self.history.brought(one.source, window, settings);
            one.unusual = Test::of(&others, window, settings).is_some_and(|test| {
                test.t(one.observed) > *criticals.entry(test.n).or_insert_with(|| test.critical_t())
            });
        }
        let known = observed > 0.0 || past.parts.iter().any(Option::is_some);
        let test = Test::of(&past.sums, window, settings).filter(|test| known && test.n > least);
        let threshold = settings.threshold.or(test.as_ref().map(Test::critical_t)).unwrap_or(f64::MAX);
        let score = test.as_ref().map_or(0.0, |test| test.t(observed));
        let expected = past.sums.iter().sum::<f64>() / (past.sums.len() as f64).max(1.0) * level;
        Score {
            observed: window.observed() as f64,
            expected,
            low: test.as_ref().map_or(0.0, |test| test.count_at(-threshold)),
            high: test.as_ref().map_or(expected, |test| test.count_at(threshold)),
            score,
            threshold,
            alarm: score > threshold,
            outputs: vec![score],
            contributions,
            reason: test.map_or_else(
                || "too few counts of this time of the day are known yet".into(),
                |test| {
                    let words = window.level.words(observed, expected / level.max(f64::MIN_POSITIVE));
                    let calendar = words.map(|words| format!("; {words}")).unwrap_or_default();
                    test.reason(observed, expected, threshold) + &calendar
                },
            ),
        }
    }

    fn learn(&mut self, window: &Window, usual: bool, settings: &Settings) {
        if usual {
            let others = settings.grubbs.counts.saturating_sub(1);
            self.history.learn(window, others, Counting::PerWindow, settings);
        }
    }
}

/// Anscombe's transform.
fn transformed(count: f64) -> f64 {
    2.0 * (count.max(0.0) + 0.375).sqrt()
}

/// The test of a count against others.
struct Test {
    n: usize,
    mean: f64,
    /// Deviation of a new value: that of the others, widened by what their mean is not known.
    deviation: f64,
    alpha: f64,
}

impl Test {
    fn of(others: &[f64], window: &Window, settings: &Settings) -> Option<Self> {
        let level = window.level.multiplier;
        let values: Vec<f64> = others.iter().map(|count| transformed(count * level)).collect();
        if values.len() < 2 {
            return None;
        }
        let m = values.len() as f64;
        let profile = crate::Profile::of(&values);
        let floor = settings.grubbs.least_deviation.max(1e-9);
        // A level that is known to within a factor moves the root of the count by half of that.
        let unsure = profile.mean * window.level.uncertainty / 2.0;
        let deviation = (profile.deviation.max(floor) * (1.0 + 1.0 / m).sqrt()).hypot(unsure);
        Some(Self { n: values.len() + 1, mean: profile.mean, deviation, alpha: settings.grubbs.alpha })
    }

    fn t(&self, count: f64) -> f64 {
        (transformed(count) - self.mean) / self.deviation
    }

    fn critical_t(&self) -> f64 {
        let n = self.n as f64;
        t_quantile(1.0 - self.alpha.clamp(1e-12, 0.5) / n, n - 2.0)
    }

    /// The count that would have this t.
    fn count_at(&self, t: f64) -> f64 {
        let value = (self.mean + t * self.deviation).clamp(0.0, 1e9);
        ((value / 2.0).powi(2) - 0.375).max(0.0)
    }

    /// In G, which is what the test is known by.
    fn reason(&self, observed: f64, expected: f64, threshold: f64) -> String {
        let n = self.n as f64;
        let g = |t: f64| (n - 1.0) / n.sqrt() * t / (n - 2.0 + t * t).sqrt();
        format!(
            "{observed:.0} against {expected:.1} at this time of the day; Grubbs' G = {:.2} of {} counts (alarms above {:.2})",
            g(self.t(observed)),
            self.n,
            g(threshold)
        )
    }
}

#[cfg(test)]
mod tests;
