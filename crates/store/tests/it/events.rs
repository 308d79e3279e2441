//! An event opens with the visit that shows it, brings related visits forward, and ends when the folder is quiet.

use crate::data::Data;
use crate::shop::{Shop, at, planned, visit_record};
use crate::together::{assert_same_rows, in_words, record_one, record_together};
use knowledge::{ImportOptions, Interchange};
use model::{EventId, FailureKind, FolderId, Found, Manners, Outcome, SourceId};
use store::{Event, EventFilter, Recorded, StoreError, Verdict, VisitRecord, WatchSettings};
use tokio::sync::OnceCell;
use url::Url;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// Three sites that bring a sports story every eight hours and another one in between, visited every hour.
pub(crate) struct Newsroom {
    pub(crate) shop: Shop,
    pub(crate) sources: Vec<SourceId>,
    pub(crate) sport: FolderId,
    pub(crate) now: i64,
    written: u32,
}

impl Newsroom {
    /// After ten usual days, at half past the hour.
    async fn new() -> Self {
        static TEMPLATE: OnceCell<(Data, Vec<SourceId>, FolderId, u32)> = OnceCell::const_new();
        let make = || async {
            let room = Self::begin(Shop::new()).await;
            let Shop { store, data } = room.shop;
            drop(store);
            (data, room.sources, room.sport, room.written)
        };
        let (data, sources, sport, written) = TEMPLATE.get_or_init(make).await;
        let shop = Shop::of(data.copy());
        let now = 10 * DAY - HOUR / 2;
        Self { shop, sources: sources.clone(), sport: *sport, now, written: *written }
    }

    pub(crate) async fn begin(shop: Shop) -> Self {
        let mut sources = Vec::new();
        for site in 0..3 {
            sources.push(shop.add(&format!("https://site{site}.example/")).await);
        }
        let sport = shop.store.create_folder("Sport".into()).await.unwrap();
        let rules = Interchange::parse("if title has \"cup\" then Sport [1]\n").unwrap();
        let import = move |base: &knowledge::Base| {
            let import = rules.import(base, ImportOptions::default());
            import.map(|import| (import.folders, import.lesson)).map_err(StoreError::from)
        };
        shop.store.learn_with_folders(None, at(0), import).await.unwrap();
        let mut room = Self { shop, sources, sport, now: 0, written: 0 };
        room.quiet_days(10).await;
        room
    }

    /// Usual days: every site is visited every hour.
    async fn quiet_days(&mut self, days: i64) {
        let end = self.now + days * DAY;
        while self.now < end {
            for site in 0..3 {
                let hour = self.now / HOUR;
                let stories = u32::from((hour + 3 * site as i64) % 8 == 0);
                let recorded = self.visit(site, stories, 1).await;
                assert_eq!(recorded.events, [], "a usual day is no event");
            }
            self.now += HOUR;
        }
    }

    /// Visits a site that has so many new stories on sport, and so many others.
    pub(crate) async fn visit(&mut self, site: usize, sport: u32, other: u32) -> Recorded {
        let titles = (0..sport).map(|_| "wins the cup").chain((0..other).map(|_| "has tea"));
        let articles: Vec<Found> = titles.map(|what| self.write(site, what)).collect();
        self.visit_with(site, articles).await
    }

    fn write(&mut self, site: usize, what: &str) -> Found {
        self.written += 1;
        let number = self.written;
        Found {
            url: Url::parse(&format!("https://site{site}.example/{number}")).unwrap(),
            title: format!("Number {number} of the town {what}"),
            published_at: None,
            summary: None,
        }
    }

    async fn visit_with(&mut self, site: usize, articles: Vec<Found>) -> Recorded {
        let source = self.sources[site];
        let work = self.shop.lease_of(source, self.now).await;
        let reason = self.shop.store.source(source).await.unwrap().state.next_reason;
        let record = VisitRecord { articles, reason, bodies: 0, ..visit_record(&work, source, self.now) };
        let next = self.now + HOUR;
        let recorded = self.shop.store.record_visit(record, move |_| planned(next)).await.unwrap();
        self.shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
        recorded
    }

