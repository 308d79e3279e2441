//! What can be typed about the calendar.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Calendar {
    /// List the dates, with what is expected of them and what came of past ones
    List {
        /// Only those of this folder
        #[arg(long, value_name = "PATH")]
        folder: Option<String>,
    },
    /// Add a date
    Add {
        /// What it is called, e.g. "Cup final 2026"
        title: String,
        /// When it begins: 2026-06-11T20:00, 2026-06-11T20:00:00Z, or 2026-06-11 for the whole day
        #[arg(long, value_name = "TIME")]
        from: String,
        /// When it ends; a date alone includes its day
        #[arg(long, value_name = "TIME")]
        to: String,
        #[command(flatten)]
        options: EntryOptions,
    },
    /// Add the dates of an iCalendar file; those that are there already are brought up to date
    Import {
        /// The file, or - for standard input
        file: PathBuf,
        /// Pass over what cannot be read instead of importing nothing
        #[arg(long)]
        skip: bool,
        #[command(flatten)]
        options: EntryOptions,
    },
    /// Remove dates
    Remove {
        /// Their ids
        #[arg(required = true)]
        ids: Vec<i64>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct EntryOptions {
    /// The folder that will be busy
    #[arg(long, value_name = "PATH")]
    pub(crate) folder: String,
    /// What it is one of: past dates of a kind teach what to expect of the next [default: the title without numbers]
    #[arg(long)]
    pub(crate) kind: Option<String>,
    /// How many times the usual is expected, e.g. 1.7 [default: estimated from past dates of the kind]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) multiplier: Option<f64>,
    /// How well that is known: 0.2 is within a fifth, two times in three
    #[arg(long, value_name = "NUMBER")]
    pub(crate) uncertainty: Option<f64>,
}
