//! When is a folder's activity unusual? Pure: the live monitor and the laboratory drive the same detectors.

mod calendar;
mod day_hour;
mod detector;
mod local;
mod roster;
mod score;
mod settings;
mod window;

pub use calendar::Level;
pub use day_hour::{DayHour, DayHourSettings};
pub use detector::{Detector, DetectorName};
pub use score::{Contribution, Score};
pub use settings::Settings;
pub use window::{Part, Window};
