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
    /// All stories of the parts.
    observed: u64,
    /// Where each source's part is. Made when it is first asked for: most sources are seen once in a window.
    #[serde(skip)]
    places: Option<HashMap<SourceId, usize>>,
}

impl Open {
    pub(super) fn at(at: Timestamp, length: SignedDuration) -> Self {
        let (from, to) = grid(at, length);
        let window = Window { from, to, open: true, level: Level::USUAL, parts: Vec::new() };
        Self { window, observed: 0, places: None }
    }

    /// Adds what a source brought in (since, until].
    pub(super) fn add(&mut self, source: SourceId, since: Timestamp, until: Timestamp, count: u32) {
        self.observed = self.observed.saturating_add(count.into());
        // A source that was last seen before the window began has no part in it yet.
        let place = if since < self.window.from { None } else { self.place(source) };
        if let Some(part) = place.and_then(|place| self.window.parts.get_mut(place)) {
            part.since = part.since.min(since);
            part.until = part.until.max(until);
            part.count = part.count.saturating_add(count);
            return;
        }
        if let Some(places) = &mut self.places {
            places.insert(source, self.window.parts.len());
        }
        self.window.parts.push(Part { source, since, until, count });
    }

    fn place(&mut self, source: SourceId) -> Option<usize> {
        let parts = &self.window.parts;
        let all = || parts.iter().enumerate().map(|(place, part)| (part.source, place)).collect();
        self.places.get_or_insert_with(all).get(&source).copied()
    }

    pub(super) fn observed(&self) -> u64 {
        self.observed
    }

    pub(super) fn take_back(&mut self, source: SourceId) {
        let place = self.place(source);
        let part = place.and_then(|place| self.window.parts.get_mut(place));
        if let Some(part) = part.filter(|part| part.count > 0) {
            part.count -= 1;
            self.observed -= 1;
        }
    }

    pub(super) fn forget(&mut self, source: SourceId) {
        self.window.parts.retain(|part| part.source != source);
        self.observed = self.window.observed();
        self.places = None;
    }

    /// It is over: nothing more is added.
    pub(super) fn close(mut self) -> Window {
        self.window.open = false;
        self.window
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    proptest! {
        /// Visits in the order of time, each with what came since the source's last one; some stories are taken back.
        #[test]
        fn a_window_holds_one_part_a_source(
            visits in prop::collection::vec((0..4i64, 1..600i64, 0..4u32, any::<bool>()), 0..40)
        ) {
            let mut open = Open::at(at(7200), SignedDuration::from_secs(7200));
            let (mut now, mut last) = (1, [-5000; 4]);
            let mut naive: BTreeMap<i64, (i64, i64, u32)> = BTreeMap::new();
            for (source, later, count, back) in visits {
                now = (now + later).min(7200);
                let since = std::mem::replace(&mut last[source as usize], now);
                open.add(SourceId(source), at(since), at(now), count);
                let part = naive.entry(source).or_insert((since, now, 0));
                *part = (part.0.min(since), now, part.2 + count);
                if back {
                    open.take_back(SourceId(source));
                    part.2 = part.2.saturating_sub(1);
                }
            }
            prop_assert_eq!(open.observed(), naive.values().map(|part| u64::from(part.2)).sum::<u64>());
            let parts: BTreeMap<i64, (i64, i64, u32)> = open.close().parts.iter()
                .map(|part| (part.source.0, (part.since.as_second(), part.until.as_second(), part.count))).collect();
            prop_assert_eq!(parts, naive);
        }
    }
}
