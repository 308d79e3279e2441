//! `serve`: the loop, the API, access, backup under load, a quick start and a clean stop.

use crate::program::{Running, fails, json, ok, on_postgres, until};
use std::time::{Duration, Instant};
use testkit::site::{Answer, Site};

/// A site whose front page has three stories more every time it is asked.
async fn busy_site() -> Site {
    let count = std::sync::atomic::AtomicUsize::new(0);
    Site::start(move |asked| {
        if asked.path != "/" {
            return Answer::html("<html lang=en><body><article><h1>Title</h1><p>Some text of the story, long enough to be read.</p></article></body></html>");
        }
        let newest = count.fetch_add(3, std::sync::atomic::Ordering::SeqCst);
        let items: String = (newest.saturating_sub(20)..newest + 3)
            .rev()
            .map(|n| format!("<article><h2><a href=\"/2026/03/story-number-{n}\">This is the story with number {n}</a></h2></article>"))
            .collect();
        Answer::html(format!("<html lang=en><title>Busy</title><body><main>{items}</main></body></html>"))
    })
    .await
}

const FAST: [&str; 9] =
    ["serve", "--listen", "127.0.0.1:0", "--interval", "300ms", "--delay", "10ms", "--allow", "127.0.0.0/8"];

#[tokio::test(flavor = "multi_thread")]
async fn it_starts_quickly_finds_articles_and_stops_cleanly() {
    let site = busy_site().await;
    let data = tempfile::tempdir().unwrap();
    ok(data.path(), &["sources", "add", "--allow", "127.0.0.0/8", site.url("/").as_str()]);
    let began = Instant::now();
    let running = Running::start(data.path(), &FAST);
    assert!(began.elapsed() < Duration::from_secs(2), "started in {:?}", began.elapsed());
    until("articles are there", || running.json("/api/v1/articles?limit=5").as_array().unwrap().len() == 5);
    let articles = running.json("/api/v1/articles?limit=5");
    assert!(articles[0]["url"].as_str().unwrap().contains("/2026/03/story-number-"));
    assert!(articles[0]["title"].as_str().unwrap().starts_with("This is the story"));
    assert_eq!(running.get("/healthz").0, 200);
    // A command beside the running monitor: seen without a restart.
    let other = busy_site().await;
    ok(data.path(), &["sources", "add", "--allow", "127.0.0.0/8", other.url("/").as_str()]);
    until("the second source is visited", || {
        json(data.path(), &["sources", "show", "2"])["visits"]
            .as_array()
            .is_some_and(|visits| !visits.is_empty())
    });
    let visit = json(data.path(), &["visit", "1"]);
    assert!(!visit["reason"].as_str().unwrap().is_empty());
    let (took, well) = running.stop();
    assert!(well && took < Duration::from_secs(2), "stopped in {took:?}");
    assert_eq!(
        json(data.path(), &["doctor"])
            .as_array()
            .unwrap()
            .iter()
            .filter(|finding| finding["well"] == false)
            .count(),
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_taken_under_load_restores_to_the_same_content() {
    if on_postgres() {
        return;
    }
    let site = busy_site().await;
    let (data, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    ok(data.path(), &["sources", "add", "--allow", "127.0.0.0/8", site.url("/").as_str()]);
    let running = Running::start(data.path(), &FAST);
    until("it is busy", || running.json("/api/v1/articles?limit=30").as_array().unwrap().len() == 30);
    let file = elsewhere.path().join("backup");
    let written = json(data.path(), &["backup", file.to_str().unwrap()]);
    let target = elsewhere.path().join("data");
    assert_eq!(json(&target, &["restore", file.to_str().unwrap()]), written);
    let all = |data: &std::path::Path| json(data, &["articles", "list", "--limit", "1000000"]);
    let restored = all(&target);
    assert_eq!(restored.as_array().unwrap().len() as u64, written["articles"].as_u64().unwrap());
    // Everything in the backup is in the live data, and the oldest of it is the same to the letter.
    let live = all(data.path());
    let ids = |articles: &serde_json::Value| {
        articles.as_array().unwrap().iter().map(|article| article["id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    let (restored_ids, live_ids) = (ids(&restored), ids(&live));
    assert!(live_ids.ends_with(&restored_ids));
    drop(running);
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let untouched = elsewhere.path().join("untouched");
    let said = fails(&untouched, &["restore", file.to_str().unwrap()], 1);
    assert!(said.contains("refused") && said.contains("Nothing was changed"), "{said}");
    assert!(!untouched.join("ripplewatch.db").exists());
}

#[test]
fn beyond_loopback_nobody_gets_in_without_a_password() {
    use std::io::BufRead;
    let data = tempfile::tempdir().unwrap();
    let mut running = Running::start(data.path(), &["serve", "--listen", "0.0.0.0:0"]);
    let mut line = String::new();
    running.printed.read_line(&mut line).unwrap();
    assert!(line.contains("/setup?token="), "{line}");
    running.host = running.host.replace("0.0.0.0", "127.0.0.1");
    assert_eq!(running.get("/healthz").0, 200);
    for path in ["/api/v1/articles", "/api/v1/sources"] {
        assert_eq!(running.get(path).0, 401, "{path}");
    }
    for path in ["/", "/sources", "/health"] {
        let (status, body) = running.get(path);
        assert!(status == 303 || status == 302 || status == 401, "{path}: {status} {body}");
    }
    let token = json(data.path(), &["tokens", "add", "test"])["token"].as_str().unwrap().to_owned();
    let header = format!("Authorization: Bearer {token}");
    assert_eq!(running.request("GET", "/api/v1/articles", &[&header], "").0, 200);
    assert_eq!(running.request("GET", "/api/v1/articles", &["Authorization: Bearer rw_wrong"], "").0, 401);
}
