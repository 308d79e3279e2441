//! What a policy learns from at a start: the articles of each source, and when it was last visited.

use crate::rows::{maybe_span, maybe_time, ms, time};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{FolderId, PlannedVisit, SourceId};
use rusqlite::Connection;
use scheduling::{News, Watched};
use std::collections::BTreeMap;

/// A source as it was.
#[derive(Debug, Clone)]
pub struct SourcePast {
    /// The source.
    pub source: Watched,
    /// Since when its articles are known.
    pub from: Timestamp,
    /// Its articles since then.
    pub news: Vec<News>,
    /// Its last visit that saw something.
    pub last_success_at: Option<Timestamp>,
    /// Failures in a row since.
    pub failures: u32,
    /// What is planned.
    pub planned: Option<PlannedVisit>,
}

impl Store {
    /// Every source that is not paused, with its articles since `since`.
    pub async fn pasts(&self, since: Timestamp) -> Result<Vec<SourcePast>, StoreError> {
        self.read(move |connection| {
            let mut pasts = sources(connection)?;
            let mut statement = connection.prepare(
                "SELECT l.source_id, min(coalesce(a.published_at, l.first_seen_at), l.first_seen_at) AS at,
                     (SELECT group_concat(DISTINCT f.folder_id) FROM filing f
                      WHERE f.article_id = a.id AND f.folder_id IS NOT NULL) AS folders
                 FROM listing l JOIN article a ON a.id = l.article_id WHERE l.first_seen_at >= ?1",
            )?;
            let mut rows = statement.query([ms(since)])?;
            while let Some(row) = rows.next()? {
                let source = SourceId(row.get("source_id")?);
                let at = time(row, "at")?;
                let Some(past) = pasts.get_mut(&source) else { continue };
                if at < since {
                    continue;
                }
                // The first listing goes back before the first visit.
                past.from = past.from.min(at);
                past.news.push(News { at, folders: folders(row.get("folders")?) });
            }
            let mut pasts: Vec<_> = pasts.into_values().collect();
            pasts.iter_mut().for_each(|past| past.from = past.from.max(since));
            Ok(pasts)
        })
        .await
    }

    /// Sources that a policy plans for: not paused, without an interval of their own.
    pub async fn planned_sources(&self) -> Result<u64, StoreError> {
        self.read(|connection| {
            let sql = "SELECT count(*) FROM source WHERE paused = 0 AND interval_ms IS NULL";
            Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get::<_, i64>(0))?.unsigned_abs())
        })
        .await
    }
}

fn sources(connection: &Connection) -> Result<BTreeMap<SourceId, SourcePast>, StoreError> {
    let mut statement = connection.prepare("SELECT * FROM source WHERE paused = 0")?;
    let rows = statement.query_map([], |row| {
        let id = SourceId(row.get("id")?);
        let reason = row.get("next_reason")?;
        let past = SourcePast {
            source: Watched { id, interval: maybe_span(row, "interval_ms")? },
            from: time(row, "added_at")?,
            news: Vec::new(),
            last_success_at: maybe_time(row, "last_success_at")?,
            failures: row.get("failures")?,
            planned: maybe_time(row, "next_at")?.map(|at| PlannedVisit { at, reason }),
        };
        Ok((id, past))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn folders(ids: Option<String>) -> Vec<FolderId> {
    ids.iter().flat_map(|ids| ids.split(',')).filter_map(|id| id.parse().ok().map(FolderId)).collect()
}
