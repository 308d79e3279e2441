//! What can be typed about measuring.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Laboratory {
    /// Let a simulated expert teach a base of rules on labelled texts, and show how it grows
    Expert(ExpertOptions),
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
