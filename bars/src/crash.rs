//! kill -9 at random moments of a busy run. The judge is the demo web's own request log.

use crate::child::{Monitor, command};
use demo::{Web, World, WorldSettings};
use engine::FastClock;
use jiff::{SignedDuration, Timestamp};
use model::Clock;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The delay the monitor is told to keep; real time, as the monitor's clock is the real one.
const DELAY: Duration = Duration::from_millis(150);
/// How fast the demo web publishes.
const SPEED: f64 = 600.0;

pub(crate) async fn run(kills: u32) -> anyhow::Result<bool> {
    let settings = WorldSettings { seed: 7, ..WorldSettings::default() };
    let start = settings.start;
    let clock: Arc<dyn Clock> = Arc::new(FastClock::new(start, SPEED));
    let web = Web::start(Arc::new(World::new(settings)), clock.clone()).await?;
    let folder = tempfile::tempdir()?;
    let data = folder.path();
    let list = folder.path().join("list.txt");
    let urls: Vec<String> = web.sources().iter().map(|source| source.url.to_string()).collect();
    std::fs::write(&list, urls.join("\n"))?;
    command(data, &["sources", "import", "--allow", "127.0.0.0/8", &list.to_string_lossy()])?;

    let words = ["--interval", "4s", "--delay", "150ms"];
    let mut dice = 0x2545_F491_4F6C_DD1D_u64;
    for kill in 1..=kills {
        let mut monitor = Monitor::start(data, &words)?;
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moment = Duration::from_millis(20 + (dice >> 33) % 2500);
        tokio::time::sleep(moment).await;
        monitor.kill()?;
        if kill % 10 == 0 {
            println!("  {kill} of {kills} kills, {} requests so far", web.log().len());
        }
    }
    // A last run without a kill catches up.
    let cut_off = clock.now();
    let mut monitor = Monitor::start(data, &words)?;
    let all_visited = Instant::now();
    while clock.now() < cut_off + SignedDuration::from_secs_f64(SPEED * 25.0)
        && all_visited.elapsed() < Duration::from_mins(1)
    {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let stopped_in = monitor.stop()?;
    judge(&web, data, start, cut_off, kills, stopped_in)
}

fn judge(
    web: &Web,
    data: &std::path::Path,
    start: Timestamp,
    cut_off: Timestamp,
    kills: u32,
    stopped_in: Duration,
) -> anyhow::Result<bool> {
    let stored: Vec<serde_json::Value> =
        serde_json::from_str(&command(data, &["articles", "list", "--limit", "10000000", "--json"])?)?;
    let urls: BTreeSet<&str> = stored.iter().filter_map(|article| article["url"].as_str()).collect();
    let doubled = stored.len() - urls.len();
    let published = web.published(cut_off);
    let expected: Vec<_> = published
        .iter()
        .filter(|article| article.published_at >= start && !article.listed_on.is_empty())
        .collect();
    let lost: Vec<_> = expected.iter().filter(|article| !urls.contains(article.url.as_str())).collect();
    let titles: BTreeMap<&str, usize> = stored.iter().filter_map(|article| article["title"].as_str()).fold(
        BTreeMap::new(),
        |mut counts, title| {
            *counts.entry(title).or_default() += 1;
            counts
        },
    );
    let log = web.log();
    let mut asked: BTreeMap<usize, Instant> = BTreeMap::new();
    let mut fastest = Duration::MAX;
    for request in &log {
        if let Some(before) = asked.insert(request.site, request.real) {
            fastest = fastest.min(request.real.duration_since(before));
        }
    }
    for lost in lost.iter().take(5) {
        println!("  lost: {} published {}", lost.url, lost.published_at);
    }
    println!("  {} titles, {} requests, clean stop in {stopped_in:.1?}", titles.len(), log.len());
    println!(
        "{kills} kills: {} of {} articles lost, {doubled} doubled, closest two requests to a host {fastest:.0?} apart (delay {DELAY:.0?})",
        lost.len(),
        expected.len()
    );
    Ok(lost.is_empty() && doubled == 0 && fastest >= DELAY && expected.len() > 100)
}
