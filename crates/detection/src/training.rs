//! What confirmations teach.

use crate::combination;
use crate::dc1::{Mode, Unit};
use crate::detector::DetectorName;

/// The weights of a detector after a person confirmed or dismissed an alarm; `None` for a detector that has none.
/// DC-1 stays where its weights already say what the person said; the default moves a little each time.
pub fn train(name: DetectorName, weights: &[f64], outputs: &[f64], confirmed: bool) -> Option<Vec<f64>> {
    match name {
        DetectorName::Default => Some(combination::train(weights, outputs, confirmed)),
        DetectorName::Dc1 => {
            let unit = Unit::from_weights(weights).unwrap_or_else(|| Mode::default().unit());
            Some(unit.train(&[(outputs.to_vec(), confirmed)]).weights.to_vec())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dismissed_alarm_does_not_come_again() {
        let outputs = [1.0, 4.5, 1.0, 5.0, 0.0, 0.0];
        let before = Mode::Robust.unit();
        assert!(before.output(&outputs) >= 1.0);
        let weights = train(DetectorName::Dc1, &[], &outputs, false).unwrap();
        let after = Unit::from_weights(&weights).unwrap();
        assert!(after.output(&outputs) < 1.0, "{after:?}");
        assert_eq!(train(DetectorName::Dc1, &before.weights, &outputs, true).unwrap(), before.weights);
        assert_eq!(train(DetectorName::Cusum, &[], &outputs, true), None);
    }
}
