//! Filing stored articles, inside the deed that stores them.

use super::{Known, State};
use crate::database::{self, Columns, Connection, DatabaseError, Kind, OptionalExtension, Row, Set, params};
use crate::{Store, StoreError};
use knowledge::{Fields, Filing};
use model::{ArticleId, FolderId, RuleId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

/// What [`fields_of`] reads.
pub(super) const FIELDS_SQL: &str =
    "SELECT a.id, a.title, a.anchor, a.url, a.language, coalesce(s.title, '') AS source_title, s.url AS source_url, t.text
     FROM article a LEFT JOIN source s ON s.id = a.source_id LEFT JOIN article_text t ON t.article_id = a.id";

/// Where an article is filed and why.
#[derive(Debug, Clone, Default)]
pub struct FilingDetail {
    /// The rules that are live for it, stopping ones included.
    pub by: Vec<FiledBy>,
    /// A person said that this is right.
    pub confirmed: bool,
}

/// One rule that is live for an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct FiledBy {
    /// The rule.
    pub rule: RuleId,
    /// The folder it gives; `None` for a stopping rule.
    pub folder: Option<FolderId>,
    /// The version of the knowledge at which it was so filed.
    pub version: i64,
}

impl Store {
    /// What an article says, field by field, as rules see it.
    pub async fn article_fields(&self, id: ArticleId) -> Result<Fields<'static>, StoreError> {
        self.read(move |connection| {
            fields(connection, id.0)?.ok_or_else(|| StoreError::not_found(format!("article {id}")))
        })
        .await
    }

    /// Where an article is filed and why.
    pub async fn filing(&self, id: ArticleId) -> Result<FilingDetail, StoreError> {
        self.read(move |connection| {
            let confirmed = connection
                .prepare_cached("SELECT confirmed_at IS NOT NULL FROM article WHERE id = ?1")?
                .query_row([id.0], |row| row.get(0))
                .optional()?;
            Ok(FilingDetail { by: stored(connection, id.0)?, confirmed: confirmed.unwrap_or(false) })
        })
        .await
    }

    /// The folders of these articles.
    pub async fn folders_of(
        &self,
        ids: Vec<ArticleId>,
    ) -> Result<BTreeMap<ArticleId, Vec<FolderId>>, StoreError> {
        self.read(move |connection| {
            let mut found = BTreeMap::new();
            for &id in &ids {
                let mut folders: Vec<FolderId> =
                    stored(connection, id.0)?.iter().filter_map(|by| by.folder).collect();
                folders.sort_unstable();
                folders.dedup();
                found.insert(id, folders);
            }
            Ok(found)
        })
        .await
    }

    /// The newest articles in folders that nobody has confirmed, with the rules that filed each.
    pub async fn unconfirmed(&self, limit: usize) -> Result<Vec<(ArticleId, Vec<FiledBy>)>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT DISTINCT f.article_id FROM filing f CROSS JOIN article a
                 WHERE a.id = f.article_id AND f.folder_id IS NOT NULL AND a.confirmed_at IS NULL ORDER BY f.article_id DESC LIMIT ?1",
            )?;
            let ids = statement.query_map([limit as i64], |row| row.get(0))?;
            let ids: Vec<i64> = ids.collect::<Result<_, _>>()?;
            ids.into_iter().map(|id| Ok((ArticleId(id), stored(connection, id)?))).collect()
        })
        .await
    }

    /// A person says that an article is filed rightly: the rules that filed it are confirmed once more.
    pub async fn confirm_filing(&self, id: ArticleId, at: jiff::Timestamp) -> Result<(), StoreError> {
        let known = self.inner.known.clone();
        self.write(move |connection| {
            let changed = connection
                .prepare_cached(
                    "UPDATE article SET confirmed_at = ?2 WHERE id = ?1 AND confirmed_at IS NULL",
                )?
                .execute(params![id.0, crate::rows::ms(at)])?;
            *known.counted() = None;
            if changed > 0 {
                connection
                    .prepare_cached(
                        "UPDATE rule SET confirmed = confirmed + 1 WHERE undone = 0
                         AND id IN (SELECT rule_id FROM filing WHERE article_id = ?1)",
                    )?
                    .execute([id.0])?;
            }
            Ok(())
        })
        .await
    }
}

pub(super) fn fields(connection: &Connection, id: i64) -> Result<Option<Fields<'static>>, StoreError> {
    let sql = format!("{FIELDS_SQL} WHERE a.id = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([id], fields_of).optional()?)
}

