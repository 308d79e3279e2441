//! What a run keeps under one lock: the mind, the file being written, and what both need.

use super::files::WarcFile;
use super::reach::Reach;
use discovery::crawl::{Crawl, HostNumber, NewUrl, Spot, url_hash};
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};
use store::NewCrawlUrl;
use url::Url;

pub(crate) struct Desk {
    pub(crate) mind: Crawl,
    pub(super) warc: Option<WarcFile>,
    /// URLs found lately. They may not be stored yet, and are asked for more often than older ones.
    recent: HashMap<u32, Url>,
    /// How often a URL was asked for in vain; only those that were.
    pub(super) tries: HashMap<u32, Tries>,
    /// Which hosts can be reached.
    pub(super) reach: Reach,
    /// What went wrong last, in words.
    pub(super) last_trouble: String,
    /// URLs that were given up because nothing else was left.
    pub(super) given_up: u64,
    /// Links that were not followed, by reason.
    pub(super) dropped: BTreeMap<String, u64>,
    /// Hosts that visits of the monitor or other crawls keep from this one, by name and since when.
    kept: HashMap<HostNumber, (String, Instant)>,
    /// Deeds queued since the start.
    deeds: i64,
    /// Pages read, by host.
    pub(super) hits: HashMap<HostNumber, Hits>,
    /// Feeds asked for, by host.
    pub(super) feeds: HashMap<HostNumber, u32>,
}

/// How often a URL was asked for in vain.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tries {
    pub(super) count: u32,
    /// The server itself asked to come back later; or nobody knows, after a restart.
    pub(super) asked_to_wait: bool,
}

/// Pages of a host.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hits {
    pub(super) pages: u64,
    pub(super) relevant: u64,
}

impl Hits {
    pub(super) fn add(&mut self, on_topic: bool) {
        self.pages += 1;
        self.relevant += u64::from(on_topic);
    }
}

/// Some three megabytes.
const RECENT: usize = 20_000;

/// Visits that are due come first, but a crawl waits for a host no longer than this: one that is always due would keep it for ever.
const PATIENCE: Duration = Duration::from_secs(3);

impl Desk {
    /// Whether the crawl has waited long enough for a host.
    pub(super) fn is_impatient(&self, host: HostNumber) -> bool {
        self.kept.get(&host).is_some_and(|(_, since)| since.elapsed() >= PATIENCE)
    }

    /// The host was had, or not.
    pub(super) fn was_kept(&mut self, host: HostNumber, name: &str, kept: bool) {
        if kept {
            self.kept.entry(host).or_insert_with(|| (name.to_owned(), Instant::now()));
        } else {
            self.kept.remove(&host);
        }
    }

    /// Hosts that others keep from this crawl: one of them, and how many there are.
    pub(super) fn kept(&self) -> Option<(&str, usize)> {
        let first = self.kept.values().map(|(name, _)| name.as_str()).min()?;
        Some((first, self.kept.len()))
    }

    pub(super) fn new(mind: Crawl, warc: Option<WarcFile>) -> Self {
        Self {
            mind,
            warc,
            recent: HashMap::new(),
            tries: HashMap::new(),
            reach: Reach::default(),
            last_trouble: String::new(),
            given_up: 0,
            dropped: BTreeMap::new(),
            kept: HashMap::new(),
            deeds: 0,
            hits: HashMap::new(),
            feeds: HashMap::new(),
        }
    }

    /// A new URL as a row, remembered for a while.
    pub(super) fn row(&mut self, new: NewUrl) -> NewCrawlUrl {
        if self.recent.len() >= RECENT {
            self.recent.clear();
        }
        self.recent.insert(new.spot.0, new.url.clone());
        NewCrawlUrl {
            spot: new.spot.0,
            hash: url_hash(&new.url),
            url: new.url,
            depth: new.depth,
            priority: new.priority,
            parent: new.parent.map(|parent| parent.0),
            anchor: new.anchor,
        }
    }

    /// The number of the deed that is queued next. Only for whoever queues it before the desk is free again.
    pub(super) fn next_deed(&mut self) -> i64 {
        self.deeds += 1;
        self.deeds - 1
    }

    pub(super) fn recent(&self, spot: Spot) -> Option<Url> {
        self.recent.get(&spot.0).cloned()
    }

    pub(super) fn count_dropped(&mut self, reason: &str, count: u64) {
        if let Some(known) = self.dropped.get_mut(reason) {
            *known += count;
        } else if count > 0 {
            self.dropped.insert(reason.to_owned(), count);
        }
    }
}
