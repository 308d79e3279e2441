//! The articles on a visited page: which of them are new, and storing those.
//!
//! Everything that can be asked at once is: to a server every question is a way there and back.

use super::VisitRecord;
use crate::StoreError;
use crate::database::search::put_words;
use crate::database::{Connection, Dialect, OptionalExtension, Row, params};
use crate::hosts::{bring_forward, host_id};
use crate::rows::{ms, to_json};
use knowledge::Fields;
use model::{ArticleId, BodyState, FolderId, Found, HostId, Source, SourceId, VisitId};
use std::collections::{HashMap, HashSet};

/// An article that was never seen before.
pub(crate) struct NewArticle<'a> {
    pub(crate) id: ArticleId,
    pub(crate) found: &'a Found,
    /// Where it was filed.
    pub(crate) folders: Vec<FolderId>,
}

impl NewArticle<'_> {
    /// What it is filed by: what stands in its row by now, without asking for it.
    pub(super) fn fields(&self, source: &Source) -> Fields<'static> {
        let (title, name) = (self.found.title.clone(), source.title.as_deref().unwrap_or_default());
        Fields {
            body: None,
            anchor: Some(title.clone().into()),
            title: Some(title.into()),
            url: Some(self.found.url.as_str().to_owned().into()),
            source: source.url.host_str().map(|host| format!("{name} {host}").into()),
            language: None,
        }
    }
}

/// Adds what is new, oldest first: pages list the newest on top, and lists here are newest first by id.
pub(super) fn insert_articles<'a>(
    connection: &Connection,
    record: &'a VisitRecord,
    visit: VisitId,
    source_host: HostId,
) -> Result<Vec<NewArticle<'a>>, StoreError> {
    let met = meet(connection, &record.articles, record.source_id)?;
    let mut unknown = Vec::new();
    // The same page may list an article twice.
    let mut listed = HashSet::new();
    for found in &record.articles {
        match met.get(found.url.as_str()) {
            None => unknown.push(found),
            Some(Met::Elsewhere(article)) if listed.insert(article.0) => {
                list_article(connection, record, visit, *article)?;
            }
            Some(_) => {}
        }
    }
    let read_from = unknown.len().saturating_sub(record.bodies);
    let (mut new, mut hosts) = (Vec::with_capacity(unknown.len()), HashMap::new());
    let mut added = HashSet::new();
    for (place, found) in unknown.into_iter().rev().enumerate() {
        if !added.insert(found.url.as_str()) {
            continue;
        }
        let name = model::host_name(&found.url).unwrap_or_default();
        let host = match hosts.get(&name) {
            Some(host) => *host,
            None => *hosts.entry(name.clone()).or_insert(host_id(connection, &name)?),
        };
        let read_body = place >= read_from;
        let id = insert_article(connection, record, visit, found, host, read_body)?;
        list_article(connection, record, visit, id)?;
        // The visited host itself is brought up to date when its lease is released.
        if read_body && host != source_host {
            bring_forward(connection, host, record.at)?;
        }
        new.push(NewArticle { id, found, folders: Vec::new() });
    }
    Ok(new)
}

/// An article that was met before.
#[derive(Clone, Copy)]
enum Met {
    /// Retention removed it: not news again.
    Removed,
    /// Listed by this source already.
    Here,
    Elsewhere(ArticleId),
}

const MET: &str = "SELECT k.url, k.article_id, l.source_id IS NOT NULL FROM known_url k
     LEFT JOIN listing l ON l.article_id = k.article_id AND l.source_id = ?2 WHERE k.url";

/// Those of the articles that were met before, by their URL.
fn meet(
    connection: &Connection,
    articles: &[Found],
    source: SourceId,
) -> Result<HashMap<String, Met>, StoreError> {
    let mut met = HashMap::new();
    if articles.is_empty() {
        return Ok(met);
    }
    match connection.dialect() {
        // One by one that is quicker than as a set.
        Dialect::Sqlite => {
            let mut statement = connection.prepare_cached(&format!("{MET} = ?1"))?;
            for found in articles {
                let row = statement.query_row(params![found.url.as_str(), source.0], read_met).optional()?;
                met.extend(row);
            }
        }
        dialect @ Dialect::Postgres => {
            let urls: Vec<&str> = articles.iter().map(|found| found.url.as_str()).collect();
            let sql = format!("{MET} IN {}", dialect.texts_of_json("?1"));
            let mut statement = connection.prepare_cached(&sql)?;
            for row in statement.query_map(params![to_json(&urls)?, source.0], read_met)? {
                met.extend([row?]);
            }
        }
    }
    Ok(met)
}

fn read_met(row: &Row<'_>) -> crate::database::Result<(String, Met)> {
    let (article, here): (Option<i64>, bool) = (row.get(1)?, row.get(2)?);
    let met = match article {
        None => Met::Removed,
        Some(_) if here => Met::Here,
        Some(id) => Met::Elsewhere(ArticleId(id)),
    };
    Ok((row.get(0)?, met))
}

fn list_article(
    connection: &Connection,
    record: &VisitRecord,
    visit: VisitId,
    article: ArticleId,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO listing (article_id, source_id, visit_id, first_seen_at) VALUES (?1, ?2, ?3, ?4)",
        )?
        .send(params![article.0, record.source_id.0, visit.0, ms(record.at)])?;
    connection
        .prepare_cached("UPDATE source SET articles = articles + 1 WHERE id = ?1")?
        .send([record.source_id.0])?;
    Ok(())
}

fn insert_article(
    connection: &Connection,
    record: &VisitRecord,
    visit: VisitId,
    found: &Found,
    host: HostId,
    read_body: bool,
) -> Result<ArticleId, StoreError> {
    let body = if read_body { BodyState::Waiting } else { BodyState::Missing };
    let id = connection
        .prepare_cached(
            "INSERT INTO article (url, host_id, title, anchor, published_at, first_seen_at, visit_id, source_id, summary,
                                  body, body_at)
             VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING id",
        )?
        .query_row(
            params![
                found.url.as_str(),
                host.0,
                found.title,
                found.published_at.map(ms),
                ms(record.at),
                visit.0,
                record.source_id.0,
                found.summary,
                body.word(),
                read_body.then(|| ms(record.at))
            ],
            |row| row.get(0),
        )?;
    connection
        .prepare_cached("INSERT INTO known_url (url, article_id) VALUES (?1, ?2)")?
        .send(params![found.url.as_str(), id])?;
    put_words(connection, "article_words", id, &found.title, found.summary.as_deref().unwrap_or_default())?;
    Ok(ArticleId(id))
}
