//! What past entries of a kind say about the next one, and whether that helps.

use super::Level;
use crate::statistics::ln_gamma;
use serde::{Deserialize, Serialize};

/// Added to both counts of a ratio: a day without a story says "few", not "none ever".
const HALF: f64 = 0.5;
/// How much the guess about the spread between entries counts, in entries: one past entry says nothing about it.
const GUESS: f64 = 2.0;

/// One past entry: what was seen while it lasted, and what would have been usual.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Occurrence {
    /// Stories seen.
    pub observed: f64,
    /// Stories usual for that time, without the calendar.
    pub usual: f64,
}

/// What is known before any entry of a kind was seen. Variances of logarithms of multipliers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prior {
    /// How kinds differ from the usual.
    pub of_kinds: f64,
    /// How the entries of one kind differ from each other.
    pub of_entries: f64,
}

/// What to expect of the next entry of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The level: multiplier and how well it is known.
    pub level: Level,
    /// The multiplier that the past entries have on average, without caution.
    pub unshrunk: f64,
    /// From so many past entries.
    pub entries: usize,
    /// How well such estimates would have done; nothing with fewer than two entries.
    pub held_out: Option<HeldOut>,
}

/// Mean logarithm of the chance that was given to what then came, each entry foretold from the others. Higher is better.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    /// By the estimate.
    pub estimate: f64,
    /// By expecting the usual.
    pub usual: f64,
    /// By the plain mean of the other entries.
    pub unshrunk: f64,
}

impl HeldOut {
    /// Whether the estimate is better than expecting the usual.
    pub fn helps(&self) -> bool {
        self.estimate > self.usual
    }
}

impl Default for Prior {
    fn default() -> Self {
        // Two kinds in three lie between 0.6 and 1.6 times the usual, two entries in three within a third of their kind.
        Self { of_kinds: 0.25, of_entries: 0.09 }
    }
}

impl Prior {
    /// As the kinds of a calendar show it; few kinds hardly move the default.
    pub fn of<'a>(kinds: impl IntoIterator<Item = &'a [Occurrence]>) -> Self {
        let guess = Self::default();
        let (mut within, mut freedom) = (GUESS * guess.of_entries, GUESS);
        let mut means = Vec::new();
        for kind in kinds.into_iter().filter(|kind| !kind.is_empty()) {
            let spread = spread(kind);
            let more = kind.len() as f64 - 1.0;
            within += spread * more;
            freedom += more;
            means.push((plain_mean(kind, guess.of_entries), guess.of_entries / kind.len() as f64));
        }
        // The squares of the kinds' means, less what their own entries' spread makes of them.
        let squares: f64 = means.iter().map(|(mean, noise)| (mean * mean - noise).max(0.0)).sum();
        let of_kinds = (GUESS * guess.of_kinds + squares) / (GUESS + means.len() as f64);
        Self { of_kinds: of_kinds.clamp(0.01, 4.0), of_entries: (within / freedom).clamp(0.0025, 1.0) }
    }
}

/// What to expect of the next entry, from the past ones: the mean of their logarithms, shrunk towards the usual by how
/// little they say. The uncertainty is that of the mean and the spread between entries; the chance in their
/// counts is taken out.
pub fn estimate(past: &[Occurrence], prior: Prior) -> Estimate {
    let level = expect(past, prior);
    let of_entries = spread_with(past, prior);
    Estimate {
        level,
        unshrunk: plain_mean(past, of_entries).exp(),
        entries: past.len(),
        held_out: (past.len() >= 2).then(|| held_out(past, prior)),
    }
}

fn expect(past: &[Occurrence], prior: Prior) -> Level {
    let of_entries = spread_with(past, prior);
    let prior_weight = 1.0 / prior.of_kinds.max(1e-6);
    let weight: f64 = past.iter().map(|one| 1.0 / (of_entries + one.noise())).sum();
    let sum: f64 = past.iter().map(|one| one.ratio() / (of_entries + one.noise())).sum();
    let uncertainty = (1.0 / (weight + prior_weight) + of_entries).sqrt();
    Level { multiplier: (sum / (weight + prior_weight)).exp(), uncertainty }.bounded()
}

