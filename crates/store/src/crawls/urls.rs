//! The URLs a crawl knows.

use crate::database::{self, OptionalExtension, Row, params};
use crate::rows::{maybe_time, url};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::CrawlId;
use url::Url;

/// How far a known URL has come. The numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UrlState {
    /// It waits to be asked for.
    Waiting,
    /// It failed for now and waits for its time.
    Resting,
    /// Its page was read.
    Fetched,
    /// It leads elsewhere.
    Redirected,
    /// It will not be asked for.
    Dropped,
}

impl UrlState {
    pub(super) fn number(self) -> i64 {
        self as i64
    }

    fn from_number(number: i64) -> Self {
        match number {
            0 => Self::Waiting,
            1 => Self::Resting,
            2 => Self::Fetched,
            3 => Self::Redirected,
            _ => Self::Dropped,
        }
    }
}

/// A known URL.
#[derive(Debug, Clone, serde::Serialize)]
pub struct CrawlUrl {
    /// Its number in the crawl.
    pub spot: u32,
    /// The address, normalised.
    pub url: Url,
    /// How far it has come.
    pub state: UrlState,
    /// Links in a row from a seed.
    pub depth: u16,
    /// How often it was asked for in vain.
    pub tries: u32,
    /// The page that told of it first.
    pub parent: Option<u32>,
    /// What it seemed to be worth when it was found.
    pub priority: f32,
    /// Not to be asked before.
    pub not_before: Option<Timestamp>,
    /// The text of the link.
    pub anchor: String,
    /// What became of it, if it is no page.
    pub why: Option<String>,
    /// For a fetched page: its score, and whether it is on the topic.
    pub page: Option<(f64, bool)>,
}

const COLUMNS: &str = "u.*, p.score AS page_score, p.on_topic AS page_on_topic FROM crawl_url u
     LEFT JOIN crawl_page p ON p.crawl_id = u.crawl_id AND p.spot = u.spot";

impl Store {
    /// Known URLs in the order of their spots, beginning with one.
    pub async fn crawl_urls(
        &self,
        crawl: CrawlId,
        from: u32,
        limit: usize,
    ) -> Result<Vec<CrawlUrl>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} WHERE u.crawl_id = ?1 AND u.spot >= ?2 ORDER BY u.spot LIMIT ?3"
            ))?;
            let rows = statement.query_map(params![crawl.0, from, limit as i64], crawl_url)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Some known URLs by their spots, in that order; those that are not known are left out.
    pub async fn crawl_urls_at(&self, crawl: CrawlId, spots: Vec<u32>) -> Result<Vec<CrawlUrl>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection
                .prepare_cached(&format!("SELECT {COLUMNS} WHERE u.crawl_id = ?1 AND u.spot = ?2"))?;
            let mut found = Vec::with_capacity(spots.len());
            for spot in &spots {
                found.extend(statement.query_row(params![crawl.0, spot], crawl_url).optional()?);
            }
            Ok(found)
        })
        .await
    }

    /// The waiting URLs that seemed best when they were found.
    pub async fn waiting_crawl_urls(
        &self,
        crawl: CrawlId,
        limit: usize,
    ) -> Result<Vec<CrawlUrl>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} WHERE u.crawl_id = ?1 AND u.state IN (0, 1) ORDER BY u.priority DESC, u.spot LIMIT ?2"
            ))?;
            let rows = statement.query_map(params![crawl.0, limit as i64], crawl_url)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Some of what a crawl has read, and some of what waits, for a look at its hosts: each URL with whether its page is on the
    /// topic; `None` if it waits.
    pub async fn some_crawl_urls(
        &self,
        crawl: CrawlId,
        limit: usize,
    ) -> Result<Vec<(Url, Option<bool>)>, StoreError> {
        self.read(move |connection| {
            let read = |sql: &str| {
                let mut statement = connection.prepare_cached(sql)?;
                let rows = statement.query_map(params![crawl.0, limit as i64], |row| {
                    Ok((url(row, "url")?, row.get::<_, Option<bool>>("on_topic")?))
                })?;
                Ok::<Vec<_>, StoreError>(rows.collect::<Result<_, _>>()?)
            };
            let mut found = read(
                "SELECT u.url, p.on_topic FROM crawl_page p JOIN crawl_url u ON u.crawl_id = p.crawl_id AND u.spot = p.spot
                 WHERE p.crawl_id = ?1 LIMIT ?2",
            )?;
            found.extend(read(
                "SELECT url, NULL AS on_topic FROM crawl_url WHERE crawl_id = ?1 AND state IN (0, 1) LIMIT ?2",
            )?);
            Ok(found)
        })
        .await
    }

    /// A known URL by its address. `hash` is the one it was stored with.
    pub async fn crawl_url(
        &self,
        crawl: CrawlId,
        hash: u64,
        address: Url,
    ) -> Result<Option<CrawlUrl>, StoreError> {
        self.read(move |connection| {
            // Asked by people, now and then: reading all rows is quicker than an index is large.
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} WHERE u.crawl_id = ?1 AND u.hash = ?2 AND u.url = ?3"
            ))?;
            let values = params![crawl.0, hash.cast_signed(), address.as_str()];
            Ok(statement.query_row(values, crawl_url).optional()?)
        })
        .await
    }
}

fn crawl_url(row: &Row<'_>) -> database::Result<CrawlUrl> {
    let score: Option<f64> = row.get("page_score")?;
    let on_topic: Option<bool> = row.get("page_on_topic")?;
    Ok(CrawlUrl {
        spot: row.get("spot")?,
        url: url(row, "url")?,
        state: UrlState::from_number(row.get("state")?),
        depth: row.get("depth")?,
        tries: row.get("tries")?,
        parent: row.get("parent")?,
        priority: row.get::<_, f64>("priority")? as f32,
        not_before: maybe_time(row, "not_before")?,
        anchor: row.get("anchor")?,
        why: row.get("why")?,
        page: score.zip(on_topic),
    })
}
