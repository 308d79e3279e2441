//! The mind of one crawl: which known URL is worth asking for next. The live crawl and the laboratory drive the same one.
//!
//! A shell takes a URL with [`Crawl::next`], fetches it, reads it with the [`PageReader`] outside of any lock, and
//! tells what came: [`Crawl::arrived`], [`Crawl::redirected`], [`Crawl::failed`]. URLs are known by their [`Spot`];
//! their text is the store's.

mod arrival;
mod counts;
pub mod equations;
mod explain;
mod facts;
mod frontier;
mod grow;
mod heap;
mod judge;
mod known;
mod left;
mod link_model;
mod links;
mod memory;
mod name;
mod news;
mod pages;
mod rank;
mod settings;
mod stored;
mod strategy;
mod traps;
mod tuning;
mod verdict;
mod words;
mod yields;

pub use counts::{CrawlCounts, Idle};
pub use explain::{Part, ScoreBreakdown};
pub use facts::{PageFacts, PageReader, PageSigns, url_hash};
pub use known::{HostNumber, Spot, SpotState};
pub use name::StrategyName;
pub use settings::{CrawlError, CrawlSettings};
pub use stored::{CrawlState, StoredUrl};
pub use traps::DropReason;
pub use tuning::Tuning;
pub use verdict::{FailReason, NewUrl, Verdict};

use crate::ontology::{Learner, Reader, Topic};
use facts::{LinkFacts, Wanted};
use frontier::Frontier;
use jiff::{SignedDuration, Timestamp};
use judge::Judge;
use known::{Known, Knowns, NONE};
use links::Links;
use memory::Memory;
use pages::Pages;
use rank::Ranks;
use std::collections::HashMap;
use std::sync::Arc;
use strategy::Strategy;
use traps::Traps;
use url::Url;
use words::{Word, words_of};
use yields::Yields;

/// The mind of one crawl.
#[derive(Debug)]
pub struct Crawl {
    topic: Topic,
    settings: CrawlSettings,
    reader: Arc<Reader>,
    learner: Option<Learner>,
    memory: Memory,
    frontier: Frontier,
    traps: Traps,
    strategy: Box<dyn Strategy>,
    hosts: HashMap<String, HostNumber>,
    names: Vec<String>,
    counts: CrawlCounts,
    /// Where looking at everything again goes on.
    cursor: u32,
    /// URLs that were dropped when their turn came, until somebody asks for them.
    trapped: Vec<Spot>,
    /// Seeds that have not been asked for yet, as far as is known.
    seeds: Vec<Spot>,
}

impl Crawl {
    /// The mind of a new crawl.
    pub fn new(topic: Topic, settings: CrawlSettings) -> Result<Self, CrawlError> {
        settings.check()?;
        let learning = settings.learning && settings.strategy == StrategyName::Ontology;
        let words = topic_words(&topic);
        let mut given: Vec<(Word, f32)> = words.iter().map(|(word, weight)| (*word, *weight)).collect();
        // In an order that is the same in every run.
        given.sort_unstable_by_key(|(word, _)| *word);
        let memory = Memory {
            knowns: Knowns::default(),
            pages: Pages::default(),
            links: Links::default(),
            ranks: Ranks::new(settings.damping),
            judge: Judge::new(given, words_of(&name_of(&topic)), learning, settings.tuning.clone()),
            topic_square: words.values().map(|weight| weight * weight).sum(),
            topic: words,
            prefixes: Yields::default(),
            places: Yields::default(),
            hosts: Yields::default(),
            theta: settings.theta,
        };
        Ok(Self {
            reader: Arc::new(Reader::new(&topic)),
            learner: learning.then(|| Learner::new(topic.clone())),
            topic,
            memory,
            frontier: Frontier::default(),
            traps: Traps::default(),
            strategy: strategy::build(&settings),
            hosts: HashMap::new(),
            names: Vec::new(),
            counts: CrawlCounts::default(),
            cursor: 0,
            trapped: Vec::new(),
            seeds: Vec::new(),
            settings,
        })
    }

    /// The topic, as learned so far.
    pub fn topic(&self) -> &Topic {
        self.learner.as_ref().map_or(&self.topic, Learner::topic)
    }

    /// What this crawl may do.
    pub fn settings(&self) -> &CrawlSettings {
        &self.settings
    }

    /// Reads pages for this crawl, outside of any lock. Take it anew for each page: the topic learns.
    pub fn reader(&self) -> PageReader {
        let terms = match self.learner {
            None => Wanted::None,
            Some(_) if self.counts.fetched < ALL_TERMS => Wanted::All,
            Some(_) => Wanted::Some,
        };
        PageReader { reader: Arc::clone(&self.reader), terms }
    }

