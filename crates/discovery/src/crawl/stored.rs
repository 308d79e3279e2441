//! A crawl that goes on: rows are the hard truth, the soft state is what it had learned.

use super::facts::LinkFacts;
use super::known::{Spot, SpotState};
use super::pages::Page;
use super::words::words_of;
use super::{Crawl, CrawlError, CrawlSettings, judge};
use crate::ontology::{Learner, Topic};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use url::Url;

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
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct CrawlState {
    version: u32,
    #[serde(default)]
    strategy: Value,
    #[serde(default)]
    judge: Option<judge::JudgeState>,
    #[serde(default)]
    learner: Option<Learner>,
}

/// What is stored is read by the same version only; another starts to learn anew.
const VERSION: u32 = 2;

impl Crawl {
    /// The mind of a crawl that goes on: its URLs in the order of their spots, and the last soft state.
    pub fn restore(
        topic: Topic,
        settings: CrawlSettings,
        urls: impl IntoIterator<Item = StoredUrl>,
        state: Option<CrawlState>,
    ) -> Result<Self, CrawlError> {
        let mut crawl = Self::new(topic, settings)?;
        if let Some(state) = state.filter(|state| state.version == VERSION) {
            crawl.remember(state);
        }
        let mut children: BTreeMap<u32, Vec<Spot>> = BTreeMap::new();
        for stored in urls {
            let parent = stored.parent;
            let spot = crawl.restore_url(stored)?;
            if let Some(parent) = parent {
                children.entry(parent.0).or_default().push(spot);
            }
        }
        crawl.restore_links(children);
        Ok(crawl)
    }

    /// The soft state, to be stored now and then.
    pub fn state(&self) -> CrawlState {
        CrawlState {
            version: VERSION,
            strategy: self.strategy.state(),
            judge: Some(self.memory.judge.state()),
            learner: self.learner.clone(),
        }
    }

    fn remember(&mut self, state: CrawlState) {
        self.strategy.restore(state.strategy);
        if let Some(judge) = state.judge {
            self.memory.judge.restore(judge);
        }
        if let Some(learner) = state.learner.filter(|_| self.learner.is_some()) {
            self.reader = std::sync::Arc::new(learner.reader());
            self.learner = Some(learner);
        }
    }

    fn restore_url(&mut self, stored: StoredUrl) -> Result<Spot, CrawlError> {
        let name = model::host_name(&stored.url)
            .ok_or_else(|| CrawlError::Stored(format!("{} has no host", stored.url)))?;
        let host = self.host_number(name);
        // What was entered once is not asked again whether it may be.
        let part = self.traps.admit(&stored.url).unwrap_or_else(|_| super::traps::part(&stored.url));
        let mut link = LinkFacts::bare(stored.url);
        let own = std::mem::replace(&mut link.words, words_of(&stored.anchor));
        link.words.extend(own);
        let record = self.record(&link, host, part, stored.depth, stored.priority);
        let spot = self.memory.knowns.add(record);
        let mut state = stored.state;
        match (state, stored.retry_at) {
            (SpotState::Resting, Some(at)) => self.frontier.retry(spot, at),
            (SpotState::Waiting | SpotState::Asked | SpotState::Resting, _) => {
                self.frontier.push(&mut self.memory.knowns, spot);
                state = SpotState::Waiting;
            }
            (SpotState::Fetched, _) => {
                let (score, on_topic) = stored.page.unwrap_or_default();
                self.restore_page(spot, part, score as f32, on_topic);
            }
            (SpotState::Dropped, _) => self.counts.failed += 1,
            (SpotState::Redirected, _) => {}
        }
        if let Some(known) = self.memory.knowns.get_mut(spot) {
            known.state = state;
        }
        Ok(spot)
    }

    fn restore_page(&mut self, spot: Spot, part: u32, score: f32, on_topic: bool) {
        let number = self.memory.pages.add(Page { content: score, score, on_topic, ..Page::new(spot) });
        if let Some(known) = self.memory.knowns.get_mut(spot) {
            known.place = number;
            let (path, host) = (u32::from(known.path), known.host);
            self.memory.prefixes.add(part, score);
            self.memory.places.add(path, score);
            self.memory.hosts.add(host, score);
        }
        self.traps.fetched(part, 0, on_topic, None);
        self.counts.fetched += 1;
        self.counts.relevant += u32::from(on_topic);
    }

    /// Each URL is linked from the page that told of it first; the other links are lost, and come again as pages do.
    fn restore_links(&mut self, children: BTreeMap<u32, Vec<Spot>>) {
        for (parent, children) in children {
            let memory = &mut self.memory;
            let Some(number) = memory.knowns.get(Spot(parent)).and_then(|known| memory.pages.of(known))
            else {
                continue;
            };
            let first = memory.links.len();
            for child in &children {
                memory.links.add(&mut memory.knowns, number, *child);
            }
            let scores = children.iter().filter_map(|child| {
                let number = memory.pages.of(memory.knowns.get(*child)?)?;
                Some(memory.pages.get(number)?.score)
            });
            let (crawled, good) = scores.fold((0, 0.0), |(crawled, good), score| (crawled + 1, good + score));
            if let Some(page) = memory.pages.get_mut(number) {
                page.first_link = first;
                page.links = children.len() as u32;
                page.children = crawled;
                page.good_children = good;
            }
        }
    }
}
