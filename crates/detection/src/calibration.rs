//! From scores to how often they come by chance, as measured on real background.

/// (false alarms a folder and week, the threshold that gave them), many alarms first, measured with windows of two hours on the
/// tuning folders of trace A: `ripplewatch laboratory amoc --folders crates/laboratory/src/amoc/tuning.rules --seed 7`.
pub(crate) struct Calibration(pub(crate) [(f64, f64); 3]);

impl Calibration {
    /// The threshold for so many false alarms a folder and week.
    pub(crate) fn threshold(&self, sensitivity: f64) -> f64 {
        let ln = if sensitivity.is_nan() { 0.0 } else { sensitivity.clamp(1e-6, 40.0).ln() };
        let [often, middle, seldom] = self.0;
        let (from, to) = if ln > middle.0.ln() { (often, middle) } else { (middle, seldom) };
        let slope = (to.1 - from.1) / (to.0.ln() - from.0.ln());
        (from.1 + slope * (ln - from.0.ln())).max(0.1)
    }

    /// How often a score comes by chance: alarms a folder and week.
    pub(crate) fn rate(&self, score: f64) -> f64 {
        let [often, middle, seldom] = self.0;
        let (from, to) = if score < middle.1 { (often, middle) } else { (middle, seldom) };
        let slope = (to.0.ln() - from.0.ln()) / (to.1 - from.1);
        (from.0.ln() + slope * (score - from.1)).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_and_rates_are_each_others_inverse() {
        let calibration = Calibration([(7.0, 1.5), (1.0, 4.2), (0.25, 7.3)]);
        assert!((calibration.threshold(1.0) - 4.2).abs() < 1e-9);
        assert!((calibration.threshold(0.25) - 7.3).abs() < 1e-9);
        for sensitivity in [0.001, 0.1, 0.25, 0.5, 1.0, 3.0, 7.0] {
            let back = calibration.rate(calibration.threshold(sensitivity));
            assert!((back / sensitivity - 1.0).abs() < 1e-9, "{sensitivity} {back}");
        }
        assert!(calibration.threshold(f64::NAN).is_finite() && calibration.threshold(1e9) > 0.0);
    }
}
