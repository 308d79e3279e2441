//! Every strategy on every draw of seeds of every topic.

use super::CrawlLabError;
use super::ground::Labelled;
use super::measure::Crawled;
use super::oracle::oracle;
use super::run::{Readings, crawl};
use super::web::SavedWeb;
use crate::random::Random;
use discovery::crawl::CrawlSettings;
use discovery::ontology::{Example, Topic};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use url::Url;

/// Pages to begin with.
#[derive(Debug, Clone)]
pub struct Draw {
    /// What they are about.
    pub topic: String,
    /// Places in the web.
    pub seeds: Vec<usize>,
    /// By place: is the page about it?
    pub relevant: Vec<bool>,
}

/// Who crawls.
#[derive(Debug, Clone)]
pub enum Contender {
    /// The mind that runs live.
    Mind {
        /// What it is called in reports.
        name: String,
        /// How it crawls.
        settings: Box<CrawlSettings>,
    },
    /// The ceiling.
    Oracle,
}

impl Contender {
    /// What it is called in reports.
    pub fn name(&self) -> &str {
        match self {
            Self::Mind { name, .. } => name,
            Self::Oracle => "oracle",
        }
    }
}

/// Seeds of a draw.
const SEEDS: usize = 3;
/// A seed has more links than this.
const LINKS: usize = 10;

/// Draws seeds for each topic: pages about it with more than ten links.
pub fn draws(web: &SavedWeb, topics: &[String], count: usize, seed: u64) -> Result<Vec<Draw>, CrawlLabError> {
    let mut random = Random::new(seed);
    let mut draws = Vec::new();
    for topic in topics {
        let relevant: Vec<bool> = web.pages.iter().map(|page| page.is_about(topic)).collect();
        let candidates: Vec<usize> = (0..web.pages.len())
            .filter(|place| relevant[*place] && web.links(*place).count() > LINKS)
            .collect();
        if candidates.len() < SEEDS {
            let (topic, found) = (topic.clone(), candidates.len());
            return Err(CrawlLabError::TooFew { topic, found, links: LINKS, needed: SEEDS });
        }
        for _ in 0..count {
            let mut left = candidates.clone();
            let seeds = (0..SEEDS).map(|_| left.swap_remove(random.below(left.len()))).collect();
            draws.push(Draw { topic: topic.clone(), seeds, relevant: relevant.clone() });
        }
    }
    Ok(draws)
}

/// All crawls to be made.
#[derive(Debug)]
pub struct Experiment<'a> {
    /// The web.
    pub web: &'a SavedWeb,
    /// Where crawls begin.
    pub draws: &'a [Draw],
    /// Who crawls.
    pub contenders: &'a [Contender],
    /// Pages each may fetch.
    pub pages: u32,
}

impl Experiment<'_> {
    /// Makes them, several at a time: by contender, then by draw.
    pub fn run(&self, step: &mut (dyn FnMut(u64, u64) + Send)) -> Result<Vec<Vec<Crawled>>, CrawlLabError> {
        let all = self.contenders.len() * self.draws.len();
        let next = AtomicUsize::new(0);
        let readings: Vec<Readings> = self.draws.iter().map(|_| Readings::default()).collect();
        let results: Mutex<Vec<Option<Result<Crawled, CrawlLabError>>>> =
            Mutex::new((0..all).map(|_| None).collect());
        let step = Mutex::new((0_u64, step));
        let work = || loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= all {
                return;
            }
            // Contenders inside, so that the slow ones do not all come at the end, and readings can be shared.
            let (contender, draw) = (job % self.contenders.len(), job / self.contenders.len());
            let result = self.one(&self.contenders[contender], &self.draws[draw], &readings[draw]);
            if let Ok(mut results) = results.lock() {
                results[job] = Some(result);
            }
            if let Ok(mut step) = step.lock() {
                step.0 += 1;
                let done = step.0;
                (step.1)(done, all as u64);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(2, std::num::NonZero::get) {
                scope.spawn(work);
            }
        });
        let mut by_contender: Vec<Vec<Crawled>> = self.contenders.iter().map(|_| Vec::new()).collect();
        let results = results.into_inner().unwrap_or_default();
        for (job, result) in results.into_iter().enumerate() {
            if let Some(result) = result {
                by_contender[job % self.contenders.len()].push(result?);
            }
        }
        Ok(by_contender)
    }

    fn one(&self, contender: &Contender, draw: &Draw, readings: &Readings) -> Result<Crawled, CrawlLabError> {
        let ground = Labelled { web: self.web, relevant: &draw.relevant };
        let seeds: Vec<Url> =
            draw.seeds.iter().filter_map(|seed| Some(self.web.pages.get(*seed)?.url.clone())).collect();
        match contender {
            Contender::Oracle => Ok(oracle(&ground, &seeds, self.pages as usize)),
            Contender::Mind { settings, .. } => {
                let topic = topic_of(self.web, draw)?;
                let settings = CrawlSettings { pages: self.pages, ..(**settings).clone() };
                Ok(crawl(&ground, &seeds, topic, settings, Some(readings))?)
            }
        }
    }
}

/// The topic as a user would give it: its name, and the pages to begin with as examples.
fn topic_of(web: &SavedWeb, draw: &Draw) -> Result<Topic, CrawlLabError> {
    let pages = draw.seeds.iter().filter_map(|seed| web.pages.get(*seed));
    let examples: Vec<Example<'_>> = pages
        .map(|saved| Example {
            title: saved.page.title.as_deref().unwrap_or_default(),
            text: &saved.page.text,
        })
        .collect();
    Ok(Topic::from_examples(&draw.topic, &examples)?)
}
