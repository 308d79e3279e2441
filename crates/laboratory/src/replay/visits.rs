//! The visits of a replay.

use super::span::Span;
use super::trace::Trace;
use jiff::Timestamp;

/// When each source was visited, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visits(pub Vec<Vec<Timestamp>>);

impl Visits {
    /// None yet.
    pub(super) fn none(trace: &Trace) -> Self {
        Self(vec![Vec::new(); trace.sources().len()])
    }

    pub(super) fn add(&mut self, source: usize, at: Timestamp) {
        if let Some(visits) = self.0.get_mut(source) {
            visits.push(at);
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Visits of a source on a day of the test, on average.
    pub fn per_source_day(&self, span: &Span) -> f64 {
        self.count() as f64 / (self.0.len() as f64 * span.days()).max(1e-9)
    }

    /// The first visit to a source at or after a moment.
    pub(super) fn first_from(&self, source: usize, at: Timestamp) -> Option<Timestamp> {
        let visits = self.0.get(source)?;
        visits.get(visits.partition_point(|visit| *visit < at)).copied()
    }
}
