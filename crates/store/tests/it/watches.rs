use crate::shop::{Shop, at, planned, visit_record};
use jiff::Timestamp;
use model::{FailureKind, Manners, Outcome, SourceId, Validators, WatchId};
use page::watches::{Aim, Kind, Sight, Terms};
use store::{Recorded, Sighting, StoreError, VisitRecord, WatchEdit, WatchStanding};

const PAGE: &str = "https://a.example/";

pub(crate) fn terms(what: &str) -> Terms {
    Terms::new(Aim::at(what.parse().unwrap()))
}

pub(crate) fn part(text: &str) -> Sight {
    let lines: Vec<&str> = text.lines().collect();
    serde_json::from_value(serde_json::json!({ "part": { "lines": lines } })).unwrap()
}

/// A shop with one source and watches on it.
struct Desk {
    shop: Shop,
    source: SourceId,
}

impl Desk {
    async fn new() -> Self {
        let shop = Shop::new();
        let source = shop.add(PAGE).await;
        Self { shop, source }
    }

    async fn watch(&self, name: &str, terms: Terms) -> WatchId {
        self.shop.store.add_watch(self.source, name.into(), terms, at(0)).await.unwrap()
    }

    /// A visit at which every watch sees what `sight` says of it; `None`: the page is as it was.
    async fn visit(&self, now: i64, sight: Option<&dyn Fn(WatchId) -> Sight>) -> Recorded {
        let due = || async {
            let soon = planned(now);
            self.shop.store.visit_soon(self.source, soon).await.unwrap();
        };
        due().await;
        let work = self.shop.lease_of(self.source, now).await;
        let visit = &work.visits[0];
        let sights = sight.map(|sight| {
            let one = |lookout: &store::Lookout| Sighting {
                watch: lookout.watch,
                revision: lookout.revision,
                sight: sight(lookout.watch),
            };
            visit.lookouts.iter().map(one).collect()
        });
        let outcome = if sights.is_some() { Outcome::NewContent } else { Outcome::NotModified };
        let validators = sights.is_some().then(|| Validators {
            etag: Some(format!("\"{now}\"")),
            last_modified: None,
            content_hash: Some(now),
        });
        let record = VisitRecord { sights, outcome, validators, ..visit_record(&work, self.source, now) };
        let recorded = self.shop.store.record_visit(record, move |_| planned(now + 86_400)).await.unwrap();
        self.shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
        recorded
    }

    async fn says(&self, now: i64, text: &str) -> Recorded {
        self.visit(now, Some(&|_| part(text))).await
    }

    async fn kinds(&self, id: WatchId) -> Vec<(Kind, bool)> {
        let changes = self.shop.store.part_changes(id, None, 100).await.unwrap();
        changes.iter().rev().map(|change| (change.kind, change.told)).collect()
    }
}

