//! What a rule has been good for.

use jiff::Timestamp;
use serde::Serialize;

/// How a rule has been used, by the articles that are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Articles it fired for.
    pub fired: u64,
    /// Articles it decided: no exception under it fired.
    pub concluded: u64,
    /// How often a person said that it was right.
    pub confirmed: u64,
    /// How often it was corrected.
    pub overturned: u64,
    /// When the newest article it fired for was first seen.
    pub last_used: Option<Timestamp>,
}
