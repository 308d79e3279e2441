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
        let record = Self::record(&link, host, part, stored.depth, stored.priority);
        let spot = self.memory.knowns.add(record);
        let mut state = stored.state;
        match (state, stored.retry_at) {
            (SpotState::Resting, Some(at)) => self.frontier.retry(spot, at),
            (SpotState::Waiting | SpotState::Asked | SpotState::Resting, _) => {
                self.frontier.push(&mut self.memory.knowns, spot);
                state = SpotState::Waiting;
                self.seeds.extend((stored.depth == 0).then_some(spot));
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
            let (mut crawled, mut good, mut hits) = (0, 0.0, 0);
            for child in &children {
                let number = memory.knowns.get(*child).and_then(|known| memory.pages.of(known));
                if let Some(page) = number.and_then(|number| memory.pages.get(number)) {
                    crawled += 1;
                    good += page.score;
                    hits += u32::from(page.on_topic);
                }
            }
            if let Some(page) = memory.pages.get_mut(number) {
                page.first_link = first;
                page.links = children.len() as u32;
                page.children = crawled;
                page.good_children = good;
                page.hits = hits;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::{PageReader, StrategyName};
    use page::WebPage;

    fn url(number: u32) -> Url {
        Url::parse(&format!("http://a{}.example/pages/guitar-{number}", number % 3)).unwrap()
    }

    fn page(reader: &PageReader, number: u32) -> super::super::PageFacts {
        let text =
            format!("The guitar and its strings, chapter {number}, with music for players and a song. ")
                .repeat(4);
        let links = [number * 2 + 1, number * 2 + 2].map(|to| page::WebLink {
            url: url(to),
            text: format!("guitar {to}"),
            context: "more music".to_owned(),
            path: "main > a".to_owned(),
            zone: page::Zone::Main,
            disowned: false,
        });
        let title = Some(format!("Guitar {number}"));
        reader.read(&WebPage { title, text, links: links.to_vec(), ..WebPage::default() })
    }

    /// One page more; the numbers of all URLs known are in `numbers`.
    fn one_more(crawl: &mut Crawl, rows: &mut Vec<StoredUrl>) {
        let spot = crawl.next(Timestamp::UNIX_EPOCH, &|_| true).unwrap();
        let number = rows[spot.0 as usize].url.path().rsplit('-').next().unwrap().parse().unwrap();
        let verdict = crawl.arrived(spot, page(&crawl.reader(), number));
        let row = &mut rows[spot.0 as usize];
        row.state = SpotState::Fetched;
        row.page = Some((verdict.score, verdict.on_topic));
        rows.extend(verdict.new.into_iter().map(|new| StoredUrl {
            url: new.url,
            depth: new.depth,
            priority: new.priority,
            state: SpotState::Waiting,
            parent: new.parent,
            anchor: new.anchor,
            page: None,
            retry_at: None,
        }));
    }

    #[test]
    fn every_strategy_goes_on_after_a_restart() {
        for strategy in StrategyName::ALL {
            let topic = Topic::from_words("Guitar", &["string", "music"]).unwrap();
            let settings = CrawlSettings { strategy, pages: 40, ..CrawlSettings::default() };
            let mut crawl = Crawl::new(topic.clone(), settings.clone()).unwrap();
            let seed = crawl.seed(&url(0)).unwrap();
            let mut rows = vec![StoredUrl {
                url: seed.url,
                depth: 0,
                priority: seed.priority,
                state: SpotState::Waiting,
                parent: None,
                anchor: String::new(),
                page: None,
                retry_at: None,
            }];
            for _ in 0..25 {
                one_more(&mut crawl, &mut rows);
            }
            let state: CrawlState =
                serde_json::from_value(serde_json::to_value(crawl.state()).unwrap()).unwrap();
            let mut again = Crawl::restore(topic, settings, rows.clone(), Some(state)).unwrap();
            let (before, after) = (crawl.counts(), again.counts());
            assert_eq!(
                (before.known, before.waiting, before.fetched),
                (after.known, after.waiting, after.fetched),
                "{strategy}"
            );
            for _ in 0..5 {
                one_more(&mut again, &mut rows);
            }
            assert_eq!(again.counts().fetched, 30, "{strategy}");
            assert!(
                again.top(3).iter().all(|(spot, worth)| worth.is_finite() && again.explain(*spot).is_some()),
                "{strategy}"
            );
        }
    }

    /// At least a million URLs must fit into 150 MB with all else.
    #[test]
    fn a_known_url_takes_few_bytes() {
        let topic = Topic::from_words("Guitar", &["string"]).unwrap();
        let settings = CrawlSettings { strategy: StrategyName::BreadthFirst, ..CrawlSettings::default() };
        let rows = (0..60_000).map(|number| StoredUrl {
            url: Url::parse(&format!("http://h{}.example/p{number}", number % 300)).unwrap(),
            depth: 1,
            priority: 0.0,
            state: SpotState::Waiting,
            parent: None,
            anchor: "a guitar".to_owned(),
            page: None,
            retry_at: None,
        });
        let crawl = Crawl::restore(topic, settings, rows, None).unwrap();
        let each = crawl.bytes() as f64 / 60_000.0;
        assert!(each <= 90.0, "{each} bytes a URL");
    }
}
