//! What was published, by whom and when, as far as it was seen: the user's own history, to be replayed.

use crate::database::{self, Connection, Dialect, Row};
use crate::rows::{ms, time};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::FolderId;
use std::collections::HashMap;

/// One article on one source.
#[derive(Debug, Clone, PartialEq)]
pub struct Dated {
    /// When it was published, by its own date; when it was first seen there, if it has none or one without a time of day.
    pub at: Timestamp,
    /// The source's address.
    pub source: String,
    /// Its own address.
    pub url: String,
    /// Its headline.
    pub title: String,
    /// Its folders, each with its path.
    pub folders: Vec<(FolderId, String)>,
}

fn listed(dialect: Dialect) -> String {
    format!(
        "WITH begun AS (SELECT source_id, min(first_seen_at) AS first FROM listing GROUP BY source_id),
         listed AS (
             SELECT s.id AS source_id, s.url AS source, a.id AS article_id, a.url, a.title, b.first,
                 CASE WHEN a.published_at IS NULL OR a.published_at % 86400000 = 0 THEN l.first_seen_at
                      ELSE min(a.published_at, l.first_seen_at) END AS at
             FROM listing l JOIN begun b ON b.source_id = l.source_id
                 JOIN source s ON s.id = l.source_id JOIN article a ON a.id = l.article_id
             WHERE l.first_seen_at >= ?1)
         SELECT source, url, title, at,
             (SELECT {} FROM filing f WHERE f.article_id = listed.article_id AND f.folder_id IS NOT NULL) AS folders
         FROM listed WHERE at >= first ORDER BY at, source_id, article_id",
        dialect.list_of_numbers("f.folder_id")
    )
}

impl Store {
    /// Every article that a source showed since `since` and that came after its first visit, in the order of time.
    pub async fn history(&self, since: Timestamp) -> Result<Vec<Dated>, StoreError> {
        self.read(move |connection| {
            let paths = paths(connection)?;
            let mut statement = connection.prepare_cached(&listed(connection.dialect()))?;
            let rows = statement.query_map([ms(since)], |row| dated(row, &paths))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}

fn dated(row: &Row<'_>, paths: &HashMap<i64, String>) -> database::Result<Dated> {
    let ids: Option<String> = row.get("folders")?;
    let ids = ids.iter().flat_map(|ids| ids.split(',')).filter_map(|id| id.parse::<i64>().ok());
    Ok(Dated {
        at: time(row, "at")?,
        source: row.get("source")?,
        url: row.get("url")?,
        title: row.get("title")?,
        folders: ids.filter_map(|id| Some((FolderId(id), paths.get(&id)?.clone()))).collect(),
    })
}

/// What each folder is called, with the folders it lies in.
fn paths(connection: &Connection) -> Result<HashMap<i64, String>, StoreError> {
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE named (id, path) AS (
             SELECT id, name FROM folder WHERE parent_id IS NULL
             UNION ALL SELECT f.id, n.path || '/' || f.name FROM folder f JOIN named n ON f.parent_id = n.id)
         SELECT id, path FROM named",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
