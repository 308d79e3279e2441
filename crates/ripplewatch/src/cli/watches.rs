//! What can be typed about watches on parts of pages.

use super::{SourceRef, network};
use clap::{Args, Subcommand};
use model::WatchId;

#[derive(Debug, Subcommand)]
pub(crate) enum Watches {
    /// List the watches, and how each is doing
    List {
        /// Only those on this source's page, by its id or URL
        #[arg(long)]
        source: Option<SourceRef>,
    },
    /// Make a watch on a part of a page; a URL that is no source yet becomes one
    #[command(
        after_help = "Try it:\n  ripplewatch watches test https://shop.example/lamp 'css .price'\n  ripplewatch watches add https://shop.example/lamp 'css .price' --moved 'down 5 %' --stop 'below 10'\n  ripplewatch watches add 7 'keyword recall' --notify 'appears recall' --when 'at 09:00 on mon-fri'"
    )]
    Add {
        /// The source, by its id or URL
        source: SourceRef,
        /// What to look at: text, links, images, `keyword WORD`, `phrase WORDS`, `table N`, `list N`, `css SELECTOR [@ATTRIBUTE]` or `regex PATTERN`
        what: String,
        #[command(flatten)]
        options: Box<WatchOptions>,
        /// Address or network that may be visited although it is private; may be repeated
        #[arg(long, value_name = "NET", value_parser = network)]
        allow: Vec<ipnet::IpNet>,
    },
    /// Show one watch and what it saw change
    Show {
        /// Its id
        watch: WatchId,
        /// At most this many changes
        #[arg(long, default_value_t = 10)]
        limit: usize,
    },
    /// Change a watch; one that has ended begins anew
    Edit {
        /// Its id
        watch: WatchId,
        /// What to look at instead
        #[arg(long)]
        what: Option<String>,
        #[command(flatten)]
        options: Box<WatchOptions>,
    },
    /// Let watches look no more until they are resumed
    Pause {
        /// Their ids
        #[arg(required = true)]
        watches: Vec<WatchId>,
    },
    /// Let paused watches look again
    Resume {
        /// Their ids
        #[arg(required = true)]
        watches: Vec<WatchId>,
    },
    /// Remove watches, and what they saw
    Remove {
        /// Their ids
        #[arg(required = true)]
        watches: Vec<WatchId>,
    },
    /// Show what a watch would see now, without storing anything
    Test {
        /// A URL, or a file with a page
        page: String,
        /// What to look at, as for `add`
        what: String,
        /// Only inside what this CSS selector matches
        #[arg(long, value_name = "CSS")]
        within: Option<String>,
        /// Leave out lines that match this regular expression
        #[arg(long, value_name = "REGEX")]
        ignore: Option<String>,
        /// Address or network that may be visited although it is private; may be repeated
        #[arg(long, value_name = "NET", value_parser = network)]
        allow: Vec<ipnet::IpNet>,
    },
}

/// What can be set about a watch.
#[derive(Debug, Args)]
pub(crate) struct WatchOptions {
    /// What to call it [default: after what it looks at]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Only inside what this CSS selector matches
    #[arg(long, value_name = "CSS")]
    pub(crate) within: Option<String>,
    /// Leave out lines that match this regular expression: dates, counters
    #[arg(long, value_name = "REGEX")]
    pub(crate) ignore: Option<String>,
    /// When a look counts: `every visit`, `every 30 minutes` or `at 09:00, 17:30 on mon-fri` [default: every visit]
    #[arg(long)]
    pub(crate) when: Option<String>,
    /// Tell only when the first number has moved so far since the last telling: `up 5`, `down 10 %`, `by 2`
    #[arg(long, value_name = "MOVE")]
    pub(crate) moved: Option<String>,
    /// End when this holds: `after 2026-12-31`, `told 3 times`, `contains WORDS`, `lacks WORDS`, `above 100`, `below 5`; may be repeated
    #[arg(long = "stop", value_name = "CONDITION")]
    pub(crate) stops: Vec<String>,
    /// Which changes are told: always, `appears WORDS`, `disappears WORDS`, `above 100`, `below 5`, `words 10` [default: always]
    #[arg(long, value_name = "CONDITION")]
    pub(crate) notify: Option<String>,
    /// Time zone of its times [default: this machine's]
    #[arg(long)]
    pub(crate) zone: Option<String>,
}
