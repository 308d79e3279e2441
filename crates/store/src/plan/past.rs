//! What a policy learns from at a start: the articles of each source, and when it was last visited.

use crate::database::{Connection, params};
use crate::rows::{maybe_span, maybe_time, ms, time, to_json};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{FolderId, SourceId};
use scheduling::{News, Share, Watched};
use std::collections::{BTreeMap, BTreeSet};

/// A source as it was.
#[derive(Debug, Clone)]
pub struct SourcePast {
    /// The source.
    pub source: Watched,
    /// Since when its articles are known.
    pub from: Timestamp,
    /// The articles it was the first to bring since then.
    pub news: Vec<News>,
    /// Its last visit that saw something.
    pub last_success_at: Option<Timestamp>,
    /// What the server asked for then.
    pub earliest: Option<Timestamp>,
    /// Failures in a row since.
    pub failures: u32,
}

/// How many sources there are; another mark stands for other ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Census {
    /// Sources that a policy plans for: not paused, without an interval of their own.
    pub planned: u64,
    all: u64,
    mark: i64,
}

impl Store {
    /// Sources that are not paused, with the articles they were the first to bring since `since`; all, or only these.
    pub async fn pasts(
        &self,
        since: Timestamp,
        only: Option<BTreeSet<SourceId>>,
    ) -> Result<Vec<SourcePast>, StoreError> {
        self.read(move |connection| {
            let only = only.as_ref().map(to_json).transpose()?;
            let mut pasts = sources(connection, only.as_deref())?;
            // A date without a time of day says nothing of the hour: then it counts when it was seen.
            let dialect = connection.dialect();
            let mut statement = connection.prepare_cached(&format!(
                "SELECT a.source_id, a.first_seen_at, CASE WHEN a.published_at IS NULL OR a.published_at % 86400000 = 0 THEN a.first_seen_at
                     ELSE min(a.published_at, a.first_seen_at) END AS at,
                     (SELECT {} FROM filing f WHERE f.article_id = a.id AND f.folder_id IS NOT NULL) AS folders
                 FROM article a WHERE a.first_seen_at >= ?1 AND (CAST(?2 AS TEXT) IS NULL OR a.source_id IN {})",
                dialect.list_of_numbers("f.folder_id"),
                dialect.numbers_of_json("?2"),
            ))?;
            let mut rows = statement.query(params![ms(since), only])?;
            while let Some(row) = rows.next()? {
                let Some(id) = row.get::<_, Option<i64>>("source_id")? else { continue };
                let (at, seen) = (time(&row, "at")?, time(&row, "first_seen_at")?);
                if let Some(past) = pasts.get_mut(&SourceId(id)).filter(|_| at >= since) {
                    past.from = past.from.min(seen);
                    past.news.push(News {
                        at,
                        folders: folders(row.get::<_, Option<String>>("folders")?.as_deref()),
                    });
                }
            }
            Ok(pasts.into_values().map(|past| past.begin(since)).collect())
        })
        .await
    }

    /// How many sources there are, and whether they are the same as before.
    pub async fn census(&self) -> Result<Census, StoreError> {
        self.read(|connection| {
            let sql = "SELECT count(*), count(*) - count(interval_ms), CAST(coalesce(sum(id), 0) AS BIGINT) FROM source WHERE paused = 0";
            Ok(connection.prepare_cached(sql)?.query_row([], |row| {
                let (all, planned): (i64, i64) = (row.get(0)?, row.get(1)?);
                Ok(Census { all: all.unsigned_abs(), planned: planned.unsigned_abs(), mark: row.get(2)? })
            })?)
        })
        .await
    }

    /// The sources that are not paused, on the hosts of this share.
    pub async fn awake_sources(&self, share: &Share) -> Result<BTreeSet<SourceId>, StoreError> {
        let share = share.clone();
        self.read(move |connection| {
            let mut statement =
                connection.prepare_cached("SELECT id, host_id FROM source WHERE paused = 0")?;
            let rows = statement.query_map([], |row| Ok((SourceId(row.get(0)?), row.get(1)?)))?;
            let awake: Vec<(SourceId, i64)> = rows.collect::<Result<_, _>>()?;
            Ok(awake.into_iter().filter(|(_, host)| share.holds(*host)).map(|(id, _)| id).collect())
        })
        .await
    }
}

impl SourcePast {
    /// Decides since when its articles are known. Its first listing goes back before the first visit, but old pieces that were
    /// pinned to it do not tell that all between them is known: its newer half does.
    fn begin(mut self, since: Timestamp) -> Self {
        let mut before: Vec<Timestamp> =
            self.news.iter().map(|news| news.at).filter(|at| *at < self.from).collect();
        before.sort_unstable();
        if let Some(median) = before.get(before.len() / 2) {
            self.from = *median;
        }
        self.from = self.from.max(since);
        self.news.retain(|news| news.at >= self.from);
        self
    }
}

fn sources(
    connection: &Connection,
    only: Option<&str>,
) -> Result<BTreeMap<SourceId, SourcePast>, StoreError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT * FROM source WHERE paused = 0 AND (CAST(?1 AS TEXT) IS NULL OR id IN {})",
        connection.dialect().numbers_of_json("?1"),
    ))?;
    let rows = statement.query_map([only], |row| {
        let id = SourceId(row.get("id")?);
        let past = SourcePast {
            source: Watched { id, interval: maybe_span(row, "interval_ms")? },
            from: time(row, "added_at")?,
            news: Vec::new(),
            last_success_at: maybe_time(row, "last_success_at")?,
            earliest: maybe_time(row, "earliest_at")?,
            failures: row.get("failures")?,
        };
        Ok((id, past))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn folders(ids: Option<&str>) -> Vec<FolderId> {
    ids.into_iter().flat_map(|ids| ids.split(',')).filter_map(|id| id.parse().ok().map(FolderId)).collect()
}
