//! Is a difference more than luck? Paired bootstrap over bursts, or over blocks such as days.

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
        let differences: Vec<(f64, f64)> =
            one.iter().zip(other).map(|(one, other)| (one - other, 1.0)).collect();
        Self::of_blocks(&differences, seed)
    }

    /// The mean of blocks that are drawn as wholes, each a sum of differences and the number (or weight) of them.
    pub fn of_blocks(blocks: &[(f64, f64)], seed: u64) -> Self {
        let mean = |drawn: &mut dyn Iterator<Item = &(f64, f64)>| {
            let (sum, count) = drawn.fold((0.0, 0.0), |sums, block| (sums.0 + block.0, sums.1 + block.1));
            if count > 0.0 { sum / count } else { 0.0 }
        };
        let mut random = Random::new(seed);
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| mean(&mut (0..blocks.len()).filter_map(|_| blocks.get(random.below(blocks.len())))))
            .collect();
        means.sort_by(f64::total_cmp);
        let at = |share: f64| means.get((share * RESAMPLES as f64) as usize).copied().unwrap_or(0.0);
        Self { mean: mean(&mut blocks.iter()), low: at(0.025), high: at(0.975) }
    }

    /// Zero lies outside: one is really shorter, or really longer.
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}
