//! When is a folder's activity unusual? Pure: the live monitor and the laboratory drive the same detectors.

mod any;
pub mod automaton;
mod baseline;
mod calendar;
mod calibration;
mod combination;
mod cusum;
mod day_hour;
mod dc1;
mod detector;
mod ears;
mod ears_classic;
mod explain;
mod grubbs;
mod history;
mod local;
mod negative_binomial;
mod profile;
mod roster;
mod score;
mod settings;
pub mod statistics;
mod training;
mod watcher;
mod window;

pub use any::AnyDetector;
pub use calendar::{
    Calendar, Entry, EntryError, Estimate, HeldOut, IcsError, Import, Level, Occurrence, Prior, Problem,
    estimate, read_ics,
};
pub use combination::Combination;
pub use cusum::Cusum;
pub use day_hour::{DayHour, DayHourSettings};
pub use dc1::{
    Dc1, Dc1Settings, Mode, Rule, Unit, by_coverage, by_time, deviation, robust, rules, threshold,
};
pub use detector::{Detector, DetectorName};
pub use ears::{Ears, reweighted_limit};
pub use ears_classic::EarsClassic;
pub use grubbs::{Grubbs, GrubbsSettings};
pub use negative_binomial::NegativeBinomial;
pub use profile::Profile;
pub use score::{Contribution, Score};
pub use settings::Settings;
pub use training::train;
pub use watcher::{Closed, Count, Course, Covering, Finding, FolderWatch, Sight, Sighting, Watcher, What};
pub use window::{Part, Window};
