//! Crawls simulated on a saved web with labels: every strategy through the mind that runs live.
//!
//! For each topic, some pages on it are drawn as seeds; the topic is an ontology built from those pages and the topic's
//! name alone. Every strategy then crawls from them. The ceiling is an oracle that knows the label behind each link.

mod cpu;
mod experiment;
mod ground;
mod measure;
mod oracle;
mod report;
mod run;
mod shop;
mod web;

pub use experiment::{Contender, Draw, Experiment, draws};
pub use ground::{Fetched, Ground, Labelled};
pub use measure::Crawled;
pub use oracle::oracle;
pub use report::{AT, CrawlReport, CrawlRow};
pub use run::{Readings, crawl};
pub use shop::{ShopGround, ShopReport, ShopRow, shop_rows};
pub use web::{SavedPage, SavedWeb};

/// Why a crawl cannot be simulated.
#[derive(Debug, thiserror::Error)]
pub enum CrawlLabError {
    /// A file cannot be read.
    #[error("{file}: {source}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// The archive cannot be unpacked.
    #[error("{file} cannot be unpacked: {why}. Unpack it yourself and give the folder")]
    Unpack {
        /// The archive.
        file: String,
        /// What tar said.
        why: String,
    },
    /// There are no labels.
    #[error("{0} has no labels.tsv with the columns page and categories")]
    NoLabels(String),
    /// Too few pages to begin with.
    #[error("{topic}: {found} pages have this label and more than {links} links; a draw needs {needed}")]
    TooFew {
        /// The topic.
        topic: String,
        /// Pages that could be seeds.
        found: usize,
        /// Links a seed must have.
        links: usize,
        /// Seeds of a draw.
        needed: usize,
    },
    /// The topic cannot be built.
    #[error("{0}")]
    Topic(#[from] discovery::ontology::OntologyError),
    /// The crawl cannot begin.
    #[error("{0}")]
    Crawl(#[from] discovery::crawl::CrawlError),
}