    /// Visits to all sites, the first and the last of the same one: it shows a burst.
    async fn records(&mut self) -> Vec<VisitRecord> {
        let mut records = Vec::new();
        let mut leases = Vec::new();
        for site in 0..3 {
            leases.push(self.shop.lease_of(self.sources[site], self.now).await);
        }
        for (site, stories) in [(0, 9), (1, 2), (2, 0), (0, 1)] {
            let articles = (0..stories).map(|_| self.write(site, "wins the cup")).collect();
            let record = visit_record(&leases[site], self.sources[site], self.now);
            records.push(VisitRecord { articles, bodies: 0, ..record });
            self.now += 1;
        }
        records
    }

    async fn events(&self) -> Vec<Event> {
        self.shop.store.events(EventFilter { limit: 10, ..EventFilter::default() }).await.unwrap()
    }

    async fn reason(&self, site: usize) -> String {
        self.shop.store.source(self.sources[site]).await.unwrap().state.next_reason
    }
}

#[tokio::test]
async fn a_burst_opens_an_event_and_brings_the_similar_sources_forward() {
    let mut room = Newsroom::new().await;
    let recorded = room.visit(0, 9, 1).await;
    assert_eq!((recorded.events.len(), recorded.triggered), (1, 2));
    let event = room.events().await.remove(0);
    assert_eq!((event.folder, event.ended_at, event.source), (room.sport, None, Some(room.sources[0])));
    assert_eq!(event.opened_at, at(room.now));
    assert!(event.opening.observed >= 9.0 && event.opening.expected < 4.0, "{:?}", event.opening);
    assert!(!event.opening.reason.is_empty());

    let due = room.shop.lease(room.now + 1).await;
    let named: Vec<_> = due.iter().flat_map(|work| &work.visits).map(|due| &due.source).collect();
    assert_eq!(named.len(), 2, "the other two are due at once");
    assert!(
        named.iter().all(|source| source.state.next_reason.starts_with("event 1: Sport is unusually busy"))
    );
}

#[tokio::test]
async fn an_event_shown_by_one_of_several_visits_recorded_together_is_the_same() {
    let (mut together, mut one_by_one) = (Newsroom::new().await, Newsroom::new().await);
    let records = together.records().await;
    let some = record_together(&together.shop.store, records).await;
    let mut others = Vec::new();
    for record in one_by_one.records().await {
        others.push(record_one(&one_by_one.shop.store, record).await);
    }
    let words = |all: &[Result<Recorded, StoreError>]| all.iter().map(in_words).collect::<Vec<_>>();
    assert_eq!(words(&some), words(&others));
    assert_eq!(some.iter().map(|one| one.as_ref().unwrap().events.len()).sum::<usize>(), 1);
    assert_same_rows(&together.shop, &one_by_one.shop);
    let scored = together.shop.store.watcher(scores).await.unwrap();
    assert_eq!(scored, one_by_one.shop.store.watcher(scores).await.unwrap());
}

#[tokio::test]
async fn a_triggered_visit_names_its_event_and_leaves_the_timer_alone() {
    let mut room = Newsroom::new().await;
    room.visit(0, 9, 1).await;
    let before = room.now;
    room.now += 60;
    room.visit(1, 2, 0).await;
    let visit = room.shop.store.visits_of(room.sources[1], 1).await.unwrap().remove(0);
    assert_eq!(visit.event, Some(EventId(1)));
    let source = room.shop.store.source(room.sources[1]).await.unwrap();
    assert_eq!(source.state.next_at, Some(at(before + HOUR / 2)), "as planned by the visit half an hour ago");
    let detail = room.shop.store.event(EventId(1)).await.unwrap();
    assert_eq!(detail.visits.len(), 1);
    let who: Vec<_> = detail.followers.iter().map(|follower| (follower.source, follower.articles)).collect();
    assert_eq!(who, [(room.sources[0], 9), (room.sources[1], 2)]);
    assert_eq!(detail.followers[1].after.as_secs(), 60);
}

