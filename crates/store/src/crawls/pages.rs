//! The repository of a crawl: its pages with the evidence for each.

use super::record::FoundWord;
use crate::database::search::match_expression;
use crate::database::{self, OptionalExtension, Row, Value, params_from_iter};
use crate::rows::{json, time, url};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::CrawlId;
use url::Url;

/// A page as people see it.
#[derive(Debug, Clone, serde::Serialize)]
pub struct CrawlPage {
    /// Its number among the pages of all crawls: grows in the order they were read.
    #[serde(skip)]
    pub id: i64,
    /// Its URL's number in the crawl.
    pub spot: u32,
    /// Where it is.
    pub url: Url,
    /// What it calls itself.
    pub title: Option<String>,
    /// How much it has to do with the topic, 0 to 1.
    pub score: f64,
    /// Whether it belongs into the repository.
    pub on_topic: bool,
    /// Classes and words found.
    pub evidence: Vec<FoundWord>,
    /// Its language.
    pub language: Option<String>,
    /// When it was read.
    pub fetched_at: Timestamp,
    /// Links in a row from a seed.
    pub depth: u16,
    /// The text of the link that led there.
    pub anchor: String,
    /// The page with that link.
    pub parent_url: Option<String>,
    /// The WARC file it is in, by number, and where.
    pub warc: Option<(u32, u64)>,
}

/// Which pages.
#[derive(Debug, Clone, Default)]
pub struct CrawlPageFilter {
    /// Words to search for, among pages on the topic.
    pub search: Option<String>,
    /// Pages off the topic, too.
    pub all: bool,
    /// In the order they were read, after the page of this number; instead of the best first.
    pub after: Option<i64>,
    /// Skip this many.
    pub offset: usize,
    /// At most this many.
    pub limit: usize,
}

impl Store {
    /// Pages of a crawl.
    pub async fn crawl_pages(
        &self,
        crawl: CrawlId,
        filter: CrawlPageFilter,
    ) -> Result<Vec<CrawlPage>, StoreError> {
        self.read(move |connection| {
            let dialect = connection.dialect();
            let mut wanted = vec!["p.crawl_id = ?".to_owned()];
            let mut values = vec![Value::Integer(crawl.0)];
            let mut from = "crawl_page p".to_owned();
            if let Some(search) = &filter.search {
                from = "crawl_words w JOIN crawl_page p ON p.id = w.rowid".into();
                wanted.push(dialect.matches("crawl_words", "w", "?"));
                values.push(Value::Text(match_expression(dialect, search)?));
            }
            if !filter.all {
                wanted.push("p.on_topic = 1".into());
            }
            let order = if filter.after.is_some() { "p.id" } else { "p.score DESC, p.id" };
            if let Some(after) = filter.after {
                if filter.search.is_none() {
                    // By number: by crawl, all its pages would be read and sorted for each piece.
                    from = format!("crawl_page p{}", dialect.by_number());
                }
                wanted.push("p.id > ?".into());
                values.push(Value::Integer(after));
            }
            values.extend([Value::Integer(filter.limit as i64), Value::Integer(filter.offset as i64)]);
            let sql = format!(
                "SELECT p.*, u.url, u.depth, u.anchor,
                     (SELECT url FROM crawl_url WHERE crawl_id = u.crawl_id AND spot = u.parent) AS parent_url
                 FROM {from} JOIN crawl_url u ON u.crawl_id = p.crawl_id AND u.spot = p.spot
                 WHERE {} ORDER BY {order} LIMIT ? OFFSET ?",
                wanted.join(" AND ")
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params_from_iter(values), crawl_page)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}

impl Store {
    /// The page of one URL, if it was read.
    pub async fn crawl_page(&self, crawl: CrawlId, spot: u32) -> Result<Option<CrawlPage>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT p.*, u.url, u.depth, u.anchor,
                     (SELECT url FROM crawl_url WHERE crawl_id = u.crawl_id AND spot = u.parent) AS parent_url
                 FROM crawl_page p JOIN crawl_url u ON u.crawl_id = p.crawl_id AND u.spot = p.spot
                 WHERE p.crawl_id = ?1 AND p.spot = ?2",
            )?;
            Ok(statement.query_row(database::params![crawl.0, spot], crawl_page).optional()?)
        })
        .await
    }
}

fn crawl_page(row: &Row<'_>) -> database::Result<CrawlPage> {
    let file: Option<u32> = row.get("warc_file")?;
    let offset: Option<i64> = row.get("warc_offset")?;
    Ok(CrawlPage {
        id: row.get("id")?,
        spot: row.get("spot")?,
        url: url(row, "url")?,
        title: row.get("title")?,
        score: row.get("score")?,
        on_topic: row.get("on_topic")?,
        evidence: json(row, "evidence")?,
        language: row.get("language")?,
        fetched_at: time(row, "fetched_at")?,
        depth: row.get("depth")?,
        anchor: row.get("anchor")?,
        parent_url: row.get("parent_url")?,
        warc: file.zip(offset.map(i64::unsigned_abs)),
    })
}