    /// A URL to begin with; `None` if it is known already or may not be asked.
    pub fn seed(&mut self, url: &Url) -> Option<NewUrl> {
        let link = LinkFacts::bare(page::urls::normalise(url));
        let new = self.discover(&link, None, 0, SEED).ok().flatten();
        self.seeds.extend(new.as_ref().map(|new| new.spot));
        if let (Some(learner), Some(host)) = (&mut self.learner, model::host_name(url)) {
            learner.trust(&host);
        }
        new
    }

    /// A page offers a URL that is worth a look soon, such as its feed; `None` if it is known or may not be asked.
    pub fn offered(&mut self, spot: Spot, url: &Url) -> Option<NewUrl> {
        let depth = self.memory.knowns.get(spot)?.depth;
        let link = LinkFacts::bare(page::urls::normalise(url));
        self.discover(&link, Some(spot), depth.saturating_add(1), SEED).ok().flatten()
    }

    /// What this crawl has taught its topic; `None` if it does not learn.
    pub fn learner(&self) -> Option<&Learner> {
        self.learner.as_ref()
    }

    /// Goes on with what earlier crawls have taught the topic, if this one learns.
    pub fn continue_learning(&mut self, learner: Learner) {
        if self.learner.is_some() {
            self.reader = Arc::new(learner.reader());
            self.learner = Some(learner);
        }
    }

    /// The URL leads elsewhere; where to, if that was not known.
    pub fn redirected(&mut self, spot: Spot, to: &Url) -> Option<NewUrl> {
        let known = self.memory.knowns.get(spot)?;
        let (depth, priority) = (known.depth, known.priority);
        self.settle(spot, SpotState::Redirected);
        let link = LinkFacts::bare(page::urls::normalise(to));
        // A hop is a step: endless redirects end at the depth.
        self.discover(&link, Some(spot), depth.saturating_add(1), priority).ok().flatten()
    }

    /// The URL gave no page; with `retry_at` it is tried again from then on.
    pub fn failed(&mut self, spot: Spot, why: FailReason, retry_at: Option<Timestamp>) {
        if why == FailReason::Gone
            && let Some(known) = self.memory.knowns.get(spot)
        {
            self.traps.gone(known.prefix);
        }
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
        if self.memory.knowns.get(spot).is_some_and(|known| known.state == SpotState::Asked) {
            self.counts.asked -= 1;
            self.frontier.push(&mut self.memory.knowns, spot);
        }
    }

    /// The best known URL of a host that may be asked now. Hosts told to rest need not be refused here, too.
    pub fn next(&mut self, now: Timestamp, host_is_free: &dyn Fn(HostNumber) -> bool) -> Option<Spot> {
        if self.counts.fetched + self.counts.asked >= self.settings.pages {
            return None;
        }
        let reserved = self.seeds_to_come(now);
        let left = self.settings.pages - self.counts.fetched - self.counts.asked;
        let is_for_seeds = left as usize <= reserved.len();
        let is_free = |host: HostNumber| (!is_for_seeds || reserved.contains(&host)) && host_is_free(host);
        loop {
            let spot = self.frontier.next(&mut self.memory.knowns, now, &is_free)?;
            let known = self.memory.knowns.get(spot);
            let (part, names) = known.map_or((NONE, 0), |known| (known.prefix, known.parameters));
            // What the user wants to begin with is no trap.
            if known.is_some_and(|known| known.depth == 0) || self.traps.still_fine(part, names) {
                self.counts.asked += 1;
                return Some(spot);
            }
            // Its part of the site began to repeat itself after it was entered.
            if let Some(known) = self.memory.knowns.get_mut(spot) {
                known.state = SpotState::Dropped;
            }
            self.trapped.push(spot);
            self.counts.failed += 1;
        }
    }

    /// The hosts of seeds that still wait and may be asked soon: the last pages of the budget are theirs.
    fn seeds_to_come(&mut self, now: Timestamp) -> Vec<HostNumber> {
        let left = self.settings.pages - self.counts.fetched - self.counts.asked;
        // Looked at only when the budget comes to its end.
        if left as usize > self.seeds.len() {
            return Vec::new();
        }
        let knowns = &self.memory.knowns;
        let is_open = |spot: &Spot| {
            knowns
                .get(*spot)
                .is_some_and(|known| matches!(known.state, SpotState::Waiting | SpotState::Asked))
        };
        self.seeds.retain(is_open);
        let waits = |spot: &&Spot| knowns.get(**spot).is_some_and(|known| known.state == SpotState::Waiting);
        let host = |spot: &Spot| knowns.get(*spot).map(|known| HostNumber(known.host));
        let soon = |host: &HostNumber| self.frontier.rests(*host).is_none_or(|until| until <= now + SOON);
        self.seeds.iter().filter(waits).filter_map(host).filter(soon).collect()
    }

