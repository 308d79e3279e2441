//! A crawl as a person asks for it, checked before anything is stored.

use super::files::{check_folder, is_taken};
use crate::worker::Worker;
use discovery::crawl::{CrawlError, CrawlSettings};
use discovery::ontology::Topic;
use model::CrawlId;
use page::urls;
use std::path::PathBuf;
use store::{CrawlEdit, CrawlInfo, CrawlPhase, NewCrawl, StoreError};
use url::Url;

/// A crawl as a person asks for it.
#[derive(Debug, Clone)]
pub struct CrawlWish {
    /// What to look for.
    pub topic: Topic,
    /// Where to begin, as typed.
    pub seeds: Vec<String>,
    /// What it may do.
    pub settings: CrawlSettings,
    /// The folder for its files, if any.
    pub output: Option<PathBuf>,
}

/// Why a crawl cannot be started, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum CrawlRefusal {
    /// Nothing to begin with.
    #[error("a crawl needs a page to begin with: name at least one seed, e.g. https://example.org/")]
    NoSeeds,
    /// A seed that is no address.
    #[error("the seed “{seed}”: {error}")]
    Seed {
        /// As typed.
        seed: String,
        /// What is wrong with it.
        error: urls::AddressError,
    },
    /// A seed the gate refuses.
    #[error("the seed {seed} is refused: {why}")]
    Gate {
        /// The seed.
        seed: Url,
        /// Why.
        why: String,
        /// It is on a private address, which can be allowed.
        private: bool,
    },
    /// A budget that is used up already.
    #[error("crawl {id} has read {fetched} pages already: to go on it needs a budget of more than that, e.g. {}", fetched * 2)]
    Budget {
        /// The crawl.
        id: CrawlId,
        /// Pages it has read.
        fetched: u64,
    },
    /// A seed outside of the hosts that are allowed.
    #[error("the seed {0} is on a host this crawl may not ask: change the allowed or forbidden hosts")]
    SeedHost(Url),
    /// The folder cannot be used.
    #[error("cannot write into {}: {source}. Choose another folder with --output", folder.display())]
    Output {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Settings that make no sense.
    #[error(transparent)]
    Settings(#[from] CrawlError),
    /// The data.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Who is to run a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runner {
    /// Whoever is there to run crawls.
    Anybody,
    /// This process.
    Us,
}

/// Checks a wish and stores it as a crawl that is to run.
pub(crate) async fn start(worker: &Worker, wish: CrawlWish, runner: Runner) -> Result<CrawlId, CrawlRefusal> {
    wish.settings.check()?;
    let seeds = seeds(worker, &wish)?;
    let output = wish.output.map(|folder| std::path::absolute(&folder).unwrap_or(folder));
    if let Some(folder) = &output {
        check_folder(folder).map_err(|source| CrawlRefusal::Output { folder: folder.clone(), source })?;
    }
    // What a crawl teaches is kept with its topic, also with one that came with the program.
    if worker.store.topic(wish.topic.name.clone()).await?.is_none() {
        worker.store.save_topic(wish.topic.clone(), worker.clock.now()).await?;
    }
    let folder = output.clone();
    let new = NewCrawl {
        topic: wish.topic,
        settings: wish.settings,
        seeds,
        output,
        worker: (runner == Runner::Us).then(|| worker.fleet.name.clone()),
    };
    let id = worker.store.add_crawl(new, worker.clock.now()).await?;
    if let Some(folder) = folder.filter(|folder| is_taken(folder, id)) {
        worker.store.remove_crawl(id).await?;
        let source = std::io::Error::other(format!("it holds the files of another crawl {id}"));
        return Err(CrawlRefusal::Output { folder, source });
    }
    worker.crawls.wake.notify_one();
    Ok(id)
}

/// Lets a crawl go on, perhaps with another page budget. One that has read all it may needs a larger one.
pub(crate) async fn resume(
    worker: &Worker,
    id: CrawlId,
    pages: Option<u32>,
) -> Result<CrawlInfo, CrawlRefusal> {
    let info = worker.store.crawl(id).await?;
    let budget = pages.or_else(|| (info.phase == CrawlPhase::Finished).then_some(info.settings.pages));
    if budget.is_some_and(|budget| u64::from(budget) <= info.fetched) {
        return Err(CrawlRefusal::Budget { id, fetched: info.fetched });
    }
    let info = worker.store.set_crawl_phase(id, CrawlPhase::Running, CrawlEdit { pages }).await?;
    worker.crawls.wake.notify_one();
    Ok(info)
}

fn seeds(worker: &Worker, wish: &CrawlWish) -> Result<Vec<Url>, CrawlRefusal> {
    let mut seeds = Vec::new();
    for seed in &wish.seeds {
        let url =
            urls::parse_address(seed).map_err(|error| CrawlRefusal::Seed { seed: seed.clone(), error })?;
        let url = urls::normalise(&url);
        if let Err(refusal) = worker.fetcher.gate().check_url(&url) {
            let private = matches!(refusal, fetch::gate::Refusal::Address { .. });
            return Err(CrawlRefusal::Gate { seed: url, why: refusal.to_string(), private });
        }
        if !wish.settings.allows(&model::host_name(&url).unwrap_or_default()) {
            return Err(CrawlRefusal::SeedHost(url));
        }
        if !seeds.contains(&url) {
            seeds.push(url);
        }
    }
    if seeds.is_empty() { Err(CrawlRefusal::NoSeeds) } else { Ok(seeds) }
}
