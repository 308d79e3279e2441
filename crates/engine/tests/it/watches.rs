//! Watches on parts of pages, through the whole line: fetched once, judged, told.

use crate::lab::{Lab, until};
use engine::{ChannelWish, WatchWish};
use model::{Outcome, SourceId, WatchId};
use page::watches::{Aim, Kind, Sight};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use store::PartChange;
use testkit::site::{Answer, Asked, Site};

fn page(price: &str, links: &[&str]) -> String {
    let links: String = links.iter().map(|name| format!("<p><a href=\"/{name}\">{name}</a></p>")).collect();
    format!("<!doctype html><title>Lamps</title><main><h1>Lamp</h1><p class=price>{price}</p>{links}</main>")
}

/// A site that says what it is told to say, with an `ETag`.
async fn shop(says: &Arc<Mutex<String>>) -> Site {
    let says = says.clone();
    Site::start(move |asked: &Asked| {
        if asked.path != "/" {
            return Answer::status(404);
        }
        let body = says.lock().unwrap().clone();
        let tag = format!("\"{}\"", page::content_hash(body.as_bytes()));
        let known = asked.headers.get("if-none-match").and_then(|value| value.to_str().ok());
        if known == Some(&tag) {
            return Answer::status(304).header("etag", &tag);
        }
        Answer::html(body).header("etag", &tag)
    })
    .await
}

fn wish(name: &str, what: &str) -> WatchWish {
    WatchWish { name: Some(name.into()), what: Some(what.into()), ..WatchWish::default() }
}

impl Lab {
    async fn changes(&self, id: WatchId) -> Vec<PartChange> {
        self.store.part_changes(id, None, 100).await.unwrap()
    }

    async fn looks(&self, id: WatchId) -> u64 {
        self.store.watch(id).await.unwrap().course.looks
    }

    async fn visits(&self, id: SourceId) -> usize {
        self.store.visits_of(id, 1_000).await.unwrap().len()
    }