    /// The host is not to be asked before this time: it stands aside, and costs nothing until then.
    pub fn host_rests(&mut self, host: HostNumber, until: Timestamp) {
        self.frontier.rest(&self.memory.knowns, host, until);
    }

    /// The number of a host by its name, as in [`model::host_name`].
    pub fn host(&self, name: &str) -> Option<HostNumber> {
        self.hosts.get(name).copied()
    }

    /// The host of a known URL.
    pub fn host_of(&self, spot: Spot) -> Option<HostNumber> {
        self.memory.knowns.get(spot).map(|known| HostNumber(known.host))
    }

    /// The best waiting URLs.
    pub fn top(&self, count: usize) -> Vec<(Spot, f32)> {
        let spots = self.frontier.top(&self.memory.knowns, count);
        spots.into_iter().filter_map(|spot| Some((spot, self.memory.knowns.get(spot)?.priority))).collect()
    }

    /// Why a URL stands where it stands.
    pub fn explain(&self, spot: Spot) -> Option<ScoreBreakdown> {
        let known = self.memory.knowns.get(spot)?;
        Some(ScoreBreakdown {
            spot,
            state: known.state,
            host: HostNumber(known.host),
            depth: known.depth,
            priority: known.priority,
            parts: self.strategy.parts(&self.memory, spot),
            parents: self.memory.parents(spot).map(|page| (page.spot, page.score)).collect(),
        })
    }

    /// Where the crawl stands.
    pub fn counts(&self) -> CrawlCounts {
        CrawlCounts {
            known: self.memory.knowns.len() as u32,
            waiting: self.frontier.waiting() as u32,
            hosts: self.names.len() as u32,
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
        self.memory.bytes() + self.frontier.bytes()
    }

    fn settle(&mut self, spot: Spot, state: SpotState) {
        self.frontier.remove(&mut self.memory.knowns, spot);
        if let Some(known) = self.memory.knowns.get_mut(spot) {
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
        if self.memory.knowns.find(link.hash).is_some() {
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
        if self.memory.knowns.len() >= self.settings.known as usize {
            return Err(DropReason::Full);
        }
        // What the user wants to begin with is no trap.
        let admitted = self.traps.admit(&link.url);
        let part = if depth == 0 { admitted.unwrap_or_else(|_| traps::part(&link.url)) } else { admitted? };
        let host = self.host_number(name);
        let record = Self::record(link, host, part, depth, priority);
        let spot = self.memory.knowns.add(record);
        self.frontier.push(&mut self.memory.knowns, spot);
        let anchor = link.anchor.clone();
        Ok(Some(NewUrl { spot, url: link.url.clone(), host, depth, priority, parent, anchor }))
    }

    fn host_number(&mut self, name: String) -> HostNumber {
        if let Some(number) = self.hosts.get(&name) {
            return *number;
        }
        let number = self.frontier.add_host();
        self.names.push(name.clone());
        self.hosts.insert(name, number);
        number
    }

    fn record(link: &LinkFacts, host: HostNumber, part: u32, depth: u16, priority: f32) -> Known {
        Known {
            hash: link.hash,
            host: host.0,
            prefix: part,
            place: NONE,
            priority,
            link: NONE,
            words: link.words.iter().copied().collect(),
            path: link.path,
            context: 0,
            links: 0,
            depth,
            parameters: traps::parameters(&link.url),
            // Not `Waiting`: it does not stand in a queue yet.
            state: SpotState::Dropped,
        }
    }
}

/// A seed's host that rests for longer is not waited for.
const SOON: SignedDuration = SignedDuration::from_mins(1);

/// Up to so many pages a learner wants the words of each.
const ALL_TERMS: u32 = 400;

/// Seeds come before everything else.
const SEED: f32 = 1e6;

/// Whether a URL comes before all that are weighed: then its priority says nothing about its worth.
pub fn comes_first(priority: f32) -> bool {
    priority >= SEED
}

/// What the topic is called, as words: of a path such as `Science.Organic_Chemistry` its end.
fn name_of(topic: &Topic) -> String {
    let last = topic.name.split(['.', '/']).rfind(|part| !part.trim().is_empty());
    last.unwrap_or(&topic.name).replace('_', " ")
}

/// The topic's words and their weights, as the ontology has them.
fn topic_words(topic: &Topic) -> HashMap<Word, f32> {
    let weights = topic.weights();
    let mut words: HashMap<Word, f32> = HashMap::new();
    for (class, weight) in topic.ontology.classes().iter().zip(weights) {
        for entry in &class.entries {
            let parts = words_of(&entry.text);
            let share = (weight * entry.weight) as f32 / (parts.len().max(1) as f32).sqrt();
            for word in parts {
                *words.entry(word).or_default() += share;
            }
        }
    }
    words
}
