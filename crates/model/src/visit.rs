//! Visits: what was done, and what is planned.

use crate::{EventId, Outcome, SourceId, VisitId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One visit to one source, as it happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Visit {
    /// Its id.
    pub id: VisitId,
    /// The source visited.
    pub source_id: SourceId,
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub took: Duration,
    /// Why it was made.
    pub reason: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Bytes received.
    pub bytes: u64,
    /// Articles on the page.
    pub listed: u32,
    /// Articles never seen before.
    pub new: u32,
    /// What the reader noted: oddities, guesses, caps.
    pub notes: Vec<String>,
    /// The event that caused it, if one did.
    pub event: Option<EventId>,
}

/// A coming visit. Every one has a reason a person can read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedVisit {
    /// When.
    pub at: Timestamp,
    /// Why.
    pub reason: String,
}
