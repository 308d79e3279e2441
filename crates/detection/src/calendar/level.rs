//! How busy a time is expected to be.

use serde::{Deserialize, Serialize};

/// What the calendar expects, as a multiple of the usual.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// How many times the usual.
    pub multiplier: f64,
    /// Standard deviation of the multiplier's natural logarithm: how well it is known.
    pub uncertainty: f64,
}

impl Level {
    /// Nothing special.
    pub const USUAL: Self = Self { multiplier: 1.0, uncertainty: 0.0 };
    /// More than twenty times the usual, all entries together, is a mistake in the calendar rather than an expectation:
    /// it would hide everything.
    pub const HIGHEST: f64 = 20.0;
    /// Known to within a factor of 7: who knows less need not ask the calendar.
    pub const VAGUEST: f64 = 2.0;

    /// Within what makes sense.
    #[must_use]
    pub fn bounded(self) -> Self {
        let sound = |value: f64, other: f64| if value.is_finite() { value } else { other };
        Self {
            multiplier: sound(self.multiplier, 1.0).clamp(1.0 / Self::HIGHEST, Self::HIGHEST),
            uncertainty: sound(self.uncertainty, Self::VAGUEST).clamp(0.0, Self::VAGUEST),
        }
    }

    /// By how many deviations a count lies above what is expected: chance and the doubt about the level together.
    pub fn deviations(self, observed: f64, usual: f64) -> f64 {
        let expected = (usual * self.multiplier).max(0.0);
        let doubt = expected * self.uncertainty;
        (observed - expected) / (expected.max(0.25) + doubt * doubt).sqrt()
    }

    /// What the calendar has to do with a count, in words; nothing where it expects nothing.
    pub fn words(self, observed: f64, usual: f64) -> Option<String> {
        (self != Self::USUAL).then(|| {
            let percent = self.multiplier * 100.0;
            let deviations = self.deviations(observed, usual);
            let side = if deviations < 0.0 { "below" } else { "above" };
            let deviations = deviations.abs();
            format!("the calendar expects {percent:.0} % of the usual; this is {deviations:.2} deviations {side} that")
        })
    }

    /// Where only a share of the time is so.
    pub(super) fn in_part(self, share: f64) -> Self {
        if share >= 1.0 {
            return self;
        }
        let multiplier = 1.0 + share * (self.multiplier - 1.0);
        let uncertainty = share * self.multiplier * self.uncertainty / multiplier.max(f64::MIN_POSITIVE);
        Self { multiplier, uncertainty }.bounded()
    }

    pub(super) fn stronger(self, other: Self) -> Self {
        if other.multiplier.ln().abs() > self.multiplier.ln().abs() { other } else { self }
    }

    /// Both at once.
    pub(super) fn and(self, other: Self) -> Self {
        let multiplier = self.multiplier * other.multiplier;
        Self { multiplier, uncertainty: self.uncertainty.hypot(other.uncertainty) }.bounded()
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::USUAL
    }
}
