//! What events gained: how long articles of events waited to be seen, and how long they would have waited for even polling.

use crate::database::params;
use crate::rows::{maybe_span, ms, time};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::SourceId;
use scheduling::Even;
use std::time::Duration;

/// How long articles of events waited.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Gain {
    /// Minutes from publication to first sight.
    pub waited: Vec<f64>,
    /// Minutes until even polling at the sources' intervals would have seen the same articles, in the same order.
    pub even: Vec<f64>,
    /// Visits that events caused, which even polling would not have made.
    pub visits: u64,
}

/// So many articles are looked at: the newest.
const MOST: i64 = 20_000;

/// Each article of the events, once for each source that lists it.
const ARTICLES: &str = "
    WITH of_events AS (
        SELECT DISTINCT a.id, a.published_at, a.first_seen_at
        FROM event e JOIN filing f ON f.folder_id = e.folder_id JOIN article a ON a.id = f.article_id
        WHERE e.opened_at > ?1 AND a.caught_up = 0
          AND f.article_id >= (SELECT id FROM article WHERE first_seen_at >= e.opened_at ORDER BY first_seen_at, id LIMIT 1)
          AND coalesce(e.verdict, '') <> 'dismissed'
          AND a.published_at >= e.opened_at AND a.published_at <= a.first_seen_at
          AND a.published_at <= coalesce(e.ended_at, 9223372036854775807)
        ORDER BY a.id DESC LIMIT ?2)
    SELECT o.*, l.source_id, s.interval_ms FROM of_events o
    JOIN listing l ON l.article_id = o.id JOIN source s ON s.id = l.source_id ORDER BY o.id DESC";

impl Store {
    /// How long dated articles of the events since `since` waited, and would have waited for even polling at `interval`
    /// (or at the source's own). Dismissed events were none.
    pub async fn event_gain(&self, since: Timestamp, interval: Duration) -> Result<Gain, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(ARTICLES)?;
            let mut rows = statement.query(params![ms(since), MOST])?;
            let mut gain = Gain::default();
            let mut last = None;
            while let Some(row) = rows.next()? {
                let (id, published, seen) =
                    (row.get::<_, i64>("id")?, time(&row, "published_at")?, time(&row, "first_seen_at")?);
                let interval = maybe_span(&row, "interval_ms")?.unwrap_or(interval);
                let met = Even::meets(SourceId(row.get("source_id")?), published, interval);
                let minutes = |to: Timestamp| to.duration_since(published).as_secs_f64() / 60.0;
                if let Some(even) = gain.even.last_mut().filter(|_| last == Some(id)) {
                    // Whichever of the sources that list it would have been visited first.
                    *even = even.min(minutes(met));
                } else {
                    gain.waited.push(minutes(seen));
                    gain.even.push(minutes(met));
                }
                last = Some(id);
            }
            gain.visits = connection
                .prepare_cached("SELECT count(*) FROM visit WHERE event_id IS NOT NULL AND at > ?1")?
                .query_row([ms(since)], |row| row.get::<_, i64>(0))?
                .unsigned_abs();
            Ok(gain)
        })
        .await
    }
}
