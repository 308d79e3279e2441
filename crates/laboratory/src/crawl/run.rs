//! One crawl of a saved web, through the mind that runs live.

use super::cpu::thread_time;
use super::measure::Crawled;
use super::web::SavedWeb;
use discovery::crawl::{Crawl, CrawlError, CrawlSettings, FailReason};
use discovery::ontology::Topic;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;

/// Crawls from the seeds until the pages are used up.
pub fn crawl(
    web: &SavedWeb,
    relevant: &[bool],
    seeds: &[usize],
    topic: Topic,
    settings: CrawlSettings,
) -> Result<Crawled, CrawlError> {
    let began = thread_time();
    let mut reading = Duration::ZERO;
    let mut mind = Crawl::new(topic, settings)?;
    let mut places: Vec<usize> = Vec::new();
    for seed in seeds.iter().filter_map(|seed| web.pages.get(*seed)) {
        if let Some(new) = mind.seed(&seed.url) {
            note(&mut places, new.spot.0, web.place(&new.url));
        }
    }
    let mut crawled = Crawled { relevant: relevant.iter().filter(|one| **one).count(), ..Crawled::default() };
    while let Some(spot) = mind.next(Timestamp::UNIX_EPOCH, &|_| true) {
        let place = places.get(spot.0 as usize).copied().unwrap_or(usize::MAX);
        let Some(saved) = web.pages.get(place) else {
            mind.failed(spot, FailReason::Gone, None);
            continue;
        };
        let facts = mind.reader().read_again(&saved.page, Arc::clone(&saved.signs));
        reading += saved.cost;
        let verdict = mind.arrived(spot, facts);
        for new in &verdict.new {
            note(&mut places, new.spot.0, web.place(&new.url));
        }
        crawled.hits.push(relevant.get(place).copied().unwrap_or(false));
        crawled.kept.push(verdict.on_topic);
        crawled.clock.push(thread_time().saturating_sub(began) + reading);
    }
    crawled.cpu = thread_time().saturating_sub(began) + reading;
    Ok(crawled)
}

fn note(places: &mut Vec<usize>, spot: u32, place: Option<usize>) {
    if places.len() <= spot as usize {
        places.resize(spot as usize + 1, usize::MAX);
    }
    places[spot as usize] = place.unwrap_or(usize::MAX);
}
