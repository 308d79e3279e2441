//! Articles as people see them: lists, search, one article, marks.

mod filed;

pub(crate) use filed::numbers;

use crate::database::search::match_expression;
use crate::database::{Connection, OptionalExtension, Value, params, params_from_iter};
use crate::rows::{ARTICLE_COLUMNS, article, json, maybe_outcome, time};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{Article, ArticleId, FolderId, Outcome, RuleId, SourceId, VisitId};

/// Where a list of articles goes on: before this one.
pub type Cursor = ArticleId;

/// Which articles to list.
#[derive(Debug, Clone, Default)]
pub struct ArticleFilter {
    /// Only those with all these words.
    pub search: Option<String>,
    /// Only those that this source listed.
    pub source: Option<SourceId>,
    /// Only those in these folders, in none, or decided by a rule.
    pub folders: Option<FolderFilter>,
    /// Only unread ones.
    pub unread: bool,
    /// Only starred ones.
    pub starred: bool,
    /// Go on after the last page.
    pub before: Option<Cursor>,
    /// At most this many.
    pub limit: usize,
}

/// Which folders articles are in, or why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderFilter {
    /// In any of these.
    In(Vec<FolderId>),
    /// In none at all.
    Unfiled,
    /// Whatever this rule decides: the articles it is live for.
    DecidedBy(RuleId),
}

/// One page of articles, newest first.
#[derive(Debug)]
pub struct ArticlesPage {
    /// The articles.
    pub articles: Vec<Article>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
}

/// All there is to say about one article.
#[derive(Debug, Clone, serde::Serialize)]
pub struct ArticleDetail {
    /// The article.
    #[serde(flatten)]
    pub article: Article,
    /// Its text, if its page was read.
    pub text: Option<String>,
    /// What the reader noted.
    pub notes: Vec<String>,
    /// How reading its page ended.
    pub body_outcome: Option<Outcome>,
    /// The sources that listed it, the first one first.
    pub listed_by: Vec<ListedBy>,
    /// Whether the page is kept as fetched.
    pub page_kept: bool,
}

/// A source that listed an article.
#[derive(Debug, Clone, serde::Serialize)]
pub struct ListedBy {
    /// The source.
    pub source_id: SourceId,
    /// Its name.
    pub title: String,
    /// Since when.
    pub first_seen_at: Timestamp,
    /// The visit that showed it.
    pub visit_id: VisitId,
}

/// Marks a person sets; `None` leaves one as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Marks {
    /// Read or unread.
    pub read: Option<bool>,
    /// Starred or not.
    pub starred: Option<bool>,
}

impl Store {
    /// One page of the articles that match, newest first.
    pub async fn articles_page(&self, filter: ArticleFilter) -> Result<ArticlesPage, StoreError> {
        self.read(move |connection| articles_page(connection, &filter)).await
    }

    /// One article with everything about it.
    pub async fn article(&self, id: ArticleId) -> Result<ArticleDetail, StoreError> {
        self.read(move |connection| article_detail(connection, id)).await
    }

    /// Sets marks on articles.
    pub async fn mark_articles(&self, ids: Vec<ArticleId>, marks: Marks) -> Result<(), StoreError> {
        self.write(move |connection| {
            let mut statement = connection.prepare_cached(
                "UPDATE article SET read = coalesce(?2, read), starred = coalesce(?3, starred) WHERE id = ?1",
            )?;
            for id in &ids {
                if statement.execute(params![id.0, marks.read, marks.starred])? == 0 {
                    return Err(StoreError::not_found(format!("article {id}")));
                }
            }
            Ok(())
        })
        .await
    }

    /// Marks everything up to and including this article as read.
    pub async fn mark_read_up_to(&self, id: ArticleId) -> Result<usize, StoreError> {
        self.write(move |connection| {
            Ok(connection.execute("UPDATE article SET read = 1 WHERE read = 0 AND id <= ?1", [id.0])?)
        })
        .await
    }
}

