//! What is expected: dates at which a folder will be busier than usual, so that only what exceeds them alarms.

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
}

impl Default for Level {
    fn default() -> Self {
        Self::USUAL
    }
}
