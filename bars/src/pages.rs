//! How fast the web UI's pages are at 100,000 articles and 10,000 rules.

use crate::child::Monitor;
use jiff::{SignedDuration, Timestamp};
use model::{Found, Manners, Outcome, PlannedVisit, SourceKind};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use store::{LeaseRequest, NewSource, Store, VisitRecord};
use url::Url;

const ARTICLES: usize = 100_000;
const SOURCES: usize = 1000;
/// Of which every third stops, under one that files.
const RULES: usize = 10_000;
const FOLDERS: usize = 40;
const TRIES: usize = 30;

pub(crate) async fn run() -> anyhow::Result<bool> {
    let folder = tempfile::tempdir()?;
    let store = Store::open(folder.path())?;
    fill(&store).await?;
    teach(&store).await?;
    drop(store);
    let monitor = Monitor::start(folder.path(), &[])?;
    let host = monitor.address.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut worst = Duration::ZERO;
    for path in [
        "/",
        "/?search=harbour",
        "/?search=story+number",
        "/?source=5",
        "/?unread=on",
        "/sources",
        "/sources?search=site9",
        "/sources/5",
        "/articles/50000",
        "/health",
        "/api/v1/articles?limit=50",
        "/folders",
        "/folders/3",
        "/?folder=1",
        "/?folder=1&unread=1",
        "/?folder=1&search=harbour",
        "/?folder=30",
        "/?folder=30&search=story+number",
        "/?folder=unfiled",
        "/?rule=1",
        "/rules",
        "/rules?page=30",
        "/rules?search=story",
        "/rules?order=used",
        "/rules/1",
        "/rules/lessons",
        "/rules/report",
        "/review",
        "/api/v1/articles?folder=1&limit=50",
        "/api/v1/folders",
        "/api/v1/rules?limit=50",
        "/api/v1/rules/1",
    ] {
        let mut times = Vec::new();
        for _ in 0..TRIES {
            let began = Instant::now();
            let status = get(&host, path)?;
            times.push(began.elapsed());
            anyhow::ensure!(status == 200, "{path} answered {status}");
        }
        times.sort();
        let p95 = times[TRIES * 95 / 100];
        println!("  {path:<34} median {:>7.1?}  p95 {p95:>7.1?}", times[TRIES / 2]);
        worst = worst.max(p95);
    }
    println!(
        "{ARTICLES} articles, {SOURCES} sources, {RULES} rules: slowest page p95 {worst:.1?} (limit 50 ms)"
    );
    Ok(worst < Duration::from_millis(50))
}

async fn fill(store: &Store) -> anyhow::Result<()> {
    let now = Timestamp::now();
    let later = PlannedVisit { at: now + SignedDuration::from_hours(100), reason: "every 100 h".into() };
    let source = |n: usize| -> anyhow::Result<NewSource> {
        let url = Url::parse(&format!("http://site{n}.example/"))?;
        Ok(NewSource {
            url,
            title: Some(format!("Site {n}")),
            selector: None,
            interval: None,
            first_visit: later.clone(),
        })
    };
    let ids = store.add_sources((0..SOURCES).map(source).collect::<Result<_, _>>()?, now).await?;
    for (n, id) in ids.into_iter().enumerate() {
        let request = LeaseRequest {
            owner: "bars".into(),
            share: store::Share::all(),
            now,
            lease_until: now + SignedDuration::from_mins(5),
            hosts: 1,
            slow_hosts: 0,
            work_per_host: 1,
            default_delay: Duration::ZERO,
        };
        let Some(work) = store.lease_host(format!("site{n}.example"), request).await? else {
            continue;
        };
        let per_source = ARTICLES / SOURCES;
        let articles = (0..per_source).map(|k| -> anyhow::Result<Found> {
            Ok(Found {
                url: Url::parse(&format!("http://site{n}.example/2026/{k}"))?,
                title: format!(
                    "The story number {k} of site {n} about the {}",
                    ["harbour", "election", "rowing cup", "chip plant"][(n + k) % 4]
                ),
                published_at: Some(now),
                summary: Some(
                    "A teaser of a length that teasers have, with some words in it to be searched for."
                        .into(),
                ),
            })
        });
        let record = VisitRecord {
            lease: work.lease.clone(),
            source_id: id,
            at: now,
            took: Duration::from_millis(9),
            reason: "first visit".into(),
            outcome: Outcome::NewContent,
            bytes: 4000,
            kind: Some(SourceKind::ArticleList),
            title: None,
            articles: articles.collect::<Result<_, _>>()?,
            bodies: 0,
            selector: None,
            validators: None,
            text_hash: None,
            notes: vec![],
            robots: vec![],
            after: store::After::Keep(None),
            earliest: None,
            rules: store::PlanRules { keeps_timers: true, ..store::PlanRules::default() },
            sights: None,
        };
        let later = later.clone();
        store.record_visit(record, move |_| later).await?;
        store.release_host(work.lease, Manners::default(), false).await?;
    }
    Ok(())
}

/// A base like a taught one: a few rules that file much, many that file little, exceptions under them.
async fn teach(store: &Store) -> anyhow::Result<()> {
    let mut lines = String::new();
    for id in 1..=RULES {
        let folder = format!("Area {}/Subject {}", id % 4, id % FOLDERS);
        let has = |word: &str| format!(r#"{{"field":"title","has":"{word}"}}"#);
        let line = match id {
            1..=4 => {
                let subject = has(["harbour", "election", "rowing", "chip"][id - 1]);
                format!(r#"{{"id":{id},"if":[{subject}],"folder":"{folder}"}}"#)
            }
            _ if id % 3 == 0 => {
                // Half of the exceptions hang under the rules that file most.
                let parent = if id % 2 == 0 { 1 + id % 4 } else { id - 1 };
                let number = has(&(id % 100).to_string());
                format!(r#"{{"id":{id},"parent":{parent},"if":[{number}],"folder":null}}"#)
            }
            _ => {
                let (site, number) = (has(&(id % SOURCES).to_string()), has(&(id % 97).to_string()));
                format!(r#"{{"id":{id},"if":[{site},{number}],"folder":"{folder}"}}"#)
            }
        };
        lines.push_str(&line);
        lines.push('\n');
    }
    let file = knowledge::Interchange::parse(&lines).map_err(|errors| anyhow::anyhow!("{}", errors[0]))?;
    store
        .learn_with_folders(None, Timestamp::now(), move |base| {
            let import = file.import(base, knowledge::ImportOptions::default())?;
            Ok((import.folders, import.lesson))
        })
        .await?;
    while !store.refile_some().await?.is_finished() {}
    Ok(())
}

fn get(host: &str, path: &str) -> anyhow::Result<u16> {
    let mut stream = TcpStream::connect(host)?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let status = String::from_utf8_lossy(&answer[..answer.len().min(32)]).into_owned();
    Ok(status.split(' ').nth(1).unwrap_or_default().parse()?)
}
