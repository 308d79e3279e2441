//! Forgetting: by age and by size, a little at a time so that nothing else waits.

use crate::database::{Connection, params};
use crate::rows::{ms, span_ms};
use crate::{Store, StoreError};
use jiff::Timestamp;
use std::time::Duration;

/// What may be kept. Starred articles are always kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Articles are kept this long after they were first seen; `None`: for ever.
    pub articles: Option<Duration>,
    /// Visits are kept this long.
    pub visits: Option<Duration>,
    /// Pages as fetched may take this many bytes; the oldest go first.
    pub page_bytes: Option<u64>,
    /// Messages are kept this long, unless they are still to be delivered.
    pub messages: Option<Duration>,
}

/// What was forgotten by one deed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// Articles.
    pub articles: usize,
    /// Visits.
    pub visits: usize,
    /// Stored pages.
    pub pages: usize,
    /// Messages.
    pub messages: usize,
}

/// Rows one deed removes of each kind: keeps the writer free for others.
const BATCH: i64 = 500;

impl Store {
    /// Removes a batch of what is beyond the limits. Call again while it removes something.
    pub async fn enforce_retention(&self, keep: Retention, now: Timestamp) -> Result<Removed, StoreError> {
        let (removed, articles) = self
            .write(move |connection| {
                let before = |span: Duration| ms(now).saturating_sub(span_ms(span));
                let old = keep.articles.map(|span| remove_articles(connection, before(span)));
                let articles = old.unwrap_or(Ok(Vec::new()))?;
                let removed = Removed {
                    articles: articles.len(),
                    visits: keep.visits.map_or(Ok(0), |span| remove_visits(connection, before(span)))?,
                    pages: keep.page_bytes.map_or(Ok(0), |bytes| remove_pages(connection, bytes))?,
                    messages: keep
                        .messages
                        .map_or(Ok(0), |span| remove_messages(connection, before(span)))?,
                };
                Ok((removed, articles))
            })
            .await?;
        for article in articles {
            self.inner.known.touch(article);
        }
        Ok(removed)
    }
}

/// Their URLs stay known, so that an old article still listed is not taken for news.
fn remove_articles(connection: &Connection, before: i64) -> Result<Vec<i64>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT id FROM article WHERE first_seen_at < ?1 AND starred = 0 ORDER BY first_seen_at LIMIT ?2",
    )?;
    let ids: Vec<i64> = statement.query_map([before, BATCH], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for id in &ids {
        connection.prepare_cached("DELETE FROM article_words WHERE rowid = ?1")?.execute([id])?;
        connection
            .prepare_cached(
                "UPDATE source SET articles = articles - 1
                 WHERE id IN (SELECT source_id FROM listing WHERE article_id = ?1)",
            )?
            .execute([id])?;
        connection.prepare_cached("DELETE FROM article WHERE id = ?1")?.execute([id])?;
    }
    Ok(ids)
}

/// What was seen of folders goes with the visits that saw it; events stay.
fn remove_visits(connection: &Connection, before: i64) -> Result<usize, StoreError> {
    connection.prepare_cached("DELETE FROM folder_window WHERE to_at < ?1")?.execute([before])?;
    Ok(connection
        .prepare_cached(
            "DELETE FROM visit WHERE id IN (SELECT id FROM visit WHERE at < ?1 ORDER BY at LIMIT ?2)",
        )?
        .execute([before, BATCH])?)
}

fn remove_messages(connection: &Connection, before: i64) -> Result<usize, StoreError> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM outbox WHERE id IN (
                 SELECT o.id FROM outbox o WHERE o.created_at < ?1 AND NOT EXISTS (
                     SELECT 1 FROM delivery d WHERE d.message_id = o.id AND d.state = 'waiting')
                 ORDER BY o.created_at LIMIT ?2)",
        )?
        .execute([before, BATCH])?)
}

fn remove_pages(connection: &Connection, allowed: u64) -> Result<usize, StoreError> {
    let used: i64 =
        connection
            .query_row("SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM page", [], |row| row.get(0))?;
    let mut excess = used - i64::try_from(allowed).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(
        "SELECT p.article_id, p.size FROM page p JOIN article a ON a.id = p.article_id
         WHERE a.starred = 0 ORDER BY p.fetched_at LIMIT ?1",
    )?;
    let oldest: Vec<(i64, i64)> =
        statement.query_map([BATCH], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    let mut removed = 0;
    for (id, size) in oldest {
        if excess <= 0 {
            break;
        }
        connection.prepare_cached("DELETE FROM page WHERE article_id = ?1")?.execute(params![id])?;
        excess -= size;
        removed += 1;
    }
    Ok(removed)
}
