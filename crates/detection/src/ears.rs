//! EARS-t, reweighted as ECDC's epitweetr does it: seven values are enough.

use crate::detector::Detector;
use crate::explain::plain;
use crate::score::{Contribution, Score, strongest};
use crate::settings::Settings;
use crate::statistics::t_quantile;
use crate::window::Window;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// Values the limit is made from.
const VALUES: usize = 7;
/// The chance of a limit being exceeded, were the values normal.
const ALPHA: f64 = 0.025;
/// Residuals above this quantile of t are outliers …
const OUTLIER: f64 = 0.95;
/// … and weigh (quantile / residual) to this power.
const DECAY: i32 = 4;

/// Compares with the last seven windows at the same time of day, or, in the first week, with the last seven.
/// Scores how many of the limit's margins the count lies above the mean: 1 is the limit for α = 0.025.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ears {
    /// Stories for each source and hour, and the mean, at each time of day (seconds).
    slots: BTreeMap<u32, VecDeque<f64>>,
    recent: VecDeque<f64>,
    /// Hours of all sources together in the last window.
    exposure: f64,
}

/// Weighted mean, and the limit U above it that alarms; of at least three values.
pub fn reweighted_limit(values: &[f64]) -> Option<(f64, f64)> {
    let count = values.len() as f64;
    if values.len() < 3 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let leverage = 1.0 - 1.0 / count;
    let border = t_quantile(OUTLIER, count - 2.0);
    // Each residual against the deviation of the others.
    let weight = |value: &f64| {
        let residual = value - mean;
        let others = (squares - residual * residual / leverage).max(0.0) / (count - 2.0);
        let studentized = residual / (others * leverage).sqrt().max(1e-9);
        if studentized > border { (border / studentized).powi(DECAY) } else { 1.0 }
    };
    let weights: Vec<f64> = values.iter().map(weight).collect();
    let total: f64 = weights.iter().sum();
    let scaled = || weights.iter().map(|weight| weight * count / total).zip(values);
    let mean = scaled().map(|(weight, value)| weight * value).sum::<f64>() / count;
    let squares: f64 = scaled().map(|(weight, value)| weight * (value - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    Some((mean, mean + t_quantile(1.0 - ALPHA, count - 1.0) * deviation * (1.0 + 1.0 / count).sqrt()))
}

impl Detector for Ears {
    fn score(&self, window: &Window, settings: &Settings) -> Score {
        let observed = window.observed() as f64;
        let exposure = self.exposure_of(window);
        let threshold = settings.threshold.unwrap_or(1.0);
        let level = if window.level.multiplier.is_finite() { window.level.multiplier.max(0.01) } else { 1.0 };
        let limit = self.past(window).and_then(|past| reweighted_limit(&past));
        let (score, expected, high, reason) = match limit {
            None => {
                (0.0, observed, observed, format!("{observed}; fewer than {VALUES} windows to compare with"))
            }
            Some((mean, limit)) => {
                let (expected, scale) = (mean * exposure * level, exposure * level);
                // Seven equal values have no deviation; a count then wavers by chance alone, and by one at least.
                let margin = ((limit - mean) * scale).max(expected.max(0.25).sqrt());
                let score = ((observed - expected) / margin).max(0.0);
                let high = expected + threshold * margin;
                let reason = format!(
                    "{observed} against {} expected from {VALUES} windows (alarms above {})",
                    plain(expected),
                    plain(high)
                );
                (score, expected, high, reason)
            }
        };
        let share = expected / exposure.max(1e-9);
        let contributions = window.parts.iter().filter(|part| part.count > 0).map(|part| Contribution {
            source: part.source,
            observed: f64::from(part.count),
            expected: share * part.until.duration_since(part.since).as_secs_f64() / 3600.0,
            unusual: false,
        });
        Score {
            observed,
            expected,
            low: 0.0,
            high,
            score,
            threshold,
            alarm: score > threshold,
            outputs: vec![score],
            contributions: strongest(contributions.filter(|one| one.observed > one.expected).collect()),
            reason,
        }
    }

    fn learn(&mut self, window: &Window, _usual: bool, settings: &Settings) {
        let exposure = exposure(window);
        if exposure <= 0.0 {
            return;
        }
        let level = if window.level.multiplier.is_finite() { window.level.multiplier.max(0.01) } else { 1.0 };
        let value = window.observed() as f64 / exposure / level;
        // A change of the window's length would leave slots that are never met again.
        let most = usize::try_from(86_400 / settings.window.as_secs().max(60)).unwrap_or(1).max(1);
        if self.slots.len() > most {
            self.slots.clear();
        }
        for past in [self.slots.entry(slot(window)).or_default(), &mut self.recent] {
            past.push_back(value);
            if past.len() > VALUES {
                past.pop_front();
            }
        }
        self.exposure = exposure;
    }
}

impl Ears {
    fn past(&self, window: &Window) -> Option<Vec<f64>> {
        let same = self.slots.get(&slot(window)).filter(|past| past.len() >= VALUES);
        let past = same.unwrap_or(&self.recent);
        (past.len() >= VALUES).then(|| past.iter().copied().collect())
    }

    fn exposure_of(&self, window: &Window) -> f64 {
        let own = exposure(window);
        if window.open { own.max(self.exposure) } else { own }
    }
}

/// Hours of all sources together.
fn exposure(window: &Window) -> f64 {
    let hours =
        |part: &crate::window::Part| part.until.duration_since(part.since).as_secs_f64().max(0.0) / 3600.0;
    window.parts.iter().map(hours).sum()
}

fn slot(window: &Window) -> u32 {
    window.from.as_second().rem_euclid(86_400) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors() {
        let series = [150, 130, 122, 160, 155, 128, 144, 125, 300, 319, 289, 277, 500].map(f64::from);
        for (at, limit, alarms) in
            [(9, 177.6355, true), (10, 182.0451, true), (11, 397.9135, false), (13, 458.0706, true)]
        {
            let (_, is) = reweighted_limit(&series[at - 8..at - 1]).unwrap();
            assert!((is - limit).abs() < 1e-4, "t={at}: {is} should be {limit}");
            assert_eq!(series[at - 1] > is, alarms);
        }
        assert_eq!(reweighted_limit(&[1.0, 2.0]), None);
        assert_eq!(reweighted_limit(&[4.0; 7]), Some((4.0, 4.0)));
    }
}
