//! How latency grows with the tables, on PostgreSQL with a commit that waits for the disk: leases, visits and pages of a crawl,
//! in a small database and, turn and turn about, in one with a million articles and a million or ten million URLs of a crawl.

use crate::database::{Turn, first_visits, give_back, record, request, server_with_sources};
use anyhow::Context as _;
use discovery::ontology::Topic;
use jiff::{SignedDuration, Timestamp};
use model::{CrawlId, PlannedVisit, SourceId};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use store::{FoundPage, FoundWord, NewCrawl, NewCrawlUrl, PageRecord, Store, UrlEnd};
use testkit::postgres::Postgres;
use url::Url;

const ROUNDS: usize = 120;
const VISITS_OF_A_ROUND: usize = 4;
const PAGES_OF_A_ROUND: usize = 3;
const LINKS: usize = 20;
const ARTICLES: u32 = 1_000_000;
const SMALL: u32 = 10_000;
/// What a large table may cost.
const BAR: f64 = 1.5;

pub(crate) async fn run() -> anyhow::Result<bool> {
    let server = Postgres::start_durable();
    let now = Timestamp::now();
    let mut small = Side::new(&server, now, SMALL, SMALL).await?;
    let mut large = Side::new(&server, now, ARTICLES, 1_000_000).await?;
    let mut worst: f64 = compare("1 M URLs and articles", &mut small, &mut large).await?;
    large.grow(&server, 10_000_000).await?;
    large.tell_room(&server);
    worst = worst.max(compare("10 M URLs, 1 M articles", &mut small, &mut large).await?);
    println!("figure: p95 of leases, visits and pages grow at most {worst:.2} times (bar {BAR})");
    Ok(worst < BAR)
}

/// The largest growth of a p95.
async fn compare(name: &str, small: &mut Side, large: &mut Side) -> anyhow::Result<f64> {
    let (mut of_small, mut of_large) = (Took::default(), Took::default());
    for round in 0..ROUNDS {
        // Whatever else the machine does, it does to both.
        small.round(&mut of_small).await?;
        large.round(&mut of_large).await?;
        if round == ROUNDS / 10 {
            // The first ones fill caches.
            (of_small, of_large) = (Took::default(), Took::default());
        }
    }
    let mut worst: f64 = 0.0;
    for ((what, small), (_, large)) in of_small.sorted().into_iter().zip(of_large.sorted()) {
        let growth = at(&large, 95) / at(&small, 95);
        println!(
            "{name}: {what}: p50 {:.1} ms, small {:.1}; p95 {:.1} ms, small {:.1}: {growth:.2} times",
            at(&large, 50),
            at(&small, 50),
            at(&large, 95),
            at(&small, 95),
        );
        worst = worst.max(growth);
    }
    Ok(worst)
}

/// Milliseconds.
#[derive(Default)]
struct Took {
    leases: Vec<f64>,
    visits: Vec<f64>,
    pages: Vec<f64>,
}

