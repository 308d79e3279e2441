//! What of a crawl is worth watching: feeds and list pages, ranked by the relevant articles a day they promise.

use super::record::FoundCandidate;
use crate::database::{self, Connection, OptionalExtension, Row, params};
use crate::rows::{ms, time, url};
use crate::sources::{NewSource, add_source};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{CrawlId, SourceId};
use serde::Serialize;
use url::Url;

/// What may be watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CandidateKind {
    /// A feed.
    Feed,
    /// A page that lists dated entries.
    List,
}

impl CandidateKind {
    /// As it is stored and shown.
    pub fn word(self) -> &'static str {
        match self {
            Self::Feed => "feed",
            Self::List => "list",
        }
    }
}

/// Something that may be worth watching.
#[derive(Debug, Clone, Serialize)]
pub struct Candidate {
    /// Its number.
    pub id: i64,
    /// The crawl that found it.
    pub crawl: CrawlId,
    /// Where it is.
    pub url: Url,
    /// What it is.
    pub kind: CandidateKind,
    /// What it is called.
    pub title: Option<String>,
    /// New entries a day, if that is known.
    pub per_day: Option<f64>,
    /// The share of them that is on the topic: of what it links to, as far as the crawl has read it.
    pub share: f64,
    /// Relevant articles a day it promises.
    pub expected: f64,
    /// When it was found.
    pub found_at: Timestamp,
    /// The source it became.
    pub promoted_to: Option<SourceId>,
}

/// A candidate as a source.
#[derive(Debug, Clone)]
pub struct Promotion {
    /// The candidate.
    pub candidate: i64,
    /// The source it becomes.
    pub source: NewSource,
}

/// A feed whose rhythm is not known is taken for one that brings something every third day.
const USUAL_PER_DAY: f64 = 0.33;

/// What a candidate's own share counts among the shares of its children, in pages.
const PRIOR: f64 = 2.0;

impl Store {
    /// What a crawl found worth watching, the most promising first.
    pub async fn candidates(&self, crawl: CrawlId, limit: usize) -> Result<Vec<Candidate>, StoreError> {
        self.read(move |connection| {
            // Only the links of the best few hundred are followed up.
            let mut statement = connection.prepare_cached(
                "SELECT * FROM crawl_candidate WHERE crawl_id = ?1
                 ORDER BY coalesce(per_day, ?2) * share DESC LIMIT 500",
            )?;
            let rows = statement.query_map(params![crawl.0, USUAL_PER_DAY], |row| {
                Ok((row.get::<_, u32>("spot")?, candidate(row)?))
            })?;
            let mut found: Vec<(u32, Candidate)> = rows.collect::<Result<_, _>>()?;
            for (spot, candidate) in &mut found {
                weigh(connection, *spot, candidate)?;
            }
            let mut found: Vec<Candidate> = found.into_iter().map(|(_, candidate)| candidate).collect();
            found.sort_by(|a, b| b.expected.total_cmp(&a.expected).then(a.id.cmp(&b.id)));
            found.truncate(limit);
            Ok(found)
        })
        .await
    }

    /// One candidate.
    pub async fn candidate(&self, id: i64) -> Result<Candidate, StoreError> {
        self.read(move |connection| {
            let found = connection
                .query_row("SELECT * FROM crawl_candidate WHERE id = ?1", [id], |row| {
                    Ok((row.get::<_, u32>("spot")?, candidate(row)?))
                })
                .optional()?;
            let (spot, mut found) = found.ok_or_else(|| StoreError::not_found(format!("candidate {id}")))?;
            weigh(connection, spot, &mut found)?;
            Ok(found)
        })
        .await
    }

    /// Makes a candidate a source. One that is watched already is not added again, and is named.
    pub async fn promote(&self, promotion: Promotion, now: Timestamp) -> Result<SourceId, StoreError> {
        self.write(move |connection| {
            let id = match add_source(connection, &promotion.source, now) {
                Ok(id) | Err(StoreError::DuplicateSource { id, .. }) => id,
                Err(error) => return Err(error),
            };
            connection.execute(
                "UPDATE crawl_candidate SET promoted_to = ?2 WHERE id = ?1",
                params![promotion.candidate, id.0],
            )?;
            Ok(id)
        })
        .await
    }
}

/// Keeps a candidate; what is newly known about it replaces what was.
pub(super) fn save_candidate(
    connection: &Connection,
    crawl: CrawlId,
    spot: u32,
    found: &FoundCandidate,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO crawl_candidate (crawl_id, url, kind, title, spot, per_day, share, found_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (crawl_id, url) DO UPDATE SET
                 title = coalesce(crawl_candidate.title, excluded.title),
                 share = CASE WHEN excluded.per_day IS NULL THEN max(crawl_candidate.share, excluded.share) ELSE excluded.share END,
                 spot = CASE WHEN excluded.per_day IS NULL THEN crawl_candidate.spot ELSE excluded.spot END,
                 per_day = coalesce(excluded.per_day, crawl_candidate.per_day)",
        )?
        .send(params![
            crawl.0,
            found.url.as_str(),
            found.kind.word(),
            found.title,
            spot,
            found.per_day,
            found.share,
            ms(now)
        ])?;
    Ok(())
}

/// What its children showed: pages first found on it and read since.
fn weigh(connection: &Connection, spot: u32, candidate: &mut Candidate) -> Result<(), StoreError> {
    let (read, relevant): (i64, i64) = connection
        .prepare_cached(
            "SELECT count(child.id), CAST(coalesce(sum(child.on_topic), 0) AS BIGINT) FROM crawl_page page
             JOIN crawl_page child ON child.crawl_id = page.crawl_id
                 AND child.spot >= page.new_from AND child.spot < page.new_from + page.new_count
             WHERE page.crawl_id = ?1 AND page.spot = ?2",
        )?
        .query_row(params![candidate.crawl.0, spot], |row| Ok((row.get(0)?, row.get(1)?)))?;
    candidate.share = (relevant as f64 + PRIOR * candidate.share) / (read as f64 + PRIOR);
    candidate.expected = candidate.per_day.unwrap_or(USUAL_PER_DAY) * candidate.share;
    Ok(())
}

fn candidate(row: &Row<'_>) -> database::Result<Candidate> {
    let kind: String = row.get("kind")?;
    Ok(Candidate {
        id: row.get("id")?,
        crawl: CrawlId(row.get("crawl_id")?),
        url: url(row, "url")?,
        kind: if kind == "feed" { CandidateKind::Feed } else { CandidateKind::List },
        title: row.get("title")?,
        per_day: row.get("per_day")?,
        share: row.get("share")?,
        expected: 0.0,
        found_at: time(row, "found_at")?,
        promoted_to: row.get::<_, Option<i64>>("promoted_to")?.map(SourceId),
    })
}