#[tokio::test]
async fn dc1_visits_again_while_something_comes() {
    let mut room = Newsroom::new().await;
    let settings = WatchSettings { reaction: scheduling::Reaction::Dc1, ..WatchSettings::default() };
    room.shop.store.set_watch_settings(settings).await.unwrap();
    room.visit(1, 8, 0).await;
    assert!(room.reason(1).await.starts_with("event 1"), "it alone is unusual, so it alone is visited again");
    assert_eq!(room.reason(2).await, "test");
    room.visit(0, 8, 1).await;
    assert!(room.reason(2).await.starts_with("event 1"), "by now it is two");
    room.now += 30;
    room.visit(2, 3, 0).await;
    let source = room.shop.store.source(room.sources[2]).await.unwrap();
    assert_eq!(source.state.next_at, Some(at(room.now + 600)), "{}", source.state.next_reason);
    room.now += 600;
    room.visit(2, 0, 0).await;
    assert_eq!(room.reason(2).await, "test", "it brought nothing: back to the plan");
}

#[tokio::test]
async fn an_event_ends_when_the_folder_is_quiet_and_is_told_once_each() {
    let mut room = Newsroom::new().await;
    room.visit(0, 9, 1).await;
    room.now += HOUR / 2;
    room.quiet_days(1).await;
    let event = room.events().await.remove(0);
    assert!(event.ended_at.is_some_and(|end| end > event.opened_at), "{event:?}");
    let kinds: Vec<_> =
        room.shop.store.messages(10).await.unwrap().into_iter().map(|message| message.key).collect();
    assert_eq!(kinds, ["event:1:ended", "event:1:opened"]);
    assert_eq!(room.events().await.len(), 1);
}

#[tokio::test]
async fn a_restart_changes_nothing() {
    let mut room = Newsroom::new().await;
    let expected = room.shop.store.watcher(scores).await.unwrap();
    room.shop = room.shop.reopened();
    assert_eq!(room.shop.store.watcher(scores).await.unwrap(), expected, "told again from the visits");
    room.shop.store.save_watch().await.unwrap();
    room.visit(2, 1, 1).await;
    let expected = room.shop.store.watcher(scores).await.unwrap();
    room.shop = room.shop.reopened();
    assert_eq!(
        room.shop.store.watcher(scores).await.unwrap(),
        expected,
        "from the snapshot and what came since"
    );
    room.visit(0, 9, 1).await;
    room.shop = room.shop.reopened();
    room.visit(1, 4, 0).await;
    assert_eq!(room.events().await.len(), 1, "the same event goes on");
}

fn scores(watcher: &detection::Watcher) -> Vec<(FolderId, String)> {
    let mut all: Vec<_> =
        watcher.folders().map(|(id, watch)| (id, format!("{:?}", watch.now(watcher.settings())))).collect();
    all.sort();
    all
}

#[tokio::test]
async fn the_same_story_on_many_sites_counts_once() {
    let mut room = Newsroom::new().await;
    for site in 0..3 {
        let articles = (0..4).map(|n| Found {
            url: Url::parse(&format!("https://site{site}.example/agency{n}")).unwrap(),
            title: format!("Agency report {n} on the cup final"),
            published_at: None,
            summary: None,
        });
        let articles = articles.collect();
        room.visit_with(site, articles).await;
    }
    let now =
        room.shop.store.watcher(|watcher| watcher.folders().next().unwrap().1.now(watcher.settings())).await;
    let score = now.unwrap().unwrap().score;
    assert!(score.observed < 7.0, "four stories, not twelve: {score:?}");
}

#[tokio::test]
async fn what_is_dismissed_ends_and_stays_silent() {
    let mut room = Newsroom::new().await;
    room.visit(0, 9, 1).await;
    let judged = room.shop.store.judge_event(EventId(1), Verdict::Dismissed, at(room.now)).await.unwrap();
    assert_eq!((judged.verdict, judged.ended_at), (Some(Verdict::Dismissed), Some(at(room.now))));
    let recorded = room.visit(1, 9, 0).await;
    assert_eq!(recorded.events, []);
    assert!(room.shop.store.judge_event(EventId(7), Verdict::Confirmed, at(0)).await.is_err());
}

