//! What was seen of a folder in one window of time.

use crate::calendar::Level;
use jiff::Timestamp;
use model::SourceId;
use serde::{Deserialize, Serialize};

/// What was seen of a folder between two moments. A source without a part was not seen: missing is not zero.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// It holds what was first seen after this moment …
    pub from: Timestamp,
    /// … up to this one.
    pub to: Timestamp,
    /// Still going on: counts may grow. What is already too much for the whole window stays too much.
    pub open: bool,
    /// What the calendar expects of it, as a multiple of the usual.
    pub level: Level,
    /// One for each source that was seen, in no order.
    pub parts: Vec<Part>,
}

/// What one source brought to a folder since it was last seen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The source.
    pub source: SourceId,
    /// The last successful visit before: the part's articles appeared after it. May lie before the window.
    pub since: Timestamp,
    /// The last successful visit in the window.
    pub until: Timestamp,
    /// New stories of the folder; one that another source had first does not count.
    pub count: u32,
}

impl Window {
    /// All stories.
    pub fn observed(&self) -> u64 {
        self.parts.iter().map(|part| u64::from(part.count)).sum()
    }
}
