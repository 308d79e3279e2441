//! The mind of one crawl: which known URL is worth asking for next. The live crawl and the laboratory drive the same one.
//!
//! A shell takes a URL with [`Crawl::next`], fetches it, reads it with the [`PageReader`] outside of any lock, and
//! tells what came: [`Crawl::arrived`], [`Crawl::redirected`], [`Crawl::failed`]. URLs are known by their [`Spot`];
//! their text is the store's.

mod facts;
mod frontier;
mod grow;
mod heap;
mod known;
mod name;
mod settings;

mod table;
mod words;

pub use facts::{PageFacts, PageReader, url_hash};
pub use known::{HostNumber, Spot, SpotState};
pub use name::StrategyName;
pub use settings::{CrawlError, CrawlSettings};

use crate::ontology::{Evidence, Lesson, Reader, Topic};
use facts::LinkFacts;
use frontier::Frontier;
use jiff::Timestamp;
use known::{Known, Knowns, NONE, WORDS};
use std::collections::HashMap;
use std::sync::Arc;
use url::Url;

/// The mind of one crawl.
#[derive(Debug)]
pub struct Crawl {
    topic: Topic,
    settings: CrawlSettings,
    reader: Arc<Reader>,
    knowns: Knowns,
    frontier: Frontier,
    hosts: HashMap<String, HostNumber>,
    counts: CrawlCounts,
}

/// A URL that was not known before: what the store keeps of it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewUrl {
    /// Its number.
    pub spot: Spot,
    /// The address, normalised.
    pub url: Url,
    /// Its host's number.
    pub host: HostNumber,
    /// Links in a row from a seed.
    pub depth: u16,
    /// What it seems to be worth, for now.
    pub priority: f32,
    /// The page that told of it; `None` for a seed.
    pub parent: Option<Spot>,
    /// The text of the link.
    pub anchor: String,
}

/// What came of a page.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Does it belong into the topic's repository?
    pub on_topic: bool,
    /// How sure that is, 0 to 1.
    pub score: f64,
    /// What speaks for it.
    pub evidence: Vec<Evidence>,
    /// URLs that were not known before.
    pub new: Vec<NewUrl>,
    /// Links that will not be followed, and why.
    pub dropped: Vec<(Url, DropReason)>,
    /// What the topic learned.
    pub lessons: Vec<Lesson>,
}

/// Why a link is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// Too many links away from a seed.
    Depth,
    /// Its host is forbidden, or not among those allowed.
    Host,
    /// Neither http nor https, or without a host.
    Scheme,
    /// As many URLs are known as may be.
    Full,
}

/// Why a URL gave no page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailReason {
    /// No answer, or one that may be better later (5xx, 429, time-out).
    Trouble,
    /// There is no such page (4xx).
    Gone,
    /// robots.txt or the gate does not let us.
    Refused,
    /// Not something that can be read.
    Unreadable,
}

/// Where a crawl stands.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CrawlCounts {
    /// URLs known.
    pub known: u32,
    /// URLs that wait.
    pub waiting: u32,
    /// Handed out and not yet answered.
    pub asked: u32,
    /// Pages read.
    pub fetched: u32,
    /// Pages on the topic.
    pub relevant: u32,
    /// URLs that failed for good, or were refused.
    pub failed: u32,
    /// Hosts known.
    pub hosts: u32,
}

impl CrawlCounts {
    /// The share of the pages read that are on the topic.
    pub fn harvest(&self) -> f64 {
        if self.fetched == 0 { 0.0 } else { f64::from(self.relevant) / f64::from(self.fetched) }
    }
}

/// Why there is nothing to do right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", tag = "why")]
pub enum Idle {
    /// As many pages were fetched as were asked for.
    Budget,
    /// Nothing is known that was not asked for.
    Exhausted,
    /// Everything that is left has been handed out.
    Asked {
        /// How many.
        urls: u32,
    },
    /// Every host with something waiting rests or is busy.
    Hosts {
        /// How many hosts.
        hosts: u32,
        /// When the next one may be asked, if that is known.
        until: Option<Timestamp>,
    },
}