fn held_out(past: &[Occurrence], prior: Prior) -> HeldOut {
    let mut sums = [0.0; 3];
    for (n, one) in past.iter().enumerate() {
        let others: Vec<_> =
            past.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, other)| *other).collect();
        let level = expect(&others, prior);
        let of_entries = spread_with(&others, prior);
        let mean = plain_mean(&others, of_entries).exp();
        // All three may be off by the spread between entries: they are compared by their multipliers, not their boldness.
        let doubt = (of_entries * (1.0 + 1.0 / others.len().max(1) as f64)).sqrt();
        let rivals = [
            level,
            Level { multiplier: 1.0, uncertainty: of_entries.sqrt() },
            Level { multiplier: mean, uncertainty: doubt },
        ];
        for (sum, level) in sums.iter_mut().zip(rivals) {
            *sum += one.ln_chance(level);
        }
    }
    let [estimate, usual, unshrunk] = sums.map(|sum| sum / past.len().max(1) as f64);
    HeldOut { estimate, usual, unshrunk }
}

impl Occurrence {
    fn counts(&self) -> (f64, f64) {
        let sound = |count: f64| if count.is_finite() { count.clamp(0.0, 1e12) } else { 0.0 };
        (sound(self.observed), sound(self.usual))
    }

    /// Logarithm of the multiplier that it had.
    fn ratio(&self) -> f64 {
        let (observed, usual) = self.counts();
        ((observed + HALF) / (usual + HALF)).ln()
    }

    /// Variance that chance gives to that.
    fn noise(&self) -> f64 {
        let (observed, usual) = self.counts();
        // Of the count expected rather than the count seen: few seen by chance must not look precise or vague by chance.
        1.0 / (f64::midpoint(observed, usual) + HALF)
    }

    /// Logarithm of the chance of the count, were the level right: a negative binomial as wide as chance and doubt.
    fn ln_chance(&self, level: Level) -> f64 {
        let (observed, usual) = self.counts();
        let mean = ((usual + HALF / 2.0) * level.multiplier).max(1e-9);
        let size = 1.0 / level.uncertainty.powi(2).exp_m1().clamp(1e-9, 1e3);
        let ways = ln_gamma(observed + size) - ln_gamma(size) - ln_gamma(observed + 1.0);
        ways - size * (mean / size).ln_1p() - observed * (size / mean).ln_1p()
    }
}

/// Mean of the logarithms, each as heavy as it is precise.
fn plain_mean(past: &[Occurrence], of_entries: f64) -> f64 {
    let weight = |one: &Occurrence| 1.0 / (of_entries + one.noise());
    let weights: f64 = past.iter().map(weight).sum();
    past.iter().map(|one| one.ratio() * weight(one)).sum::<f64>() / weights.max(f64::MIN_POSITIVE)
}

/// Variance between entries beyond chance (`DerSimonian` and Laird); 0 for fewer than two.
fn spread(past: &[Occurrence]) -> f64 {
    if past.len() < 2 {
        return 0.0;
    }
    let weight = |one: &Occurrence| 1.0 / one.noise();
    let weights: f64 = past.iter().map(weight).sum();
    let mean = plain_mean(past, 0.0);
    let scatter: f64 = past.iter().map(|one| weight(one) * (one.ratio() - mean).powi(2)).sum();
    let squares: f64 = past.iter().map(|one| weight(one).powi(2)).sum();
    let more = past.len() as f64 - 1.0;
    ((scatter - more) / (weights - squares / weights).max(f64::MIN_POSITIVE)).max(0.0)
}

