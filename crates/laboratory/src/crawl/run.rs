//! One crawl, through the mind that runs live.

use super::cpu::thread_time;
use super::ground::Ground;
use super::measure::Crawled;
use discovery::crawl::{Crawl, CrawlError, CrawlSettings, FailReason, PageFacts, StrategyName};
use discovery::ontology::{Reading, Topic};
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;
use url::Url;

/// What a topic that does not learn read on each page, and what that took: the same for every strategy.
pub type Readings = Mutex<HashMap<Url, (Reading, Duration)>>;

/// Crawls from the seeds until the pages are used up.
pub fn crawl(
    ground: &dyn Ground,
    seeds: &[Url],
    topic: Topic,
    settings: CrawlSettings,
    readings: Option<&Readings>,
) -> Result<Crawled, CrawlError> {
    let learns = settings.strategy == StrategyName::Ontology && settings.learning;
    let readings = readings.filter(|_| !learns);
    let began = thread_time();
    let mut spent_before = Duration::ZERO;
    let mut mind = Crawl::new(topic, settings)?;
    let mut urls: Vec<Url> = seeds.iter().filter_map(|seed| Some(mind.seed(seed)?.url)).collect();
    let mut crawled = Crawled { relevant: ground.relevant(), ..Crawled::default() };
    while let Some(spot) = mind.next(Timestamp::UNIX_EPOCH, &|_| true) {
        let url = urls.get(spot.0 as usize).cloned();
        let Some((url, fetched)) = url.and_then(|url| Some((url.clone(), ground.fetch(&url)?))) else {
            mind.failed(spot, FailReason::Gone, None);
            continue;
        };
        spent_before += fetched.cost;
        let known = readings.and_then(|readings| readings.lock().ok()?.get(&url).cloned());
        let facts = if let Some((reading, cost)) = known {
            spent_before += cost;
            PageFacts::known(reading, fetched.signs)
        } else {
            let start = thread_time();
            let facts = mind.reader().read_again(&fetched.page, fetched.signs);
            let cost = thread_time().saturating_sub(start);
            if let Some(mut readings) = readings.and_then(|readings| readings.lock().ok()) {
                readings.insert(url.clone(), (facts.reading.clone(), cost));
            }
            facts
        };
        let verdict = mind.arrived(spot, facts);
        // Spots are given out in order.
        urls.extend(verdict.new.into_iter().map(|new| new.url));
        crawled.hits.push(ground.is_relevant(&url));
        crawled.kept.push(verdict.on_topic);
        crawled.traps += usize::from(ground.is_trap(&url));
        crawled.clock.push(thread_time().saturating_sub(began) + spent_before);
    }
    crawled.cpu = thread_time().saturating_sub(began) + spent_before;
    Ok(crawled)
}
