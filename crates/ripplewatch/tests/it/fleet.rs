//! Several processes on one database: each has its share, what one knows all know, and when one dies the others go on.

use crate::program::{Running, fails, json, ok, program, until};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use testkit::postgres::shared;
use testkit::site::{Answer, Site};

const HOSTS: usize = 24;
const DELAY: Duration = Duration::from_millis(100);

/// A worker of a database, running.
struct Worker(Child);

impl Worker {
    fn start(data: &Path, database: &str, name: &str) -> Self {
        Self::with(data, database, name, &["--allow", "127.0.0.0/8"])
    }

    fn with(data: &Path, database: &str, name: &str, more: &[&str]) -> Self {
        let words = ["worker", "--database", database, "--name", name];
        let mut child = program(data)
            .args(words)
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains(name) && line.contains("visiting, crawling, filing"), "it said “{line}”");
        Self(child)
    }

    fn signal(&self, signal: &str) {
        let words = [signal, &self.0.id().to_string()];
        assert!(std::process::Command::new("kill").args(words).status().unwrap().success());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Hosts of their own address, each with a page that lists some articles.
async fn web() -> Vec<Site> {
    let mut sites = Vec::new();
    for n in 0..HOSTS {
        let address = Ipv4Addr::new(127, 0, 7, u8::try_from(n + 1).unwrap());
        let script = move |asked: &testkit::site::Asked| match asked.path.as_str() {
            "/robots.txt" => Answer::status(404),
            "/" => {
                let item = |k: usize| {
                    format!(
                        "<li><a href=\"/2026/11/story-{k}\">The harbour story {k} of paper {n} is told here</a></li>"
                    )
                };
                Answer::html(format!("<ul>{}</ul>", (0..6).map(item).collect::<String>()))
            }
            _ => Answer::html(
                "<article><h1>A story</h1><p>Words about the harbour, and some more.</p></article>",
            ),
        };
        sites.push(Site::start_at(address.into(), None, script).await);
    }
    sites
}

fn by_label(serve: &Running) -> BTreeMap<String, serde_json::Value> {
    let fleet = serve.json("/api/v1/fleet");
    let workers = fleet["workers"].as_array().unwrap().iter();
    workers.map(|worker| (worker["label"].as_str().unwrap().to_owned(), worker.clone())).collect()
}

fn part(workers: &BTreeMap<String, serde_json::Value>, label: &str) -> f64 {
    workers.get(label).and_then(|worker| worker["figures"]["part"].as_f64()).unwrap_or(0.0)
}

fn on<'a>(database: &'a str, words: &[&'a str]) -> Vec<&'a str> {
    [words, &["--database", database]].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_share_hosts_hear_of_changes_and_take_over_from_the_dead() {
    let sites = web().await;
    let data = tempfile::tempdir().unwrap();
    let (data, database) = (data.path(), shared().url_of(&shared().new_database(None)));
    for site in &sites {
        ok(data, &on(&database, &["sources", "add", "--allow", "127.0.0.0/8", site.url("/").as_str()]));
    }
    let serve = Running::start(
        data,
        &on(
            &database,
            &["serve", "--listen", "127.0.0.1:0", "--interval", "2s", "--delay", "100ms", "--roles", "none"],
        ),
    );
    let (first, second) = (Worker::start(data, &database, "first"), Worker::start(data, &database, "second"));
    until("both have half of the hosts and visit", || {
        let workers = by_label(&serve);
        let visits =
            |label: &str| workers.get(label).map_or(0, |one| one["figures"]["visits"].as_u64().unwrap());
        ["first", "second"]
            .iter()
            .all(|label| (part(&workers, label) - 0.5).abs() < 0.01 && visits(label) > 20)
    });
    let (status, health) = serve.get("/healthz");
    assert_eq!(status, 200, "it visits nothing and is well: {health}");

    // What is taught here is known there: the next visits file by it, and what is stored is filed anew.
    let one = json(data, &on(&database, &["articles", "list", "--limit", "1"]))[0]["id"].to_string();
    let lesson = ["rules", "add", "--folder", "Harbour", "--article", &one, "--has", "title:harbour"];
    ok(data, &on(&database, &lesson));
    until("all articles are filed by what was taught", || {
        let filed =
            json(data, &on(&database, &["articles", "list", "--folder", "Harbour", "--limit", "1000"]));
        filed.as_array().unwrap().len() == HOSTS * 6
    });

    // A process that stands still for long is taken for gone, and asks nobody when it wakes up.
    first.signal("-STOP");
    let stopped = Instant::now();
    until("the other has all hosts", || part(&by_label(&serve), "second") > 0.99);
    assert!(
        stopped.elapsed() > Duration::from_secs(10),
        "after {:?}: a pause is not an end",
        stopped.elapsed()
    );
    first.signal("-CONT");
    until("it is back with half of the hosts", || (part(&by_label(&serve), "first") - 0.5).abs() < 0.01);

    drop(second);
    until("the first has all hosts", || part(&by_label(&serve), "first") > 0.99);
    let asked = |site: &Site| site.paths().iter().filter(|path| *path == "/").count();
    let before: Vec<usize> = sites.iter().map(asked).collect();
    until("every host is visited again", || {
        sites.iter().zip(&before).all(|(site, before)| asked(site) > *before)
    });
    drop(first);

    let articles = json(data, &on(&database, &["articles", "list", "--limit", "100000"]));
    assert_eq!(articles.as_array().unwrap().len(), HOSTS * 6, "none lost, none doubled");
    for site in &sites {
        let log = site.log();
        let gaps = log.windows(2).map(|pair| pair[1].at.duration_since(pair[0].at));
        let closest = gaps.min().unwrap();
        // The log is written when a request is read, not when it was sent.
        assert!(closest + Duration::from_millis(20) >= DELAY, "asked again after {closest:?}");
    }
}

#[test]
fn a_worker_says_what_it_needs() {
    let data = tempfile::tempdir().unwrap();
    let url = "postgres://nobody:wrong@127.0.0.1:1/none";
    if !crate::program::on_postgres() {
        assert!(fails(data.path(), &["worker"], 2).contains("--database"));
    }
    assert!(
        fails(data.path(), &["worker", "--database", url, "--roles", "none"], 2).contains("nothing to do")
    );
    let said = fails(data.path(), &["worker", "--database", url], 1);
    assert!(said.contains("127.0.0.1:1") && !said.contains("wrong"), "{said}");
}

/// Pages on several hosts that link to each other in a ring and across.
async fn ring() -> Vec<Site> {
    const PAGES: usize = 40;
    let port = Site::start(|_| Answer::status(404)).await.address().port();
    let addresses: Vec<SocketAddr> = (1..=4).map(|n| (Ipv4Addr::new(127, 0, 8, n), port).into()).collect();
    let mut sites = Vec::new();
    for (n, address) in addresses.iter().copied().enumerate() {
        let all = addresses.clone();
        let script = move |asked: &testkit::site::Asked| {
            let Some(page) = asked.path.strip_prefix("/p/").and_then(|page| page.parse::<usize>().ok())
            else {
                return Answer::status(404);
            };
            let link = |host: usize, page: usize| {
                format!("<a href=\"http://{}/p/{page}\">book {page}</a>", all[host])
            };
            let links = [link(n, (page + 1) % PAGES), link((n + 1) % all.len(), page)].concat();
            Answer::html(format!(
                "<h1>Book {page} of shelf {n}</h1><p>A book about books and {page}.</p>{links}"
            ))
        };
        sites.push(Site::start_on(address, None, script).await);
    }
    sites
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_goes_on_elsewhere_when_its_worker_dies() {
    let sites = ring().await;
    let data = tempfile::tempdir().unwrap();
    let output = tempfile::tempdir().unwrap();
    let (data, database) = (data.path(), shared().url_of(&shared().new_database(None)));
    let store = store::Store::connect(&database).unwrap();
    let words = ["serve", "--listen", "127.0.0.1:0", "--delay", "300ms", "--roles", "none"];
    let serve = Running::start(data, &on(&database, &words));
    let mut workers: BTreeMap<&str, Worker> =
        ["first", "second"].into_iter().map(|name| (name, Worker::start(data, &database, name))).collect();
    let new = store::NewCrawl {
        topic: discovery::ontology::Topic::from_words("Books", &["book", "shelf"]).unwrap(),
        settings: discovery::crawl::CrawlSettings { depth: 100, ..Default::default() },
        seeds: vec![sites[0].url("/p/0")],
        output: Some(output.path().to_owned()),
        worker: None,
    };
    store.add_crawl(new, jiff::Timestamp::now()).await.unwrap();
    let runs = || {
        let fleet = by_label(&serve);
        fleet.into_iter().find(|(_, worker)| worker["crawls"] == 1).map(|(label, _)| label)
    };
    until("a worker runs it and has read some pages", || {
        runs().is_some() && serve.json("/api/v1/crawls/1")["crawl"]["fetched"].as_u64() > Some(20)
    });
    let dead = runs().unwrap();
    workers.remove(dead.as_str());
    until("the other runs it", || runs().is_some_and(|label| label != dead));
    until("it is done", || serve.json("/api/v1/crawls/1")["crawl"]["phase"] == "finished");
    assert_eq!(serve.json("/api/v1/crawls/1")["crawl"]["fetched"], 160, "every page of every host");
    let files = std::fs::read_dir(output.path()).unwrap().flatten();
    let warcs = files.filter(|file| file.path().extension().is_some_and(|name| name == "gz")).count();
    assert_eq!(warcs, 2, "each worker has written a file of its own");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_goes_to_the_worker_that_may_ask_its_seeds() {
    let sites = ring().await;
    let data = tempfile::tempdir().unwrap();
    let (data, database) = (data.path(), shared().url_of(&shared().new_database(None)));
    let store = store::Store::connect(&database).unwrap();
    let _strict = Worker::with(data, &database, "strict", &["--delay", "1ms"]);
    let new = store::NewCrawl {
        topic: discovery::ontology::Topic::from_words("Books", &["book", "shelf"]).unwrap(),
        settings: discovery::crawl::CrawlSettings { pages: 5, ..Default::default() },
        seeds: vec![sites[0].url("/p/0")],
        output: None,
        worker: None,
    };
    let id = store.add_crawl(new, jiff::Timestamp::now()).await.unwrap();
    let stands = || json(data, &on(&database, &["crawl", "status"]))[0].clone();
    until("the one that may not has said so", || {
        stands()["phase"] == "paused" && stands()["why"].as_str().unwrap().contains("so says strict")
    });
    let _free = Worker::with(data, &database, "free", &["--allow", "127.0.0.0/8", "--delay", "1ms"]);
    until("the other has run it", || stands()["phase"] == "finished");
    assert_eq!(store.crawl(id).await.unwrap().fetched, 5);
}
