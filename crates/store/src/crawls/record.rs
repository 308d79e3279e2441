//! The deed of a crawl: what came of one URL, whole or not at all.

use super::candidates::CandidateKind;
use super::deed::{CrawlDeed, What};
use crate::leases::{After, Lease};
use crate::writer::Haste;
use crate::{Store, StoreError};
use discovery::ontology::Lesson;
use jiff::Timestamp;
use model::{CrawlId, RobotsRecord};
use serde::{Deserialize, Serialize};
use url::Url;

/// What came of one URL.
#[derive(Debug)]
pub struct PageRecord {
    /// The crawl.
    pub crawl: CrawlId,
    /// Which start of it.
    pub epoch: i64,
    /// Which deed of that start, counted from 0.
    pub deed: i64,
    /// The URL.
    pub spot: u32,
    /// What it gave.
    pub end: UrlEnd,
    /// URLs that were not known before, numbered on from those that were.
    pub new: Vec<NewCrawlUrl>,
    /// Feeds and lists that may be worth watching.
    pub candidates: Vec<FoundCandidate>,
    /// What the topic has learned.
    pub lessons: Vec<Lesson>,
    /// robots.txt files read on the way.
    pub robots: Vec<RobotsRecord>,
    /// The lease on the host, and what becomes of it. `None` if nobody was asked.
    pub host: Option<(Lease, After)>,
    /// The WARC file and how long it is with this page.
    pub warc: Option<(u32, u64)>,
    /// The time.
    pub now: Timestamp,
}

/// What a URL gave.
#[derive(Debug)]
pub enum UrlEnd {
    /// A page.
    Page(Box<FoundPage>),
    /// It leads elsewhere; where to, in words. It is among the new URLs, unless it was known.
    Redirect(String),
    /// Nothing, for good; why.
    Nothing(String),
    /// Nothing for now.
    Later {
        /// Again from this time on.
        at: Timestamp,
        /// Why.
        why: String,
        /// Whether it counts as a try of this URL.
        counts: bool,
    },
}

/// A page that was read.
#[derive(Debug)]
pub struct FoundPage {
    /// The HTTP status.
    pub status: u16,
    /// Bytes as sent.
    pub bytes: u64,
    /// How much it has to do with the topic.
    pub score: f64,
    /// Whether it belongs into the repository.
    pub on_topic: bool,
    /// What speaks for it.
    pub evidence: Vec<FoundWord>,
    /// What it calls itself.
    pub title: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// Near-duplicate fingerprint.
    pub fingerprint: Option<u64>,
    /// Its text, for the search; only kept for pages on the topic.
    pub text: String,
    /// Its WARC file and where in it.
    pub warc: Option<(u32, u64)>,
    /// Why it is not kept although it was read, if so.
    pub unkept: Option<String>,
}

/// A word of the topic on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundWord {
    /// The class it stands for.
    pub class: String,
    /// The word.
    pub word: String,
    /// How often.
    pub count: u32,
    /// What one occurrence counts.
    pub weight: f64,
}

/// A URL that was not known before.
#[derive(Debug, Clone)]
pub struct NewCrawlUrl {
    /// Its number.
    pub spot: u32,
    /// The address, normalised.
    pub url: Url,
    /// What the crawl knows it by.
    pub hash: u64,
    /// Links in a row from a seed.
    pub depth: u16,
    /// What it seems to be worth.
    pub priority: f32,
    /// The page that told of it.
    pub parent: Option<u32>,
    /// The text of the link.
    pub anchor: String,
}

/// Something that may be worth watching.
#[derive(Debug, Clone)]
pub struct FoundCandidate {
    /// Where it is.
    pub url: Url,
    /// What it is.
    pub kind: CandidateKind,
    /// What it is called.
    pub title: Option<String>,
    /// New entries a day, if that is known.
    pub per_day: Option<f64>,
    /// The share of them that is on the topic.
    pub share: f64,
}

impl Store {
    /// Records what came of a URL: the page, its score, its new links, what was learned, and what becomes of the
    /// host, in one transaction. Queued before it returns, so that records are stored in the order of their making.
    pub fn record_page(
        &self,
        record: PageRecord,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + 'static {
        let (crawl, epoch, number) = (record.crawl, record.epoch, record.deed);
        self.begin_crawl_deed(CrawlDeed { crawl, epoch, number, what: What::Page(Box::new(record)) })
    }

    /// Adds URLs that no page told of: seeds and what sitemaps name.
    pub fn add_crawl_urls(
        &self,
        crawl: CrawlId,
        epoch: i64,
        deed: i64,
        new: Vec<NewCrawlUrl>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + 'static {
        self.begin_crawl_deed(CrawlDeed { crawl, epoch, number: deed, what: What::NewUrls(new) })
    }

    /// URLs that will not be asked for any more; a reason of their own, or else the one they have.
    pub fn give_up_crawl_urls(
        &self,
        crawl: CrawlId,
        epoch: i64,
        deed: i64,
        urls: Vec<(u32, Option<String>)>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + 'static {
        self.begin_crawl_deed(CrawlDeed { crawl, epoch, number: deed, what: What::GivenUp(urls) })
    }

    /// Nobody waits for any of them, so they share their commits.
    fn begin_crawl_deed(
        &self,
        deed: CrawlDeed,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + 'static {
        self.inner.writer.begin_together(Haste::Soon, deed)
    }
}
