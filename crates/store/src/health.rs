//! What is late, what failed, how much there is.

use crate::database::{self, Dialect, params};
use crate::rows::{maybe_outcome, ms, time, url};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{Outcome, SourceId};
use std::path::Path;
use url::Url;

/// The state of things at one moment.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Health {
    /// Sources, paused ones included.
    pub sources: u64,
    /// Paused sources.
    pub paused: u64,
    /// Sources whose last visit failed.
    pub failing: u64,
    /// Articles kept.
    pub articles: u64,
    /// Unread articles.
    pub unread: u64,
    /// Articles whose page is still to be read.
    pub bodies_waiting: u64,
    /// Visits of the last day by outcome.
    pub visits: Vec<VisitCounts>,
    /// Sources that should have been visited by now, and why not; the longest overdue first.
    pub late: Vec<LateSource>,
    /// Hosts held by a worker now.
    pub leased_hosts: u64,
    /// Bytes of the data file and its log, or of the database.
    pub file_bytes: u64,
}

/// How often an outcome came.
#[derive(Debug, Clone, serde::Serialize)]
pub struct VisitCounts {
    /// The outcome's word.
    pub outcome: String,
    /// How often.
    pub visits: u64,
    /// New articles it brought.
    pub new: u64,
}

/// A source that was not visited on time.
#[derive(Debug, Clone, serde::Serialize)]
pub struct LateSource {
    /// The source.
    pub id: SourceId,
    /// Its URL.
    pub url: Url,
    /// Its name, if it has one.
    pub title: Option<String>,
    /// When it should have been visited.
    pub due_at: Timestamp,
    /// Until when manners keep us from its host, if they do.
    pub host_not_before: Option<Timestamp>,
    /// How the last visit ended.
    pub last_outcome: Option<Outcome>,
}

impl Store {
    /// The state of things. `since` bounds the visit counts; a source is late if due before `late_before`.
    pub async fn health(&self, since: Timestamp, late_before: Timestamp) -> Result<Health, StoreError> {
        let file_bytes = self.bytes().await?;
        self.read(move |connection| {
            let count = |sql: &str| -> Result<u64, StoreError> {
                let n: i64 = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
                Ok(n.unsigned_abs())
            };
            Ok(Health {
                sources: count("SELECT count(*) FROM source")?,
                paused: count("SELECT count(*) FROM source WHERE paused = 1")?,
                failing: count("SELECT count(*) FROM source WHERE failures > 0")?,
                articles: count("SELECT count(*) FROM article")?,
                unread: count("SELECT count(*) FROM article WHERE read = 0")?,
                bodies_waiting: count("SELECT count(*) FROM article WHERE body_at IS NOT NULL")?,
                leased_hosts: count("SELECT count(*) FROM host WHERE lease_owner IS NOT NULL")?,
                visits: visit_counts(connection, since)?,
                late: late_sources(connection, late_before, 50)?,
                file_bytes,
            })
        })
        .await
    }

    /// Bytes of the data file and its log, or of the database.
    pub async fn bytes(&self) -> Result<u64, StoreError> {
        if let Some(file) = self.file() {
            return Ok(size_with_log(file));
        }
        let sql = "SELECT pg_database_size(current_database())";
        let size =
            self.read(move |connection| Ok(connection.query_row(sql, [], |row| row.get::<_, i64>(0))?));
        Ok(size.await?.unsigned_abs())
    }

    /// Sources that should have been visited before `late_before`, the longest overdue first. One whose host is
    /// being left alone is not late: that is politeness.
    pub async fn late_sources(
        &self,
        late_before: Timestamp,
        limit: usize,
    ) -> Result<Vec<LateSource>, StoreError> {
        self.read(move |connection| late_sources(connection, late_before, limit)).await
    }

    /// How many sources should have been visited before `late_before`.
    pub async fn count_late(&self, late_before: Timestamp) -> Result<u64, StoreError> {
        self.read(move |connection| {
            let count: i64 = connection
                .prepare_cached(
                    "SELECT count(*) FROM source s JOIN host h ON h.id = s.host_id
                     WHERE s.next_at IS NOT NULL AND s.next_at < ?1 AND coalesce(h.not_before, 0) < ?1",
                )?
                .query_row([ms(late_before)], |row| row.get(0))?;
            Ok(count.unsigned_abs())
        })
        .await
    }

    /// A thorough look at the data themselves: what the database finds wrong with them, nothing if they are sound.
    /// PostgreSQL looks after its files by itself; it is asked for indexes that were never finished.
    pub async fn check_integrity(&self) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let mut findings = Vec::new();
            let checks: &[&str] = match connection.dialect() {
                Dialect::Sqlite => &["PRAGMA integrity_check(20)", "PRAGMA foreign_key_check"],
                Dialect::Postgres => {
                    &["SELECT CAST(indexrelid AS regclass)::text || ' is not valid: REINDEX it'
                                        FROM pg_index WHERE NOT indisvalid"]
                }
            };
            for check in checks {
                let mut statement = connection.prepare_cached(check)?;
                let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
                findings.extend(rows.collect::<Result<Vec<_>, _>>()?);
            }
            findings.retain(|finding| finding != "ok");
            Ok(findings)
        })
        .await
    }
}

fn size_with_log(file: &Path) -> u64 {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |meta| meta.len());
    size(file) + size(Path::new(&log))
}

fn visit_counts(connection: &database::Connection, since: Timestamp) -> Result<Vec<VisitCounts>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT word, count(*), CAST(sum(new) AS BIGINT) FROM visit WHERE at >= ?1 GROUP BY word ORDER BY count(*) DESC",
    )?;
    let rows = statement.query_map([ms(since)], |row| {
        Ok(VisitCounts {
            outcome: row.get(0)?,
            visits: row.get::<_, i64>(1)?.unsigned_abs(),
            new: row.get::<_, i64>(2)?.unsigned_abs(),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn late_sources(
    connection: &database::Connection,
    late_before: Timestamp,
    limit: usize,
) -> Result<Vec<LateSource>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT s.*, h.not_before AS host_not_before FROM source s JOIN host h ON h.id = s.host_id
         WHERE s.next_at < ?1 AND coalesce(h.not_before, 0) < ?1 ORDER BY s.next_at LIMIT ?2",
    )?;
    let rows = statement.query_map(params![ms(late_before), limit as i64], |row| {
        let due_at = time(row, "next_at")?;
        Ok(LateSource {
            id: SourceId(row.get("id")?),
            url: url(row, "url")?,
            title: row.get("title")?,
            due_at,
            host_not_before: crate::rows::maybe_time(row, "host_not_before")?.filter(|until| *until > due_at),
            last_outcome: maybe_outcome(row, "last_outcome")?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
