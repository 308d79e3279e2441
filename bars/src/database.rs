//! What a database does in a second: visits committed, work leased, URLs discovered; on SQLite and on PostgreSQL with a
//! commit that waits for the disk.

use discovery::ontology::Topic;
use jiff::{SignedDuration, Timestamp};
use model::{CrawlId, Found, Manners, Outcome, PlannedVisit, SourceKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use store::{After, HostWork, Lease, LeaseRequest, NewCrawl, NewCrawlUrl, NewSource, Store, VisitRecord};
use testkit::postgres::Postgres;
use tokio::task::JoinSet;
use url::Url;

const RUNS: usize = 3;
const HOSTS: usize = 400;
const SOURCES_OF_A_HOST: usize = 5;
/// Articles on each page, and how many of them are new at each visit.
const LISTED: usize = 20;
const NEW: usize = 1;
/// Turns under way at the same time.
const AT_ONCE: usize = 96;
/// Visits to each source.
const ROUNDS: usize = 6;
/// How often everything is leased and given back.
const LEASE_ROUNDS: usize = 10;
const URLS_OF_A_PAGE: usize = 50;
const PAGES: usize = 2_000;

pub(crate) async fn run() -> anyhow::Result<bool> {
    let server = Postgres::start_durable();
    let (mut on_file, mut on_server) = (Vec::new(), Vec::new());
    // Turn and turn about: whatever else the machine does, it does to both.
    for _ in 0..RUNS {
        let folder = tempfile::tempdir()?;
        on_file.push(measure("SQLite", Store::open(folder.path())?).await?);
        let database = server.new_database(None);
        on_server.push(measure("PostgreSQL", Store::connect(&server.url_of(&database))?).await?);
        server.run(&format!("DROP DATABASE {database} WITH (FORCE)"));
    }
    let (on_file, on_server) = (Figures::median(&on_file), Figures::median(&on_server));
    let met = on_server.visits >= 1_500.0 && on_server.leased >= 10_000.0 && on_server.urls >= 30_000.0;
    println!(
        "figure: PostgreSQL {:.0} visits/s (bar 1,500), {:.0} leased/s (bar 10,000), {:.0} URLs/s (bar 30,000); SQLite {:.0}, {:.0}, {:.0}; medians of {RUNS}",
        on_server.visits, on_server.leased, on_server.urls, on_file.visits, on_file.leased, on_file.urls
    );
    Ok(met)
}

/// A database of its own on a server, with sources that are due.
pub(crate) async fn server_with_sources(
    server: &Postgres,
    now: Timestamp,
) -> anyhow::Result<(String, Store)> {
    let database = server.new_database(None);
    let store = Store::connect(&server.url_of(&database))?;
    add_sources(&store, now).await?;
    Ok((database, store))
}

struct Figures {
    visits: f64,
    leased: f64,
    urls: f64,
}

impl Figures {
    fn median(runs: &[Self]) -> Self {
        let middle = |figure: fn(&Self) -> f64| {
            let mut all: Vec<f64> = runs.iter().map(figure).collect();
            all.sort_by(f64::total_cmp);
            all.get(all.len() / 2).copied().unwrap_or(0.0)
        };
        Self {
            visits: middle(|run| run.visits),
            leased: middle(|run| run.leased),
            urls: middle(|run| run.urls),
        }
    }
}

async fn measure(name: &str, store: Store) -> anyhow::Result<Figures> {
    let now = Timestamp::now();
    add_sources(&store, now).await?;
    let (mut leased, mut work) = lease_all(&store, now).await?;
    for _ in 1..LEASE_ROUNDS {
        give_back(&store, work).await?;
        let (again, all) = lease_all(&store, now).await?;
        (leased, work) = (leased + again, all);
    }
    let leased = leased / LEASE_ROUNDS as f64;
    let visits = visit_all(&store, now, &work).await?;
    let urls = discover(&store, now).await?;
    println!("{name}: {visits:.0} visits/s, {leased:.0} leased/s, {urls:.0} discovered URLs/s");
    Ok(Figures { visits, leased, urls })
}

async fn add_sources(store: &Store, now: Timestamp) -> anyhow::Result<()> {
    for hosts in (0..HOSTS).collect::<Vec<_>>().chunks(100) {
        let mut new = Vec::new();
        for host in hosts {
            for n in 0..SOURCES_OF_A_HOST {
                new.push(NewSource {
                    url: Url::parse(&format!("http://host{host}.example/{n}"))?,
                    title: None,
                    selector: None,
                    interval: None,
                    first_visit: PlannedVisit { at: now, reason: "first visit".into() },
                });
            }
        }
        store.add_sources(new, now).await?;
    }
    Ok(())
}

/// Leases everything that is due, fifty hosts at a time: visits leased a second.
async fn lease_all(store: &Store, now: Timestamp) -> anyhow::Result<(f64, Vec<HostWork>)> {
    let (began, mut work, mut leased) = (Instant::now(), Vec::new(), 0);
    loop {
        let some = store.lease_due_hosts(request(now, 50)).await?;
        if some.is_empty() {
            break;
        }
        leased += some.iter().map(|host| host.visits.len()).sum::<usize>();
        work.extend(some);
    }
    Ok((per_second(leased, began), work))
}

pub(crate) async fn give_back(store: &Store, work: Vec<HostWork>) -> anyhow::Result<()> {
    let releases = work.into_iter().map(|host| {
        let store = store.clone();
        tokio::spawn(async move { store.release_host(host.lease, Manners::default(), false).await })
    });
    for release in releases.collect::<Vec<_>>() {
        release.await??;
    }
    Ok(())
}

pub(crate) fn request(now: Timestamp, hosts: usize) -> LeaseRequest {
    LeaseRequest {
        owner: "bar".into(),
        share: store::Share::all(),
        now,
        lease_until: now + SignedDuration::from_hours(1),
        hosts,
        slow_hosts: 0,
        work_per_host: 50,
        default_delay: Duration::ZERO,
    }
}

/// Visits every leased source, first for all that is on its page, then again and again for a little that is new.
async fn visit_all(store: &Store, now: Timestamp, work: &[HostWork]) -> anyhow::Result<f64> {
    first_visits(store, now, work).await?;
    visit_rounds(store, now, work, 1..ROUNDS).await
}

/// Visits every leased source for the first time.
pub(crate) async fn first_visits(store: &Store, now: Timestamp, work: &[HostWork]) -> anyhow::Result<()> {
    visit_rounds(store, now, work, 0..1).await.map(drop)
}

/// Visits a second.
async fn visit_rounds(
    store: &Store,
    now: Timestamp,
    work: &[HostWork],
    rounds: std::ops::Range<usize>,
) -> anyhow::Result<f64> {
    let (began, visited) = (Instant::now(), Arc::new(AtomicUsize::new(0)));
    let mut turns: JoinSet<anyhow::Result<()>> = JoinSet::new();
    for host in work {
        let host = Turn::of(host);
        let rounds = rounds.clone();
        if turns.len() >= AT_ONCE
            && let Some(turn) = turns.join_next().await
        {
            turn??;
        }
        let (store, visited) = (store.clone(), visited.clone());
        turns.spawn(async move {
            for round in rounds {
                for source in &host.sources {
                    let record = record(&host, source, now, round)?;
                    let next = PlannedVisit { at: now + SignedDuration::from_hours(1), reason: "bar".into() };
                    store.record_visit(record, move |_| next).await?;
                    visited.fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok(())
        });
    }
    while let Some(turn) = turns.join_next().await {
        turn??;
    }
    Ok(per_second(visited.load(Ordering::Relaxed), began))
}

pub(crate) struct Turn {
    lease: Lease,
    pub(crate) sources: Vec<model::Source>,
}

impl Turn {
    pub(crate) fn of(host: &HostWork) -> Self {
        Self {
            lease: host.lease.clone(),
            sources: host.visits.iter().map(|due| due.source.clone()).collect(),
        }
    }
}

/// What a visit finds: the page moves on by some articles from one to the next.
pub(crate) fn record(
    host: &Turn,
    source: &model::Source,
    now: Timestamp,
    round: usize,
) -> anyhow::Result<VisitRecord> {
    let newest = LISTED + round * NEW;
    let articles = (newest - LISTED..newest).rev().map(|n| -> anyhow::Result<Found> {
        Ok(Found {
            url: source.url.join(&format!("/{}/2026/story-{n}", source.id))?,
            title: format!("The story number {n} of source {} about the harbour", source.id),
            published_at: Some(now),
            summary: Some("A teaser of a length that teasers have, with words to be searched for.".into()),
        })
    });
    Ok(VisitRecord {
        lease: host.lease.clone(),
        source_id: source.id,
        at: now + SignedDuration::from_secs(round as i64),
        took: Duration::from_millis(9),
        reason: "bar".into(),
        outcome: Outcome::NewContent,
        bytes: 4_000,
        kind: Some(SourceKind::ArticleList),
        title: None,
        articles: articles.collect::<Result<_, _>>()?,
        bodies: 1,
        selector: None,
        validators: None,
        text_hash: None,
        sights: None,
        notes: Vec::new(),
        robots: Vec::new(),
        after: After::Keep(Some(Manners::default())),
        earliest: None,
        rules: store::PlanRules::default(),
    })
}

/// A crawl's discovered URLs, as many as a page has at a time.
async fn discover(store: &Store, now: Timestamp) -> anyhow::Result<f64> {
    let topic = Topic::from_words("Books", &["book"]).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let new = NewCrawl {
        topic,
        settings: discovery::crawl::CrawlSettings::default(),
        seeds: vec![Url::parse("http://seed.example/")?],
        output: None,
        worker: None,
    };
    let crawl: CrawlId = store.add_crawl(new, now).await?;
    let epoch = store.begin_crawl(crawl, "bar").await?.epoch;
    let began = Instant::now();
    let mut under_way = Vec::with_capacity(PAGES);
    for page in 0..PAGES {
        let urls = (0..URLS_OF_A_PAGE).map(|n| -> anyhow::Result<NewCrawlUrl> {
            let spot = page * URLS_OF_A_PAGE + n;
            Ok(NewCrawlUrl {
                spot: u32::try_from(spot)?,
                url: Url::parse(&format!("http://host{}.example/shelf/{spot}", spot % 997))?,
                hash: spot as u64,
                depth: 3,
                priority: 0.5,
                parent: None,
                anchor: "An anchor of some words".into(),
            })
        });
        let urls = urls.collect::<Result<_, _>>()?;
        under_way.push(store.add_crawl_urls(crawl, epoch, page as i64, urls));
    }
    for one in under_way {
        one.await?;
    }
    Ok(per_second(PAGES * URLS_OF_A_PAGE, began))
}

fn per_second(count: usize, began: Instant) -> f64 {
    count as f64 / began.elapsed().as_secs_f64()
}