#[tokio::test]
async fn a_new_folder_learns_its_history_from_the_archive() {
    let mut room = Newsroom::new().await;
    let rules = Interchange::parse("if title has \"tea\" then Tea [2]\n").unwrap();
    let import = move |base: &knowledge::Base| {
        let import = rules.import(base, ImportOptions::default());
        import.map(|import| (import.folders, import.lesson)).map_err(StoreError::from)
    };
    room.shop.store.learn_with_folders(None, at(room.now), import).await.unwrap();
    while !room.shop.store.refile_some().await.unwrap().is_finished() {}
    assert_eq!(room.shop.store.rebuild_stale_watches().await.unwrap(), 1);
    // Every site brings one each hour: three more are no surprise.
    for site in 0..3 {
        assert_eq!(room.visit(site, 0, 1).await.events, []);
    }
    room.now += 60;
    assert_eq!(room.visit(0, 0, 40).await.events.len(), 1);
}

#[tokio::test]
async fn a_clock_set_back_a_failure_and_a_long_silence_are_no_events() {
    let mut room = Newsroom::new().await;
    room.now -= 3 * DAY;
    assert_eq!(room.visit(0, 20, 0).await.events, []);
    room.now += 40 * DAY;
    for site in 0..3 {
        assert_eq!(room.visit(site, 30, 5).await.events, [], "what a month has brought");
    }
    room.now += HOUR;
    let work = room.shop.lease_of(room.sources[0], room.now).await;
    let failed = Outcome::Failed { kind: FailureKind::Connect, detail: String::new() };
    let record = VisitRecord { outcome: failed, ..visit_record(&work, room.sources[0], room.now) };
    let recorded = room.shop.store.record_visit(record, move |_| planned(0)).await.unwrap();
    assert_eq!(recorded.events, []);
}

#[tokio::test]
async fn a_new_source_is_no_event() {
    let mut room = Newsroom::new().await;
    let new = room.shop.add("https://site3.example/").await;
    room.sources.push(new);
    assert_eq!(room.visit(3, 25, 5).await.events, [], "its back catalogue");
    room.now += HOUR;
    assert_eq!(room.visit(3, 1, 1).await.events, []);
}

#[tokio::test]
async fn a_list_of_events_shows_each_at_a_glance() {
    let mut room = Newsroom::new().await;
    room.visit(0, 9, 1).await;
    room.now += 60;
    room.visit(1, 2, 0).await;
    let store = &room.shop.store;
    assert_eq!(store.watched_since().await.unwrap(), Some(at(0)));
    let events = room.events().await;
    let sketch = store.event_sketches(&events).await.unwrap().remove(&EventId(1)).unwrap();
    assert_eq!((sketch.first.as_deref(), sketch.sources), (Some("https://site0.example/"), 2));
    let last = sketch.windows.last().unwrap();
    assert!(last.open && last.alarm && last.observed >= 11.0, "{last:?}");
    assert!((10..=16).contains(&sketch.windows.len()), "a day before it: {}", sketch.windows.len());

    let judged = |verdict| EventFilter { verdict: Some(verdict), limit: 10, ..EventFilter::default() };
    assert_eq!(store.events(judged(Verdict::Confirmed)).await.unwrap().len(), 0);
    store.judge_event(EventId(1), Verdict::Confirmed, at(room.now)).await.unwrap();
    assert_eq!(store.events(judged(Verdict::Confirmed)).await.unwrap().len(), 1);
    assert_eq!(store.events(judged(Verdict::Dismissed)).await.unwrap().len(), 0);
}

