//! kill -9 at random moments of a crawl, judged by the sites' own logs.

use super::process::{Process, make_topic};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

const HOSTS: u8 = 12;

/// Pages of one host.
const PAGES: usize = 400;

/// The pause the program is told to keep; robots.txt of every fourth host asks for a longer one.
const DELAY: Duration = Duration::from_millis(30);

const PORT: u16 = 18_082;

/// What a page says; `None` for 404. Host and path come in.
type Page = Arc<dyn Fn(u8, &str) -> Option<String> + Send + Sync>;

/// Sites on loopback addresses of their own, and what they were asked.
pub(super) struct Web {
    log: Arc<Mutex<Vec<(u8, String, Instant)>>>,
    _servers: JoinSet<()>,
}

/// What a host answers to a path.
type Pages = Arc<dyn Fn(u8, &str) -> Option<String> + Send + Sync>;

/// Serves hosts 127.`net`.0.1 and up.
pub(super) async fn serve(net: u8, hosts: u8, port: u16, page: Pages) -> anyhow::Result<Web> {
    let log: Arc<Mutex<Vec<(u8, String, Instant)>>> = Arc::default();
    let mut servers = JoinSet::new();
    for host in 1..=hosts {
        let listener = TcpListener::bind((Ipv4Addr::new(127, net, 0, host), port)).await?;
        servers.spawn(answer(listener, host, page.clone(), log.clone()));
    }
    Ok(Web { log, _servers: servers })
}

async fn answer(listener: TcpListener, host: u8, page: Page, log: Arc<Mutex<Vec<(u8, String, Instant)>>>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (page, log) = (page.clone(), log.clone());
        let service = service_fn(move |request: http::Request<Incoming>| {
            let path = request.uri().path().to_owned();
            if let Ok(mut log) = log.lock() {
                log.push((host, path.clone(), Instant::now()));
            }
            let said = page(host, &path);
            async move {
                let kind = if path == "/robots.txt" { "text/plain" } else { "text/html; charset=utf-8" };
                let response = http::Response::builder().status(if said.is_some() { 200 } else { 404 });
                let body = Full::new(Bytes::from(said.unwrap_or_default()));
                Ok::<_, Infallible>(response.header("content-type", kind).body(body).unwrap_or_default())
            }
        });
        connections.spawn(async move {
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
        while connections.try_join_next().is_some() {}
    }
}

/// A tree of pages on each host; now and then a link to the next host.
fn page(host: u8, path: &str) -> Option<String> {
    if path == "/robots.txt" {
        return host
            .is_multiple_of(4)
            .then(|| "User-agent: *\nCrawl-delay: 0.06\nDisallow: /secret\n".to_owned());
    }
    let n: usize = path.strip_prefix("/p/")?.parse().ok().filter(|n| *n < PAGES)?;
    let below = [2 * n + 1, 2 * n + 2].into_iter().filter(|n| *n < PAGES).map(|n| format!("/p/{n}"));
    let beside = n.is_multiple_of(7).then(|| format!("http://127.79.0.{}:{PORT}/p/0", host % HOSTS + 1));
    let links: String = below
        .chain(beside)
        .chain(["/secret".to_owned()])
        .map(|to| format!("<p><a href=\"{to}\">a song</a></p>"))
        .collect();
    Some(format!("<html lang=en><title>{host}/{n}</title><p>The composer wrote a song.</p>{links}"))
}

pub(super) async fn run(kills: u32) -> anyhow::Result<bool> {
    let web = serve(79, HOSTS, PORT, Arc::new(page)).await?;
    let folder = tempfile::tempdir()?;
    make_topic(folder.path())?;
    let out = folder.path().join("out");
    let seed = format!("http://127.79.0.1:{PORT}/p/0");
    let manners = ["--allow-private", "--delay", "30ms"];
    let start = [
        "crawl", "start", "--topic", "Music", "--seed", &seed, "--pages", "1000000", "--depth", "1000",
        "--output",
    ];
    let start = [&start[..], &[out.to_str().unwrap_or_default()][..], &manners[..]].concat();
    let resume = [&["crawl", "resume"][..], &manners[..]].concat();
    let mut dice = 0x2545_F491_4F6C_DD1D_u64;
    let mut done = 0;
    let mut process = Process::ours(folder.path(), &start)?;
    for kill in 1..=kills {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        tokio::time::sleep(Duration::from_millis(40 + (dice >> 33) % 900)).await;
        // The crawl may be over before the last kill: then there is nothing left to kill.
        if process.is_over()? {
            break;
        }
        process.kill()?;
        done = kill;
        process = Process::ours(folder.path(), &resume)?;
    }
    tokio::task::spawn_blocking(move || process.finish()).await??;
    judge(&web, folder.path(), &out, done)
}

fn judge(web: &Web, data: &std::path::Path, out: &std::path::Path, kills: u32) -> anyhow::Result<bool> {
    let listed = crate::child::command(data, &["crawl", "pages", "--all", "--limit", "10000000", "--json"])?;
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed)?;
    let mut stored: BTreeMap<&str, usize> = BTreeMap::new();
    for page in &listed {
        *stored.entry(page["url"].as_str().unwrap_or_default()).or_default() += 1;
    }
    let doubled = stored.values().filter(|count| **count > 1).count();
    let wanted = usize::from(HOSTS) * PAGES;
    let log = web.log.lock().map_err(|_| anyhow::anyhow!("the log"))?.clone();
    let secret = log.iter().filter(|(host, path, _)| host.is_multiple_of(4) && path == "/secret").count();
    let mut last: BTreeMap<u8, Instant> = BTreeMap::new();
    let (mut closest, mut closest_slow) = (Duration::MAX, Duration::MAX);
    let mut asked: BTreeMap<(u8, &str), usize> = BTreeMap::new();
    for (host, path, at) in &log {
        *asked.entry((*host, path.as_str())).or_default() += 1;
        if let Some(before) = last.insert(*host, *at) {
            let apart = at.duration_since(before);
            closest = closest.min(apart);
            // Who is killed before robots.txt is stored cannot know what it asks for.
            if host.is_multiple_of(4) && path != "/robots.txt" {
                closest_slow = closest_slow.min(apart);
            }
        }
    }
    let pages = asked.iter().filter(|((_, path), _)| path.starts_with("/p/"));
    let again: usize = pages.map(|(_, count)| count - 1).sum();
    let mut archived = 0;
    for file in std::fs::read_dir(out)? {
        let file = file?.path();
        if file.extension().is_some_and(|ending| ending == "gz") {
            let bytes = std::fs::read(file)?;
            archived += warc::Records::new(&bytes)
                .filter_map(Result::ok)
                .filter(|record| record.field("WARC-Type") == Some("response"))
                .count();
        }
    }
    println!(
        "  {} requests, {again} pages asked for again after a kill, {archived} in the WARC file",
        log.len()
    );
    println!(
        "{kills} kills: {} of {wanted} pages stored, {doubled} twice; closest two requests to a host {closest:.1?} apart (delay {DELAY:?}), \
         {closest_slow:.1?} where robots.txt asks for 60 ms; {secret} forbidden pages asked for",
        stored.len()
    );
    Ok(stored.len() == wanted && doubled == 0 && closest >= DELAY && secret == 0 && archived == wanted)
}
