//! What detectors are told.

use jiff::SignedDuration;
use jiff::tz::TimeZone;

/// What detectors are told, with every default in this one place.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Hours of the week are those of this zone.
    pub zone: TimeZone,
    /// How long a window is; windows lie on a grid of it from 1970 on.
    pub window: SignedDuration,
}

impl Default for Settings {
    fn default() -> Self {
        // Two hours: what the papers visit at, and what the evaluation was made with.
        Self { zone: TimeZone::UTC, window: SignedDuration::from_hours(2) }
    }
}
