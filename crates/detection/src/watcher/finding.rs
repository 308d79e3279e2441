//! What the watcher has to say.

use crate::calendar::Level;
use crate::score::Score;
use jiff::Timestamp;
use model::FolderId;

/// Something to be told of a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The folder.
    pub folder: FolderId,
    /// What.
    pub what: What,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// An event opens.
    Opened {
        /// When the window began that shows it.
        began_at: Timestamp,
        /// Why it is one.
        score: Score,
    },
    /// An open event goes on: the window as it is now.
    Grew(Score),
    /// The event is over since this moment.
    Ended(Timestamp),
    /// A window is complete.
    Closed(Closed),
}

/// A complete window, with what was made of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Closed {
    /// Its beginning.
    pub from: Timestamp,
    /// Its end.
    pub to: Timestamp,
    /// What the calendar expected of it.
    pub level: Level,
    /// How unusual it was.
    pub score: Score,
}
