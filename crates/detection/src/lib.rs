//! When is a folder's activity unusual? Pure: the live monitor and the laboratory drive the same detectors.

mod any;
mod automaton;
mod baseline;
mod calendar;
mod detector;
mod explain;
mod negative_binomial;
mod score;
mod settings;
pub mod statistics;
mod training;
mod watcher;
mod window;

pub use any::AnyDetector;
pub use calendar::Level;
pub use detector::{Detector, DetectorName};
pub use negative_binomial::NegativeBinomial;
pub use score::{Contribution, Score};
pub use settings::Settings;
pub use training::train;
pub use watcher::{Closed, Count, Course, Covering, Finding, FolderWatch, Sight, Sighting, Watcher, What};
pub use window::{Part, Window};