/// A known URL as the store has it.
#[derive(Debug, Clone)]
pub struct StoredUrl {
    /// The address.
    pub url: Url,
    /// Links in a row from a seed.
    pub depth: u16,
    /// What it seemed to be worth.
    pub priority: f32,
    /// How far it has come; `Asked` waits again.
    pub state: SpotState,
    /// The page that told of it.
    pub parent: Option<Spot>,
    /// The text of the link.
    pub anchor: String,
    /// For a fetched page: its score, and whether it is on the topic.
    pub page: Option<(f64, bool)>,
    /// For one that rests: until when.
    pub retry_at: Option<Timestamp>,
}

/// The soft state of a crawl: what can be lost since it was last stored without losing a page.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub struct CrawlState {
    version: u32,
}

impl Crawl {
    /// The mind of a new crawl.
    pub fn new(topic: Topic, settings: CrawlSettings) -> Result<Self, CrawlError> {
        settings.check()?;
        Ok(Self {
            reader: Arc::new(Reader::new(&topic)),
            topic,
            settings,
            knowns: Knowns::default(),
            frontier: Frontier::default(),
            hosts: HashMap::new(),
            counts: CrawlCounts::default(),
        })
    }

    /// The mind of a crawl that goes on: its URLs in the order of their spots, and the last soft state.
    pub fn restore(
        topic: Topic,
        settings: CrawlSettings,
        urls: impl IntoIterator<Item = StoredUrl>,
        _state: Option<CrawlState>,
    ) -> Result<Self, CrawlError> {
        let mut crawl = Self::new(topic, settings)?;
        for stored in urls {
            crawl.restore_url(stored)?;
        }
        Ok(crawl)
    }

    /// The topic, as learned so far.
    pub fn topic(&self) -> &Topic {
        &self.topic
    }

    /// What this crawl may do.
    pub fn settings(&self) -> &CrawlSettings {
        &self.settings
    }

    /// Reads pages for this crawl, outside of any lock. Take it anew for each page: the topic learns.
    pub fn reader(&self) -> PageReader {
        PageReader { reader: Arc::clone(&self.reader) }
    }

    /// The soft state, to be stored now and then.
    pub fn state(&self) -> CrawlState {
        CrawlState { version: 1 }
    }

    /// A URL to begin with; `None` if it is known already or may not be asked.
    pub fn seed(&mut self, url: &Url) -> Option<NewUrl> {
        let url = page::urls::normalise(url);
        let link = LinkFacts {
            hash: url_hash(&url),
            anchor: String::new(),
            words: words::url_words(&url).collect(),
            context: Vec::new(),
            path: 0,
            disowned: false,
            url,
        };
        self.discover(&link, None, 0, 1.0).ok().flatten()
    }

    /// A page came and was read.
    pub fn arrived(&mut self, spot: Spot, facts: PageFacts) -> Verdict {
        let Some(known) = self.knowns.get_mut(spot).filter(|known| known.state != SpotState::Fetched) else {
            return Verdict::default();
        };
        let (depth, was) = (known.depth, known.state);
        if was == SpotState::Waiting {
            self.frontier.remove(&mut self.knowns, spot);
        }
        if let Some(known) = self.knowns.get_mut(spot) {
            known.state = SpotState::Fetched;
        }
        self.counts.asked -= u32::from(was == SpotState::Asked);
        self.counts.fetched += 1;
        let on_topic = facts.reading.normalised >= self.settings.threshold;
        self.counts.relevant += u32::from(on_topic);
        let mut verdict = Verdict {
            on_topic,
            score: facts.reading.normalised,
            evidence: facts.reading.evidence,
            ..Verdict::default()
        };
        let links = if facts.nofollow { Vec::new() } else { facts.links };
        for link in links {
            match self.discover(&link, Some(spot), depth.saturating_add(1), -f32::from(depth)) {
                Ok(new) => verdict.new.extend(new),
                Err(reason) => verdict.dropped.push((link.url, reason)),
            }
        }
        verdict
    }

