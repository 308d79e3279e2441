//! One detector of whatever kind, as a folder's state is stored.

use crate::combination::Combination;
use crate::cusum::Cusum;
use crate::day_hour::DayHour;
use crate::dc1::Dc1;
use crate::detector::{Detector, DetectorName};
use crate::ears::Ears;
use crate::grubbs::Grubbs;
use crate::negative_binomial::NegativeBinomial;
use crate::score::Score;
use crate::settings::Settings;
use crate::window::Window;
use jiff::Timestamp;
use model::SourceId;
use serde::{Deserialize, Serialize};

/// A folder's detector.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnyDetector {
    /// What won the evaluation.
    Default(Combination),
    /// Paper 000: day-hour tables.
    DayHour(DayHour),
    /// Paper 001: the detector constructor.
    Dc1(Dc1),
    /// Grubbs' test on same-slot counts.
    Grubbs(Grubbs),
    /// Negative-binomial tail on a seasonal baseline.
    NegativeBinomial(NegativeBinomial),
    /// EARS-t, reweighted.
    Ears(Ears),
    /// Likelihood-ratio CUSUM.
    Cusum(Cusum),
}

impl AnyDetector {
    /// A detector that has seen nothing yet.
    pub fn new(name: DetectorName, _settings: &Settings) -> Self {
        match name {
            DetectorName::DayHour => Self::DayHour(DayHour::default()),
            DetectorName::Dc1 => Self::Dc1(Dc1::default()),
            DetectorName::Grubbs => Self::Grubbs(Grubbs::default()),
            DetectorName::NegativeBinomial => Self::NegativeBinomial(NegativeBinomial::default()),
            DetectorName::Ears => Self::Ears(Ears::default()),
            DetectorName::Cusum => Self::Cusum(Cusum::default()),
            DetectorName::Default => Self::Default(Combination::default()),
        }
    }

    /// Which it is.
    pub fn name(&self) -> DetectorName {
        match self {
            Self::Default(_) => DetectorName::Default,
            Self::DayHour(_) => DetectorName::DayHour,
            Self::Dc1(_) => DetectorName::Dc1,
            Self::Grubbs(_) => DetectorName::Grubbs,
            Self::NegativeBinomial(_) => DetectorName::NegativeBinomial,
            Self::Ears(_) => DetectorName::Ears,
            Self::Cusum(_) => DetectorName::Cusum,
        }
    }

    fn inner(&self) -> &dyn Detector {
        match self {
            Self::Default(one) => one,
            Self::NegativeBinomial(one) => one,
            Self::Ears(one) => one,
            Self::Cusum(one) => one,
            Self::DayHour(one) => one,
            Self::Dc1(one) => one,
            Self::Grubbs(one) => one,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Detector {
        match self {
            Self::Default(one) => one,
            Self::NegativeBinomial(one) => one,
            Self::Ears(one) => one,
            Self::Cusum(one) => one,
            Self::DayHour(one) => one,
            Self::Dc1(one) => one,
            Self::Grubbs(one) => one,
        }
    }
}

impl Detector for AnyDetector {
    fn score(&self, window: &Window, settings: &Settings) -> Score {
        self.inner().score(window, settings)
    }

    fn usual(&self, window: &Window, settings: &Settings) -> Option<f64> {
        self.inner().usual(window, settings)
    }

    fn bare_score(&self, window: &Window, settings: &Settings) -> f64 {
        self.inner().bare_score(window, settings)
    }

    fn learn(&mut self, window: &Window, usual: bool, settings: &Settings) {
        self.inner_mut().learn(window, usual, settings);
    }

    fn introduce(&mut self, source: SourceId, count: u32, since: Timestamp, until: Timestamp) {
        self.inner_mut().introduce(source, count, since, until);
    }

    fn weights(&self) -> Vec<f64> {
        self.inner().weights()
    }

    fn set_weights(&mut self, weights: &[f64]) {
        self.inner_mut().set_weights(weights);
    }
}
