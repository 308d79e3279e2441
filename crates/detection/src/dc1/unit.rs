//! DC-1's third stage: a linear threshold unit that weighs what the monitors say.

/// Outputs above this say no more: a single wild monitor must not drown the others.
pub(super) const CAP: f64 = 6.0;
/// The unit alarms from here on; only the weights are free, for their scale is.
pub(super) const ALARM: f64 = 1.0;
/// Monitors the unit sees.
pub(super) const INPUTS: usize = 6;
/// No weight grows beyond this.
const HEAVIEST: f64 = 2.0;
/// How far one example moves the unit towards the right side, as a share of what is missing.
const RATE: f64 = 0.2;
/// A dismissed example must stay this far below the alarm.
const MARGIN: f64 = 0.05;
/// Times the examples are gone through.
const ROUNDS: usize = 50;

/// A linear threshold unit. Sites come and go, so that it weighs not each by name but the strongest by rank. Inputs:
/// the folder's threshold, the folder's deviation, how many sites are above their thresholds, and the deviations of the
/// three sites that deviate most; each between 0 and 6.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// One for each input.
    pub weights: [f64; INPUTS],
}

impl Unit {
    /// The paper's way: more than the folder's maximum alarms, and so do three deviations.
    pub const FAITHFUL: Self = Self { weights: [1.0, 1.0 / 3.0, 0.02, 0.02, 0.01, 0.01] };
    /// Above the maximum of ten days is one window in eleven by chance: it adds, but does not alarm alone.
    pub const ROBUST: Self = Self { weights: [0.1, 0.2, 0.02, 0.03, 0.01, 0.01] };

    /// What the unit says: from 1 on, alarm.
    pub fn output(&self, inputs: &[f64]) -> f64 {
        self.weights.iter().zip(inputs).map(|(weight, input)| weight * input.clamp(0.0, CAP)).sum()
    }

    /// From a list; nothing unless it has one usable weight for each input.
    pub fn from_weights(weights: &[f64]) -> Option<Self> {
        let weights: [f64; INPUTS] = weights.try_into().ok()?;
        weights.iter().all(|weight| weight.is_finite()).then(|| Self { weights }.bounded())
    }

    /// Learns from what the user confirmed (true) and dismissed (false), as a perceptron does. The best weights met on
    /// the way are kept, so that the result is never worse on the examples than the start.
    #[must_use]
    pub fn train(&self, examples: &[(Vec<f64>, bool)]) -> Self {
        let mut unit = self.clone().bounded();
        let mut best = (unit.mistakes(examples), unit.clone());
        for _ in 0..ROUNDS {
            if best.0 == 0 {
                break;
            }
            for (inputs, confirmed) in examples {
                unit = unit.step(inputs, *confirmed);
            }
            let mistakes = unit.mistakes(examples);
            if mistakes < best.0 {
                best = (mistakes, unit.clone());
            }
        }
        best.1
    }

    fn step(&self, inputs: &[f64], confirmed: bool) -> Self {
        if self.is_right(inputs, confirmed) {
            return self.clone();
        }
        let size: f64 = inputs.iter().take(INPUTS).map(|input| input.clamp(0.0, CAP).powi(2)).sum();
        let target = if confirmed { ALARM + MARGIN } else { ALARM - 2.0 * MARGIN };
        let step = RATE * (target - self.output(inputs)) / size.max(1.0);
        let mut weights = self.weights;
        for (weight, input) in weights.iter_mut().zip(inputs) {
            *weight += step * input.clamp(0.0, CAP);
        }
        Self { weights }.bounded()
    }

    fn is_right(&self, inputs: &[f64], confirmed: bool) -> bool {
        let output = self.output(inputs);
        if confirmed { output >= ALARM } else { output <= ALARM - MARGIN }
    }

    fn mistakes(&self, examples: &[(Vec<f64>, bool)]) -> usize {
        examples.iter().filter(|(inputs, confirmed)| !self.is_right(inputs, *confirmed)).count()
    }

    /// No weight speaks against an event, none grows without bound, and a folder that is as unusual as can be always
    /// alarms: else dismissals could silence it for good.
    fn bounded(mut self) -> Self {
        self.weights.iter_mut().for_each(|weight| *weight = weight.clamp(0.0, HEAVIEST));
        let [maximum, deviation, ..] = &mut self.weights;
        *deviation = deviation.max((ALARM + MARGIN - *maximum) / CAP);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn confirmations_and_dismissals_move_the_weights() {
        // Dismissed: one site alone deviates. Confirmed: the folder deviates a little, and many sites with it.
        let dismissed = vec![1.0, 5.0, 1.0, 6.0, 0.0, 0.0];
        let confirmed = vec![0.0, 2.5, 5.0, 3.0, 3.0, 2.5];
        let examples = [(dismissed.clone(), false), (confirmed.clone(), true)];
        let before = Unit::ROBUST;
        assert!(before.output(&dismissed) > 1.0 && before.output(&confirmed) < 1.0);
        let after = before.train(&examples);
        assert!(after.output(&dismissed) < 1.0 && after.output(&confirmed) >= 1.0, "{after:?}");
    }

    #[test]
    fn weights_that_do_not_fit_are_refused() {
        assert_eq!(Unit::from_weights(&[1.0; 5]), None);
        assert_eq!(Unit::from_weights(&[f64::NAN; 6]), None);
        assert_eq!(Unit::from_weights(&Unit::FAITHFUL.weights), Some(Unit::FAITHFUL));
    }

    proptest! {
        #[test]
        fn training_is_bounded_and_never_worse(
            examples in prop::collection::vec((prop::collection::vec(-1.0f64..9.0, 6), any::<bool>()), 0..30),
        ) {
            let unit = Unit::ROBUST.train(&examples);
            prop_assert!(unit.weights.iter().all(|weight| (0.0..=HEAVIEST).contains(weight)));
            prop_assert!(unit.mistakes(&examples) <= Unit::ROBUST.mistakes(&examples));
            prop_assert!(unit.output(&[1.0, 6.0, 0.0, 0.0, 0.0, 0.0]) >= ALARM);
        }
    }
}
