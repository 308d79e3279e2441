//! How a watch is doing, in one word and in a sentence.

use super::Watch;

/// How a watch is doing. Every surface means the same by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WatchStanding {
    /// It has not seen its page yet.
    New,
    /// It looks, and tells what changes.
    Looking,
    /// Its part is not on the page.
    Gone,
    /// Its part changes to and fro, and is not told.
    Flapping,
    /// It does not look, because a person said so.
    Paused,
    /// It looks no more.
    Ended,
}

impl WatchStanding {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Looking => "looking",
            Self::Gone => "gone",
            Self::Flapping => "flapping",
            Self::Paused => "paused",
            Self::Ended => "ended",
        }
    }
}

impl Watch {
    /// How it is doing.
    pub fn standing(&self) -> WatchStanding {
        match &self.course.now {
            _ if self.ended.is_some() => WatchStanding::Ended,
            _ if self.paused || self.source_paused => WatchStanding::Paused,
            None => WatchStanding::New,
            Some(_) if self.course.damping.flapping_since().is_some() => WatchStanding::Flapping,
            Some(now) if now.gone.is_some() => WatchStanding::Gone,
            Some(_) => WatchStanding::Looking,
        }
    }

    /// Why it tells nothing at the moment, if it does not.
    pub fn why_quiet(&self) -> Option<String> {
        let now = self.course.now.as_ref();
        match self.standing() {
            WatchStanding::Looking => None,
            WatchStanding::New => Some("it has not seen its page yet".into()),
            WatchStanding::Gone => now.and_then(|now| now.gone.clone()),
            WatchStanding::Flapping => {
                Some("it changes to and fro: quiet until it shows something new or comes to rest".into())
            }
            WatchStanding::Paused if self.paused => Some("paused by you".into()),
            WatchStanding::Paused => Some("its source is paused".into()),
            WatchStanding::Ended => self.ended.as_ref().map(|(_, why)| why.clone()),
        }
    }
}
