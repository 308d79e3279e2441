//! Articles by where they are filed.
//!
//! A folder with all in it is many runs of an index, each newest first. Nothing is sorted: every run gives its newest
//! articles that pass, and the newest of all those are the page.

use super::{ArticleFilter, ArticlesPage, FolderFilter};
use crate::StoreError;
use crate::database::search::match_expression;
use crate::database::{Connection, OptionalExtension, Value, params_from_iter};
use crate::rows::{ARTICLE_COLUMNS, article};
use model::{Article, ArticleId};
use roaring::RoaringTreemap;
use std::collections::BTreeSet;

/// Read at once: a page is usually complete long before.
const PIECE: i64 = 1_000;

/// Articles filed by a rule or in a folder, newest first.
struct Run {
    sql: &'static str,
    of: Option<i64>,
}

pub(super) fn page(
    connection: &Connection,
    filter: &ArticleFilter,
    folders: &FolderFilter,
) -> Result<ArticlesPage, StoreError> {
    let tests = tests(connection, filter)?;
    let mut newest = BTreeSet::new();
    for run in runs(folders) {
        newest_of(connection, filter, &run, &tests, &mut newest)?;
    }
    let articles = newest.into_iter().rev().take(filter.limit + 1);
    let articles = articles.filter_map(|id| read(connection, id).transpose());
    Ok(ArticlesPage::cut(articles.collect::<Result<_, _>>()?, filter.limit))
}

fn runs(folders: &FolderFilter) -> Vec<Run> {
    const IN_FOLDER: &str = "SELECT article_id FROM filing
         WHERE article_id < ? AND folder_id = ? AND folder_id IS NOT NULL ORDER BY article_id DESC LIMIT ?";
    const BY_RULE: &str =
        "SELECT article_id FROM filing WHERE article_id < ? AND rule_id = ? ORDER BY article_id DESC LIMIT ?";
    const UNFILED: &str = "SELECT id FROM article WHERE id < ? AND folders = 0 ORDER BY id DESC LIMIT ?";
    match folders {
        FolderFilter::In(folders) => {
            folders.iter().map(|folder| Run { sql: IN_FOLDER, of: Some(folder.0) }).collect()
        }
        FolderFilter::DecidedBy(rule) => vec![Run { sql: BY_RULE, of: Some(rule.0) }],
        FolderFilter::Unfiled => vec![Run { sql: UNFILED, of: None }],
    }
}

/// Adds the newest articles of a run that pass all tests, one more than wanted.
fn newest_of(
    connection: &Connection,
    filter: &ArticleFilter,
    run: &Run,
    tests: &[RoaringTreemap],
    newest: &mut BTreeSet<ArticleId>,
) -> Result<(), StoreError> {
    let mut below = filter.before.map_or(i64::MAX, |cursor| cursor.0);
    let mut statement = connection.prepare_cached(run.sql)?;
    let mut left = filter.limit + 1;
    loop {
        let mut rows = statement.query(params_from_iter([below].into_iter().chain(run.of).chain([PIECE])))?;
        let mut read = 0;
        while left > 0
            && let Some(row) = rows.next()?
        {
            let id: i64 = row.get(0)?;
            read += 1;
            // Several rules may file an article into one folder.
            if below != id && tests.iter().all(|test| test.contains(id.unsigned_abs())) {
                newest.insert(ArticleId(id));
                left -= 1;
            }
            below = id;
        }
        if left == 0 || read < PIECE {
            return Ok(());
        }
    }
}

/// What else is wanted, each as the set of articles that pass. Only indexes are read for it.
fn tests(connection: &Connection, filter: &ArticleFilter) -> Result<Vec<RoaringTreemap>, StoreError> {
    let mut tests = Vec::new();
    if let Some(search) = &filter.search {
        let words = Value::Text(match_expression(connection.dialect(), search)?);
        let wanted = connection.dialect().matches("article_words", "article_words", "?1");
        let sql = format!("SELECT rowid FROM article_words WHERE {wanted}");
        tests.push(numbers(connection, &sql, Some(words))?);
    }
    if let Some(source) = filter.source {
        let sql = "SELECT article_id FROM listing WHERE source_id = ?1";
        tests.push(numbers(connection, sql, Some(Value::Integer(source.0)))?);
    }
    if filter.unread {
        tests.push(numbers(connection, "SELECT id FROM article WHERE read = 0", None)?);
    }
    if filter.starred {
        tests.push(numbers(connection, "SELECT id FROM article WHERE starred = 1", None)?);
    }
    Ok(tests)
}

/// The numbers that a question answers with.
pub(crate) fn numbers(
    connection: &Connection,
    sql: &str,
    value: Option<Value>,
) -> Result<RoaringTreemap, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(value))?;
    let mut found = RoaringTreemap::new();
    while let Some(row) = rows.next()? {
        found.insert(row.get::<_, i64>(0)?.unsigned_abs());
    }
    Ok(found)
}

fn read(connection: &Connection, id: ArticleId) -> Result<Option<Article>, StoreError> {
    let sql = format!(
        "SELECT {ARTICLE_COLUMNS} FROM article a LEFT JOIN source s ON s.id = a.source_id WHERE a.id = ?1"
    );
    Ok(connection.prepare_cached(&sql)?.query_row([id.0], article).optional()?)
}
