//! What can be typed about events.

use clap::Subcommand;
use model::EventId;

#[derive(Debug, Subcommand)]
pub(crate) enum Events {
    /// List the events, newest first
    List {
        /// Only those that go on
        #[arg(long)]
        open: bool,
        /// Only those of this folder
        #[arg(long, value_name = "PATH")]
        folder: Option<String>,
        /// At most this many
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// Show one event: what was unusual and why, who had it first, who followed, the visits it caused, its stories
    Show {
        /// Its id
        id: EventId,
    },
    /// Say that an event was one: that trains the detector
    Confirm {
        /// Its id
        id: EventId,
    },
    /// Say that an event was none: it ends, and that trains the detector
    Dismiss {
        /// Its id
        id: EventId,
    },
}