pub(super) fn fields_of(row: &Row<'_>) -> database::Result<Fields<'static>> {
    let text = |column: &str| Ok::<_, DatabaseError>(row.get::<_, Option<String>>(column)?.map(Into::into));
    let source_url: Option<String> = row.get("source_url")?;
    let host = source_url.as_deref().and_then(|url| url::Url::parse(url).ok()?.host_str().map(str::to_owned));
    let name: String = row.get("source_title")?;
    Ok(Fields {
        title: text("title")?,
        body: text("text")?,
        anchor: text("anchor")?,
        url: text("url")?,
        // A source that was removed has left its name nowhere.
        source: host.map(|host| format!("{name} {host}").into()),
        language: text("language")?,
    })
}

/// Where a new article is filed: its folders. What is to be stored of it is gathered.
pub(crate) fn file_article(
    connection: &Connection,
    known: &Known,
    id: ArticleId,
    fields: &Fields<'_>,
    filings: &mut Set,
) -> Result<Vec<FolderId>, StoreError> {
    let state = known.for_writing(connection)?;
    if state.base.tree().rules().is_empty() {
        return Ok(Vec::new());
    }
    let filing = known.filer.lock().unwrap_or_else(PoisonError::into_inner).file(state.base.tree(), fields);
    gather(&state, id, &filing, filings);
    Ok(filing.folders)
}

/// The rules that file an article.
fn gather(state: &State, id: ArticleId, filing: &Filing, filings: &mut Set) {
    for rule in &filing.live {
        let folder = state.base.tree().get(*rule).and_then(|rule| rule.conclusion.folder());
        filings.push(params![id.0, rule.0, folder.map(|folder| folder.0), state.version]);
    }
}

/// What [`save_filings`] wants.
pub(crate) const FILINGS: Columns =
    &[("article", Kind::Number), ("rule", Kind::Number), ("folder", Kind::Number), ("version", Kind::Number)];

pub(crate) fn save_filings(connection: &Connection, filings: Set) -> Result<(), StoreError> {
    connection.send_set(
        "INSERT INTO filing (article_id, rule_id, folder_id, version)
         VALUES ({article}, {rule}, {folder}, {version})",
        filings,
    )?;
    Ok(())
}

/// What filing an article anew changed.
#[derive(Debug, Default)]
pub(crate) struct Refiled {
    /// The rules that file it changed, or its folders.
    pub(crate) changed: bool,
    /// Folders it is in now and was not.
    pub(crate) added: Vec<FolderId>,
    /// Folders it was in and is no more.
    pub(crate) removed: Vec<FolderId>,
}

/// Files an article anew.
pub(crate) fn file_anew(
    connection: &Connection,
    known: &Known,
    id: ArticleId,
) -> Result<Refiled, StoreError> {
    let state = known.for_writing(connection)?;
    let Some(fields) = fields(connection, id.0)? else { return Ok(Refiled::default()) };
    let filing = known.filer.lock().unwrap_or_else(PoisonError::into_inner).file(state.base.tree(), &fields);
    let before = stored(connection, id.0)?;
    let is_same = before.len() == filing.live.len() && before.iter().all(|by| is_so(&state, &filing, by));
    if is_same {
        return Ok(Refiled::default());
    }
    let was: BTreeSet<FolderId> = before.iter().filter_map(|by| by.folder).collect();
    let is: BTreeSet<FolderId> = filing.folders.iter().copied().collect();
    if was != is {
        // What a person confirmed is no longer so.
        connection.prepare_cached("UPDATE article SET confirmed_at = NULL WHERE id = ?1")?.execute([id.0])?;
    }
    unfile(connection, id)?;
    save(connection, &state, id, &filing)?;
    Ok(Refiled {
        changed: true,
        added: is.difference(&was).copied().collect(),
        removed: was.difference(&is).copied().collect(),
    })
}

/// Takes an article out of all folders.
pub(crate) fn unfile(connection: &Connection, id: ArticleId) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM filing WHERE article_id = ?1")?.send([id.0])?;
    Ok(())
}

fn is_so(state: &State, filing: &Filing, by: &FiledBy) -> bool {
    let concludes = state.base.tree().get(by.rule).and_then(|rule| rule.conclusion.folder());
    filing.live.contains(&by.rule) && concludes == by.folder
}

fn stored(connection: &Connection, id: i64) -> Result<Vec<FiledBy>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT rule_id, folder_id, version FROM filing WHERE article_id = ?1")?;
    let rows = statement.query_map([id], |row| {
        let folder: Option<i64> = row.get(1)?;
        Ok(FiledBy { rule: RuleId(row.get(0)?), folder: folder.map(FolderId), version: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn save(connection: &Connection, state: &State, id: ArticleId, filing: &Filing) -> Result<(), StoreError> {
    let mut filings = Set::new(FILINGS);
    gather(state, id, filing, &mut filings);
    save_filings(connection, filings)?;
    connection
        .prepare_cached("UPDATE article SET folders = ?2 WHERE id = ?1 AND folders <> ?2")?
        .send(params![id.0, filing.folders.len() as i64])?;
    Ok(())
}
