//! What confirmations teach the default.

use super::{BURSTS, WEIGHTS};

/// How much lighter one dismissal makes what raised the alarm, and how much heavier one confirmation.
const DISMISSED: f64 = 0.75;
const CONFIRMED: f64 = 1.1;
/// No burst is ever deaf, none shrill: from a fifth to thrice the usual weight.
const BOUNDS: (f64, f64) = (1.0 / 15.0, 1.0);

/// The weights after a person confirmed or dismissed an alarm with these outputs. Each moves by its share in the alarm.
pub(crate) fn train(weights: &[f64], outputs: &[f64], confirmed: bool) -> Vec<f64> {
    let mut weights = fitting(weights).unwrap_or(WEIGHTS);
    let said =
        |output: Option<&f64>| output.copied().filter(|output| output.is_finite()).unwrap_or(0.0).max(0.0);
    let most = (0..BURSTS).map(|at| said(outputs.get(at))).fold(0.0, f64::max);
    if most <= 0.0 {
        return weights.to_vec();
    }
    let factor: f64 = if confirmed { CONFIRMED } else { DISMISSED };
    for (at, weight) in weights.iter_mut().enumerate() {
        *weight = (*weight * factor.powf(said(outputs.get(at)) / most)).clamp(BOUNDS.0, BOUNDS.1);
    }
    weights.to_vec()
}

/// Nothing unless there is one usable weight for each burst.
pub(super) fn fitting(weights: &[f64]) -> Option<[f64; BURSTS]> {
    let weights: [f64; BURSTS] = weights.try_into().ok()?;
    weights.iter().all(|weight| weight.is_finite()).then(|| weights.map(|one| one.clamp(BOUNDS.0, BOUNDS.1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn weighed(weights: &[f64], outputs: &[f64]) -> f64 {
        weights.iter().zip(outputs).map(|(weight, output)| weight * output).sum()
    }

    #[test]
    fn dismissals_ask_for_more_and_confirmations_for_less() {
        let outputs = [6.0, 9.0, 8.0];
        let mut last = weighed(&WEIGHTS, &outputs);
        let mut weights = WEIGHTS.to_vec();
        for _ in 0..3 {
            weights = train(&weights, &outputs, false);
            let now = weighed(&weights, &outputs);
            assert!(now < last * 0.85, "{now} {last}");
            last = now;
        }
        let confirmed = train(&weights, &outputs, true);
        assert!(weighed(&confirmed, &outputs) > last);
        // The largest had the largest share.
        let once = train(&WEIGHTS, &outputs, false);
        assert!(once[1] < once[2] && once[2] < once[0]);
    }

    #[test]
    fn what_does_not_fit_is_left() {
        assert_eq!(train(&[1.0], &[5.0, 5.0, 5.0], true).len(), BURSTS);
        assert_eq!(train(&WEIGHTS, &[], false), WEIGHTS);
        assert_eq!(train(&WEIGHTS, &[f64::NAN, 0.0, 0.0], false), WEIGHTS);
    }

    proptest! {
        #[test]
        fn weights_stay_bounded(
            lessons in prop::collection::vec((prop::collection::vec(-5.0..1e3_f64, 0..5), any::<bool>()), 0..200),
        ) {
            let mut weights = WEIGHTS.to_vec();
            for (outputs, confirmed) in lessons {
                weights = train(&weights, &outputs, confirmed);
                prop_assert!(weights.iter().all(|weight| (BOUNDS.0..=BOUNDS.1).contains(weight)));
            }
        }
    }
}