/// The same, with the guess where there are few.
fn spread_with(past: &[Occurrence], prior: Prior) -> f64 {
    let more = (past.len() as f64 - 1.0).max(0.0);
    (GUESS * prior.of_entries + more * spread(past)) / (GUESS + more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(pairs: &[(f64, f64)]) -> Vec<Occurrence> {
        pairs.iter().map(|(observed, usual)| Occurrence { observed: *observed, usual: *usual }).collect()
    }

    #[test]
    fn without_a_past_nothing_special_is_expected() {
        let nothing = estimate(&[], Prior::default());
        assert!((nothing.level.multiplier - 1.0).abs() < 1e-12 && nothing.held_out.is_none());
        assert!((nothing.level.uncertainty - 0.34_f64.sqrt()).abs() < 1e-9, "kinds and entries both");
    }

    #[test]
    fn more_entries_are_believed_more() {
        let levels: Vec<f64> = [1, 2, 5, 20]
            .map(|n| estimate(&vec![Occurrence { observed: 340.0, usual: 200.0 }; n], Prior::default()))
            .map(|estimate| estimate.level.multiplier)
            .to_vec();
        assert!(levels.is_sorted() && levels[0] > 1.2 && levels[3] < 1.7 && levels[3] > 1.65, "{levels:?}");
    }

    #[test]
    fn few_stories_are_believed_less() {
        let small = estimate(&of(&[(3.0, 1.0), (2.0, 1.0)]), Prior::default()).level;
        let large = estimate(&of(&[(300.0, 100.0), (200.0, 100.0)]), Prior::default()).level;
        assert!(
            small.multiplier < large.multiplier && small.uncertainty > large.uncertainty,
            "{small:?} {large:?}"
        );
    }

    #[test]
    fn an_estimate_in_figures() {
        // By hand: ratios ln(170.5/100.5) = 0.52857 and ln(150.5/100.5) = 0.40380, noises 1/135.5 and 1/125.5; they
        // scatter less than chance, so the spread is 2·0.09/3 = 0.06; weights 14.8394 and 14.7140, prior 4.
        let estimate = estimate(&of(&[(170.0, 100.0), (150.0, 100.0)]), Prior::default());
        let expected = (14.839_43 * 0.528_57_f64 + 14.713_98 * 0.403_80) / (14.839_43 + 14.713_98 + 4.0);
        assert!((estimate.level.multiplier.ln() - expected).abs() < 1e-3, "{estimate:?}");
        assert!((estimate.level.uncertainty - (1.0_f64 / 33.553_4 + 0.06).sqrt()).abs() < 1e-3);
    }

    #[test]
    fn an_estimate_is_scored_on_entries_it_has_not_seen() {
        let steady = of(&[(170.0, 100.0), (180.0, 100.0), (165.0, 100.0), (176.0, 100.0), (172.0, 100.0)]);
        let held_out = estimate(&steady, Prior::default()).held_out.unwrap();
        assert!(held_out.helps(), "{held_out:?}");
        // Entries that say nothing in common: caution beats the plain mean.
        let erratic = of(&[(10.0, 4.0), (1.0, 4.0), (3.0, 4.0)]);
        let held_out = estimate(&erratic, Prior::default()).held_out.unwrap();
        assert!(held_out.estimate > held_out.unshrunk, "{held_out:?}");
    }

    #[test]
    fn many_kinds_teach_how_much_to_shrink() {
        let tame = of(&[(101.0, 100.0), (99.0, 100.0), (100.0, 100.0)]);
        let wild = of(&[(400.0, 100.0), (410.0, 100.0), (395.0, 100.0)]);
        let calm = Prior::of(vec![tame.as_slice(); 20]);
        let stormy = Prior::of(vec![wild.as_slice(); 20]);
        let one = of(&[(40.0, 20.0)]);
        // By hand: the ratio is 0.681 with noise 0.033. Calm kinds give variances 0.0227 and 0.0043, so that a share of
        // 27 / (27 + 44) is left of it; stormy ones 1.74 and 0.0043, which leaves 27 / 27.6.
        let share = |prior| estimate(&one, prior).level.multiplier.ln() / 0.681;
        assert!((share(calm) - 0.38).abs() < 0.02, "{}", share(calm));
        assert!((share(stormy) - 0.98).abs() < 0.02, "{}", share(stormy));
    }

    proptest! {
        #[test]
        fn estimates_are_sound_whatever_was_seen(
            pairs in prop::collection::vec((any::<f64>(), any::<f64>()), 0..8),
        ) {
            let past = of(&pairs);
            let prior = Prior::of([past.as_slice()]);
            let estimate = estimate(&past, prior);
            prop_assert!(estimate.level.multiplier > 0.0 && estimate.level.multiplier.is_finite());
            prop_assert!(estimate.level.uncertainty.is_finite() && estimate.unshrunk.is_finite());
            if let Some(held_out) = estimate.held_out {
                prop_assert!(held_out.estimate.is_finite() && held_out.usual.is_finite() && held_out.unshrunk.is_finite());
            }
        }

        #[test]
        fn shrinking_lies_between_the_usual_and_the_mean(
            pairs in prop::collection::vec((0.0f64..500.0, 1.0f64..200.0), 1..8),
        ) {
            let estimate = estimate(&of(&pairs), Prior::default());
            let (low, high) = (estimate.unshrunk.min(1.0), estimate.unshrunk.max(1.0));
            prop_assume!(low > 0.05 && high < 20.0);
            prop_assert!((low - 1e-9..=high + 1e-9).contains(&estimate.level.multiplier));
        }
    }
}
