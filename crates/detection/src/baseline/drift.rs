//! The drift of a folder: themes come and go over days.

use serde::{Deserialize, Serialize};

/// Hours after which a window counts half.
const HALF_LIFE: f64 = 60.0;
/// As many stories' worth of belief that nothing drifts, times the dispersion.
const PRIOR: f64 = 10.0;

/// What the folder lately brought against its own slow rate.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Drift {
    observed: f64,
    expected: f64,
    prior: f64,
}

impl Drift {
    pub(super) fn factor(&self) -> f64 {
        let prior = self.prior.max(1e-3);
        ((self.observed + prior) / (self.expected + prior)).clamp(0.02, 50.0)
    }

    pub(super) fn learn(&mut self, hours: f64, observed: f64, expected: f64, phi: f64) {
        let keep = (-hours.clamp(0.0, 1e6) / HALF_LIFE).exp2();
        self.observed = self.observed * keep + observed;
        self.expected = self.expected * keep + expected;
        self.prior = PRIOR * phi;
    }
}
