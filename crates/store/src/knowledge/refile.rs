//! Filing stored articles anew after the knowledge changed: newest first, a little at a time. It can be stopped, and
//! goes on where it was, also after a crash.

use super::filing::file_anew;
use crate::database::{self, Connection, OptionalExtension};
use crate::watch::forget_watches;
use crate::{Store, StoreError};
use model::ArticleId;
use std::collections::BTreeSet;

/// Articles one deed files anew: a few milliseconds of the writer's time.
const BATCH: i64 = 200;

/// How far filing anew has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Refiling {
    /// The version of the knowledge it is done for.
    pub version: i64,
    /// Articles looked at.
    pub done: u64,
    /// Articles still to be looked at.
    pub left: u64,
    /// Articles whose folders or rules changed.
    pub changed: u64,
    /// A person stopped it.
    pub stopped: bool,
}

impl Refiling {
    /// Whether all articles are filed by the knowledge as it is.
    pub fn is_finished(&self) -> bool {
        self.left == 0
    }
}

impl Store {
    /// How far filing anew has come.
    pub async fn refiling(&self) -> Result<Refiling, StoreError> {
        self.read(progress).await
    }

    /// Files a batch of articles anew, unless it was stopped. Call again until it is finished.
    pub async fn refile_some(&self) -> Result<Refiling, StoreError> {
        let (known, watching) = (self.inner.known.clone(), self.inner.watching.clone());
        self.write(move |connection| {
            let below: Option<Option<i64>> = connection
                .query_row("SELECT refile_below FROM knowledge WHERE refile_stopped = 0", [], |row| {
                    row.get(0)
                })
                .optional()?;
            let Some(below) = below.flatten() else { return progress(connection) };
            let mut statement = connection
                .prepare_cached("SELECT id FROM article WHERE id < ?1 ORDER BY id DESC LIMIT ?2")?;
            let ids: Vec<i64> =
                statement.query_map([below, BATCH], |row| row.get(0))?.collect::<Result<_, _>>()?;
            let (mut changed, mut moved) = (0, BTreeSet::new());
            for id in &ids {
                let refiled = file_anew(connection, &known, ArticleId(*id))?;
                changed += i64::from(refiled.changed);
                moved.extend(refiled.added.into_iter().chain(refiled.removed));
            }
            forget_watches(connection, &moved)?;
            watching.mark_stale(moved);
            let last = ids.last().copied().filter(|_| ids.len() == BATCH as usize);
            if last.is_none() {
                *known.counted() = None;
            }
            connection
                .prepare_cached(
                    "UPDATE knowledge SET refile_below = ?1, refile_done = refile_done + ?2,
                         refile_changed = refile_changed + ?3",
                )?
                .execute(database::params![last, ids.len() as i64, changed])?;
            progress(connection)
        })
        .await
    }

    /// Stops filing anew, or lets it go on.
    pub async fn stop_refiling(&self, stop: bool) -> Result<Refiling, StoreError> {
        self.write(move |connection| {
            connection.execute("UPDATE knowledge SET refile_stopped = ?1", [stop])?;
            progress(connection)
        })
        .await
    }
}

/// From the newest article on, by the knowledge as it is now.
pub(super) fn begin_refiling(connection: &Connection, version: i64) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE knowledge SET refile_below = (SELECT max(id) + 1 FROM article), refile_version = ?1,
                 refile_total = (SELECT count(*) FROM article), refile_done = 0, refile_changed = 0, refile_stopped = 0",
        )?
        .execute([version])?;
    Ok(())
}

fn progress(connection: &Connection) -> Result<Refiling, StoreError> {
    // Counted once, at the beginning; articles may have gone since, so what is under way has at least one left.
    let sql = "SELECT refile_version, refile_done, refile_changed, refile_stopped,
                      CASE WHEN refile_below IS NULL THEN 0 ELSE max(refile_total - refile_done, 1) END
               FROM knowledge";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| {
        Ok(Refiling {
            version: row.get(0)?,
            done: row.get::<_, i64>(1)?.unsigned_abs(),
            changed: row.get::<_, i64>(2)?.unsigned_abs(),
            stopped: row.get(3)?,
            left: row.get::<_, i64>(4)?.unsigned_abs(),
        })
    })?)
}
