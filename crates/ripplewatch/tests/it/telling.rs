//! The receiver dies for an hour of the demo's time, the monitor is killed -9 twice meanwhile: afterwards every
//! event was told, and what was told twice carries the same key.

use crate::program::{Running, json, until};
use demo::{STARTER_RULES, Web, World, WorldSettings};
use engine::FastClock;
use jiff::{SignedDuration, Timestamp};
use knowledge::{Base, ImportOptions, Interchange};
use model::{Clock, EventId, PlannedVisit};
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::{EventFilter, NewSource, StoreError};
use testkit::site::{Answer, Asked, Site};

const SPEED: f64 = 900.0;

async fn receiver(address: SocketAddr, thinks: Duration) -> Site {
    Site::start_on(address, None, move |_| Answer::status(200).after(thinks)).await
}

fn monitor(data: &Path, clock: &dyn Clock) -> Running {
    let time = format!("{:.0}@{SPEED}", clock.now());
    // The port is another one each time; links in messages are not.
    let config = data.join("config.toml");
    std::fs::write(&config, "server.public_url = 'https://watch.example/'").unwrap();
    let words =
        ["serve", "--listen", "127.0.0.1:0", "--interval", "30m", "--delay", "20s", "--allow", "127.0.0.0/8"];
    Running::start(data, &[&words[..], &["--clock", &time, "--config", config.to_str().unwrap()]].concat())
}

async fn prepare(data: &Path, web: &Web, start: Timestamp) {
    let store = crate::program::store(data);
    let file = Interchange::parse(STARTER_RULES).unwrap();
    let import = move |base: &Base| {
        let import = file.import(base, ImportOptions::default());
        import.map(|import| (import.folders, import.lesson)).map_err(StoreError::from)
    };
    store.learn_with_folders(None, start, import).await.unwrap();
    let first_visit = PlannedVisit { at: start, reason: "first visit".into() };
    let sources = web.sources().into_iter().map(|source| NewSource {
        url: source.url,
        title: Some(source.title),
        selector: None,
        interval: None,
        first_visit: first_visit.clone(),
    });
    store.add_sources(sources.collect(), start).await.unwrap();
}

fn key(asked: &Asked) -> String {
    asked.headers["idempotency-key"].to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_event_is_told_though_the_receiver_dies_and_the_monitor_is_killed() {
    let settings =
        WorldSettings { first_burst_after: SignedDuration::from_hours(3), ..WorldSettings::default() };
    let start = settings.start;
    let clock: Arc<dyn Clock> = Arc::new(FastClock::new(start, SPEED));
    let web = Web::start(Arc::new(World::new(settings)), clock.clone()).await.unwrap();
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    prepare(data, &web, start).await;
    let first = receiver(([127, 0, 0, 1], 0).into(), Duration::ZERO).await;
    let address = first.address();
    json(data, &["notify", "add", "webhook", first.url("/").as_str(), "--allow", "127.0.0.0/8"]);

    let running = monitor(data, &*clock);
    json(data, &["notify", "test"]);
    assert_eq!(first.log().len(), 1, "the receiver was there");
    drop(first);
    let died = clock.now();
    let waiting =
        |running: &Running| running.json("/api/v1/deliveries?state=waiting").as_array().unwrap().clone();
    until("an event cannot be told", || waiting(&running).iter().any(|one| one["tries"].as_u64() > Some(1)));
    running.kill();

    while clock.now() < died + SignedDuration::from_hours(1) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let slow = receiver(address, Duration::from_secs(30)).await;
    let running = monitor(data, &*clock);
    until("it is being told", || !slow.log().is_empty());
    running.kill();
    let heard = slow.log();
    drop(slow);

    // Nobody writes now: what happened until here is what must be told.
    let events = events(data).await;
    let expected = keys(data, None);
    assert!(!expected.is_empty() && expected.iter().all(|key| key.starts_with("event:")), "{expected:?}");
    for event in events {
        assert!(expected.contains(&format!("event:{event}:opened")), "event {event} waits to be told");
    }

    let last = receiver(address, Duration::ZERO).await;
    let running = monitor(data, &*clock);
    until("all is told", || keys(data, Some("delivered")).is_superset(&expected));
    assert!(running.stop().1);
    let mut told: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for asked in heard.iter().chain(&last.log()) {
        told.entry(key(asked)).or_default().push(asked.content.clone());
    }
    assert!(expected.iter().all(|key| told.contains_key(key)), "{expected:?} {:?}", told.keys());
    assert!(told[&key(&heard[0])].len() > 1, "what was under way when the monitor died was told again");
    for (key, repeats) in &told {
        let different: BTreeSet<&Vec<u8>> = repeats.iter().collect();
        assert_eq!(different.len(), 1, "{key} says the same each time");
    }
}

async fn events(data: &Path) -> Vec<EventId> {
    let all = EventFilter { limit: 1000, ..EventFilter::default() };
    let events = crate::program::store(data).events(all).await.unwrap();
    events.into_iter().map(|event| event.id).collect()
}

/// The keys of deliveries in this state, or in any.
fn keys(data: &Path, state: Option<&str>) -> BTreeSet<String> {
    let mut words = vec!["notify", "deliveries", "--limit", "10000"];
    words.extend(state.iter().flat_map(|state| ["--state", state]));
    let deliveries = json(data, &words);
    let keys =
        deliveries.as_array().unwrap().iter().map(|one| one["message"]["key"].as_str().unwrap().to_owned());
    keys.filter(|key| !key.starts_with("test:")).collect()
}
