//! A crawl on the demo's web for a topic that is given as words.

use crate::crawls::wish;
use crate::lab::Lab;
use demo::{Topic as Subject, Web, World, WorldSettings};
use discovery::crawl::CrawlSettings;
use discovery::ontology::Topic;
use engine::FastClock;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use store::CrawlPageFilter;
use url::Url;

const WEATHER: [&str; 9] =
    ["storm", "flood", "rain", "snow", "wind", "hurricane", "heat", "drought", "forecast"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_topic_of_words_finds_its_articles() {
    let settings = WorldSettings { sites: 12, ..WorldSettings::default() };
    let start = settings.start;
    let mut lab = Lab::new();
    lab.clock = Arc::new(FastClock::new(start, 600.0));
    lab.fetch.default_delay = Duration::from_secs(3);
    let web = Web::start(Arc::new(World::new(settings)), lab.clock.clone()).await.unwrap();
    let mut seeds: Vec<Url> = Vec::new();
    for source in web.sources() {
        if seeds.len() < 8 && seeds.iter().all(|seed| seed.host() != source.url.host()) {
            seeds.push(source.url);
        }
    }
    let topic = Topic::from_words("Weather", &WEATHER).unwrap();
    lab.store.save_topic(topic.clone(), start).await.unwrap();
    let mut wish = wish(seeds.iter().map(Url::to_string).collect(), 300);
    wish.topic = topic;
    wish.settings = CrawlSettings { pages: 300, ..CrawlSettings::default() };
    let handle = lab.idle();
    let id = handle.start_crawl(wish).await.unwrap();
    let info = handle.run_crawl(id).await.unwrap();
    let all = CrawlPageFilter { all: true, limit: 1_000, ..Default::default() };
    let pages = lab.store.crawl_pages(id, all).await.unwrap();
    let read: BTreeSet<&str> = pages.iter().map(|page| page.url.as_str()).collect();
    let unasked: Vec<&Url> = seeds.iter().filter(|seed| !read.contains(seed.as_str())).collect();
    assert!(unasked.is_empty(), "{unasked:?}");
    let truth: BTreeMap<String, Subject> = web
        .published(lab.clock.now())
        .into_iter()
        .map(|article| (article.url.to_string(), article.topic))
        .collect();
    let mut found = [[0_usize; 2]; 2];
    for page in &pages {
        if let Some(subject) = truth.get(page.url.as_str()) {
            found[usize::from(*subject == Subject::Weather)][usize::from(page.on_topic)] += 1;
        }
    }
    let [[off, wrong], [missed, kept]] = found;
    let told = format!("{kept} kept, {missed} missed, {wrong} wrong, {off} off; {info:?}");
    assert!(kept + missed >= 20 && kept * 4 >= (kept + missed) * 3, "{told}");
    assert!(wrong * 4 <= kept, "{told}");
}
