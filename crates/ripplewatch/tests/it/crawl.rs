//! `crawl` as a person types it: what it says, what it refuses, and that kill -9 loses nothing.

use crate::program::{Running, fails, json, ok, on_postgres, program};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use testkit::site::{Answer, Asked, Site};

/// Hosts of the web, and pages on each.
const HOSTS: usize = 6;
const PAGES: usize = 30;

/// The pause the program is told to keep.
const DELAY: Duration = Duration::from_millis(40);

/// Page n of a host leads to the next two, and now and then to another host.
fn page(host: usize, port: u16, asked: &Asked) -> Answer {
    let Some(n) = asked.path.strip_prefix("/p/").and_then(|n| n.parse::<usize>().ok()).filter(|n| *n < PAGES)
    else {
        return Answer::status(404);
    };
    let mut links: Vec<String> =
        [2 * n + 1, 2 * n + 2].iter().filter(|n| **n < PAGES).map(|n| format!("/p/{n}")).collect();
    if n % 4 == 0 {
        links.push(format!("http://127.98.0.{}:{port}/p/0", (host + 1) % HOSTS));
    }
    let links: String = links.iter().map(|link| format!("<p><a href='{link}'>more</a></p>")).collect();
    Answer::html(format!("<html lang=en><title>{host}.{n}</title><p>A novel by an author.</p>{links}"))
}

async fn web() -> Vec<Site> {
    let port = Site::start(|_| Answer::status(404)).await.address().port();
    let mut sites = Vec::new();
    for host in 0..HOSTS {
        let address = (Ipv4Addr::new(127, 98, 0, host as u8), port).into();
        sites.push(Site::start_on(address, None, move |asked| page(host, port, asked)).await);
    }
    sites
}

fn make_topic(data: &Path) {
    let topic = discovery::ontology::Topic::from_words("Books", &["book", "novel", "author"]).unwrap();
    let store = crate::program::store(data);
    let save = || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(store.save_topic(topic, jiff::Timestamp::now())).unwrap();
    };
    std::thread::scope(|scope| scope.spawn(save).join().unwrap());
}

fn crawl(data: &Path, words: &[&str]) -> Child {
    let manners = ["--allow-private", "--delay", "40ms"];
    program(data).args(words).args(manners).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_again_and_again_it_reads_every_page_once() {
    let data = tempfile::tempdir().unwrap();
    let out = data.path().join("out");
    make_topic(data.path());
    let sites = web().await;
    let seed = sites[0].url("/p/0").to_string();
    let start = ["crawl", "start", "--topic", "books", "--seed", &seed, "--output", out.to_str().unwrap()];
    let mut child = crawl(data.path(), &start);
    // On a database it goes on when its dead worker is known to be gone: that takes its time once.
    let moments: &[u64] = if on_postgres() { &[350, 180] } else { &[350, 180, 520, 240] };
    for &moment in moments {
        tokio::time::sleep(Duration::from_millis(moment)).await;
        child.kill().unwrap();
        child.wait().unwrap();
        child = crawl(data.path(), &["crawl", "resume"]);
    }
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_mins(1), "it should end");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let pages = json(data.path(), &["crawl", "pages", "--all", "--limit", "1000"]);
    let mut stored: BTreeMap<&str, usize> = BTreeMap::new();
    for page in pages.as_array().unwrap() {
        *stored.entry(page["url"].as_str().unwrap()).or_default() += 1;
    }
    assert_eq!(stored.len(), HOSTS * PAGES);
    assert!(stored.values().all(|count| *count == 1));
    for site in &sites {
        for pair in site.log().windows(2) {
            let apart = pair[1].at.duration_since(pair[0].at);
            assert!(apart >= DELAY, "{} and {} only {apart:?} apart", pair[0].path, pair[1].path);
        }
    }
    // On a database whoever goes on begins a file of its own, for the dead one may yet wake up and write.
    let archived = archived(&out);
    assert_eq!(archived.iter().collect::<BTreeSet<_>>().len(), HOSTS * PAGES);
    assert_eq!(archived.len(), HOSTS * PAGES, "none twice");
    assert_eq!(
        std::fs::read_to_string(out.join("crawl-1-pages.jsonl")).unwrap().lines().count(),
        HOSTS * PAGES
    );

    let told: Value = json(data.path(), &["crawl", "explain", stored.keys().last().unwrap()]);
    assert!(!told["way"].as_array().unwrap().is_empty());
    assert!(ok(data.path(), &["crawl", "status"]).contains("finished"));
}

