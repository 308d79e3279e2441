//! The live crawl: takes the best URL its mind knows, asks for it politely, and stores what came of it.
//!
//! The mind ([`discovery::crawl::Crawl`]) decides and is kept in memory; rows are the hard truth. What came of a URL
//! is told to the mind, appended to the WARC file and queued for the store under one lock, so that rows, file and mind
//! agree in order: whatever a crash takes is the end of all three.

mod candidates;
mod conductor;
mod desk;
mod errand;
mod files;
mod keep;
mod promotion;
mod reach;
mod remainder;
mod restore;
mod robots_tag;
mod run;
mod standing;
mod take_in;
mod topic_news;
mod wish;
mod words;

pub(crate) use keep::{Crawls, keep};
pub use promotion::PromotionWish;
pub(crate) use promotion::promote;
pub(crate) use run::{run, until_free, write_lists_of_dead};
pub use standing::{CrawlHost, CrawlStatus, FrontierEntry, UrlStory};
pub(crate) use standing::{explain, frontier, hosts, status};
pub use wish::{CrawlRefusal, CrawlWish};
pub(crate) use wish::{Runner, resume, start};

use crate::fleet::Pass;
use crate::worker::Worker;
use desk::Desk;
use model::CrawlId;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::StoreError;
use tokio_util::sync::CancellationToken;
use url::Url;

/// One run of a crawl: what all its tasks share.
pub(crate) struct Run {
    pub(crate) worker: Arc<Worker>,
    pub(crate) id: CrawlId,
    /// Which start of the crawl this is.
    pub(crate) epoch: i64,
    /// Where it began.
    pub(crate) seeds: Vec<Url>,
    /// The hosts of the seeds: only their sitemaps are read.
    pub(crate) seed_hosts: HashSet<String>,
    /// A monitor runs in this process: its due visits come first.
    pub(crate) beside_monitor: bool,
    /// Under which presence the crawl was begun.
    pub(crate) pass: Pass,
    pub(crate) stop: CancellationToken,
    desk: Mutex<Desk>,
    trouble: Mutex<Option<Trouble>>,
}

/// Why a run cannot go on.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The data.
    Store(StoreError),
    /// The files of the crawl's output.
    Files(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Files(what) => f.write_str(what),
        }
    }
}

impl Run {
    pub(crate) fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first trouble ends the run; what follows from it is not told.
    fn fails(&self, trouble: Trouble) {
        let mut known = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert(trouble);
    }

    fn take_trouble(&self) -> Option<Trouble> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn is_in_trouble(&self) -> bool {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}
