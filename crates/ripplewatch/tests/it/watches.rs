//! `watches`: on the command line, with a page that changes, and with bad input.

use crate::program::{Running, fails, json, ok};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use testkit::site::{Answer, Site};

const LOCAL: [&str; 2] = ["--allow", "127.0.0.0/8"];

async fn shop(says: &Arc<Mutex<String>>) -> Site {
    let says = says.clone();
    Site::start(move |asked| match asked.path.as_str() {
        "/lamp" => Answer::html(says.lock().unwrap().clone()),
        _ => Answer::status(404),
    })
    .await
}

fn page(price: &str) -> String {
    format!("<!doctype html><title>Lamp</title><main><h1>Lamp</h1><p class=price>{price}</p></main>")
}

fn until(data: &Path, words: &[&str], holds: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let shown = json(data, words);
        if holds(&shown) {
            return shown;
        }
        assert!(began.elapsed() < Duration::from_secs(40), "in vain: {shown}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_is_tried_added_seen_paused_and_removed() {
    let says = Arc::new(Mutex::new(page("€ 10")));
    let site = shop(&says).await;
    let url = site.url("/lamp").to_string();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let tried = json(data, &[&["watches", "test", &url, "css .price"][..], &LOCAL].concat());
    assert_eq!((&tried["lines"], &tried["number"]), (&json!(["€ 10"]), &json!(10.0)));
    assert_eq!(json(data, &["watches", "list"]), json!([]));

    let add = |words: &[&str]| json(data, &[&["watches", "add", &url], words, &LOCAL].concat());
    let made =
        add(&["css .price", "--name", "Price", "--moved", "down 5 %", "--stop", "below 5", "--zone", "UTC"]);
    assert_eq!((&made["id"], &made["state"], &made["moved"]), (&json!(1), &json!("new"), &json!("down 5 %")));
    assert_eq!(add(&["text"])["source"], made["source"], "one source for one URL");
    let running = Running::start(
        data,
        &["serve", "--listen", "127.0.0.1:0", "--delay", "0s", "--allow", "127.0.0.0/8"],
    );
    until(data, &["watches", "show", "1"], |shown| shown["watch"]["state"] == "looking");
    *says.lock().unwrap() = page("€ 9");
    ok(data, &["visit", "1"]);
    let shown = until(data, &["watches", "show", "1"], |shown| shown["watch"]["told"] == 1);
    assert_eq!(shown["changes"][0]["diff_text"], "€ [-10-] {+9+}");
    assert_eq!(shown["changes"][0]["kind"], "changed");
    *says.lock().unwrap() = page("€ 3");
    ok(data, &["visit", "1"]);
    let shown = until(data, &["watches", "show", "1"], |shown| shown["watch"]["state"] == "ended");
    assert_eq!(shown["watch"]["why"], "3 is below 5");
    drop(running);

    let shown = ok(data, &["watches", "show", "2"]);
    assert!(shown.contains("[-9-] {+3+}") && shown.contains("looks at    text"), "{shown}");
    ok(data, &["watches", "pause", "2"]);
    assert_eq!(json(data, &["watches", "list"])[1]["state"], "paused");
    ok(data, &["watches", "resume", "2"]);
    let edited = json(data, &["watches", "edit", "1", "--stop", "told 3 times"]);
    assert_eq!(
        (&edited["watch"]["state"], &edited["watch"]["stops"]),
        (&json!("looking"), &json!(["told 3 times"]))
    );
    ok(data, &["watches", "remove", "1", "2"]);
    assert!(fails(data, &["watches", "show", "1"], 3).contains("watch 1"));
}

#[test]
fn a_file_is_looked_at_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, page("1.299,00 €")).unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(ok(folder.path(), &["watches", "test", file, "css .price"]), "1.299,00 €\n");
    let gone = fails(folder.path(), &["watches", "test", file, "table"], 1);
    assert!(gone.contains("the page has no table"), "{gone}");
    let seen = json(folder.path(), &["watches", "test", file, "keyword bankrupt"]);
    assert_eq!((&seen["found"], &seen["lines"]), (&json!(true), &json!([])));
}

#[test]
fn bad_input_is_refused_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let url = "https://a.example/";
    for (words, said) in [
        (&["price"][..], "no part of a page"),
        (&["css .a["], "not a CSS selector"),
        (&["regex ("], "not a regular expression"),
        (&[r"regex (\w{100}){100}"], "too large"),
        (&["keyword sold out"], "phrase sold out"),
        (&["table 0"], "count from 1"),
        (&["text", "--within", "["], "not a CSS selector"),
        (&["text", "--when", "sometimes"], "no time to look"),
        (&["text", "--when", "every 5 seconds"], "from 1 minute"),
        (&["text", "--moved", "up 0 %"], "more than nothing"),
        (&["text", "--stop", "after 2001-01-01"], "in the past"),
        (&["text", "--stop", "soon"], "no stop condition"),
        (&["text", "--notify", "never"], "no notification condition"),
        (&["text", "--zone", "Mars/Base"], "no time zone"),
    ] {
        let error = fails(data, &[&["watches", "add", url], words].concat(), 2);
        assert!(error.contains(said), "{words:?}: {error}");
    }
    assert_eq!(json(data, &["sources", "list"]), json!([]), "no source was made for a watch that cannot be");
    assert!(fails(data, &["watches", "add", "http://127.0.0.1/", "text"], 2).contains("--allow"));
    assert!(fails(data, &["watches", "add", "7", "text"], 3).contains("source 7"));
    assert!(fails(data, &["watches", "pause", "7"], 3).contains("watch 7"));
}
