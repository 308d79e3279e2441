//! Several processes on one database: here two stores that share nothing but the server.

use crate::data::Data;
use crate::shop::{Shop, at, found, is_fenced, new_source, planned, request, visit_record};
use knowledge::{ImportOptions, Interchange};
use model::{FolderId, Manners, SourceId};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use store::{ArticleFilter, EventFilter, HostWork, LeaseRequest, Store, StoreError, VisitRecord};
use testkit::postgres::shared;

fn two() -> (Shop, Store) {
    let shop = Shop::of(Data::Database(shared().new_database(None)));
    let other = shop.data.open().unwrap();
    (shop, other)
}

fn few(owner: &str, now: i64) -> LeaseRequest {
    LeaseRequest { owner: owner.into(), hosts: 3, slow_hosts: 3, ..request(now) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_host_is_leased_by_two_and_a_late_writer_is_refused() {
    let (shop, other) = two();
    let sources = (0..60).map(|n| new_source(&format!("https://site{n}.example/"))).collect();
    shop.store.add_sources(sources, at(0)).await.unwrap();
    let all = |store: Store, owner: &'static str| async move {
        let mut leased = Vec::new();
        loop {
            let some = store.lease_due_hosts(few(owner, 1)).await.unwrap();
            if some.is_empty() {
                return leased;
            }
            leased.extend(some);
        }
    };
    let (mine, theirs) =
        tokio::join!(tokio::spawn(all(shop.store.clone(), "me")), tokio::spawn(all(other.clone(), "they")));
    let (mine, theirs) = (mine.unwrap(), theirs.unwrap());
    let names: BTreeSet<String> = mine.iter().chain(&theirs).map(|work| work.name.clone()).collect();
    assert_eq!((mine.len() + theirs.len(), names.len()), (60, 60));
    // After its lease has run out, another one has the host; who comes late is refused.
    let late = mine.first().or(theirs.first()).unwrap();
    let again = other.lease_host(late.name.clone(), request(1_000)).await.unwrap().unwrap();
    assert!(again.lease.epoch > late.lease.epoch);
    let source = late.visits[0].source.id;
    assert!(is_fenced(&shop.store.record_visit(visit_record(late, source, 2), |_| planned(60)).await));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_articles_seen_by_two_at_once_are_stored_once() {
    let (shop, other) = two();
    let urls: Vec<String> = (0..40).map(|n| format!("https://shared{}.example/{n}", n % 7)).collect();
    let mut tasks = Vec::new();
    for n in 0..12 {
        let source = shop.add(&format!("https://site{n}.example/")).await;
        let (store, urls) = (if n % 2 == 0 { shop.store.clone() } else { other.clone() }, urls.clone());
        tasks.push(tokio::spawn(async move {
            let host = format!("site{n}.example");
            let work = store.lease_host(host, request(1)).await.unwrap().unwrap();
            // Each site lists them in an order of its own.
            let mut listed: Vec<&str> = urls.iter().map(String::as_str).collect();
            listed.rotate_left(n * 3);
            let record = VisitRecord { articles: found(&listed), ..visit_record(&work, source, 1) };
            let new = store.record_visit(record, |_| planned(60)).await.unwrap().new.len();
            store.release_host(work.lease, Manners::default(), false).await.unwrap();
            new
        }));
    }
    let mut new = 0;
    for task in tasks {
        new += task.await.unwrap();
    }
    assert_eq!(new, 40);
    let page = ArticleFilter { limit: 100, ..ArticleFilter::default() };
    assert_eq!(shop.store.articles_page(page).await.unwrap().articles.len(), 40);
    for n in 1..=12 {
        assert_eq!(other.source(SourceId(n)).await.unwrap().state.articles, 40);
    }
}

/// A source is visited by one of the two; each story is news.
async fn visit(store: &Store, source: SourceId, now: i64, titles: &[String]) {
    let name = store.source(source).await.unwrap().url.host_str().unwrap().to_owned();
    let work: HostWork = store.lease_host(name.clone(), request(now)).await.unwrap().unwrap();
    let mut articles = Vec::new();
    for (n, title) in titles.iter().enumerate() {
        let mut one = found(&[format!("https://{name}/{now}-{n}").as_str()]);
        one[0].title.clone_from(title);
        articles.append(&mut one);
    }
    let record = VisitRecord { articles, ..visit_record(&work, source, now) };
    store.record_visit(record, move |_| planned(now + 3_600)).await.unwrap();
    store.release_host(work.lease, Manners::default(), false).await.unwrap();
}

async fn watched(store: &Store) -> BTreeMap<FolderId, String> {
    let now = |watcher: &detection::Watcher| {
        watcher.folders().map(|(id, watch)| (id, format!("{:?}", watch.now(watcher.settings())))).collect()
    };
    store.watcher(now).await.unwrap()
}

#[tokio::test]
async fn what_one_learns_and_sees_the_other_knows() {
    const HOUR: i64 = 3_600;
    let (shop, other) = two();
    let mut sources = Vec::new();
    for n in 0..4 {
        sources.push(shop.add(&format!("https://site{n}.example/")).await);
    }
    shop.store.create_folder("Sport".into()).await.unwrap();
    let rules = Interchange::parse("if title has \"cup\" then Sport [1]\n").unwrap();
    let import = move |base: &knowledge::Base| {
        let import = rules.import(base, ImportOptions::default());
        import.map(|import| (import.folders, import.lesson)).map_err(StoreError::from)
    };
    other.learn_with_folders(None, at(0), import).await.unwrap();
    let stores = [&shop.store, &other];
    let mut written = 0;
    for hour in 0..120 {
        for (n, source) in sources.iter().enumerate() {
            let many = if hour >= 118 { 9 } else { usize::from((hour + n as i64) % 3 == 0) };
            let titles: Vec<String> = (0..many)
                .map(|_| {
                    written += 1;
                    format!("Story number {written} about the cup of nations")
                })
                .collect();
            visit(stores[(n + hour as usize) % 2], *source, hour * HOUR + n as i64 * 60, &titles).await;
        }
    }
    // One burst, one event, whoever saw it.
    let all = EventFilter { limit: 10, ..EventFilter::default() };
    let events = shop.store.events(all).await.unwrap();
    assert_eq!(events.len(), 1, "{events:?}");
    let (mine, theirs) = (watched(&shop.store).await, watched(&other).await);
    assert_eq!(mine, theirs);
    drop(other);
    let fresh = shop.data.open().unwrap();
    assert_eq!(watched(&fresh).await, mine, "and what is told anew is the same");
    let ahead = shop.data.open().unwrap();
    ahead.expect_visits();
    assert_eq!(watched(&ahead).await, mine, "also if it was read before the deed that wants it");
}

#[tokio::test]
async fn others_hear_within_two_seconds() {
    let (shop, other) = two();
    let mut changes = other.changes();
    let soon = |mut changes: tokio::sync::watch::Receiver<u64>| async move {
        changes.mark_unchanged();
        tokio::time::timeout(Duration::from_secs(2), changes.changed()).await.is_ok()
    };
    // It says so when it begins to listen.
    changes.changed().await.unwrap();
    let heard = tokio::spawn(soon(other.changes()));
    tokio::task::yield_now().await;
    shop.store.create_folder("Sport".into()).await.unwrap();
    assert!(heard.await.unwrap(), "of a folder");
    let heard = tokio::spawn(soon(other.changes()));
    tokio::task::yield_now().await;
    shop.store.set_setting("plan", Some(&1)).await.unwrap();
    assert!(heard.await.unwrap(), "of a setting");
    assert_eq!(other.knowledge(|base| base.folders().list().len()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_process_hears_of_its_own_changes_on_any_database() {
    let shop = Shop::new();
    let mut changes = shop.store.changes();
    changes.mark_unchanged();
    shop.store.create_folder("Sport".into()).await.unwrap();
    tokio::time::timeout(Duration::from_secs(2), changes.changed()).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_writer_whose_row_is_gone_signs_in_again() {
    let (shop, _) = two();
    let Data::Database(name) = &shop.data else { unreachable!() };
    shared().run_in(name, "DELETE FROM committed");
    shop.add("https://site.example/").await;
    shop.add("https://other.example/").await;
}
