//! How much counts waver around what is expected.

use serde::{Deserialize, Serialize};

/// Hours after which a window counts half: four weeks.
const HALF_LIFE: f64 = 4.0 * 168.0;
/// Until there is evidence: copies of a story count once, so counts waver little more than chance does; worth so many stories.
const PRIOR: (f64, f64) = (1.2, 10.0);
/// A squared residual counts at most so many times the variance: an outbreak is no wavering.
const CAP: f64 = 9.0;

/// φ: the variance of counts against their mean. Poisson counts have 1.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Dispersion {
    squares: f64,
    expected: f64,
}

impl Dispersion {
    pub(crate) fn phi(&self) -> f64 {
        ((self.squares + PRIOR.0 * PRIOR.1) / (self.expected + PRIOR.1)).clamp(1.0, 1e6)
    }

    pub(crate) fn learn(&mut self, hours: f64, observed: f64, expected: f64) {
        let keep = (-hours.clamp(0.0, 1e6) / HALF_LIFE).exp2();
        let square = (observed - expected).powi(2).min(CAP * self.phi() * expected.max(0.1));
        self.squares = self.squares * keep + square;
        self.expected = self.expected * keep + expected;
    }
}
