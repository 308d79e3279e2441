//! A successful visit as the watcher sees it, and what the watcher remembers of a source.

use jiff::{SignedDuration, Timestamp};
use model::{FolderId, SourceId};
use serde::{Deserialize, Serialize};

/// A successful visit. Others are not sightings: missing is not zero.
#[derive(Debug, Clone)]
pub struct Sighting<'a> {
    /// The source that was seen.
    pub source: SourceId,
    /// When.
    pub at: Timestamp,
    /// What it brought to folders.
    pub counts: &'a [Count],
    /// After a longer gap than this a visit catches up: what it brings is no measure of any window.
    pub longest_gap: SignedDuration,
    /// How far back the articles of the first visit go, where they are dated: what rates are first learned from. Asked for
    /// by [`Watcher::wants_catalogue`](crate::Watcher::wants_catalogue).
    pub catalogue: Option<SignedDuration>,
}

/// What a visit brought to one folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The folder.
    pub folder: FolderId,
    /// Stories no other source had before.
    pub stories: u32,
    /// Articles, copies of known stories included.
    pub articles: u32,
}

/// A shorter time says too little about how much a source brings: until then it is not measured by.
const KNOWN_AFTER: SignedDuration = SignedDuration::from_hours(4);

/// What the watcher remembers of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sight {
    /// The first sighting.
    pub(super) first: Timestamp,
    /// The last one.
    pub(super) last: Timestamp,
    /// The last one that measured nothing: the first, or one that caught up.
    pub(super) unmeasured: Timestamp,
    /// How far back its articles went at the first sighting.
    pub(super) catalogue: SignedDuration,
    /// The folders it has brought anything to, in the order of their ids.
    pub(super) folders: Vec<Covered>,
}

/// A folder that a source covers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Covered {
    pub(super) folder: FolderId,
    /// The folder's detector knows the source.
    pub(super) introduced: bool,
}

/// What a sighting measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Measure {
    /// Nothing: it is the first, and everything on the page is new to us, not to the world; or the clock was set back; or
    /// the visit caught up after a long silence.
    Nothing,
    /// What appeared since this moment.
    Span(Timestamp),
}

impl Sight {
    pub(super) fn new(at: Timestamp) -> Self {
        Self {
            first: at,
            last: Timestamp::MIN,
            unmeasured: at,
            catalogue: SignedDuration::ZERO,
            folders: Vec::new(),
        }
    }

    /// How long it is known, up to `until`, what it brings; nothing if that is too short to say anything.
    pub(super) fn known_for(&self, until: Timestamp) -> Option<SignedDuration> {
        let span = until.duration_since(self.first).saturating_add(self.catalogue);
        (span >= KNOWN_AFTER).then_some(span)
    }

    /// Takes note of a sighting.
    pub(super) fn measure(&mut self, at: Timestamp, longest_gap: SignedDuration) -> Measure {
        let since = std::mem::replace(&mut self.last, at);
        if since == Timestamp::MIN {
            return Measure::Nothing;
        }
        let gap = at.duration_since(since);
        if gap <= SignedDuration::ZERO || gap > longest_gap {
            self.unmeasured = at;
            return Measure::Nothing;
        }
        Measure::Span(since)
    }

    /// Remembers that it covers a folder.
    pub(super) fn cover(&mut self, folder: FolderId) {
        let place = self.folders.binary_search_by_key(&folder, |covered| covered.folder);
        if let Err(place) = place {
            self.folders.insert(place, Covered { folder, introduced: false });
        }
    }
}
