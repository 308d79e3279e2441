//! Chance that can be repeated: a small generator whose every draw follows from its seed.

/// A stream of draws. The step and the finaliser are those of `SplitMix64`: tiny, fast, and good enough for
/// a stage set; nothing here guards a secret.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

/// Weyl increment: the odd number nearest to 2⁶⁴ divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Dice {
    /// A stream that depends on every part, and on their order.
    pub(crate) fn of(parts: &[u64]) -> Self {
        Self(
            parts
                .iter()
                .fold(STEP, |state, part| finalise(state ^ part.wrapping_mul(STEP)).wrapping_add(STEP)),
        )
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        finalise(self.0)
    }

    /// Uniform in `0..n`; 0 when `n` is 0. The bias of the multiplication is below 2⁻³² for our small `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// Uniform in `low..=high`.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// Uniform in `[0, 1)`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True with probability `p`.
    pub(crate) fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// One of `items`, which must not be empty.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// The index of one of `weights`, each as likely as it is heavy.
    pub(crate) fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        weights.len().saturating_sub(1)
    }

    /// A waiting time with this mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        -(1.0 - self.unit()).ln() * mean
    }

    /// How many events fall into a window that expects `mean` of them.
    pub(crate) fn poisson(&mut self, mean: f64) -> usize {
        // Counting waiting times stays exact for any mean; ours are below 20.
        let mut count = 0;
        let mut elapsed = self.exponential(1.0);
        while elapsed < mean {
            count += 1;
            elapsed += self.exponential(1.0);
        }
        count
    }

    /// Puts `items` in a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A stable hash of a word (FNV-1a), to derive seeds from names and tags from bodies.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

fn finalise(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_parts_matters() {
        assert_ne!(Dice::of(&[1, 2]).next(), Dice::of(&[2, 1]).next());
        assert_eq!(Dice::of(&[1, 2]).next(), Dice::of(&[1, 2]).next());
    }

    #[test]
    fn draws_have_the_means_they_promise() {
        let mut dice = Dice::of(&[7]);
        let n = 20_000;
        let poisson: usize = (0..n).map(|_| dice.poisson(2.5)).sum();
        let unit: f64 = (0..n).map(|_| dice.unit()).sum();
        let second = (0..n).filter(|_| dice.weighted(&[1.0, 3.0]) == 1).count();
        assert!((poisson as f64 / f64::from(n) - 2.5).abs() < 0.05);
        assert!((unit / f64::from(n) - 0.5).abs() < 0.01);
        assert!((second as f64 / f64::from(n) - 0.75).abs() < 0.01);
    }
}