#[tokio::test]
async fn events_and_what_is_usual_follow_a_merge_of_folders() {
    let mut room = Newsroom::new().await;
    room.visit(0, 9, 1).await;
    let games = room.shop.store.create_folder("Games".into()).await.unwrap();
    room.shop.store.merge_folders(room.sport, games).await.unwrap();
    while !room.shop.store.refile_some().await.unwrap().is_finished() {}
    room.shop.store.rebuild_stale_watches().await.unwrap();
    let event = room.events().await.remove(0);
    assert!(event.folder == games && event.ended_at.is_none(), "{event:?}");
    assert_eq!(room.shop.store.covering(games, None).await.unwrap().len(), 3);
    room.now += HOUR / 2;
    let recorded = room.visit(1, 1, 1).await;
    assert_eq!(recorded.events, [], "the same event goes on");
    assert_eq!(room.events().await.len(), 1);
}

#[tokio::test]
async fn a_folder_filed_anew_is_told_once_however_the_process_ends() {
    let mut room = Newsroom::new().await;
    room.shop.store.save_watch().await.unwrap();
    room.visit(0, 1, 1).await;
    learn(&room, "if title has \"tea\" then Tea [2]\n").await;
    while !room.shop.store.refile_some().await.unwrap().is_finished() {}
    // The process ends before it has told the folder's history again, with and without a last snapshot.
    for snapshot in [false, true] {
        if snapshot {
            room.shop.store.save_watch().await.unwrap();
        }
        room.shop = room.shop.reopened();
        let reopened = room.shop.store.watcher(scores).await.unwrap();
        let tea = room.shop.store.knowledge(|base| base.folders().find("Tea")).await.unwrap().unwrap();
        let windows = room.shop.store.folder_windows(tea, at(0), at(room.now)).await.unwrap();
        assert!(windows.len() > 100 && windows.iter().all(|window| window.observed <= 7.0), "{windows:?}");
        room.shop
            .store
            .set_watch_settings(WatchSettings { zone: "Etc/UTC".into(), ..WatchSettings::default() })
            .await
            .unwrap();
        assert_eq!(
            room.shop.store.watcher(scores).await.unwrap(),
            reopened,
            "as if all were told from the start"
        );
        room.shop.store.set_watch_settings(WatchSettings::default()).await.unwrap();
    }
}

#[tokio::test]
async fn a_removed_source_does_not_come_back_from_a_snapshot() {
    let room = Newsroom::new().await;
    room.shop.store.save_watch().await.unwrap();
    room.shop.store.remove_source(room.sources[2]).await.unwrap();
    let shop = room.shop.reopened();
    let covering = shop.store.covering(room.sport, None).await.unwrap();
    assert_eq!(covering.iter().map(|one| one.source).collect::<Vec<_>>(), room.sources[..2]);
}

#[tokio::test]
async fn what_is_dismissed_stays_so_after_a_restart() {
    let mut room = Newsroom::new().await;
    room.visit(0, 9, 1).await;
    room.shop.store.judge_event(EventId(1), Verdict::Dismissed, at(room.now)).await.unwrap();
    room.shop = room.shop.reopened();
    room.now += 60;
    assert_eq!(room.visit(1, 9, 0).await.events, []);
    assert_eq!(room.events().await.len(), 1);
}

#[tokio::test]
async fn a_deed_that_fails_leaves_nothing_in_memory() {
    let mut room = Newsroom::new().await;
    let before = room.shop.store.watcher(scores).await.unwrap();
    let articles = (0..9).map(|_| room.write(0, "wins the cup")).collect();
    let work = room.shop.lease_of(room.sources[0], room.now).await;
    let record = VisitRecord { articles, bodies: 0, ..visit_record(&work, room.sources[0], room.now) };
    let failed = room.shop.store.record_visit(record, |_| panic!("the policy is broken")).await;
    assert!(failed.is_err());
    assert_eq!(room.shop.store.watcher(scores).await.unwrap(), before);
    assert_eq!(room.events().await, []);
}

async fn learn(room: &Newsroom, rules: &str) {
    let rules = Interchange::parse(rules).unwrap();
    let import = move |base: &knowledge::Base| {
        let import = rules.import(base, ImportOptions::default());
        import.map(|import| (import.folders, import.lesson)).map_err(StoreError::from)
    };
    room.shop.store.learn_with_folders(None, at(room.now), import).await.unwrap();
}
