//! What watches saw change.

use super::rows::change;
use crate::database::params;
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{ChangeId, VisitId, WatchId};
use page::watches::{Diff, Kind};
use url::Url;

/// A change that a watch saw.
#[derive(Debug, Clone, PartialEq)]
pub struct PartChange {
    /// Its id.
    pub id: ChangeId,
    /// The watch.
    pub watch: WatchId,
    /// The visit that showed it.
    pub visit: VisitId,
    /// When.
    pub at: Timestamp,
    /// Of which kind.
    pub kind: Kind,
    /// Whether it was told.
    pub told: bool,
    /// Why it was told or not.
    pub why: String,
    /// What it is compared with was so at this time.
    pub since: Option<Timestamp>,
    /// The first number before,
    pub number_before: Option<f64>,
    /// and after.
    pub number: Option<f64>,
    /// The beginning of the part as it was then.
    pub text: String,
    /// What changed.
    pub diff: Diff,
}

/// A change that was told, with whose it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ToldChange {
    /// The change.
    pub change: PartChange,
    /// What the watch is called.
    pub watch_name: String,
    /// What its source is called.
    pub source_title: String,
    /// Where that is.
    pub source_url: Url,
}

impl Store {
    /// The changes a watch saw, newest first; those before `before`, if it is given.
    pub async fn part_changes(
        &self,
        watch: WatchId,
        before: Option<ChangeId>,
        limit: usize,
    ) -> Result<Vec<PartChange>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT * FROM part_change WHERE watch_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3",
            )?;
            let before = before.map_or(i64::MAX, |id| id.0);
            let rows = statement.query_map(params![watch.0, before, limit as i64], change)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The last changes that were told, of one watch or of all, newest first.
    pub async fn told_changes(
        &self,
        watch: Option<WatchId>,
        limit: usize,
    ) -> Result<Vec<ToldChange>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT c.*, w.name AS watch_name, coalesce(s.title, s.url) AS source_title, s.url AS source_url
                 FROM part_change c JOIN part_watch w ON w.id = c.watch_id JOIN source s ON s.id = w.source_id
                 WHERE c.told = 1 AND (c.watch_id = ?1 OR ?1 IS NULL) ORDER BY c.id DESC LIMIT ?2",
            )?;
            let rows = statement.query_map(params![watch.map(|id| id.0), limit as i64], |row| {
                Ok(ToldChange {
                    change: change(row)?,
                    watch_name: row.get("watch_name")?,
                    source_title: row.get("source_title")?,
                    source_url: crate::rows::url(row, "source_url")?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}
