//! `events`: an event that visits made is listed, shown and judged.

use crate::program::{fails, json, ok, run};
use jiff::{SignedDuration, Timestamp};
use model::{Found, Manners, Outcome, PlannedVisit, SourceId};
use std::path::Path;
use std::time::Duration;
use store::{After, LeaseRequest, NewSource, Store, VisitRecord};
use url::Url;

/// Ten days in which two sites bring a story on the cup every eight hours; then nine at once.
fn burst(data: &Path) {
    let rules = data.join("rules.txt");
    std::fs::write(&rules, "if title has \"cup\" then News/Sport [1]\n").unwrap();
    ok(data, &["rules", "import", rules.to_str().unwrap()]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = crate::program::store(data);
        let begin = Timestamp::now() - SignedDuration::from_hours(240);
        let next =
            PlannedVisit { at: Timestamp::now() + SignedDuration::from_hours(48), reason: "later".into() };
        let site = |name: &str| NewSource {
            url: Url::parse(&format!("https://{name}.example/")).unwrap(),
            title: Some(name.to_owned()),
            selector: None,
            interval: None,
            first_visit: next.clone(),
        };
        let sources = store.add_sources(vec![site("north"), site("south")], begin).await.unwrap();
        let mut written = 0;
        for hours in (0..240).step_by(2) {
            let at = begin + SignedDuration::from_hours(hours);
            for (place, source) in sources.iter().enumerate() {
                let cups = u32::from((hours / 2 + place as i64) % 4 == 0);
                visit(&store, *source, place, at, cups, &mut written).await;
            }
        }
        let source = sources[0];
        visit(&store, source, 0, Timestamp::now(), 9, &mut written).await;
    });
}

async fn visit(store: &Store, source: SourceId, place: usize, at: Timestamp, cups: u32, written: &mut u32) {
    let name = ["north.example", "south.example"][place];
    let request = LeaseRequest {
        owner: "test".into(),
        share: store::Share::all(),
        now: at,
        lease_until: at + SignedDuration::from_secs(60),
        hosts: 1,
        slow_hosts: 1,
        work_per_host: 1,
        default_delay: Duration::ZERO,
    };
    let work = store.lease_host(name.into(), request).await.unwrap().unwrap();
    let articles = (0..cups).map(|_| {
        *written += 1;
        Found {
            url: Url::parse(&format!("https://{name}/{written}")).unwrap(),
            title: format!("Town number {written} wins the cup"),
            published_at: None,
            summary: None,
        }
    });
    let record = VisitRecord {
        lease: work.lease.clone(),
        source_id: source,
        at,
        took: Duration::ZERO,
        reason: "test".into(),
        outcome: Outcome::NewContent,
        bytes: 1,
        kind: None,
        title: None,
        articles: articles.collect(),
        bodies: 0,
        selector: None,
        validators: None,
        text_hash: None,
        notes: Vec::new(),
        robots: Vec::new(),
        sights: None,
        after: After::Keep(None),
        earliest: None,
        rules: store::PlanRules { keeps_timers: true, ..store::PlanRules::default() },
    };
    let next = PlannedVisit { at: at + SignedDuration::from_hours(2), reason: "test".into() };
    store.record_visit(record, move |_| next).await.unwrap();
    store.release_host(work.lease, Manners::default(), false).await.unwrap();
}

#[test]
fn an_event_is_listed_shown_and_judged() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let empty = run(data, &["events", "list"]);
    assert!(empty.stdout.is_empty() && String::from_utf8_lossy(&empty.stderr).contains("hint: no events"));
    burst(data);
    let list = ok(data, &["events", "list", "--open", "--folder", "News/Sport"]);
    assert!(list.contains("going on") && list.contains("against") && list.contains("north"), "{list}");
    let events = json(data, &["events", "list", "--limit", "5"]);
    assert_eq!((events.as_array().unwrap().len(), events[0]["id"].as_i64()), (1, Some(1)));
    let shown = ok(data, &["events", "show", "1"]);
    for words in ["Sport: ", "why: ", "north first, ", "visits it caused: none", "wins the cup (north)"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(json(data, &["events", "show", "1"])["stories"].as_array().unwrap().len() >= 9);
    assert_eq!(ok(data, &["events", "confirm", "1"]), "event 1: confirmed\n");
    assert_eq!(json(data, &["events", "dismiss", "1"])["verdict"], "dismissed");
    assert_eq!(ok(data, &["events", "list", "--open"]), "", "a dismissed event has ended");
    assert!(fails(data, &["events", "show", "7"], 3).contains("event 7"));
    fails(data, &["events", "list", "--folder", "Nowhere"], 3);
}
