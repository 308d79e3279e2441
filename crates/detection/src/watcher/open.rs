//! The window that is going on.

use crate::calendar::Level;
use crate::watcher::grid;
use crate::window::{Part, Window};
use jiff::{SignedDuration, Timestamp};
use model::SourceId;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The window that is going on, kept so that a visit adds to it in no time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Open {
    pub(super) window: Window,
    places: HashMap<SourceId, usize>,
}

impl Open {
    pub(super) fn at(at: Timestamp, length: SignedDuration) -> Self {
        let (from, to) = grid(at, length);
        let window = Window { from, to, open: true, level: Level::USUAL, parts: Vec::new() };
        Self { window, places: HashMap::new() }
    }

    /// Adds what a source brought in (since, until].
    pub(super) fn add(&mut self, source: SourceId, since: Timestamp, until: Timestamp, count: u32) {
        let parts = &mut self.window.parts;
        let place = *self.places.entry(source).or_insert_with(|| {
            parts.push(Part { source, since, until, count: 0 });
            parts.len() - 1
        });
        if let Some(part) = parts.get_mut(place) {
            part.since = part.since.min(since);
            part.until = part.until.max(until);
            part.count = part.count.saturating_add(count);
        }
    }

    pub(super) fn take_back(&mut self, source: SourceId) {
        let place = self.places.get(&source);
        if let Some(part) = place.and_then(|place| self.window.parts.get_mut(*place)) {
            part.count = part.count.saturating_sub(1);
        }
    }

    pub(super) fn forget(&mut self, source: SourceId) {
        self.window.parts.retain(|part| part.source != source);
        self.places =
            self.window.parts.iter().enumerate().map(|(place, part)| (part.source, place)).collect();
    }

    /// It is over: nothing more is added.
    pub(super) fn close(mut self) -> Window {
        self.window.open = false;
        self.window
    }
}
