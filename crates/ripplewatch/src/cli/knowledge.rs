//! What can be typed about knowledge: folders, rules, filing.

use clap::{ArgGroup, Args, Subcommand};
use model::{ArticleId, CornerstoneId, RuleId};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Folders {
    /// List the folders with their articles, and how many are in none
    List,
    /// Make a folder, with all above it
    Create {
        /// Its path, e.g. Sports/Soccer
        path: String,
    },
    /// Give a folder another name
    Rename {
        /// Its path
        path: String,
        /// The new name, without slashes
        name: String,
    },
    /// Put a folder, with all in it, into another one or to the top
    #[command(group(ArgGroup::new("where").required(true).args(["into", "top"])))]
    Move {
        /// Its path
        path: String,
        /// The folder it goes into
        #[arg(long, value_name = "PATH")]
        into: Option<String>,
        /// To the top
        #[arg(long)]
        top: bool,
    },
    /// Make one folder out of two: rules, articles and folders inside go along
    Merge {
        /// The folder that goes
        path: String,
        /// The folder that stays
        into: String,
    },
    /// Take a folder away that nothing is in and no rule speaks of, or merge it into another
    Delete {
        /// Its path
        path: String,
        /// Where its rules, articles and folders go
        #[arg(long, value_name = "PATH")]
        into: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Rules {
    /// List the rules as a tree, exceptions under the rules they correct
    List {
        /// Only those that give this folder or one inside it, with the rules above them
        #[arg(long, value_name = "PATH")]
        folder: Option<String>,
        /// Only those with this word in their condition, with the rules above them
        #[arg(long)]
        word: Option<String>,
        /// At most this many
        #[arg(long, default_value_t = 1000)]
        limit: usize,
    },
    /// Show one rule: its path, use, cornerstone, exceptions, who wrote it and when
    Show {
        /// Its id
        id: RuleId,
    },
    /// Teach a rule, by an article that is filed wrongly (--article) or without one
    Add(Box<RuleAdd>),
    /// Prove that every cornerstone is filed where it belongs; exit code 1 if not
    Check,
    /// Take over the rules, folders and cornerstones of a file: all of it or nothing
    Import {
        /// The file (JSON Lines, or text as written by `rules export --text`), or - for standard input
        file: PathBuf,
        /// Give the file's rules and cornerstones new numbers
        #[arg(long)]
        renumber: bool,
        /// Record where the rules put cornerstones that would change, instead of refusing
        #[arg(long)]
        accept: bool,
        /// Check and tell, but store nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Write all rules, folders and cornerstones as JSON Lines
    Export {
        /// The file [default: standard output]
        file: Option<PathBuf>,
        /// As indented text, to be read and compared
        #[arg(long)]
        text: bool,
    },
    /// Count rules, words, cornerstones and lessons
    Stats,
    /// Find rules that cannot fire, that say nothing new, or that were not used for long
    Report {
        /// A rule that no article of so many days used is stale
        #[arg(long, default_value_t = knowledge::STALE_DAYS, value_parser = clap::value_parser!(u32).range(1..=36500))]
        days: u32,
    },
    /// Take the last lesson back
    Undo,
    /// Take a rule out of service; exceptions under it stay
    Retire {
        /// Its id
        id: RuleId,
        #[command(flatten)]
        accept: Accept,
        /// Why
        #[arg(long)]
        note: Option<String>,
        /// Tell what would change, but store nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// File the stored articles anew as far as it is not done yet, and show how far it is
    Refile {
        /// Stop it
        #[arg(long, conflicts_with = "resume")]
        stop: bool,
        /// Let it go on
        #[arg(long)]
        resume: bool,
    },
}

/// A rule to be taught.
#[derive(Debug, Clone, Args)]
#[command(
    group(ArgGroup::new("conclusion").required(true).args(["folder", "stop"])),
    after_help = "A word is FIELD:WORD or FIELD:MODE:WORD. Fields are title, body, anchor, url, source, language and folder (a\n\
                  folder that other rules give); modes are exact (one word as it is), stem (any form of it), phrase (several words in\n\
                  a row) and prefix (any word that begins so). Without a mode one word is exact and several are a phrase.\n\n\
                  Examples:\n  \
                  ripplewatch rules add --folder Sports/Soccer --article 12 --has title:cup --has 'body:phrase:extra time'\n  \
                  ripplewatch rules add --stop --article 15 --has body:tea\n  \
                  ripplewatch rules add --folder World --instead-of Sports --article 17 --has body:stem:election\n  \
                  ripplewatch rules add --folder Economy --has title:prefix:econom --lacks title:games"
)]
pub(crate) struct RuleAdd {
    /// File it here; a folder that does not exist is made
    #[arg(long, value_name = "PATH")]
    pub(crate) folder: Option<String>,
    /// File it nowhere, on this path
    #[arg(long)]
    pub(crate) stop: bool,
    /// The folder the article is in and does not belong; may be left out with --stop if it is in one only
    #[arg(long, value_name = "PATH", requires = "article")]
    pub(crate) instead_of: Option<String>,
    /// The stored article that is filed wrongly; it becomes a cornerstone
    #[arg(long, value_name = "ID")]
    pub(crate) article: Option<ArticleId>,
    /// The rule that this is an exception to [default: with an article as the correction asks, else none]
    #[arg(long, value_name = "RULE")]
    pub(crate) under: Option<RuleId>,
    /// A word that must be there; may be repeated
    #[arg(long, value_name = "FIELD:WORD")]
    pub(crate) has: Vec<String>,
    /// A word that must not be there; may be repeated
    #[arg(long, value_name = "FIELD:WORD")]
    pub(crate) lacks: Vec<String>,
    #[command(flatten)]
    pub(crate) accept: Accept,
    /// Why, in your words
    #[arg(long)]
    pub(crate) note: Option<String>,
    /// Show conflicts and what would change, but store nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Which earlier decisions may change.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Accept {
    /// A cornerstone that may change; may be repeated
    #[arg(long = "accept", value_name = "CORNERSTONE")]
    pub(crate) ids: Vec<CornerstoneId>,
    /// Every cornerstone may change
    #[arg(long = "accept-all", conflicts_with = "ids")]
    pub(crate) all: bool,
}

#[derive(Debug, Clone, Args)]
#[command(
    group(ArgGroup::new("input").required(true).args(["article", "file", "url", "articles"])),
    after_help = "With --articles, one JSON object a line is read ({\"url\", \"title\", \"body\"}, missing parts null) and one is printed as\n\
                  soon as it is filed: {\"url\", \"folders\", \"rules\"}. With --rules nothing is asked of the data, nor is there any need of it.\n\n\
                  Examples:\n  \
                  ripplewatch classify 12\n  \
                  ripplewatch classify --url https://example.org/news/cup\n  \
                  ripplewatch classify --rules rules.jsonl --articles articles.jsonl --json"
)]
pub(crate) struct Classify {
    /// The id of a stored article, or - for a text on standard input (its first line is the title)
    pub(crate) article: Option<String>,
    /// An HTML page, or a text whose first line is the title (.txt)
    #[arg(long)]
    pub(crate) file: Option<PathBuf>,
    /// A page to fetch, politely
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// Articles as JSON Lines, perhaps gzipped; - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) articles: Option<PathBuf>,
    /// File by the rules of this file instead of the stored ones; - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// Address or network that may be visited although it is private; may be repeated
    #[arg(long, value_name = "NET", value_parser = super::network)]
    pub(crate) allow: Vec<ipnet::IpNet>,
}

impl Classify {
    /// The stored article that is meant, unless it is standard input.
    pub(crate) fn stored(&self) -> Option<&str> {
        self.article.as_deref().filter(|article| *article != "-")
    }

    /// Whether it neither needs the data nor the network.
    pub(crate) fn is_free_standing(&self) -> bool {
        self.rules.is_some() && self.stored().is_none() && self.url.is_none()
    }
}