/// The URLs in a crawl's WARC files.
fn archived(out: &Path) -> Vec<String> {
    let files = std::fs::read_dir(out).unwrap().map(|file| file.unwrap().path());
    let warcs = files.filter(|file| file.extension().is_some_and(|name| name == "gz"));
    let urls = warcs.flat_map(|file| {
        let bytes = std::fs::read(file).unwrap();
        let records = warc::Records::new(&bytes).map(Result::unwrap);
        records.filter_map(|record| record.field("WARC-Target-URI").map(str::to_owned)).collect::<Vec<_>>()
    });
    urls.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn told_to_end_it_stops_cleanly() {
    let data = tempfile::tempdir().unwrap();
    let out = data.path().join("out");
    make_topic(data.path());
    let sites = web().await;
    let seed = sites[0].url("/p/0").to_string();
    let start = ["crawl", "start", "--topic", "books", "--seed", &seed, "--output", out.to_str().unwrap()];
    let mut child = crawl(data.path(), &start);
    let began = Instant::now();
    while sites[0].log().len() < 4 {
        assert!(began.elapsed() < Duration::from_secs(30), "it should begin");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // As `systemctl stop` and `timeout` do.
    std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    let ended = tokio::task::spawn_blocking(move || child.wait().unwrap()).await.unwrap();
    assert!(ended.code().is_some(), "{ended}");
    assert!(ok(data.path(), &["crawl", "status"]).contains("stopped"));
    assert!(out.join("crawl-1-pages.jsonl").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_another_crawl_it_begins_when_that_one_ends() {
    let data = tempfile::tempdir().unwrap();
    make_topic(data.path());
    let sites = web().await;
    let seed = sites[0].url("/p/0").to_string();
    let mut first =
        crawl(data.path(), &["crawl", "start", "--topic", "books", "--seed", &seed, "--pages", "60"]);
    let began = Instant::now();
    while sites[0].log().len() < 2 {
        assert!(began.elapsed() < Duration::from_secs(30), "the first should begin");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Its own gate decides, which refuses this address: but it says so, and does not wait for ever.
    let second = ["crawl", "start", "--topic", "Books", "--seed", &seed, "--pages", "5"];
    let mut second =
        program(data.path()).args(second).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while second.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_mins(1), "it waits for ever");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // In a file; a database is for several.
    assert!(on_postgres() || first.try_wait().unwrap().is_some(), "not before the first has ended");
    first.wait().unwrap();
    let told = std::io::read_to_string(second.stderr.take().unwrap()).unwrap();
    assert!(told.contains("127.98.0.0") && told.contains("--allow-private"), "{told}");
}

fn start<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&["crawl", "start"], words].concat()
}

#[test]
fn what_cannot_be_used_is_said() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let told = fails(data, &start(&["--topic", "Boks", "--seed", "https://a.example/"]), 3);
    assert!(told.contains("no topic “Boks”"), "{told}");
    make_topic(data);
    let told = fails(data, &start(&["--topic", "Boks", "--seed", "https://a.example/"]), 3);
    assert!(told.contains("“Books”"), "{told}");
    assert!(fails(data, &start(&["--topic", "Books"]), 2).contains("at least one seed"));
    let told = fails(data, &start(&["--topic", "Books", "--seed", "http://127.0.0.1/"]), 2);
    assert!(told.contains("127.0.0.1") && told.contains("--allow-private"), "{told}");
    let told = fails(data, &start(&["--topic", "Zygote", "--seed", "https://a.example/"]), 3);
    assert!(!told.contains("did you mean") && told.contains("topics list"), "{told}");
    let told =
        fails(data, &start(&["--topic", "Books", "--seed", "https://a.example/", "--output", "/proc/x"]), 2);
    assert!(told.contains("--output"), "{told}");
    assert!(fails(data, &["crawl", "pages"], 3).contains("no crawl yet"));
    assert!(fails(data, &["crawl", "status", "7"], 3).contains("crawl 7"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_that_is_used_up_and_manners_of_another_process_are_refused() {
    let data = tempfile::tempdir().unwrap();
    make_topic(data.path());
    let site = Site::start(|asked| page(0, 1, asked)).await;
    let seed = site.url("/p/0").to_string();
    let words =
        start(&["--topic", "Books", "--seed", &seed, "--pages", "3", "--allow-private", "--delay", "1ms"]);
    ok(data.path(), &words);
    for pages in [&["--pages", "2"][..], &[]] {
        let told = fails(data.path(), &[&["crawl", "resume"], pages].concat(), 2);
        assert!(told.contains("has read 3 pages") && told.contains("--pages"), "{told}");
    }
    let explained = ok(data.path(), &["crawl", "explain", &seed]);
    assert!(!explained.contains("“”"), "{explained}");
    let serve = Running::start(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
    if on_postgres() {
        // Beside others it may have manners of its own: it runs here.
        assert!(ok(data.path(), &words).contains("3 of 3 pages"));
        return;
    }
    for option in [&["--allow-private"][..], &["--delay", "1s"], &["--connections", "4"]] {
        let words = [&start(&["--topic", "Books", "--seed", "https://a.example/"])[..], option].concat();
        let told = fails(data.path(), &words, 2);
        assert!(told.contains(option[0]) && told.contains("another Ripplewatch"), "{told}");
    }
    drop(serve);
}

#[tokio::test(flavor = "multi_thread")]
async fn seeds_that_cannot_be_reached_are_an_error_that_says_what_to_do() {
    let data = tempfile::tempdir().unwrap();
    make_topic(data.path());
    let words =
        start(&["--topic", "Books", "--seed", "http://127.0.0.1:1/", "--allow-private", "--delay", "1ms"]);
    let began = Instant::now();
    let output = program(data.path()).args(&words).output().unwrap();
    assert!(began.elapsed() < Duration::from_secs(30));
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("http://127.0.0.1:1/: no connection") && told.contains("Check that the site runs"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn resumed_where_its_seeds_are_refused_it_waits_and_loses_nothing() {
    let data = tempfile::tempdir().unwrap();
    make_topic(data.path());
    let sites = web().await;
    let seed = sites[0].url("/p/0").to_string();
    let start = ["crawl", "start", "--topic", "books", "--seed", &seed, "--pages", "3"];
    assert!(crawl(data.path(), &start).wait().unwrap().success());
    let told = || json(data.path(), &["crawl", "status"])[0].clone();
    let failed = told()["failed"].clone();
    let refused = program(data.path()).args(["crawl", "resume", "1", "--pages", "20"]).output().unwrap();
    let said =
        String::from_utf8_lossy(&refused.stderr).into_owned() + &String::from_utf8_lossy(&refused.stdout);
    assert!(!refused.status.success() && said.contains("--allow-private"), "{said}");
    assert_eq!((&told()["phase"], &told()["failed"]), (&"paused".into(), &failed), "no URL is given up");
    // What is over stays as it ended, whoever stops it.
    assert!(crawl(data.path(), &["crawl", "resume", "1", "--pages", "20"]).wait().unwrap().success());
    assert_eq!((&told()["phase"], &told()["fetched"]), (&"finished".into(), &20.into()));
    ok(data.path(), &["crawl", "stop", "1"]);
    assert_eq!(told()["phase"], "finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gate_of_the_server_that_has_the_data_decides() {
    let sites = web().await;
    let seed = sites[0].url("/p/0").to_string();
    let start = ["crawl", "start", "--topic", "books", "--seed", &seed, "--pages", "2"];
    let sitemaps_asked = || sites[0].log().iter().filter(|asked| asked.path == "/sitemap.xml").count();
    for (allow, works) in [(&["--allow", "127.0.0.0/8"][..], true), (&[][..], false)] {
        let data = tempfile::tempdir().unwrap();
        make_topic(data.path());
        let words = [&["serve", "--listen", "127.0.0.1:0"][..], allow].concat();
        let _serve = Running::start(data.path(), &words);
        let ended = program(data.path()).args(start).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.success(), works, "{said}");
        let told = json(data.path(), &["crawl", "status"])[0].clone();
        let (phase, pages) = if works { ("finished", 2) } else { ("paused", 0) };
        assert_eq!((&told["phase"], &told["fetched"]), (&phase.into(), &pages.into()), "{said}");
        // Nothing fails but the sitemap that is looked for at the usual place, and is not there.
        let looked_for = if works { sitemaps_asked() } else { 0 };
        assert_eq!(told["failed"], looked_for, "{said}");
        assert!(works || said.contains("serve --allow"), "{said}");
    }
}
