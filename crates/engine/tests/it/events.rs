//! The staged burst of the demo's web becomes an event, and those who may have more of it are visited at once.

use crate::lab::Lab;
use demo::{STARTER_RULES, Web, World, WorldSettings};
use engine::FastClock;
use jiff::SignedDuration;
use knowledge::{ImportOptions, Interchange};
use model::PlannedVisit;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{Event, EventFilter, NewSource, Store, StoreError};

const SPEED: f64 = 900.0;

async fn learn(store: &Store, now: jiff::Timestamp) {
    let file = Interchange::parse(STARTER_RULES).unwrap();
    let import = move |base: &knowledge::Base| {
        let import = file.import(base, ImportOptions::default());
        import.map(|import| (import.folders, import.lesson)).map_err(StoreError::from)
    };
    store.learn_with_folders(None, now, import).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_staged_burst_becomes_an_event_and_is_followed_at_once() {
    let settings =
        WorldSettings { first_burst_after: SignedDuration::from_hours(4), ..WorldSettings::default() };
    let start = settings.start;
    let world = World::new(settings);
    let burst = world.bursts_between(start, start + SignedDuration::from_hours(12)).remove(0);
    let mut lab = Lab::new();
    lab.clock = Arc::new(FastClock::new(start, SPEED));
    lab.interval = Duration::from_mins(30);
    lab.fetch.default_delay = Duration::from_secs(20);
    let web = Web::start(Arc::new(world), lab.clock.clone()).await.unwrap();
    learn(&lab.store, start).await;
    let first_visit = PlannedVisit { at: start, reason: "first visit".into() };
    let new = web.sources().into_iter().map(|source| NewSource {
        url: source.url,
        title: Some(source.title),
        selector: None,
        interval: None,
        first_visit: first_visit.clone(),
    });
    lab.store.add_sources(new.collect(), start).await.unwrap();

    let engine = lab.start().await;
    let began = Instant::now();
    let until = burst.start + SignedDuration::from_hours(4);
    while lab.clock.now() < until {
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(began.elapsed() < Duration::from_secs(120));
    }
    engine.stop().await;

    let events = lab.store.events(EventFilter { limit: 100, ..EventFilter::default() }).await.unwrap();
    for event in events.iter().rev() {
        println!(
            "{} {} opened {} ({}) visits {} reason {}",
            event.id, event.folder_name, event.opened_at, event.began_at, event.visits, event.opening.reason
        );
    }
    println!(
        "burst {:?} {:?} {} {} sites {:?}",
        burst.topic, burst.sport, burst.country, burst.start, burst.sites
    );
    let ids = lab
        .store
        .knowledge(|base| {
            (
                base.folders().find("Sports/Weightlifting").unwrap(),
                base.folders().find("Countries/Germany").unwrap(),
            )
        })
        .await
        .unwrap();
    for id in [ids.0, ids.1] {
        for w in lab.store.folder_windows(id, start, until).await.unwrap() {
            println!(
                "{id} {}..{} {} {:.2} [{} {}] {:.2} {}",
                w.from, w.to, w.observed, w.expected, w.low, w.high, w.score, w.open
            );
        }
        println!("{:?}", lab.store.covering(id, None).await.unwrap().len());
        println!("{:?}", lab.store.watcher(move |w| w.now(id).map(|n| n.score)).await.unwrap());
    }
    println!(
        "{}",
        lab.store
            .watcher(|w| {
                let mut spans: Vec<String> = w.sights().iter().map(|(id, s)| format!("{id} {s:?}")).collect();
                spans.sort();
                spans.iter().map(|s| s.chars().take(230).collect::<String>() + "\n").collect::<String>()
            })
            .await
            .unwrap()
    );
    let gain = lab.store.event_gain(start, lab.interval).await.unwrap();
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    println!(
        "gain: {} articles waited {:.1} against {:.1} min, {} visits",
        gain.waited.len(),
        mean(&gain.waited),
        mean(&gain.even),
        gain.visits
    );
    let _: Option<&Event> = events.first();
}
