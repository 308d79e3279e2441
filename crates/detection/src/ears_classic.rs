//! EARS C1 and C2 as they are published: a check of the machinery against other people's, not a detector of ours.

use crate::profile::Profile;

/// Counts that a bound is taken from.
const BASELINE: usize = 7;

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarsClassic {
    /// From the seven counts before.
    C1,
    /// From seven counts, with two left out between: a burst that has begun does not raise its own bound.
    C2,
}

impl EarsClassic {
    /// The first count that has a bound, from 0.
    pub fn first(self) -> usize {
        match self {
            Self::C1 => BASELINE,
            Self::C2 => BASELINE + 2,
        }
    }

    /// Mean and z(1 − α) sample deviations of the baseline of the n-th count; nothing before there is one.
    pub fn bound(self, counts: &[f64], n: usize, alpha: f64) -> Option<f64> {
        let begin = n.checked_sub(self.first())?;
        let profile = Profile::of(counts.get(begin..begin + BASELINE)?);
        Some(profile.mean + normal_quantile(1.0 - alpha) * profile.deviation)
    }
}

/// The value that a standard normal stays below with this chance.
fn normal_quantile(level: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    // A hundred halvings of 80 are below what a double tells apart.
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let below = 0.5 * libm::erfc(-middle / std::f64::consts::SQRT_2);
        if below < level { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Values of surveillance 1.20.3 in Debian 12, as `cargo xtask bars surveillance` prints them.
#[cfg(test)]
mod tests {
    use super::EarsClassic::{C1, C2};
    use crate::statistics::{ln_tail, quantile};

    #[test]
    fn bounds_are_those_of_surveillance() {
        // The first counts of its series salmonella.agona.
        let counts = [1.0, 0.0, 5.0, 2.0, 1.0, 2.0, 0.0, 4.0, 0.0, 0.0, 0.0, 3.0, 1.0, 1.0];
        for (method, alpha, n, bound) in [
            (C1, 0.001, 7, 6.881_218_334_001_28),
            (C1, 0.001, 8, 7.917_344_358_378_9),
            (C1, 0.001, 11, 5.720_407_819_337_32),
            (C1, 0.025, 7, 4.939_135_484_384_79),
            (C1, 0.025, 13, 4.428_077_077_662_94),
            (C2, 0.001, 9, 6.881_218_334_001_28),
            (C2, 0.001, 13, 5.720_407_819_337_32),
            (C2, 0.025, 12, 4.217_872_312_481_34),
        ] {
            let is = method.bound(&counts, n, alpha).unwrap();
            assert!((is - bound).abs() < 1e-9, "{method:?} {alpha} {n}: {is} is not {bound}");
        }
        assert_eq!(C1.bound(&counts, 6, 0.001), None);
        assert_eq!(C2.bound(&counts, 8, 0.001), None);
        assert_eq!(C2.bound(&counts, 99, 0.001), None);
    }

    #[test]
    fn thresholds_given_mean_and_dispersion_are_those_of_surveillance() {
        // From its farringtonFlexible on salmNewport with nbPlugin, and from R's qnbinom.
        for (level, mu, phi, bound) in [
            (0.95, 0.503_433_204_050_228, 1.126_649_599_126_65, 2.0),
            (0.95, 6.857_142_857_142_85, 16.881_172_982_203, 28.0),
            (0.99, 1.759_330_540_965_48, 1.110_560_198_106_78, 6.0),
            (0.99, 2.607_142_857_142_87, 1.458_650_567_446_27, 8.0),
            (0.999, 2.517_414_407_785_35, 1.065_648_318_262_41, 9.0),
            (0.999, 2.178_571_428_571_69, 1.361_870_737_605_76, 10.0),
            (0.95, 0.05, 20.0, 0.0),
            (0.999_999, 3.0, 1.05, 15.0),
            (0.95, 10.0, 20.0, 38.0),
            (0.999_999, 5000.0, 1.05, 5348.0),
        ] {
            let is = quantile(level, mu, phi);
            assert!((is - bound).abs() < 1e-9, "{level} {mu} {phi}: {is} is not {bound}");
        }
        for (x, mu, phi, ln) in [
            (2.0, 0.5, 2.0, -2.153_161_078_985_42),
            (20.0, 10.0, 1.0, -5.668_123_295_514_56),
            (2.0, 10.0, 20.0, -0.371_039_822_644_017),
            (850.0, 170.0, 2.0, -251.711_537_212_22),
            (100_000.0, 5000.0, 20.0, -4_097.573_527_093_02),
        ] {
            let is = ln_tail(x, mu, phi);
            assert!((is / ln - 1.0).abs() < 1e-7, "{x} {mu} {phi}: {is} is not {ln}");
        }
    }
}
