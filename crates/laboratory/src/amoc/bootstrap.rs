//! Is a difference more than luck? Paired bootstrap over the bursts.

use crate::random::Random;
use serde::Serialize;

/// A mean difference with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// 2.5 % of resamples lie below.
    pub low: f64,
    /// 2.5 % lie above.
    pub high: f64,
}

const RESAMPLES: usize = 2000;

impl Interval {
    /// `one` − `other`, burst by burst.
    pub fn of(one: &[f64], other: &[f64], seed: u64) -> Self {
        let differences: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
        let count = differences.len().max(1);
        let mut random = Random::new(seed);
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let sum: f64 =
                    (0..count).filter_map(|_| differences.get(random.below(differences.len()))).sum();
                sum / count as f64
            })
            .collect();
        means.sort_by(f64::total_cmp);
        let at = |share: f64| means.get((share * RESAMPLES as f64) as usize).copied().unwrap_or(0.0);
        Self { mean: differences.iter().sum::<f64>() / count as f64, low: at(0.025), high: at(0.975) }
    }

    /// Zero lies outside: one is really shorter, or really longer.
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}
