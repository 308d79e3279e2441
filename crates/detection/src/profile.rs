//! What a series of counts was like.

use serde::{Deserialize, Serialize};

/// Maximum, mean and spread of a series of counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// How many counts.
    pub days: usize,
    /// The largest.
    pub maximum: f64,
    /// Their mean.
    pub mean: f64,
    /// Their sample deviation; 0 for fewer than two.
    pub deviation: f64,
}

impl Profile {
    /// Of all counts.
    pub fn of(counts: &[f64]) -> Self {
        Self::sparse(counts.iter().copied(), counts.len())
    }

    /// Of the counts that are not zero among so many.
    pub(crate) fn sparse(counts: impl Iterator<Item = f64> + Clone, days: usize) -> Self {
        if days == 0 {
            return Self::default();
        }
        let (mut maximum, mut sum, mut some) = (0.0, 0.0, 0);
        for count in counts.clone() {
            maximum = f64::max(maximum, count);
            sum += count;
            some += 1;
        }
        let n = days as f64;
        let mean = sum / n;
        let zeros = days.saturating_sub(some) as f64;
        let squares = counts.map(|count| (count - mean).powi(2)).sum::<f64>() + zeros * mean * mean;
        let deviation = if days > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
        Self { days, maximum, mean, deviation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_count_whether_they_are_named_or_not() {
        let all = Profile::of(&[2.0, 0.0, 4.0, 0.0]);
        assert_eq!(all, Profile::sparse([2.0, 4.0].into_iter(), 4));
        assert!((all.mean - 1.5).abs() < 1e-12 && (all.deviation - 1.914_854_2).abs() < 1e-6);
        assert!((all.maximum - 4.0).abs() < 1e-12);
        assert_eq!(Profile::of(&[]), Profile::default());
        assert!(Profile::of(&[3.0]).deviation.abs() < 1e-12);
    }
}