    async fn looked_again(&self, id: WatchId) {
        let before = self.looks(id).await;
        until("it looks again", async || self.looks(id).await > before + 1).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_fetch_serves_all_watches_and_a_change_is_told_with_its_diff() {
    let says = Arc::new(Mutex::new(page("10 euros", &["first", "second"])));
    let (site, hook) = (shop(&says).await, Site::start(|_| Answer::status(204)).await);
    let mut lab = Lab::new();
    lab.settings.public_url = "https://watch.example/".parse().unwrap();
    let source = lab.add(&site.url("/")).await;
    let engine = lab.start().await;
    let handle = engine.handle();
    let to = ChannelWish { url: Some(hook.url("/hook").into()), ..ChannelWish::default() };
    handle.add_channel("webhook", to).await.unwrap();
    let price = handle.add_watch(source, &wish("Price", "css .price")).await.unwrap().id;
    let links = handle.add_watch(source, &wish("Links", "links")).await.unwrap().id;
    until("both have seen it", async || lab.looks(price).await > 0 && lab.looks(links).await > 0).await;
    assert!(hook.log().is_empty(), "the first look is nothing to tell");
    *says.lock().unwrap() = page("12 euros", &["first", "second", "third"]);
    until("both are told", async || hook.log().len() == 2).await;
    lab.looked_again(price).await;
    let made = lab.visits(source).await;
    engine.stop().await;
    let mut told: Vec<Value> =
        hook.log().iter().map(|asked| serde_json::from_slice(&asked.content).unwrap()).collect();
    told.sort_by_key(|told| told["watch"]["id"].as_i64());
    assert_eq!((&told[0]["kind"], &told[0]["subject"]), (&"watch_changed".into(), &"Price: 10 → 12".into()));
    assert_eq!(told[0]["diff_text"], "[-10-] {+12+} euros");
    assert_eq!(told[0]["links"]["page"], format!("https://watch.example/watches/{price}"));
    assert_eq!(told[1]["diff_text"], format!("{{+third — {}+}}", site.url("/third")));
    let changes = (lab.changes(price).await, lab.changes(links).await);
    assert_eq!(changes.0[0].visit, changes.1[0].visit, "one visit showed both");
    let fetched = site.paths().iter().filter(|path| *path == "/").count();
    assert!(fetched <= made + 1, "{fetched} requests for {made} visits");
    let plain_page = lab.source(source).await;
    assert_eq!(plain_page.state.failures, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_watch_is_not_answered_with_not_modified() {
    let says = Arc::new(Mutex::new(page("10 euros", &[])));
    let site = shop(&says).await;
    let mut lab = Lab::new();
    lab.interval = std::time::Duration::from_hours(1);
    let source = lab.add(&site.url("/")).await;
    let engine = lab.start().await;
    until("the first visit", async || lab.visits(source).await == 1).await;
    let watch = engine.handle().add_watch(source, &wish("Price", "css .price")).await.unwrap();
    until("it has seen it", async || lab.looks(watch.id).await > 0).await;
    engine.stop().await;
    let asked: Vec<Asked> = site.log().into_iter().filter(|asked| asked.path == "/").collect();
    assert_eq!(asked.len(), 2);
    assert!(!asked[1].headers.contains_key("if-none-match"), "asked without conditions");
    let changes = lab.changes(watch.id).await;
    assert_eq!((changes.len(), changes[0].kind, changes[0].text.as_str()), (1, Kind::First, "10 euros"));
    let reason = &lab.store.visits_of(source, 1).await.unwrap()[0].reason;
    assert_eq!(reason, "a watch was added");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_part_is_told_once_and_a_failing_page_says_nothing() {
    let says = Arc::new(Mutex::new(page("10 euros", &[])));
    let site = shop(&says).await;
    let lab = Lab::new();
    let source = lab.add(&site.url("/")).await;
    let engine = lab.start().await;
    let id = engine.handle().add_watch(source, &wish("Price", "css .price")).await.unwrap().id;
    until("it has seen it", async || lab.looks(id).await > 0).await;
    // An empty answer is a failure, not a page that lost everything.
    *says.lock().unwrap() = " ".into();
    until("a visit failed", async || lab.source(source).await.state.failures > 0).await;
    assert_eq!(lab.changes(id).await.len(), 1);
    *says.lock().unwrap() = "<!doctype html><title>Lamps</title><main><p>Nothing here.</main>".into();
    until("it is gone", async || lab.changes(id).await.len() == 2).await;
    lab.looked_again(id).await;
    *says.lock().unwrap() = page("11 euros", &[]);
    until("it is back", async || lab.changes(id).await.len() == 3).await;
    engine.stop().await;
    let kinds: Vec<(Kind, bool)> =
        lab.changes(id).await.iter().map(|change| (change.kind, change.told)).collect();
    assert_eq!(kinds, [(Kind::Back, true), (Kind::Gone, true), (Kind::First, false)]);
    let messages = lab.store.messages(10).await.unwrap();
    let kinds: Vec<&str> = messages.iter().map(|message| message.kind.as_str()).collect();
    assert_eq!(kinds, ["watch_changed", "watch_gone"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_flaps_is_told_thrice_at_most() {
    let count = Arc::new(AtomicUsize::new(0));
    let site = Site::start(move |asked: &Asked| match asked.path.as_str() {
        "/" => Answer::html(page(["red", "blue"][count.fetch_add(1, Ordering::Relaxed) % 2], &[])),
        _ => Answer::status(404),
    })
    .await;
    let mut lab = Lab::new();
    lab.interval = std::time::Duration::from_millis(50);
    let source = lab.add(&site.url("/")).await;
    let engine = lab.start().await;
    let id = engine.handle().add_watch(source, &wish("Colour", "css .price")).await.unwrap().id;
    until("it has changed often", async || lab.changes(id).await.len() > 8).await;
    engine.stop().await;
    let told: Vec<Kind> =
        lab.changes(id).await.iter().rev().filter(|change| change.told).map(|change| change.kind).collect();
    assert_eq!(told, [Kind::Changed, Kind::Changed, Kind::Flapping]);
    assert!(lab.store.watch(id).await.unwrap().course.damping.flapping_since().is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_that_has_ended_looks_no_more() {
    let says = Arc::new(Mutex::new(page("10 euros", &[])));
    let site = shop(&says).await;
    let lab = Lab::new();
    let source = lab.add(&site.url("/")).await;
    let engine = lab.start().await;
    let wish = WatchWish {
        moved: Some("down 20 %".into()),
        stops: Some(vec!["below 5".into()]),
        ..wish("Price", "css .price")
    };
    let id = engine.handle().add_watch(source, &wish).await.unwrap().id;
    until("it has seen it", async || lab.looks(id).await > 0).await;
    *says.lock().unwrap() = page("9 euros", &[]);
    until("it has seen the small change", async || lab.changes(id).await.len() == 2).await;
    *says.lock().unwrap() = page("4 euros", &[]);
    until("it ends", async || lab.store.watch(id).await.unwrap().ended.is_some()).await;
    let looks = lab.looks(id).await;
    let visits = lab.visits(source).await;
    until("the page is visited again", async || lab.visits(source).await > visits + 1).await;
    engine.stop().await;
    assert_eq!(lab.looks(id).await, looks);
    let changes = lab.changes(id).await;
    assert_eq!((changes[0].told, changes[1].told), (true, false));
    assert_eq!(changes[1].why, "10 → 9 is less than down 20 %");
    assert_eq!(lab.store.watch(id).await.unwrap().ended.unwrap().1, "4 is below 5");
    let kinds: Vec<String> =
        lab.store.messages(10).await.unwrap().into_iter().map(|message| message.kind).collect();
    assert_eq!(kinds, ["watch_ended", "watch_changed"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_glance_stores_nothing() {
    let says = Arc::new(Mutex::new(page("10 euros", &[])));
    let site = shop(&says).await;
    let lab = Lab::new();
    let handle = lab.idle();
    let seen = handle.glance(&site.url("/"), &Aim::at("css .price".parse().unwrap())).await;
    let Some(Sight::Part(part)) = seen.sight else { panic!("{:?}", seen.outcome) };
    assert_eq!(part.lines, ["10 euros"]);
    let gone = handle.glance(&site.url("/"), &Aim::at("table".parse().unwrap())).await.sight;
    assert_eq!(gone, Some(Sight::Gone("the page has no table".into())));
    let missing = handle.glance(&site.url("/none"), &Aim::at("text".parse().unwrap())).await;
    assert!(missing.sight.is_none() && !matches!(missing.outcome, Outcome::NewContent));
    assert!(lab.store.watches(None).await.unwrap().is_empty());
    let refused = handle.add_watch(SourceId(1), &wish("x", "css [")).await.unwrap_err();
    assert!(refused.to_string().contains("not a CSS selector"));
}
