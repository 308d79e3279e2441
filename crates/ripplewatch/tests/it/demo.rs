//! The first five minutes.

use crate::program::{Running, fails, ok, on_postgres, until};
use std::time::{Duration, Instant};

#[test]
fn the_demo_shows_articles_within_seconds() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("demo");
    let began = Instant::now();
    let running =
        Running::start(data.path(), &["demo", "--listen", "127.0.0.1:0", "--data", folder.to_str().unwrap()]);
    until("articles are there", || running.json("/api/v1/articles?limit=50").as_array().unwrap().len() == 50);
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let (status, page) = running.get("/");
    assert_eq!(status, 200);
    assert!(page.contains("Demo:"), "the page says that it is a demo");
    let first = running.json("/api/v1/articles?limit=1")[0]["title"].as_str().unwrap().to_owned();
    assert!(page.contains("<main") && !first.is_empty());
    assert!(running.stop().1);
    let said =
        fails(data.path(), &["demo", "--listen", "127.0.0.1:0", "--data", folder.to_str().unwrap()], 1);
    assert!(said.contains("choose an empty"), "{said}");
    // On PostgreSQL the database has the data, whatever the folder is.
    let kept = if on_postgres() { data.path() } else { &folder };
    assert!(ok(kept, &["articles", "list", "--limit", "3"]).lines().count() == 4);
}