#[tokio::test]
async fn a_change_is_stored_and_told_with_its_diff() {
    let desk = Desk::new().await;
    let id = desk.watch("Price", terms("css .price")).await;
    assert_eq!(desk.says(10, "10 euros").await.told, 0);
    assert_eq!(desk.says(20, "10 euros").await.told, 0);
    let recorded = desk.says(30, "12 euros").await;
    assert_eq!(recorded.told, 1);
    let changes = desk.shop.store.part_changes(id, None, 10).await.unwrap();
    assert_eq!(changes.len(), 2, "the first look and the change");
    let change = &changes[0];
    assert_eq!((change.kind, change.told, change.visit), (Kind::Changed, true, recorded.visit_id));
    assert_eq!((change.number_before, change.number), (Some(10.0), Some(12.0)));
    assert_eq!(change.diff.text(), "[-10-] {+12+} euros");
    assert_eq!(change.text, "12 euros");
    let message = desk.shop.store.messages(1).await.unwrap().remove(0);
    assert_eq!(
        (message.kind.as_str(), message.key.as_str()),
        ("watch_changed", format!("watch:{id}:{}", change.id).as_str())
    );
    assert_eq!(message.payload["diff_text"], "[-10-] {+12+} euros");
    assert_eq!(message.payload["source"]["url"], PAGE);
    assert_eq!(message.payload["url"], format!("/watches/{id}"));
    let watch = desk.shop.store.watch(id).await.unwrap();
    assert_eq!((watch.changes, watch.course.tellings), (2, 1));
    assert_eq!(desk.shop.store.told_changes(None, 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn one_visit_serves_all_watches_of_a_page() {
    let desk = Desk::new().await;
    let (price, stock) =
        (desk.watch("Price", terms("css .price")).await, desk.watch("Stock", terms("list")).await);
    desk.visit(10, Some(&|id| part(if id == price { "10" } else { "a\nb" }))).await;
    let recorded = desk.visit(20, Some(&|id| part(if id == price { "11" } else { "a\nb\nc" }))).await;
    assert_eq!(recorded.told, 2);
    for id in [price, stock] {
        let changes = desk.shop.store.part_changes(id, None, 1).await.unwrap();
        assert_eq!(changes[0].visit, recorded.visit_id);
    }
}

#[tokio::test]
async fn a_new_watch_sees_its_page_at_once_whatever_the_server_says() {
    let desk = Desk::new().await;
    let first = desk.watch("One", terms("text")).await;
    desk.says(10, "a").await;
    let source = desk.shop.store.source(desk.source).await.unwrap();
    assert!(source.state.validators.etag.is_some());
    // While the next visit is under way, another watch is added: the visit knows nothing of it.
    desk.shop.store.visit_soon(desk.source, planned(20)).await.unwrap();
    let work = desk.shop.lease_of(desk.source, 20).await;
    let second = desk.watch("Two", terms("links")).await;
    let record = VisitRecord { outcome: Outcome::NotModified, ..visit_record(&work, desk.source, 20) };
    desk.shop.store.record_visit(record, |_| planned(86_400)).await.unwrap();
    desk.shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
    let source = desk.shop.store.source(desk.source).await.unwrap();
    assert_eq!(source.state.validators, Validators::default(), "asked without conditions the next time");
    desk.says(30, "b").await;
    assert_eq!(desk.kinds(first).await.len(), 2);
    assert_eq!(desk.kinds(second).await, [(Kind::First, false)]);
}

#[tokio::test]
async fn what_an_older_aim_saw_is_not_taken() {
    let desk = Desk::new().await;
    let id = desk.watch("One", terms("text")).await;
    desk.says(10, "a").await;
    desk.shop.store.visit_soon(desk.source, planned(20)).await.unwrap();
    let work = desk.shop.lease_of(desk.source, 20).await;
    let edit = WatchEdit { terms: Some(terms("links")), ..WatchEdit::default() };
    desk.shop.store.edit_watch(id, edit, at(20)).await.unwrap();
    let lookout = &work.visits[0].lookouts[0];
    let old = Sighting { watch: id, revision: lookout.revision, sight: part("of the old aim") };
    let record = VisitRecord { sights: Some(vec![old]), ..visit_record(&work, desk.source, 20) };
    let recorded = desk.shop.store.record_visit(record, |_| planned(86_400)).await.unwrap();
    assert_eq!(recorded.planned.unwrap().at, at(20), "the page is wanted again at once");
    desk.shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
    let watch = desk.shop.store.watch(id).await.unwrap();
    assert_eq!((watch.course.looks, watch.terms.aim.what.word()), (0, "links"));
}

#[tokio::test]
async fn a_failed_visit_says_nothing_about_a_part() {
    let desk = Desk::new().await;
    let id = desk.watch("One", terms("css .a")).await;
    desk.says(10, "a").await;
    let work = {
        desk.shop.store.visit_soon(desk.source, planned(20)).await.unwrap();
        desk.shop.lease_of(desk.source, 20).await
    };
    let gone = Sighting { watch: id, revision: 1, sight: Sight::Gone("nothing matches".into()) };
    let outcome = Outcome::Failed { kind: FailureKind::Changed, detail: "a parked domain".into() };
    let record = VisitRecord { sights: Some(vec![gone]), outcome, ..visit_record(&work, desk.source, 20) };
    let recorded = desk.shop.store.record_visit(record, |_| planned(60)).await.unwrap();
    assert_eq!(recorded.told, 0);
    assert_eq!(desk.kinds(id).await, [(Kind::First, false)]);
}

#[tokio::test]
async fn a_part_that_is_gone_is_told_once() {
    let desk = Desk::new().await;
    let id = desk.watch("One", terms("css .a")).await;
    desk.says(10, "a").await;
    let gone = |_| Sight::Gone("nothing matches `.a`".into());
    assert_eq!(desk.visit(20, Some(&gone)).await.told, 1);
    assert_eq!(desk.visit(30, Some(&gone)).await.told, 0);
    let watch = desk.shop.store.watch(id).await.unwrap();
    assert_eq!(
        (watch.standing(), watch.why_quiet().as_deref()),
        (WatchStanding::Gone, Some("nothing matches `.a`"))
    );
    assert_eq!(desk.shop.store.messages(1).await.unwrap()[0].kind, "watch_gone");
    assert_eq!(desk.says(40, "a").await.told, 1);
    assert_eq!(desk.kinds(id).await, [(Kind::First, false), (Kind::Gone, true), (Kind::Back, true)]);
}

#[tokio::test]
async fn flapping_is_damped_and_the_state_outlives_a_restart() {
    let mut desk = Desk::new().await;
    let id = desk.watch("One", terms("text")).await;
    let mut told = 0;
    for (n, text) in ["a", "b", "a", "b", "a", "b", "a"].iter().enumerate() {
        desk = Desk { shop: desk.shop.reopened(), source: desk.source };
        desk.shop.store.end_all_leases().await.unwrap();
        told += desk.says(10 * (i64::try_from(n).unwrap() + 1), text).await.told;
    }
    assert_eq!(told, 3, "to b, back to a, and that it flaps");
    let watch = desk.shop.store.watch(id).await.unwrap();
    assert!(watch.course.damping.flapping_since().is_some());
    assert_eq!(watch.standing(), WatchStanding::Flapping);
    assert!(watch.why_quiet().unwrap().contains("to and fro"));
    assert_eq!(desk.kinds(id).await.len(), 7, "all of it is on record");
}

#[tokio::test]
async fn a_watch_brings_its_visit_forward_and_waits_for_its_hour() {
    let desk = Desk::new().await;
    let hourly = Terms { when: "every 1 hour".parse().unwrap(), ..terms("text") };
    let id = desk.watch("Hourly", hourly).await;
    let recorded = desk.says(10, "a").await;
    let next = recorded.planned.unwrap();
    assert_eq!(next.at, at(10 + 3_600));
    assert_eq!(next.reason, "the watch “Hourly” looks every 1 hour");
    assert_eq!(desk.says(100, "b").await.told, 0, "not due yet");
    assert_eq!(desk.visit(200, None).await.told, 0);
    assert_eq!(
        desk.visit(10 + 3_600, None).await.told,
        1,
        "what waited is told though the page did not change since"
    );
    assert_eq!(desk.kinds(id).await, [(Kind::First, false), (Kind::Changed, true)]);
}

#[tokio::test]
async fn a_plan_that_changes_without_a_visit_leaves_watches_their_times() {
    let desk = Desk::new().await;
    desk.watch("Hourly", Terms { when: "every 1 hour".parse().unwrap(), ..terms("text") }).await;
    let next = async || desk.shop.store.source(desk.source).await.unwrap().state;
    let plan = async |second| {
        let plans = vec![(desk.source, planned(second))];
        desk.shop.store.plan_visits(plans, at(15), store::PlanRules::default()).await.unwrap()
    };
    desk.says(10, "a").await;
    plan(80_000).await;
    let state = next().await;
    assert_eq!(
        (state.next_at, state.next_reason.as_str()),
        (Some(at(3_610)), "the watch “Hourly” looks every 1 hour")
    );
    plan(500).await;
    assert_eq!(next().await.next_at, Some(at(500)), "earlier is fine");
    desk.shop.store.add_watch(desk.source, "New".into(), terms("links"), at(20)).await.unwrap();
    plan(80_000).await;
    assert_eq!(next().await.next_at, Some(at(20)), "the first look stays planned");
}

#[tokio::test]
async fn a_watch_ends_says_why_and_can_begin_anew() {
    let desk = Desk::new().await;
    let once = Terms { stops: vec!["told 1 times".parse().unwrap()], ..terms("text") };
    let id = desk.watch("Once", once.clone()).await;
    desk.says(10, "a").await;
    assert_eq!(desk.says(20, "b").await.told, 2, "the change and the end");
    let watch = desk.shop.store.watch(id).await.unwrap();
    assert_eq!(watch.ended, Some((at(20), "it was told 1 time".into())));
    assert_eq!(desk.shop.store.messages(1).await.unwrap()[0].kind, "watch_ended");
    assert_eq!(desk.says(30, "c").await.told, 0, "it looks no more");
    let edit = WatchEdit { terms: Some(once), ..WatchEdit::default() };
    let watch = desk.shop.store.edit_watch(id, edit, at(40)).await.unwrap();
    assert_eq!((watch.ended, watch.course.tellings), (None, 0));
    assert_eq!(desk.says(50, "d").await.told, 2);
}

#[tokio::test]
async fn a_paused_watch_does_not_look_and_a_resumed_one_looks_afresh() {
    let desk = Desk::new().await;
    let id = desk.watch("One", terms("text")).await;
    desk.says(10, "a").await;
    let pause = |paused| WatchEdit { paused: Some(paused), ..WatchEdit::default() };
    desk.shop.store.edit_watch(id, pause(true), at(11)).await.unwrap();
    assert_eq!(desk.says(20, "b").await.told, 0);
    desk.shop.store.edit_watch(id, pause(false), at(21)).await.unwrap();
    let source = desk.shop.store.source(desk.source).await.unwrap();
    assert_eq!((source.state.next_at, source.state.validators), (Some(at(21)), Validators::default()));
    assert_eq!(desk.says(30, "b").await.told, 1);
}

#[tokio::test]
async fn only_so_many_changes_are_kept() {
    let desk = Desk::new().await;
    let id = desk.watch("One", terms("text")).await;
    for n in 0..230 {
        desk.says(10 + n, &format!("state {n}")).await;
    }
    let changes = desk.shop.store.part_changes(id, None, 1_000).await.unwrap();
    assert_eq!(changes.len(), 200);
    let older = desk.shop.store.part_changes(id, Some(changes[99].id), 1_000).await.unwrap();
    assert_eq!(older.len(), 100);
}

#[tokio::test]
async fn watches_go_with_their_source_and_unknown_ones_are_named() {
    let desk = Desk::new().await;
    let id = desk.watch("One", terms("text")).await;
    assert_eq!(desk.shop.store.watches(Some(desk.source)).await.unwrap().len(), 1);
    desk.shop.store.remove_source(desk.source).await.unwrap();
    let error = desk.shop.store.watch(id).await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { .. }), "{error}");
    let none =
        desk.shop.store.add_watch(SourceId(99), "x".into(), terms("text"), Timestamp::UNIX_EPOCH).await;
    assert!(none.is_err());
    assert!(desk.shop.store.remove_watch(WatchId(99)).await.is_err());
}

#[test]
fn channels_that_hear_of_events_hear_of_watches_after_the_step() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    for step in [
        include_str!("../../src/schema/sqlite/001.sql"),
        include_str!("../../src/schema/sqlite/002.sql"),
        include_str!("../../src/schema/sqlite/003.sql"),
        include_str!("../../src/schema/sqlite/004.sql"),
        r#"INSERT INTO channel (name, target, wants, folders, rhythm, zone, enabled, created_at) VALUES
               ('a', '{}', '["event_opened"]', '[]', '{}', 'UTC', 1, 0),
               ('b', '{}', '["source_late"]', '[]', '{}', 'UTC', 1, 0)"#,
        include_str!("../../src/schema/sqlite/005.sql"),
    ] {
        connection.execute_batch(step).unwrap();
    }
    let mut statement = connection.prepare("SELECT wants FROM channel ORDER BY id").unwrap();
    let wants = statement.query_map([], |row| row.get(0)).unwrap();
    let wants: Vec<String> = wants.collect::<Result<_, _>>().unwrap();
    assert_eq!(
        wants,
        [r#"["event_opened","watch_changed","watch_gone","watch_ended"]"#, r#"["source_late"]"#]
    );
}
