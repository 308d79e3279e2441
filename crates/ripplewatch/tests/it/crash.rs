//! kill -9 in the middle of things. `cargo xtask bars crash` does it fifty times.

use crate::program::{Running, json, ok, until};
use demo::{Web, World, WorldSettings};
use engine::FastClock;
use jiff::SignedDuration;
use model::Clock;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

const DELAY: Duration = Duration::from_millis(60);
const SPEED: f64 = 1200.0;

#[tokio::test(flavor = "multi_thread")]
async fn after_kills_nothing_is_lost_or_doubled_and_no_host_was_asked_too_fast() {
    let settings = WorldSettings { sites: 8, seed: 3, ..WorldSettings::default() };
    let start = settings.start;
    let clock: Arc<dyn Clock> = Arc::new(FastClock::new(start, SPEED));
    let web = Web::start(Arc::new(World::new(settings)), clock.clone()).await.unwrap();
    let data = tempfile::tempdir().unwrap();
    for source in web.sources() {
        ok(data.path(), &["sources", "add", "--allow", "127.0.0.0/8", source.url.as_str()]);
    }
    let words =
        ["serve", "--listen", "127.0.0.1:0", "--interval", "2s", "--delay", "60ms", "--allow", "127.0.0.0/8"];
    for kill in 0..6_u64 {
        let running = Running::start(data.path(), &words);
        tokio::time::sleep(Duration::from_millis(100 + kill * 277 % 1300)).await;
        running.kill();
    }
    let cut_off = clock.now();
    let running = Running::start(data.path(), &words);
    let published: Vec<Url> = web
        .published(cut_off)
        .into_iter()
        .filter(|article| {
            article.published_at >= start + SignedDuration::from_secs(1) && !article.listed_on.is_empty()
        })
        .map(|article| article.url)
        .collect();
    // On a database the hosts of the dead are free when they are known to be gone.
    until("everything that was published is there", || {
        let stored = stored(data.path());
        published.iter().all(|url| stored.iter().any(|known| known == url.as_str()))
    });
    assert!(running.stop().1);

    let urls = stored(data.path());
    let known: BTreeSet<&String> = urls.iter().collect();
    assert_eq!(urls.len(), known.len(), "none doubled");
    let mut last: BTreeMap<usize, Instant> = BTreeMap::new();
    for request in web.log() {
        if let Some(before) = last.insert(request.site, request.real) {
            let gap = request.real.duration_since(before);
            assert!(gap >= DELAY, "site {} was asked again after {gap:?}", request.site);
        }
    }
}

fn stored(data: &Path) -> Vec<String> {
    let stored = json(data, &["articles", "list", "--limit", "1000000"]);
    let urls = stored.as_array().unwrap().iter().map(|article| article["url"].as_str().unwrap());
    urls.map(str::to_owned).collect()
}
