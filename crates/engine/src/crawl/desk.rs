//! What a run keeps under one lock: the mind, the file being written, and what both need.

use super::files::WarcFile;
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
    pub(super) tries: HashMap<u32, u32>,
    /// Links that were not followed, by reason.
    pub(super) dropped: BTreeMap<String, u64>,
    /// Hosts that visits of the monitor keep from the crawl, since when.
    kept: HashMap<HostNumber, Instant>,
    /// Deeds queued since the start.
    deeds: i64,
    /// Feeds asked for, by host.
    pub(super) feeds: HashMap<HostNumber, u32>,
}

/// Some three megabytes.
const RECENT: usize = 20_000;

/// Visits that are due come first, but a crawl waits for a host no longer than this: one that is always due would keep it for ever.
const PATIENCE: Duration = Duration::from_secs(10);

impl Desk {
    /// Whether the crawl has waited long enough for a host.
    pub(super) fn is_impatient(&self, host: HostNumber) -> bool {
        self.kept.get(&host).is_some_and(|since| since.elapsed() >= PATIENCE)
    }

    /// The host was had, or not.
    pub(super) fn was_kept(&mut self, host: HostNumber, kept: bool) {
        if kept {
            self.kept.entry(host).or_insert_with(Instant::now);
        } else {
            self.kept.remove(&host);
        }
    }

    pub(super) fn new(mind: Crawl, warc: Option<WarcFile>) -> Self {
        Self {
            mind,
            warc,
            recent: HashMap::new(),
            tries: HashMap::new(),
            dropped: BTreeMap::new(),
            kept: HashMap::new(),
            deeds: 0,
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
