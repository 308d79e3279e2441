//! How far each sign of change is to be believed, learned per source from how well it foretold what came.

use serde::{Deserialize, Serialize};

/// Signs of change: the bursts' scales, changed hours, the bursts of all sources.
pub(crate) const SIGNS: usize = 6;

/// How fast trust is learned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrustTuning {
    /// Information that the default trust is worth.
    pub prior: f64,
    /// The lowest trust: a sign may also foretell the opposite.
    pub lowest: f64,
    /// The highest trust.
    pub highest: f64,
}

/// One visit changes the trust by no more.
const LARGEST_STEP: f64 = 0.1;

/// The trust in each sign, and how much is known about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trust {
    trust: [f32; SIGNS],
    known: [f32; SIGNS],
}

impl Trust {
    pub(crate) fn new(default: &[f64; SIGNS]) -> Self {
        Self { trust: default.map(|trust| trust as f32), known: [0.0; SIGNS] }
    }

    /// The forecast as a factor.
    pub(crate) fn factor(&self, signs: &[f64; SIGNS]) -> f64 {
        let sum: f64 = self.trust.iter().zip(signs).map(|(trust, sign)| f64::from(*trust) * sign).sum();
        sum.clamp(-4.0, 4.0).exp()
    }

    /// One step of Newton's method on the Poisson likelihood of some hours: their signs, what was foretold, what came.
    pub(crate) fn learn(&mut self, hours: &[([f64; SIGNS], f64, f64)], tuning: &TrustTuning) {
        for sign in 0..SIGNS {
            let pull: f64 = hours.iter().map(|(signs, expected, seen)| (seen - expected) * signs[sign]).sum();
            let known: f64 =
                hours.iter().map(|(signs, expected, _)| expected * signs[sign] * signs[sign]).sum();
            self.known[sign] += known as f32;
            let step = pull / (tuning.prior + f64::from(self.known[sign]));
            let trust = f64::from(self.trust[sign]) + step.clamp(-LARGEST_STEP, LARGEST_STEP);
            self.trust[sign] = trust.clamp(tuning.lowest, tuning.highest) as f32;
        }
    }
}
