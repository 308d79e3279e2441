//! What can be typed about replaying a history.

use super::detect::zone;
use clap::{Args, ValueEnum};
use jiff::tz::TimeZone;
use laboratory::replay::Contestant;
use scheduling::Pace;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
The history is CSV with the columns published_at,source,url,title and, if there, text and folders (separated by |),\n\
plain or gzip. The first weeks teach the policies; the rest is replayed, each policy making the same visits.\n\
With --json, an array with one row for each budget, policy and seed:\n  \
{\"policy\":…,\"seed\":…,\"visits_per_source_day\":…,\"mean_minutes\":…,\"median_minutes\":…,\"p95_minutes\":…,\n   \
\"burst_mean_minutes\":…,\"interest_mean_minutes\":…,\"coverage\":…,\"visits_per_article\":…,\"gap_closed\":…,…}\n\
Only World Cup counts:\n  \
ripplewatch replay history.csv.gz --rules cup.rules --interest 'World Cup=1' --interest others=0")]
pub(crate) struct Replay {
    /// The history
    pub(crate) trace: PathBuf,
    /// Which policies, separated by commas: planner, even, sqrt, static-top-down, static-bottom-up, static-random, day-hour, dc1,
    /// grubbs, cam, wic, bright, entry-frequency, nutch, duplicate-share, lambda-crawl, azar; oracle and known-rate are limits
    /// that know the future
    #[arg(long, value_name = "NAMES", default_value = "all", value_parser = contestants)]
    pub(crate) policies: Contestants,
    /// The budget: visits a source and day; several separated by commas give a curve
    #[arg(long, value_name = "N,…", default_value = "4.8", value_delimiter = ',')]
    pub(crate) visits_per_day: Vec<f64>,
    /// Weeks to learn from before the test begins
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) train_weeks: u32,
    /// Only the first weeks of the history, e.g. to choose parameters on them [default: all]
    #[arg(long, value_name = "N")]
    pub(crate) first_weeks: Option<u32>,
    /// How many runs, each with other phases and ties
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) seeds: u64,
    /// free: visits may move from the night to the day; hourly: the same budget each hour
    #[arg(long, value_enum, default_value_t = PaceWord::Free)]
    pub(crate) pace: PaceWord,
    /// File articles into folders by these rules [default: the history's own folders, else those of the evaluation]
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// What an article of a folder is worth, e.g. Sport=3; `others=0` for all else; may be repeated
    #[arg(long, value_name = "FOLDER=WEIGHT", value_parser = interest)]
    pub(crate) interest: Vec<(String, f64)>,
    /// How many newest articles a page shows: older ones count as pushed off it
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = page_size)]
    pub(crate) page_size: usize,
    /// Time zone whose hours and weekdays the sources keep
    #[arg(long, default_value = "UTC", value_parser = zone, value_name = "ZONE")]
    pub(crate) zone: TimeZone,
    /// Write the rows as CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write a picture: delay against visits, or with one budget the delays side by side
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write a report that needs nothing else: tables and pictures
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Instead, repeat a paper's experiment as it was published
    #[arg(long, value_enum, value_name = "WHICH", conflicts_with_all = ["policies", "visits_per_day", "pace", "interest", "csv"])]
    pub(crate) as_published: Option<AsPublished>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AsPublished {
    /// Static and event-driven monitoring of five folders' five top sources, with look-ahead and without
    Table1,
    /// The detector constructor on a World Cup folder, visits every 2, 4 and 24 hours
    Dc1,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PaceWord {
    /// Visits may move from the night to the day
    Free,
    /// The same budget each hour
    Hourly,
}

impl From<PaceWord> for Pace {
    fn from(word: PaceWord) -> Self {
        match word {
            PaceWord::Free => Self::Free,
            PaceWord::Hourly => Self::Hourly,
        }
    }
}

/// Who takes part.
#[derive(Debug, Clone)]
pub(crate) struct Contestants(pub(crate) Vec<Contestant>);

fn contestants(text: &str) -> Result<Contestants, String> {
    Contestant::list(text).map(Contestants).map_err(|error| error.to_string())
}

fn interest(text: &str) -> Result<(String, f64), String> {
    let (folder, weight) = text.rsplit_once('=').ok_or("write for example Sport=3 or others=0")?;
    match weight.trim().parse::<f64>() {
        Ok(weight) if weight.is_finite() && weight >= 0.0 => Ok((folder.trim().to_owned(), weight)),
        _ => Err(format!("“{weight}” is no weight: 0 or more is needed")),
    }
}

fn page_size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(size) if size > 0 => Ok(size),
        _ => Err(format!("“{text}” is no number of articles: at least 1 is needed")),
    }
}
