//! The end: nothing is published any more, nobody is in trouble. Every source is asked for once more, and everything that was
//! begun comes to its end.

use super::books::Books;
use super::fleet::Fleet;
use super::web::Web;
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use std::time::{Duration, Instant};
use store::Store;
use tokio::task::JoinSet;

const LOOK_EVERY: Duration = Duration::from_secs(1);
const TELL_EVERY: Duration = Duration::from_secs(10);

/// What is still to be done.
#[derive(Debug, PartialEq, Eq, Default)]
pub(super) struct Left {
    sources: i64,
    bodies: i64,
    pages: i64,
    deliveries: i64,
}

impl Left {
    fn read(books: &Books<'_>, since: Timestamp) -> Self {
        let since = since.as_millisecond();
        Self {
            sources: books.number(&format!(
                "SELECT count(*) FROM source WHERE last_success_at IS NULL OR last_success_at < {since}"
            )),
            bodies: books.number("SELECT count(*) FROM article WHERE body_at IS NOT NULL"),
            pages: books.number(
                "SELECT CASE WHEN phase = 'finished' THEN 0 ELSE 1 + known - fetched - failed END FROM crawl",
            ),
            deliveries: books.number("SELECT count(*) FROM delivery WHERE state = 'waiting'"),
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl std::fmt::Display for Left {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { sources, bodies, pages, deliveries } = self;
        write!(
            f,
            "{sources} sources, {bodies} article pages, {pages} pages of the crawl, {deliveries} messages"
        )
    }
}

/// Asks for a visit to every source, as a person would.
pub(super) async fn ask_for_all(database: &str, sources: Vec<SourceId>) -> anyhow::Result<()> {
    let url = database.to_owned();
    let store = tokio::task::spawn_blocking(move || Store::connect(&url)).await??;
    let mut asked = JoinSet::new();
    for source in sources {
        let store = store.clone();
        let planned = PlannedVisit { at: Timestamp::now(), reason: "asked for at the end".into() };
        asked.spawn(async move { store.visit_soon(source, planned).await });
        if asked.len() >= 256
            && let Some(done) = asked.join_next().await
        {
            done??;
        }
    }
    while let Some(done) = asked.join_next().await {
        done??;
    }
    Ok(())
}

/// Some hosts with sources that wait: how many do, who holds it, and the milliseconds until it is due, free, and to be asked.
fn waiting(books: &Books<'_>, since: Timestamp) -> Vec<String> {
    let (since, now) = (since.as_millisecond(), Timestamp::now().as_millisecond());
    let rows = books.rows(&format!(
        "SELECT h.name, count(*), h.slow, coalesce(coalesce(w.label, h.lease_owner), 'free'), h.due_at - {now},
             coalesce((h.lease_until - {now})::text, '-'), coalesce((h.not_before - {now})::text, '-'), h.id % 256
         FROM host h JOIN source s ON s.host_id = h.id LEFT JOIN worker w ON w.name = h.lease_owner
         WHERE s.last_success_at IS NULL OR s.last_success_at < {since} GROUP BY h.id, w.label ORDER BY h.id LIMIT 4"
    ));
    rows.into_iter().map(|row| row.join("  ")).collect()
}

/// Waits until nothing is left to do; what is left when the time is up.
pub(super) fn wait(
    books: &Books<'_>,
    fleet: &mut Fleet,
    web: &Web,
    since: Timestamp,
) -> anyhow::Result<(Left, Duration)> {
    let (began, mut told) = (Instant::now(), Duration::ZERO);
    loop {
        let left = Left::read(books, since);
        if left.is_nothing() || began.elapsed() > fleet.settings.drain {
            return Ok((left, began.elapsed()));
        }
        if began.elapsed() > told + TELL_EVERY {
            told = began.elapsed();
            println!("  {:>6.1} s  left to do: {left}", web.now().as_secs_f64());
            for waiting in waiting(books, since) {
                println!("            {waiting}");
            }
        }
        fleet.look_after()?;
        std::thread::sleep(LOOK_EVERY);
    }
}