fn articles_page(connection: &Connection, filter: &ArticleFilter) -> Result<ArticlesPage, StoreError> {
    if let Some(folders) = &filter.folders {
        return filed::page(connection, filter, folders);
    }
    let mut from = "article a LEFT JOIN source s ON s.id = a.source_id".to_owned();
    let dialect = connection.dialect();
    let mut wanted = vec!["a.id < ?".to_owned()];
    let mut values = vec![Value::Integer(filter.before.map_or(i64::MAX, |cursor| cursor.0))];
    let mut newest_first = "a.id";
    if let Some(source) = filter.source {
        // The listing's index is in the order of the list: no sorting, however many articles there are.
        from = format!("listing l CROSS JOIN {from}");
        wanted.extend(["l.source_id = ?".into(), "a.id = l.article_id".into()]);
        values.push(Value::Integer(source.0));
        newest_first = "l.article_id";
    }
    if let Some(search) = &filter.search {
        from = format!("article_words w CROSS JOIN {from}");
        wanted.extend([dialect.matches("article_words", "w", "?"), "a.id = w.rowid".into()]);
        values.push(Value::Text(match_expression(dialect, search)?));
        newest_first = "w.rowid";
    }
    if filter.unread {
        wanted.push("a.read = 0".into());
    }
    if filter.starred {
        wanted.push("a.starred = 1".into());
    }
    values.push(Value::Integer(filter.limit as i64 + 1));
    let sql = format!(
        "SELECT {ARTICLE_COLUMNS} FROM {from} WHERE {} ORDER BY {newest_first} DESC LIMIT ?",
        wanted.join(" AND ")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params_from_iter(values), article)?;
    Ok(ArticlesPage::cut(rows.collect::<Result<_, _>>()?, filter.limit))
}

impl ArticlesPage {
    /// A page of articles of which there is one more than wanted if there are more.
    fn cut(mut articles: Vec<Article>, limit: usize) -> Self {
        let more = articles.len() > limit;
        articles.truncate(limit);
        let next = articles.last().map(|last| last.id).filter(|_| more);
        Self { articles, next }
    }
}

fn article_detail(connection: &Connection, id: ArticleId) -> Result<ArticleDetail, StoreError> {
    let sql = format!(
        "SELECT {ARTICLE_COLUMNS}, a.body_outcome, t.text, coalesce(t.notes, '[]') AS notes,
                EXISTS (SELECT 1 FROM page p WHERE p.article_id = a.id) AS page_kept
         FROM article a LEFT JOIN source s ON s.id = a.source_id LEFT JOIN article_text t ON t.article_id = a.id
         WHERE a.id = ?1"
    );
    let mut detail = connection
        .prepare_cached(&sql)?
        .query_row([id.0], |row| {
            Ok(ArticleDetail {
                article: article(row)?,
                text: row.get("text")?,
                notes: json(row, "notes")?,
                body_outcome: maybe_outcome(row, "body_outcome")?,
                listed_by: Vec::new(),
                page_kept: row.get("page_kept")?,
            })
        })
        .optional()?
        .ok_or_else(|| StoreError::not_found(format!("article {id}")))?;
    let mut statement = connection.prepare_cached(
        "SELECT l.*, coalesce(s.title, s.url) AS title FROM listing l JOIN source s ON s.id = l.source_id
         WHERE l.article_id = ?1 ORDER BY l.first_seen_at, l.source_id",
    )?;
    let rows = statement.query_map([id.0], |row| {
        Ok(ListedBy {
            source_id: SourceId(row.get("source_id")?),
            title: row.get("title")?,
            first_seen_at: time(row, "first_seen_at")?,
            visit_id: VisitId(row.get("visit_id")?),
        })
    })?;
    detail.listed_by = rows.collect::<Result<_, _>>()?;
    Ok(detail)
}
