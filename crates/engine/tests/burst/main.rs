//! The staged burst of the demo's web becomes an event, and those who may have more of it are visited at once.
//!
//! A program of its own, so that it runs alone: it measures real seconds, which tests beside it would take from it.

#![expect(clippy::unwrap_used, reason = "in a test, a failed unwrap is a failed test")]

#[expect(dead_code, reason = "the other tests use more of it")]
#[path = "../it/lab.rs"]
mod lab;

use demo::{Burst, STARTER_RULES, Web, World, WorldSettings};
use engine::FastClock;
use jiff::{SignedDuration, Timestamp};
use knowledge::{ImportOptions, Interchange};
use lab::Lab;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{Event, EventDetail, EventFilter, Store, StoreError};
use url::Url;

/// An hour in four seconds.
const SPEED: f64 = 900.0;

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
    lab.watch_all(&web, start).await;

    let engine = lab.start().await;
    let (event, noticed) = wait_for_event(&lab, &burst).await;
    // The first ones answer within moments.
    tokio::time::sleep(Duration::from_secs(2)).await;
    engine.stop().await;

    let detail = lab.store.event(event.id).await.unwrap();
    shown_within_two_visits(&lab.store, &detail).await;
    assert!(!detail.visits.is_empty(), "nobody was visited because of {event:?}");
    for (visit, _) in &detail.visits {
        assert_eq!(visit.event, Some(event.id));
        assert!(visit.reason.starts_with(&format!("event {}", event.id)), "{}", visit.reason);
    }
    // The first ones are those the event brought forward when it opened.
    for (visit, title) in detail.visits.iter().take(3) {
        let url = lab.store.source(visit.source_id).await.unwrap().url;
        let after = requested(&web, &url, visit.at).unwrap().saturating_duration_since(noticed);
        assert!(after < Duration::from_secs(1), "{title} was asked {after:?} after the event could be seen");
    }
}

async fn learn(store: &Store, now: Timestamp) {
    let file = Interchange::parse(STARTER_RULES).unwrap();
    let import = move |base: &knowledge::Base| {
        let import = file.import(base, ImportOptions::default());
        import.map(|import| (import.folders, import.lesson)).map_err(StoreError::from)
    };
    store.learn_with_folders(None, now, import).await.unwrap();
}

/// The event of the burst's sport, and when it could first be seen.
async fn wait_for_event(lab: &Lab, burst: &Burst) -> (Event, Instant) {
    let sport = burst.sport.unwrap();
    let over = burst.start + SignedDuration::from_hours(4);
    loop {
        assert!(lab.clock.now() < over, "four hours after the burst in {sport} there is no event");
        let filter = EventFilter { limit: 100, ..EventFilter::default() };
        let events = lab.store.events(filter).await.unwrap();
        assert!(
            events.iter().all(|event| event.opened_at >= burst.start),
            "an event before the burst: {events:?}"
        );
        if let Some(event) = events
            .into_iter()
            .find(|event| event.folder_name.eq_ignore_ascii_case(&format!("Sports/{sport}")))
        {
            return (event, Instant::now());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// From the first source that had an article of the event, no more than two visits passed.
async fn shown_within_two_visits(store: &Store, detail: &EventDetail) {
    let first = detail.followers.iter().min_by_key(|follower| follower.seen_at).unwrap();
    let visits = store.visits_of(first.source, 100).await.unwrap();
    let between =
        visits.iter().filter(|visit| visit.at >= first.seen_at && visit.at <= detail.event.opened_at);
    assert!(between.count() <= 2, "{} was visited too often before {:?}", first.title, detail.event);
}

/// When a visit's request really arrived.
fn requested(web: &Web, url: &Url, at: Timestamp) -> Option<Instant> {
    let site = web.ports().iter().position(|port| Some(*port) == url.port())?;
    let log = web.log();
    let its = log.iter().filter(|logged| logged.site == site && logged.path == url.path() && logged.at >= at);
    its.min_by_key(|logged| logged.at).map(|logged| logged.real)
}
