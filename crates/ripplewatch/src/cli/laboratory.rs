//! What can be typed about measuring.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Laboratory {
    /// Let a simulated expert teach a base of rules on labelled texts, and show how it grows
    Expert(ExpertOptions),
    /// Add bursts to a real history and show how soon each detector notices them, at how many false alarms
    Amoc(AmocOptions),
    /// Tell the decisions of a live run again to the same policy, and check that each is the same
    Retrace {
        /// What `serve --journal FILE` or `demo --journal FILE` wrote
        journal: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AmocOptions {
    /// CSV with the columns `published_at,source,url,title`, plain or gzip
    pub(crate) trace: PathBuf,
    /// How many bursts
    #[arg(long, value_name = "N", default_value_t = 1200)]
    pub(crate) injections: usize,
    /// The same seed draws the same bursts
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the curves as a picture
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Also try every θ and time to wait for the rule of the day-hour tables
    #[arg(long)]
    pub(crate) sweep: bool,
    /// Other folders than the sixteen of the evaluation: a file of rules
    #[arg(long, value_name = "FILE")]
    pub(crate) folders: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExpertOptions {
    /// JSON Lines of title, body and topics, plain or gzip; lines without a topic or without text are left out
    pub(crate) texts: PathBuf,
    /// Write the curve as a picture
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the rules that were taught, as JSON Lines
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// Only the first texts
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}