impl Took {
    fn sorted(self) -> [(&'static str, Vec<f64>); 3] {
        let sorted = |mut all: Vec<f64>| {
            all.sort_by(f64::total_cmp);
            all
        };
        [
            ("leases of 50 hosts", sorted(self.leases)),
            ("visits", sorted(self.visits)),
            ("pages", sorted(self.pages)),
        ]
    }
}

fn at(sorted: &[f64], percent: usize) -> f64 {
    sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

/// A database that is worked on.
struct Side {
    database: String,
    store: Store,
    now: Timestamp,
    crawl: CrawlId,
    epoch: i64,
    /// Since the crawl was last begun.
    deeds: i64,
    /// Pages of the crawl so far.
    pages: u64,
    /// URLs of the crawl, and how many of them were there at first.
    known: u32,
    filled: u32,
    /// How often each source was visited.
    visits: HashMap<SourceId, usize>,
}

impl Side {
    async fn new(server: &Postgres, now: Timestamp, articles: u32, urls: u32) -> anyhow::Result<Self> {
        let (database, store) = server_with_sources(server, now).await?;
        let topic = Topic::from_words("Books", &["book"]).map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let settings = discovery::crawl::CrawlSettings::default();
        let seeds = vec![Url::parse("http://seed.example/")?];
        let crawl =
            store.add_crawl(NewCrawl { topic, settings, seeds, output: None, worker: None }, now).await?;
        let began = Instant::now();
        server.run_in(&database, &articles_sql(articles, now));
        let mut side = Self {
            database,
            store,
            now,
            crawl,
            epoch: 0,
            deeds: 0,
            pages: 0,
            known: 0,
            filled: 0,
            visits: HashMap::new(),
        };
        side.grow(server, urls).await?;
        println!(
            "{articles} articles and {urls} URLs are there after {:.0} s",
            began.elapsed().as_secs_f64()
        );
        // So that visits list what is known.
        let work = side.store.lease_due_hosts(request(now, 1_000)).await?;
        first_visits(&side.store, now, &work).await?;
        give_back(&side.store, work).await?;
        // By then all of them are due again.
        side.now = now + SignedDuration::from_hours(2);
        Ok(side)
    }

    /// Fills the crawl's table up.
    async fn grow(&mut self, server: &Postgres, urls: u32) -> anyhow::Result<()> {
        let (known, crawl) = (self.known, self.crawl.0);
        server.run_in(
            &self.database,
            &format!(
                "SET session_replication_role = replica;
                 INSERT INTO crawl_url (crawl_id, spot, state, depth, parent, priority, hash, url, anchor)
                 SELECT {crawl}, n, 0, 3, 0, 0.5, n, 'http://host' || n % 997 || '.example/shelf/' || n, 'An anchor of words'
                 FROM generate_series({known}, {urls} - 1) n;
                 UPDATE crawl SET known = {urls} WHERE id = {crawl}"
            ),
        );
        server.run_in(&self.database, "VACUUM ANALYZE");
        server.run_in(&self.database, "CHECKPOINT");
        (self.known, self.filled, self.deeds) = (urls, urls, 0);
        self.epoch = self.store.begin_crawl(self.crawl, "bar").await?.epoch;
        Ok(())
    }

    /// How much room a URL and an article take, with all their indexes.
    fn tell_room(&self, server: &Postgres) {
        let bytes = |tables: &str| {
            let sql = format!("SELECT sum(pg_total_relation_size(t)) FROM unnest(ARRAY[{tables}]) t");
            server.rows_of(&self.database, &sql).concat().concat().parse().unwrap_or(0.0)
        };
        println!(
            "room: {:.0} bytes a URL of a crawl, {:.0} bytes an article without its text and page, with indexes",
            bytes("'crawl_url'") / f64::from(self.known),
            bytes("'article', 'known_url', 'listing', 'article_words', 'visit'") / f64::from(ARTICLES)
        );
    }

    async fn round(&mut self, took: &mut Took) -> anyhow::Result<()> {
        let began = Instant::now();
        let work = self.store.lease_due_hosts(request(self.now, 50)).await?;
        took.leases.push(ms(began));
        for host in work.iter().take(VISITS_OF_A_ROUND) {
            let turn = Turn::of(host);
            let source = turn.sources.first().context("a leased host has a source that is due")?;
            let visits = self.visits.entry(source.id).or_default();
            *visits += 1;
            let record = record(&turn, source, self.now, *visits)?;
            let next = PlannedVisit { at: self.now, reason: "bar".into() };
            let began = Instant::now();
            self.store.record_visit(record, move |_| next).await?;
            took.visits.push(ms(began));
        }
        for _ in 0..PAGES_OF_A_ROUND {
            let record = self.page()?;
            let began = Instant::now();
            self.store.record_page(record).await?;
            took.pages.push(ms(began));
        }
        give_back(&self.store, work).await
    }

    /// Another page of the crawl, somewhere in its table.
    fn page(&mut self) -> anyhow::Result<PageRecord> {
        let spot = (self.pages * 7_919_001 % u64::from(self.filled)) as u32;
        let links = (self.known..).take(LINKS).map(|new| -> anyhow::Result<NewCrawlUrl> {
            Ok(NewCrawlUrl {
                spot: new,
                url: Url::parse(&format!("http://host{}.example/new/{new}", new % 997))?,
                hash: u64::from(new),
                depth: 4,
                priority: 0.5,
                parent: Some(spot),
                anchor: "An anchor of some words".into(),
            })
        });
        let record = PageRecord {
            crawl: self.crawl,
            epoch: self.epoch,
            deed: self.deeds,
            spot,
            end: UrlEnd::Page(Box::new(found_page())),
            new: links.collect::<Result<_, _>>()?,
            candidates: Vec::new(),
            lessons: Vec::new(),
            robots: Vec::new(),
            host: None,
            warc: None,
            now: self.now,
        };
        self.deeds += 1;
        self.pages += 1;
        self.known += LINKS as u32;
        Ok(record)
    }
}

fn found_page() -> FoundPage {
    FoundPage {
        unkept: None,
        status: 200,
        bytes: 20_000,
        score: 0.8,
        on_topic: true,
        evidence: vec![FoundWord { class: "Book".into(), word: "book".into(), count: 3, weight: 1.0 }],
        title: Some("A page about books".into()),
        language: Some("en".into()),
        fingerprint: Some(1),
        text: "A page with some words about books that somebody may search for one day. ".repeat(20),
        warc: None,
    }
}

fn ms(began: Instant) -> f64 {
    Duration::as_secs_f64(&began.elapsed()) * 1_000.0
}

/// Articles of a year on hosts of their own, fifty to a source, with all that belongs to them.
fn articles_sql(articles: u32, now: Timestamp) -> String {
    let sources = articles / 50;
    let (now, later) = (now.as_millisecond(), (now + SignedDuration::from_hours(240)).as_millisecond());
    let year = 365_i64 * 86_400_000;
    format!(
        "SET session_replication_role = replica;
         CREATE TEMP TABLE old AS SELECT coalesce(max(id), 0) AS host, (SELECT coalesce(max(id), 0) FROM source) AS source FROM host;
         INSERT INTO host (name, due_at) SELECT 'old' || n || '.example', {later} FROM generate_series(1, {sources}) n;
         INSERT INTO source (url, host_id, added_at, next_at, next_reason, last_visit_at, last_success_at, articles)
         SELECT 'http://old' || n || '.example/', old.host + n, {now} - {year}, {later}, 'bar', {now}, {now}, 50
         FROM generate_series(1, {sources}) n, old;
         INSERT INTO visit (source_id, at, took_ms, reason, word, outcome, bytes, listed, new, notes)
         SELECT old.source + 1 + n % {sources}, {now} - {year} + {year} / {articles} * n, 9, 'bar', 'new_content',
             '{{\"outcome\":\"new_content\"}}', 4000, 20, 1, '[]'
         FROM generate_series(1, {articles}) n, old;
         INSERT INTO article (url, host_id, title, anchor, published_at, first_seen_at, visit_id, source_id, summary, body)
         SELECT 'http://old' || 1 + n % {sources} || '.example/2025/story-' || n, old.host + 1 + n % {sources},
             'The old story number ' || n, 'The old story number ' || n, {now} - {year} + {year} / {articles} * n,
             {now} - {year} + {year} / {articles} * n, n, old.source + 1 + n % {sources}, 'A teaser with words to be searched for.',
             'missing'
         FROM generate_series(1, {articles}) n, old;
         INSERT INTO known_url (url, article_id) SELECT url, id FROM article;
         INSERT INTO listing (article_id, source_id, visit_id, first_seen_at) SELECT id, source_id, visit_id, first_seen_at FROM article;
         INSERT INTO article_words (rowid, words) SELECT id, to_tsvector('simple', title || ' ' || summary) FROM article;"
    )
}
