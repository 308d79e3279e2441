//! How unusual a window is, and why.

use model::SourceId;
use serde::{Deserialize, Serialize};

/// How unusual a window is, with its explanation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Stories seen.
    pub observed: f64,
    /// Stories that would be usual, the calendar included.
    pub expected: f64,
    /// The range that would not surprise: up to here nothing alarms. From `low`, below which is unusually quiet.
    pub low: f64,
    /// The upper end of that range.
    pub high: f64,
    /// How unusual, on the detector's own scale. Higher is more unusual; comparable between windows.
    pub score: f64,
    /// From which score on it alarms.
    pub threshold: f64,
    /// Whether it alarms.
    pub alarm: bool,
    /// What the parts of the detector say, before weighting: what confirmations train on.
    pub outputs: Vec<f64>,
    /// The sources that contribute most above their own usual, most first, at most ten.
    pub contributions: Vec<Contribution>,
    /// Why, in words: "7 against 2.1 expected (usual range 0 to 5); by chance once in 40 weeks".
    pub reason: String,
}

/// What one source adds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    /// The source.
    pub source: SourceId,
    /// Stories it brought.
    pub observed: f64,
    /// Stories usual for it in the same time.
    pub expected: f64,
    /// It alone is unusual, even had it been the only source watched.
    pub unusual: bool,
}

/// As many sources are named.
const NAMED: usize = 10;

/// The sources that are most above their own usual, most first.
pub(crate) fn strongest(mut contributions: Vec<Contribution>) -> Vec<Contribution> {
    let excess = |contribution: &Contribution| contribution.observed - contribution.expected;
    let order =
        |a: &Contribution, b: &Contribution| excess(b).total_cmp(&excess(a)).then(a.source.cmp(&b.source));
    if contributions.len() > NAMED {
        contributions.select_nth_unstable_by(NAMED, order);
        contributions.truncate(NAMED);
    }
    contributions.sort_unstable_by(order);
    contributions
}