    /// The URL leads elsewhere; where to, if that was not known.
    pub fn redirected(&mut self, spot: Spot, to: &Url) -> Option<NewUrl> {
        let known = self.knowns.get(spot)?;
        let (depth, priority) = (known.depth, known.priority);
        self.settle(spot, SpotState::Redirected);
        let url = page::urls::normalise(to);
        let link = LinkFacts {
            hash: url_hash(&url),
            anchor: String::new(),
            words: words::url_words(&url).collect(),
            context: Vec::new(),
            path: 0,
            disowned: false,
            url,
        };
        // A hop is a step: endless redirects end at the depth.
        self.discover(&link, Some(spot), depth.saturating_add(1), priority).ok().flatten()
    }

    /// The URL gave no page; with `retry_at` it is tried again from then on.
    pub fn failed(&mut self, spot: Spot, _why: FailReason, retry_at: Option<Timestamp>) {
        if let Some(at) = retry_at {
            self.settle(spot, SpotState::Resting);
            self.frontier.retry(spot, at);
        } else {
            self.settle(spot, SpotState::Dropped);
            self.counts.failed += 1;
        }
    }

    /// The URL was taken but not asked for: it waits again.
    pub fn put_back(&mut self, spot: Spot) {
        if self.knowns.get(spot).is_some_and(|known| known.state == SpotState::Asked) {
            self.counts.asked -= 1;
            self.frontier.push(&mut self.knowns, spot);
        }
    }

    /// The best known URL of a host that may be asked now. Hosts told to rest need not be refused here, too.
    pub fn next(&mut self, now: Timestamp, host_is_free: &dyn Fn(HostNumber) -> bool) -> Option<Spot> {
        if self.counts.fetched + self.counts.asked >= self.settings.pages {
            return None;
        }
        let spot = self.frontier.next(&mut self.knowns, now, host_is_free)?;
        self.counts.asked += 1;
        Some(spot)
    }

    /// The host is not to be asked before this time: it stands aside, and costs nothing until then.
    pub fn host_rests(&mut self, host: HostNumber, until: Timestamp) {
        self.frontier.rest(&self.knowns, host, until);
    }

    /// The number of a host by its name, as in [`model::host_name`].
    pub fn host(&self, name: &str) -> Option<HostNumber> {
        self.hosts.get(name).copied()
    }

    /// The host of a known URL.
    pub fn host_of(&self, spot: Spot) -> Option<HostNumber> {
        self.knowns.get(spot).map(|known| HostNumber(known.host))
    }

    /// The best waiting URLs.
    pub fn top(&self, count: usize) -> Vec<(Spot, f32)> {
        let spots = self.frontier.top(&self.knowns, count);
        spots.into_iter().filter_map(|spot| Some((spot, self.knowns.get(spot)?.priority))).collect()
    }

    /// Where the crawl stands.
    pub fn counts(&self) -> CrawlCounts {
        CrawlCounts {
            known: self.knowns.len() as u32,
            waiting: self.frontier.waiting() as u32,
            hosts: self.hosts.len() as u32,
            ..self.counts.clone()
        }
    }

    /// Why `next` gave nothing.
    pub fn idle(&self) -> Idle {
        if self.counts.fetched >= self.settings.pages {
            return Idle::Budget;
        }
        if self.frontier.waiting() > 0 || self.frontier.resting() > 0 {
            let (hosts, _) = self.frontier.hosts();
            return Idle::Hosts { hosts: hosts as u32, until: self.frontier.wakes() };
        }
        if self.counts.asked > 0 { Idle::Asked { urls: self.counts.asked } } else { Idle::Exhausted }
    }

