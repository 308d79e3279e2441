//! How soon is a burst noticed, at how many false alarms? AMOC curves (Fawcett and Provost 1999) on real background.
//!
//! A history becomes one series of counts a folder. Bursts are added to it; the delay of a detector is the time from a burst's
//! onset to the end of the first window that alarms, 48 hours if none does. A false alarm is one on the series as it was.

mod bootstrap;
mod contender;
mod folders;
mod huginn;
mod injection;
mod measure;
mod report;
mod series;
mod sweep;

pub use bootstrap::Interval;
pub use contender::{Contender, Entrant, Make, contenders};
pub use folders::{FolderRules, RulesError, TUNING_RULES};
pub use huginn::PeakDetector;
pub use injection::{Injection, injections};
pub use measure::{Curve, Point, measure};
pub use report::{COMPARED, Report, Row};
pub use series::{Series, series};
pub use sweep::{Reaction, sweep};

/// How the measurement is made; the defaults are the protocol.
#[derive(Debug, Clone, Copy)]
pub struct Protocol {
    /// Windows in which detectors only learn: 28 days of two hours.
    pub burn_in: usize,
    /// Windows a burst is spread over: 12 hours.
    pub spread: usize,
    /// Windows after an alarm in which no other is counted: 6 hours.
    pub refractory: usize,
    /// Windows after which a burst is missed: 48 hours.
    pub patience: usize,
    /// Length of a window, in hours.
    pub hours: f64,
}

impl Default for Protocol {
    fn default() -> Self {
        Self { burn_in: 28 * 12, spread: 6, refractory: 3, patience: 24, hours: 2.0 }
    }
}

impl Protocol {
    /// Hours from an onset to the end of the window so many windows later.
    pub fn delay(&self, windows: usize) -> f64 {
        (windows + 1) as f64 * self.hours
    }

    /// The delay of what is never noticed.
    pub fn missed(&self) -> f64 {
        self.patience as f64 * self.hours
    }
}
