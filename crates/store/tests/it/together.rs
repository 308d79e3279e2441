//! Visits recorded together leave the same rows as the same visits recorded one by one.

use crate::shop::{Shop, at, planned, visit_record_under};
use knowledge::{ImportOptions, Interchange};
use model::{Epoch, FailureKind, Found, Manners, Outcome, RobotsRecord, RobotsVerdict, SourceId};
use page::watches::{Aim, Terms};
use proptest::prelude::*;
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;
use store::{After, Lease, Recorded, Store, StoreError, VisitRecord};
use tokio::runtime::Runtime;
use url::Url;

const HOSTS: usize = 3;
const SOURCES: usize = 6;

/// One visit of a plan.
#[derive(Debug, Clone)]
struct Stop {
    source: usize,
    /// Articles on its page; those of the same half have the same headline.
    listed: Vec<u8>,
    bodies: usize,
    fails: bool,
    after: u8,
    /// Under a lease that is over.
    is_late: bool,
    reads_robots: bool,
}

fn stop() -> impl Strategy<Value = Stop> {
    let listed = proptest::collection::vec(0..12_u8, 0..6);
    (0..SOURCES + 1, listed, 0..3_usize, 0..8_u8, 0..6_u8, 0..10_u8, 0..8_u8).prop_map(
        |(source, listed, bodies, fails, after, late, robots)| Stop {
            source,
            // Who could not read the page found nothing on it.
            listed: if fails == 0 { Vec::new() } else { listed },
            bodies,
            fails: fails == 0,
            after,
            is_late: late == 0,
            reads_robots: robots == 0,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn visits_together_leave_the_rows_that_they_leave_one_by_one(
        rounds in proptest::collection::vec(proptest::collection::vec(stop(), 1..14), 1..4)
    ) {
        Runtime::new().unwrap().block_on(async {
            let (together, one_by_one) = (Paper::new().await, Paper::new().await);
            for (number, stops) in rounds.iter().enumerate() {
                let now = 600 * number as i64;
                let (first, second) = (together.lease(now).await, one_by_one.lease(now).await);
                let some = record_together(&together.shop.store, together.records(&first, stops, now)).await;
                let mut others = Vec::new();
                for record in one_by_one.records(&second, stops, now) {
                    others.push(record_one(&one_by_one.shop.store, record).await);
                }
                let words = |all: &[Result<Recorded, StoreError>]| {
                    all.iter().map(in_words).collect::<Vec<_>>()
                };
                assert_eq!(words(&some), words(&others), "round {number}");
            }
            assert_same_rows(&together.shop, &one_by_one.shop);
        });
    }
}

/// Records visits in one group: the writer is busy until all have queued.
pub(crate) async fn record_together(
    store: &Store,
    records: Vec<VisitRecord>,
) -> Vec<Result<Recorded, StoreError>> {
    let busy = store.clone();
    let (began, has_begun) = tokio::sync::oneshot::channel();
    let mut began = Some(began);
    let busy = tokio::spawn(async move {
        let wait = move |_: &detection::Watcher| {
            if let Some(began) = began.take() {
                began.send(()).unwrap();
            }
            std::thread::sleep(Duration::from_millis(100));
        };
        busy.watcher(wait).await.unwrap();
    });
    has_begun.await.unwrap();
    let mut visits = Vec::new();
    for record in records {
        let mut visit = Box::pin(record_one(store, record));
        // Each queues before the next.
        let first = poll_fn(|context| Poll::Ready(visit.as_mut().poll(context))).await;
        assert!(first.is_pending());
        visits.push(visit);
    }
    busy.await.unwrap();
    let mut done = Vec::new();
    for visit in visits {
        done.push(visit.await);
    }
    done
}

pub(crate) async fn record_one(store: &Store, record: VisitRecord) -> Result<Recorded, StoreError> {
    let next = record.at.as_second() - at(0).as_second() + 300;
    store.record_visit(record, move |seen| planned(next + seen.news.len() as i64)).await
}

/// What came of a visit, but for numbers that may have gaps.
pub(crate) fn in_words(result: &Result<Recorded, StoreError>) -> String {
    match result {
        Ok(recorded) => format!(
            "{} new, {:?}, {} events, {} brought forward, {} told",
            recorded.new.len(),
            recorded.planned,
            recorded.events.len(),
            recorded.triggered,
            recorded.told
        ),
        Err(error) => error.to_string(),
    }
}

/// Sources on a few hosts, a folder with a rule, and a watch on the first page.
struct Paper {
    shop: Shop,
    sources: Vec<SourceId>,
}

impl Paper {
    async fn new() -> Self {
        let shop = Shop::new();
        let mut sources = Vec::new();
        for source in 0..SOURCES {
            sources.push(shop.add(&format!("https://host{}.example/{source}", source % HOSTS)).await);
        }
        // One that is not there.
        sources.push(SourceId(1_000_000));
        shop.store.create_folder("Harbour".into()).await.unwrap();
        let rules = Interchange::parse("if title has \"harbour\" then Harbour [1]\n").unwrap();
        let import = move |base: &knowledge::Base| {
            let import = rules.import(base, ImportOptions::default());
            import.map(|import| (import.folders, import.lesson)).map_err(StoreError::from)
        };
        shop.store.learn_with_folders(None, at(0), import).await.unwrap();
        let terms = Terms::new(Aim::at("css .price".parse().unwrap()));
        shop.store.add_watch(sources[0], "price".into(), terms, at(0)).await.unwrap();
        Self { shop, sources }
    }

    async fn lease(&self, now: i64) -> Vec<Lease> {
        let mut leases = Vec::new();
        for host in 0..HOSTS {
            let request = crate::shop::request(now);
            let work = self.shop.store.lease_host(format!("host{host}.example"), request).await.unwrap();
            leases.push(work.unwrap().lease);
        }
        leases
    }

    fn records(&self, leases: &[Lease], stops: &[Stop], now: i64) -> Vec<VisitRecord> {
        stops.iter().zip(now..).map(|(stop, now)| self.record(leases, stop, now)).collect()
    }

    fn record(&self, leases: &[Lease], stop: &Stop, now: i64) -> VisitRecord {
        let host = stop.source % HOSTS;
        let lease = &leases[host];
        let epoch = Epoch(lease.epoch.0 - i64::from(stop.is_late));
        let manners = Manners { troubles: u32::from(stop.after), ..Manners::default() };
        let failed = Outcome::Failed { kind: FailureKind::Timeout, detail: "20 s".into() };
        let robots = RobotsRecord {
            origin: format!("https://host{host}.example"),
            fetched_at: at(now),
            expires_at: at(now + 60),
            verdict: RobotsVerdict::AllowAll,
        };
        VisitRecord {
            articles: stop.listed.iter().map(|n| article(*n)).collect(),
            bodies: stop.bodies,
            outcome: if stop.fails { failed } else { Outcome::NewContent },
            robots: if stop.reads_robots { vec![robots] } else { Vec::new() },
            after: match stop.after {
                0 => After::GiveBack { manners, slow: stop.fails },
                1 | 2 => After::Keep(Some(manners)),
                _ => After::Keep(None),
            },
            ..visit_record_under(&Lease { host_id: lease.host_id, epoch }, self.sources[stop.source], now)
        }
    }
}

fn article(n: u8) -> Found {
    let what = if n.is_multiple_of(3) { "harbour" } else { "bridge" };
    Found {
        url: Url::parse(&format!("https://host{}.example/news/{n}", n % 4)).unwrap(),
        title: format!("The {what} is open for story number {}", n / 2),
        published_at: n.is_multiple_of(2).then(|| at(i64::from(n))),
        summary: None,
    }
}

/// All that visits write, with the order of numbers instead of the numbers themselves.
const ROWS: &[&str] = &[
    "SELECT row_number() OVER (ORDER BY id), source_id, at, took_ms, reason, word, outcome, bytes, listed, new, notes, event_id
     FROM visit ORDER BY id",
    "SELECT row_number() OVER (ORDER BY a.id), a.url, h.name, a.title, a.anchor, a.published_at, a.first_seen_at,
         (SELECT count(*) FROM visit v WHERE v.id <= a.visit_id), a.source_id, a.summary, a.body, a.body_at, a.body_tries,
         a.folders, (SELECT b.url FROM article b WHERE b.id = a.story_id), a.caught_up
     FROM article a JOIN host h ON h.id = a.host_id ORDER BY a.id",
    "SELECT k.url, a.url FROM known_url k LEFT JOIN article a ON a.id = k.article_id ORDER BY k.url",
    "SELECT a.url, l.source_id, (SELECT count(*) FROM visit v WHERE v.id <= l.visit_id), l.first_seen_at
     FROM listing l JOIN article a ON a.id = l.article_id ORDER BY a.url, l.source_id",
    "SELECT a.url, f.rule_id, f.folder_id, f.version FROM filing f JOIN article a ON a.id = f.article_id ORDER BY a.url",
    "SELECT * FROM source ORDER BY id",
    // When a host that is held is due says nothing before it is given back.
    "SELECT name, crawl_delay_ms, not_before, troubles, last_trouble, slow, lease_owner, lease_until, epoch,
         CASE WHEN lease_owner IS NULL THEN due_at END
     FROM host ORDER BY name",
    "SELECT * FROM robots ORDER BY origin",
    "SELECT folder_id, began_at, opened_at, ended_at, source_id, opening, reacted FROM event ORDER BY id",
    "SELECT * FROM folder_window ORDER BY folder_id, from_at",
    "SELECT * FROM part_watch ORDER BY id",
    "SELECT idempotency_key, kind, payload FROM outbox ORDER BY id",
];

pub(crate) fn assert_same_rows(one: &Shop, other: &Shop) {
    for sql in ROWS {
        assert_eq!(one.data.ask(sql), other.data.ask(sql), "{sql}");
    }
}
