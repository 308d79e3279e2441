//! Who asked for what, and when: the server's side of the story.

use jiff::Timestamp;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A request received.
#[derive(Debug, Clone)]
pub struct Logged {
    /// When it arrived, by the world's clock.
    pub at: Timestamp,
    /// When it arrived, really.
    pub real: Instant,
    /// The index of the site.
    pub site: usize,
    /// Path and query as sent.
    pub path: String,
    /// The status of the answer.
    pub status: u16,
    /// The `User-Agent` sent; empty if none.
    pub agent: String,
    /// Whether it carried a validator.
    pub conditional: bool,
}

/// A ring of requests.
#[derive(Debug, Default)]
pub(super) struct Journal(Mutex<VecDeque<Logged>>);

/// The most requests kept: some hours of the busiest test, about 200 MB at worst.
const CAPACITY: usize = 1_000_000;

impl Journal {
    pub(super) fn add(&self, entry: Logged) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() == CAPACITY {
            entries.pop_front();
        }
        entries.push_back(entry);
    }

    pub(super) fn entries(&self) -> Vec<Logged> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
