//! The whole loop on the demo's web with a fast clock: everything published is found, nothing else is.

use crate::lab::Lab;
use demo::{Web, World, WorldSettings};
use engine::FastClock;
use jiff::SignedDuration;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use store::ArticleFilter;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_on_the_demo_web_is_found_whole() {
    let settings = WorldSettings { sites: 12, ..WorldSettings::default() };
    let start = settings.start;
    let mut lab = Lab::new();
    // A simulated day in fifteen seconds.
    lab.clock = Arc::new(FastClock::new(start, 86_400.0 / 15.0));
    lab.interval = Duration::from_hours(2);
    lab.fetch.default_delay = Duration::from_secs(10);
    let web = Web::start(Arc::new(World::new(settings)), lab.clock.clone()).await.unwrap();
    lab.watch_all(&web, start).await;

    let engine = lab.start().await;
    tokio::time::sleep(Duration::from_secs(16)).await;
    let handle = engine.handle();
    engine.stop().await;
    let stopped = lab.clock.now();

    let all = ArticleFilter { limit: 1_000_000, ..ArticleFilter::default() };
    let stored = lab.store.articles_page(all).await.unwrap().articles;
    let urls: BTreeSet<String> = stored.iter().map(|article| article.url.to_string()).collect();
    assert_eq!(urls.len(), stored.len(), "none twice");
    let published: BTreeMap<String, _> =
        web.published(stopped).into_iter().map(|article| (article.url.to_string(), article)).collect();
    let false_ones: Vec<_> = urls.iter().filter(|url| !published.contains_key(*url)).take(5).collect();
    assert!(false_ones.is_empty(), "not articles: {false_ones:?}");

    // Five hours are enough for two visits to any source.
    let settled = stopped - SignedDuration::from_hours(5);
    let expected: Vec<_> = published
        .values()
        .filter(|article| {
            article.published_at >= start && article.published_at < settled && !article.listed_on.is_empty()
        })
        .collect();
    let missed: Vec<_> = expected
        .iter()
        .filter(|article| !urls.contains(article.url.as_str()))
        .map(|article| article.url.as_str())
        .collect();
    assert!(expected.len() > 100, "{} articles were published", expected.len());
    assert!(
        missed.is_empty(),
        "{} of {} missed: {:?}",
        missed.len(),
        expected.len(),
        &missed[..missed.len().min(5)]
    );

    let status = handle.status();
    assert_eq!(status.visits, status.successes, "every visit succeeded");
    assert!(status.bodies > 100, "{} pages were read", status.bodies);
    let read = stored.iter().filter(|article| article.body == model::BodyState::Read).count();
    assert!(read * 2 > stored.len(), "{read} of {} were read by the end", stored.len());
    for article in &stored {
        if let Some(known) = published.get(article.url.as_str()) {
            assert!(
                article.title == known.title || article.title.ends_with('…'),
                "{} ≠ {}",
                article.title,
                known.title
            );
        }
    }
}
