//! What competes.

use super::huginn::PeakDetector;
use detection::{AnyDetector, Detector, DetectorName, Mode, Settings};

/// A detector in the competition.
#[derive(Debug, Clone, Copy)]
pub struct Contender {
    /// What it is called in the table.
    pub name: &'static str,
    /// Its state depends on the threshold, because it begins anew after an alarm: each threshold needs a run of its own.
    pub begins_anew: bool,
    make: Make,
    adjust: fn(&mut Settings),
}

/// Makes a detector that has seen nothing.
pub type Make = fn(&Settings) -> Box<dyn Entrant>;

impl Contender {
    /// One whose state does not depend on the threshold.
    pub const fn new(name: &'static str, make: Make) -> Self {
        Self { name, begins_anew: false, make, adjust: |_| {} }
    }

    /// One that begins anew after an alarm.
    pub const fn beginning_anew(name: &'static str, make: Make) -> Self {
        Self { name, begins_anew: true, make, adjust: |_| {} }
    }

    /// One with settings of its own.
    pub const fn with(name: &'static str, make: Make, adjust: fn(&mut Settings)) -> Self {
        Self { name, begins_anew: false, make, adjust }
    }

    /// The settings it competes with.
    pub fn settings(&self, settings: &Settings) -> Settings {
        let mut own = settings.clone();
        (self.adjust)(&mut own);
        own
    }

    /// A detector that has seen nothing.
    pub fn fresh(&self, settings: &Settings) -> Box<dyn Entrant> {
        (self.make)(settings)
    }
}

/// A detector whose state can be kept aside at the onset of a burst.
pub trait Entrant: Detector {
    /// The same in the same state.
    fn copy(&self) -> Box<dyn Entrant>;
}

impl<D: Detector + Clone + 'static> Entrant for D {
    fn copy(&self) -> Box<dyn Entrant> {
        Box::new(self.clone())
    }
}

/// All that are compared, the default first.
pub fn contenders() -> Vec<Contender> {
    vec![
        Contender::beginning_anew("default", |settings| any(DetectorName::Default, settings)),
        Contender::new("day-hour ratio", |settings| any(DetectorName::DayHour, settings)),
        Contender::with(
            "DC-1, faithful",
            |settings| any(DetectorName::Dc1, settings),
            |settings| {
                settings.dc1.mode = Mode::Faithful;
            },
        ),
        Contender::with(
            "DC-1, robust",
            |settings| any(DetectorName::Dc1, settings),
            |settings| {
                settings.dc1.mode = Mode::Robust;
            },
        ),
        Contender::new("Grubbs", |settings| any(DetectorName::Grubbs, settings)),
        Contender::new("negative-binomial", |settings| any(DetectorName::NegativeBinomial, settings)),
        Contender::new("EARS-t, reweighted", |settings| any(DetectorName::Ears, settings)),
        Contender::beginning_anew("LR-CUSUM", |settings| any(DetectorName::Cusum, settings)),
        Contender::new("Huginn's peak", |_| Box::new(PeakDetector::default())),
    ]
}

fn any(name: DetectorName, settings: &Settings) -> Box<dyn Entrant> {
    Box::new(AnyDetector::new(name, settings))
}
