//! What detectors are told.

use crate::day_hour::DayHourSettings;
use crate::dc1::Dc1Settings;
use crate::grubbs::GrubbsSettings;
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
    /// For Grubbs' test.
    pub grubbs: GrubbsSettings,
    /// False alarms a folder may raise in a week: what the threshold is derived from where the detector can.
    pub sensitivity: f64,
    /// From which score on it alarms, on the detector's own scale, whatever the sensitivity.
    pub threshold: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            zone: TimeZone::UTC,
            // Two hours: what the papers visit at, and what the evaluation was made with.
            window: SignedDuration::from_hours(2),
            day_hour: DayHourSettings::default(),
            dc1: Dc1Settings::default(),
            grubbs: GrubbsSettings::default(),
            // One in four weeks: who watches fifty folders looks at two a day.
            sensitivity: 0.25,
            threshold: None,
        }
    }
}
