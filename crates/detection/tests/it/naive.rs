//! What is kept incrementally equals what is computed from all history.

use crate::made::{part, window};
use detection::{AnyDetector, Detector, DetectorName, Settings};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// The order of the parts says nothing, whether sources are found one after the other or by search.
    #[test]
    fn the_order_of_parts_does_not_matter(
        counts in prop::collection::vec(prop::collection::vec(0_u32..6, 8), 20..60),
        turns in prop::collection::vec(0_usize..8, 60),
    ) {
        let settings = Settings::default();
        let mut one = AnyDetector::new(DetectorName::Default, &settings);
        let mut other = one.clone();
        for ((at, counts), turn) in (0..).zip(&counts).zip(&turns) {
            let mut window = window(at);
            window.parts = counts.iter().zip(1..).map(|(count, source)| part(&window, source, *count)).collect();
            let mut turned = window.clone();
            turned.parts.rotate_left(*turn);
            turned.parts.swap(0, 3);
            let (a, b) = (one.score(&window, &settings), other.score(&turned, &settings));
            prop_assert!((a.score - b.score).abs() < 1e-3 * (1.0 + a.score), "{} {}", a.score, b.score);
            one.learn(&window, true, &settings);
            other.learn(&turned, true, &settings);
        }
    }

    /// A single source of even habits: its expectation is the mean of all windows, the older ones counting less.
    #[test]
    fn the_rate_is_the_decayed_mean(counts in prop::collection::vec(2_u32..4, 100..200)) {
        let settings = Settings::default();
        let mut detector = AnyDetector::new(DetectorName::NegativeBinomial, &settings);
        let (mut sum, mut weight) = (0.0, 0.0);
        for (at, count) in (0..).zip(&counts) {
            let mut window = window(at);
            window.parts.push(part(&window, 1, *count));
            detector.learn(&window, true, &settings);
            let keep = (-2.0_f64 / 672.0).exp2();
            sum = sum * keep + f64::from(*count);
            weight = weight * keep + 1.0;
        }
        let mut next = window(counts.len() as i64);
        next.parts.push(part(&next, 1, 0));
        let expected = detector.score(&next, &settings).expected;
        // Drift and season move it by a little each.
        prop_assert!((expected / (sum / weight) - 1.0).abs() < 0.12, "{expected} {}", sum / weight);
    }
}
