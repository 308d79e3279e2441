//! What can be typed about crawls.

use clap::{Args, Subcommand};
use discovery::crawl::StrategyName;
use model::CrawlId;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Subcommand)]
pub(crate) enum Crawl {
    /// Look for pages on a topic, beginning with the seeds, and show how it goes
    Start(Box<CrawlStart>),
    /// Show where crawls stand: harvest, speed, frontier, and why one is idle
    Status {
        /// Its number; without one, all crawls
        id: Option<CrawlId>,
        /// Also show the best URLs that wait, and the hosts
        #[arg(long)]
        frontier: bool,
    },
    /// Stop a crawl; it can go on later
    Stop {
        /// Its number
        id: CrawlId,
    },
    /// Let a crawl go on: one that was stopped, killed or paused, or one that is to read more pages
    Resume(CrawlResume),
    /// The pages on the topic with the evidence for each, best first
    Pages {
        /// Its number [default: the newest crawl]
        id: Option<CrawlId>,
        /// Only pages with these words
        #[arg(long, value_name = "WORDS")]
        search: Option<String>,
        /// Pages off the topic, too
        #[arg(long)]
        all: bool,
        /// At most this many
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// Tell what is known about a URL: its score, the words found, the links that led there
    Explain {
        /// The URL
        url: String,
        /// The crawl [default: the newest]
        #[arg(long, value_name = "ID")]
        crawl: Option<CrawlId>,
    },
    /// Feeds and list pages worth watching, by the relevant articles a day they promise
    Candidates {
        /// Its number [default: the newest crawl]
        id: Option<CrawlId>,
        /// At most this many
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// Watch a candidate: it becomes a source, filed and weighed as you say
    Promote {
        /// The candidate's number, as `crawl candidates` shows it
        candidate: i64,
        /// What to call the source [default: its own title]
        #[arg(long)]
        title: Option<String>,
        /// File all its articles into this folder
        #[arg(long, value_name = "PATH")]
        folder: Option<String>,
        /// What articles of that folder count when visits are planned; 1 is the usual
        #[arg(long, value_name = "WEIGHT", requires = "folder")]
        interest: Option<f64>,
    },
    /// Forget a crawl and the pages it found; files stay
    Remove {
        /// Its number
        id: CrawlId,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CrawlStart {
    /// What to look for; see `topics list`
    #[arg(long, value_name = "NAME")]
    pub(crate) topic: String,
    /// Page, feed or sitemap to begin with; may be repeated
    #[arg(long = "seed", value_name = "URL")]
    pub(crate) seeds: Vec<String>,
    /// Read at most this many pages
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) pages: u32,
    /// How the next URL is chosen: ontology, breadth-first, keyword, pagerank, fish-search, shark-search, distiller,
    /// context-graph, tunnelling, q-learning or ontology-fixed
    #[arg(long, value_name = "S", default_value_t = StrategyName::default())]
    pub(crate) strategy: StrategyName,
    /// Folder for WARC files and lists of the relevant pages (JSON Lines and CSV); made if it is not there
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Follow at most this many links in a row
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u16>,
    /// Stay on this host and those under it; may be repeated
    #[arg(long = "allow-host", value_name = "HOST")]
    pub(crate) allowed: Vec<String>,
    /// Never ask this host or those under it; may be repeated
    #[arg(long = "forbid-host", value_name = "HOST")]
    pub(crate) forbidden: Vec<String>,
    /// The topic does not learn from what is found
    #[arg(long)]
    pub(crate) no_learning: bool,
    #[command(flatten)]
    pub(crate) manners: CrawlManners,
}

#[derive(Debug, Args)]
pub(crate) struct CrawlResume {
    /// Its number [default: the newest crawl]
    pub(crate) id: Option<CrawlId>,
    /// Read at most this many pages in all
    #[arg(long, value_name = "N")]
    pub(crate) pages: Option<u32>,
    #[command(flatten)]
    pub(crate) manners: CrawlManners,
}

/// How a crawl behaves in this process. A running `serve` has manners of its own.
#[derive(Debug, Args)]
pub(crate) struct CrawlManners {
    /// Also ask private and loopback addresses
    #[arg(long)]
    pub(crate) allow_private: bool,
    /// Pause between two requests to one host [default: 2s]
    #[arg(long, value_parser = super::duration, value_name = "TIME")]
    pub(crate) delay: Option<Duration>,
    /// Ask at most this many hosts at the same time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) connections: Option<u16>,
}
