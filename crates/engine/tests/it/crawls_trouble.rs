//! Crawls of hosts that are not there, or fail now and then: they end soon, and say why.

use crate::crawls::{run, wish};
use crate::lab::Lab;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::{CrawlPhase, UrlState};
use testkit::clock::Fast;
use testkit::site::{Answer, Asked, Site};

/// An address where nobody listens.
async fn nobody() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.9:0").await.unwrap();
    format!("http://{}/", listener.local_addr().unwrap())
}

fn hurried(factor: u32) -> Lab {
    let mut lab = Lab::new();
    lab.clock = Arc::new(Fast::new(factor));
    lab
}

#[tokio::test]
async fn a_seed_that_cannot_be_reached_ends_it_soon_with_the_reason() {
    let lab = Lab::new();
    let dead = nobody().await;
    let handle = lab.idle();
    let id = handle.start_crawl(wish(vec![dead.clone()], 10)).await.unwrap();
    let began = Instant::now();
    let running = tokio::spawn(async move { handle.run_crawl(id).await.unwrap() });
    let idle = loop {
        assert!(began.elapsed() < Duration::from_secs(4), "it should say what is wrong within seconds");
        let progress = lab.store.crawl(id).await.unwrap().progress.unwrap_or_default();
        if !progress.idle.is_empty() && !progress.idle.contains("awaited") {
            break progress.idle;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(idle.contains(&format!("seed {dead}: no connection")), "{idle}");
    let info = running.await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!((info.phase, info.fetched, info.failed), (CrawlPhase::Finished, 0, 1));
    assert!(info.why.contains(&dead) && info.why.contains("Check that the site runs"), "{}", info.why);
}

#[tokio::test]
async fn dead_hosts_do_not_hold_up_the_end_and_their_urls_say_why() {
    let lab = hurried(20);
    let dead = nobody().await;
    let page =
        format!("<p>A novel</p><a href='{dead}a'>a</a> <a href='{dead}b'>b</a> <a href='/two'>two</a>");
    let site = Site::with([("/", Answer::html(page)), ("/two", Answer::html("<p>a book</p>"))]).await;
    let info = run(&lab.idle(), wish(vec![site.url("/").into()], 50)).await;
    assert_eq!((info.phase, info.fetched), (CrawlPhase::Finished, 2), "{}", info.why);
    assert!(info.why.contains("given up"), "{}", info.why);
    let urls = lab.store.crawl_urls(info.id, 0, 50).await.unwrap();
    let lost: Vec<_> = urls.iter().filter(|url| url.url.as_str().starts_with(&dead)).collect();
    assert_eq!(lost.len(), 2);
    for url in lost {
        assert_eq!(url.state, UrlState::Dropped, "{url:?}");
        assert!(url.why.as_deref().unwrap().contains("no connection"), "{url:?}");
    }
    let spent = lab.clock.now().duration_since(info.created_at);
    assert!(spent.as_secs() < 60, "it should not wait for minutes: {spent:?}");
}

#[tokio::test]
async fn one_failing_page_does_not_stop_its_host() {
    let lab = Lab::new();
    let links: String = (0..20).map(|n| format!("<a href='/p/{n}'>{n}</a> ")).collect();
    let site = Site::start(move |asked| match asked.path.as_str() {
        "/" => Answer::html(format!("<a href='/broken'>broken</a> {links}")),
        "/broken" => Answer::status(500),
        path if path.starts_with("/p/") => Answer::html(format!("<p>{path}</p>")),
        _ => Answer::status(404),
    })
    .await;
    let handle = lab.idle();
    let id = handle.start_crawl(wish(vec![site.url("/").into()], 21)).await.unwrap();
    let info = tokio::time::timeout(Duration::from_secs(10), handle.run_crawl(id)).await.unwrap().unwrap();
    assert_eq!(info.fetched, 21, "{}", info.why);
}

#[tokio::test]
async fn a_seed_that_leads_in_circles_says_so() {
    let lab = Lab::new();
    let site = Site::with([("/a", Answer::redirect(302, "/b")), ("/b", Answer::redirect(302, "/a"))]).await;
    let info = run(&lab.idle(), wish(vec![site.url("/a").into()], 10)).await;
    assert_eq!((info.phase, info.fetched), (CrawlPhase::Finished, 0));
    assert!(info.why.contains("leads to") && info.why.contains("circles"), "{}", info.why);
}

#[tokio::test]
async fn a_crawl_that_waits_for_a_host_says_so() {
    let lab = Lab::new();
    let site = Site::start(|asked| Answer::html(format!("<a href='{}x'>x</a>", asked.path))).await;
    let handle = lab.idle();
    let id = handle.start_crawl(wish(vec![site.url("/").into()], 10)).await.unwrap();
    // Another crawl, or a visit, has the host.
    let request = store::LeaseRequest {
        owner: "another".into(),
        share: store::Share::all(),
        now: lab.clock.now(),
        lease_until: lab.clock.now() + jiff::SignedDuration::from_mins(5),
        hosts: 1,
        slow_hosts: 0,
        work_per_host: 1,
        default_delay: Duration::ZERO,
    };
    let held = lab.store.lease_host_for_crawl("127.0.0.1".into(), request, false).await.unwrap();
    assert!(held.is_some());
    let running = {
        let handle = handle.clone();
        tokio::spawn(async move { handle.run_crawl(id).await })
    };
    crate::lab::until("it says whom it waits for", async || {
        let progress = lab.store.crawl(id).await.unwrap().progress.unwrap_or_default();
        progress.idle.contains("127.0.0.1 is being asked")
    })
    .await;
    handle.interrupt();
    running.await.unwrap().unwrap();
}

/// A network that can be cut off: host n.example is 127.97.0.n.
struct Network {
    cut: Arc<AtomicBool>,
}

impl fetch::Resolve for Network {
    fn resolve(&self, host: &str, port: u16) -> fetch::BoxFuture<'_, std::io::Result<Vec<SocketAddr>>> {
        let number = host.split('.').next().and_then(|n| n.parse().ok());
        let cut = self.cut.load(Ordering::Relaxed);
        Box::pin(async move {
            match number.filter(|_| !cut) {
                Some(n) => Ok(vec![(Ipv4Addr::new(127, 97, 0, n), port).into()]),
                None => Err(std::io::Error::other("Temporary failure in name resolution")),
            }
        })
    }
}

const HOSTS: u8 = 8;
const PAGES: usize = 12;

#[tokio::test]
async fn while_our_own_network_is_down_nothing_is_dropped() {
    let mut lab = hurried(50);
    lab.fetch.default_delay = Duration::from_secs(3);
    let port = Site::start(|_| Answer::status(404)).await.address().port();
    let mut sites = Vec::new();
    for n in 0..HOSTS {
        let links: String = (0..HOSTS)
            .map(|host| format!("<a href='http://{host}.example:{port}/p/0'>{host}</a> "))
            .chain((0..PAGES).map(|page| format!("<a href='/p/{page}'>{page}</a> ")))
            .collect();
        // No connection is kept: each request needs the network anew.
        let script = move |asked: &testkit::site::Asked| {
            let answer = match asked.path.as_str() {
                "/p/0" => Answer::html(links.clone()),
                path if path.starts_with("/p/") => Answer::html(format!("<p>{n}{path}</p>")),
                _ => Answer::status(404),
            };
            answer.header("connection", "close")
        };
        sites.push(Site::start_on((Ipv4Addr::new(127, 97, 0, n), port).into(), None, script).await);
    }
    let cut = Arc::new(AtomicBool::new(false));
    let mut parts = lab.parts();
    let network = Arc::new(Network { cut: cut.clone() });
    parts.fetcher = fetch::Fetcher::with_resolver(lab.fetch.clone(), lab.clock.clone(), network).unwrap();
    let handle = engine::EngineHandle::idle(parts).unwrap();
    let id = handle.start_crawl(wish(vec![format!("http://0.example:{port}/p/0")], 1_000)).await.unwrap();
    let running = tokio::spawn(async move { handle.run_crawl(id).await.unwrap() });
    crate::lab::until("it reads", async || lab.store.crawl(id).await.unwrap().fetched > 20).await;
    cut.store(true, Ordering::Relaxed);
    crate::lab::until("it says what is wrong", async || {
        let progress = lab.store.crawl(id).await.unwrap().progress.unwrap_or_default();
        progress.idle.contains("the network seems to be down")
    })
    .await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    cut.store(false, Ordering::Relaxed);
    let info = running.await.unwrap();
    let urls = lab.store.crawl_urls(id, 0, 1_000).await.unwrap();
    let missed: Vec<_> = urls.iter().filter(|url| url.state != UrlState::Fetched).collect();
    assert!(missed.iter().all(|url| url.url.path() == "/sitemap.xml"), "{missed:?}");
    assert_eq!(
        (info.phase, info.fetched),
        (CrawlPhase::Finished, u64::from(HOSTS) * PAGES as u64),
        "{}",
        info.why
    );
}

#[tokio::test]
async fn a_robots_txt_that_fails_ends_it_soon_and_is_said() {
    let lab = Lab::new();
    let site = Site::start(|asked: &Asked| match asked.path.as_str() {
        "/robots.txt" => Answer::status(500),
        _ => Answer::html("<p>A novel, a book by an author.</p>"),
    })
    .await;
    let began = Instant::now();
    let info = run(&lab.idle(), wish(vec![site.url("/").into()], 50)).await;
    assert!(info.why.contains("robots.txt fails") && !info.why.contains("does not want"), "{}", info.why);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}
