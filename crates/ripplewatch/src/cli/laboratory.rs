//! What can be typed about measuring.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Laboratory {
    /// Let a simulated expert teach a base of rules on labelled texts, and show how it grows
    Expert(ExpertOptions),
    /// Add bursts to a real history and show how soon each detector notices them, at how many false alarms
    Amoc(AmocOptions),
    /// Crawl a saved web with labels, or a generated book shop, with every strategy, and show what each brings
    Crawl(CrawlLabOptions),
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

#[derive(Debug, Args)]
pub(crate) struct CrawlLabOptions {
    /// A saved web: a folder or tar archive of HTML pages and `labels.tsv`; or, with --shop, a folder with
    /// `books.csv.gz` and `retail-categories.csv.gz`
    pub(crate) web: PathBuf,
    /// Crawl the generated book shop, topic "Book"
    #[arg(long)]
    pub(crate) shop: bool,
    /// What to look for: beginnings of labels, separated by commas; without, the ten topics of the evaluation
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    pub(crate) topics: Vec<String>,
    /// Draws of seeds for each topic
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) draws: usize,
    /// Pages each crawl may fetch
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub(crate) pages: u32,
    /// Only these strategies, besides breadth-first and the oracle
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) strategies: Vec<discovery::crawl::StrategyName>,
    /// Leave out pages whose paths begin so
    #[arg(long, value_name = "PATHS", value_delimiter = ',', default_value = "wp/index")]
    pub(crate) without: Vec<String>,
    /// Another value for one of the tuned numbers of `ontology`, e.g. name=2; may be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// The same seed draws the same pages
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the curves as a picture; with --shop two, NAME-harvest.svg and NAME-time.svg
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}
