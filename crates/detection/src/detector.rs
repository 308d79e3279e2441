//! What a detector is, and which there are.

use crate::score::Score;
use crate::settings::Settings;
use crate::window::Window;
use jiff::Timestamp;
use model::SourceId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A pure state machine for one folder: windows come in, scores come out.
pub trait Detector: Send + Sync + fmt::Debug {
    /// How unusual this window is, given what was learned from those before. For an open window nothing is assumed
    /// of what is still to come: it alarms only if what is there is too much for the whole window.
    fn score(&self, window: &Window, settings: &Settings) -> Score;

    /// Stories that the whole of an open window would bring, were it as usual, where that is known without going through
    /// its parts. As long as there are no more, the window is not scored: less than usual is no event.
    fn usual(&self, _window: &Window, _settings: &Settings) -> Option<f64> {
        None
    }

    /// The score alone, for who needs many and no explanation.
    fn bare_score(&self, window: &Window, settings: &Settings) -> f64 {
        self.score(window, settings).score
    }

    /// Takes a closed window into what is usual. Windows come in the order of time; some may be missing.
    /// `usual` is false while an event goes on: detectors that learn from normal days only then leave it out.
    fn learn(&mut self, window: &Window, usual: bool, settings: &Settings);

    /// A source is known to have brought `count` stories of this folder in (since, until], before its first part: the
    /// dated back catalogue of a new source, or nothing at all from one that was long watched for other folders.
    fn introduce(&mut self, _source: SourceId, _count: u32, _since: Timestamp, _until: Timestamp) {}

    /// The weights of the linear threshold unit over [`Score::outputs`]; empty for a detector without.
    fn weights(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes over weights that confirmations trained. Ignored if they do not fit.
    fn set_weights(&mut self, _weights: &[f64]) {}
}

/// The detectors a user can choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DetectorName {
    /// What won the evaluation.
    #[default]
    Default,
    /// Paper 000: day-hour tables.
    DayHour,
    /// Paper 001: the detector constructor.
    Dc1,
    /// Grubbs' test on same-slot counts.
    Grubbs,
    /// Negative-binomial tail on a seasonal baseline.
    NegativeBinomial,
    /// EARS-t, reweighted.
    Ears,
    /// Likelihood-ratio CUSUM.
    Cusum,
}

impl DetectorName {
    /// All, in the order they are offered.
    pub const ALL: [Self; 7] = [
        Self::Default,
        Self::DayHour,
        Self::Dc1,
        Self::Grubbs,
        Self::NegativeBinomial,
        Self::Ears,
        Self::Cusum,
    ];

    /// As it is written in settings and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::DayHour => "day-hour",
            Self::Dc1 => "dc1",
            Self::Grubbs => "grubbs",
            Self::NegativeBinomial => "negative-binomial",
            Self::Ears => "ears",
            Self::Cusum => "cusum",
        }
    }
}

impl fmt::Display for DetectorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl std::str::FromStr for DetectorName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::word).join(", ");
        Self::ALL
            .into_iter()
            .find(|name| name.word() == text)
            .ok_or_else(|| format!("there is no detector {text:?}; choose one of {}", names()))
    }
}
