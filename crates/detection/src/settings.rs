//! What detectors are told.

use crate::day_hour::DayHourSettings;
use crate::dc1::Dc1Settings;
use jiff::SignedDuration;
use jiff::tz::TimeZone;

/// What detectors are told, with every default in this one place.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Hours of the week are those of this zone.
    pub zone: TimeZone,
    /// How long a window is; windows lie on a grid of it from 1970 on.
    pub window: SignedDuration,
    /// For the day-hour tables.
    pub day_hour: DayHourSettings,
    /// For DC-1.
    pub dc1: Dc1Settings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            zone: TimeZone::UTC,
            // Two hours: what the papers visit at, and what the evaluation was made with.
            window: SignedDuration::from_hours(2),
            day_hour: DayHourSettings::default(),
            dc1: Dc1Settings::default(),
        }
    }
}