    /// Bytes of memory that grow with the number of known URLs.
    pub fn bytes(&self) -> usize {
        self.knowns.bytes() + self.frontier.bytes()
    }

    fn settle(&mut self, spot: Spot, state: SpotState) {
        self.frontier.remove(&mut self.knowns, spot);
        if let Some(known) = self.knowns.get_mut(spot) {
            self.counts.asked -= u32::from(known.state == SpotState::Asked);
            known.state = state;
        }
    }

    /// A link: a URL that was not known begins to wait.
    fn discover(
        &mut self,
        link: &LinkFacts,
        parent: Option<Spot>,
        depth: u16,
        priority: f32,
    ) -> Result<Option<NewUrl>, DropReason> {
        if self.knowns.find(link.hash).is_some() {
            return Ok(None);
        }
        if depth > self.settings.depth {
            return Err(DropReason::Depth);
        }
        if !matches!(link.url.scheme(), "http" | "https") {
            return Err(DropReason::Scheme);
        }
        let name = model::host_name(&link.url).ok_or(DropReason::Scheme)?;
        if !self.settings.allows(&name) {
            return Err(DropReason::Host);
        }
        if self.knowns.len() >= self.settings.known as usize {
            return Err(DropReason::Full);
        }
        let host = self.host_number(name);
        let spot = self.knowns.add(record(link, host, parent, depth, priority));
        self.frontier.push(&mut self.knowns, spot);
        let anchor = link.anchor.clone();
        Ok(Some(NewUrl { spot, url: link.url.clone(), host, depth, priority, parent, anchor }))
    }

    fn host_number(&mut self, name: String) -> HostNumber {
        let frontier = &mut self.frontier;
        *self.hosts.entry(name).or_insert_with(|| frontier.add_host())
    }

    fn restore_url(&mut self, stored: StoredUrl) -> Result<(), CrawlError> {
        let name = model::host_name(&stored.url)
            .ok_or_else(|| CrawlError::Stored(format!("{} has no host", stored.url)))?;
        let host = self.host_number(name);
        let mut words: Vec<u32> = words::hash_words(&stored.anchor).collect();
        words.extend(words::url_words(&stored.url));
        let link = LinkFacts {
            hash: url_hash(&stored.url),
            anchor: stored.anchor,
            words,
            context: Vec::new(),
            path: 0,
            disowned: false,
            url: stored.url,
        };
        let spot = self.knowns.add(record(&link, host, stored.parent, stored.depth, stored.priority));
        match stored.state {
            SpotState::Waiting | SpotState::Asked => self.frontier.push(&mut self.knowns, spot),
            SpotState::Resting => match stored.retry_at {
                Some(at) => {
                    self.settle(spot, SpotState::Resting);
                    self.frontier.retry(spot, at);
                }
                None => self.frontier.push(&mut self.knowns, spot),
            },
            SpotState::Fetched => {
                self.settle(spot, SpotState::Fetched);
                self.counts.fetched += 1;
                self.counts.relevant += u32::from(stored.page.is_some_and(|(_, on_topic)| on_topic));
            }
            SpotState::Redirected => self.settle(spot, SpotState::Redirected),
            SpotState::Dropped => {
                self.settle(spot, SpotState::Dropped);
                self.counts.failed += 1;
            }
        }
        Ok(())
    }
}

fn record(link: &LinkFacts, host: HostNumber, parent: Option<Spot>, depth: u16, priority: f32) -> Known {
    let mut words = [0; WORDS];
    for (place, word) in words.iter_mut().zip(&link.words) {
        *place = (word >> 16) as u16 | 1;
    }
    Known {
        hash: link.hash,
        host: host.0,
        prefix: NONE,
        parent: parent.map_or(NONE, |parent| parent.0),
        place: NONE,
        priority,
        link: NONE,
        words,
        path: link.path,
        context: 0,
        depth,
        // Not `Waiting`: it does not stand in a queue yet.
        state: SpotState::Dropped,
        tries: 0,
    }
}
