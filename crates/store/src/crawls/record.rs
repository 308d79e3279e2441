//! The deed of a crawl: what came of one URL, whole or not at all.

use super::candidates::{CandidateKind, save_candidate};
use super::urls::UrlState;
use crate::database::search::put_words;
use crate::database::{Columns, Connection, Kind, Set, params};
use crate::leases::{After, Lease, check_lease, settle};
use crate::robots::save_robots;
use crate::rows::{ms, to_json};
use crate::topics::save_lessons;
use crate::{Store, StoreError};
use discovery::ontology::Lesson;
use jiff::Timestamp;
use model::{CrawlId, RobotsRecord};
use serde::{Deserialize, Serialize};
use url::Url;

/// What came of one URL.
#[derive(Debug)]
pub struct PageRecord {
    /// The crawl.
    pub crawl: CrawlId,
    /// Which start of it.
    pub epoch: i64,
    /// Which deed of that start, counted from 0.
    pub deed: i64,
    /// The URL.
    pub spot: u32,
    /// What it gave.
    pub end: UrlEnd,
    /// URLs that were not known before, numbered on from those that were.
    pub new: Vec<NewCrawlUrl>,
    /// Feeds and lists that may be worth watching.
    pub candidates: Vec<FoundCandidate>,
    /// What the topic has learned.
    pub lessons: Vec<Lesson>,
    /// robots.txt files read on the way.
    pub robots: Vec<RobotsRecord>,
    /// The lease on the host, and what becomes of it. `None` if nobody was asked.
    pub host: Option<(Lease, After)>,
    /// The WARC file and how long it is with this page.
    pub warc: Option<(u32, u64)>,
    /// The time.
    pub now: Timestamp,
}

/// What a URL gave.
#[derive(Debug)]
pub enum UrlEnd {
    /// A page.
    Page(Box<FoundPage>),
    /// It leads elsewhere; where to, in words. It is among the new URLs, unless it was known.
    Redirect(String),
    /// Nothing, for good; why.
    Nothing(String),
    /// Nothing for now.
    Later {
        /// Again from this time on.
        at: Timestamp,
        /// Why.
        why: String,
        /// Whether it counts as a try of this URL.
        counts: bool,
    },
}

/// A page that was read.
#[derive(Debug)]
pub struct FoundPage {
    /// The HTTP status.
    pub status: u16,
    /// Bytes as sent.
    pub bytes: u64,
    /// How much it has to do with the topic.
    pub score: f64,
    /// Whether it belongs into the repository.
    pub on_topic: bool,
    /// What speaks for it.
    pub evidence: Vec<FoundWord>,
    /// What it calls itself.
    pub title: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// Near-duplicate fingerprint.
    pub fingerprint: Option<u64>,
    /// Its text, for the search; only kept for pages on the topic.
    pub text: String,
    /// Its WARC file and where in it.
    pub warc: Option<(u32, u64)>,
    /// Why it is not kept although it was read, if so.
    pub unkept: Option<String>,
}

/// A word of the topic on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundWord {
    /// The class it stands for.
    pub class: String,
    /// The word.
    pub word: String,
    /// How often.
    pub count: u32,
    /// What one occurrence counts.
    pub weight: f64,
}

/// A URL that was not known before.
#[derive(Debug, Clone)]
pub struct NewCrawlUrl {
    /// Its number.
    pub spot: u32,
    /// The address, normalised.
    pub url: Url,
    /// What the crawl knows it by.
    pub hash: u64,
    /// Links in a row from a seed.
    pub depth: u16,
    /// What it seems to be worth.
    pub priority: f32,
    /// The page that told of it.
    pub parent: Option<u32>,
    /// The text of the link.
    pub anchor: String,
}

/// Something that may be worth watching.
#[derive(Debug, Clone)]
pub struct FoundCandidate {
    /// Where it is.
    pub url: Url,
    /// What it is.
    pub kind: CandidateKind,
    /// What it is called.
    pub title: Option<String>,
    /// New entries a day, if that is known.
    pub per_day: Option<f64>,
    /// The share of them that is on the topic.
    pub share: f64,
}

impl Store {
    /// Records what came of a URL: the page, its score, its new links, what was learned, and what becomes of the
    /// host, in one transaction. Queued before it returns, so that records are stored in the order of their making.
    pub fn record_page(
        &self,
        record: PageRecord,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + 'static {
        self.begin_write(move |connection| record_page(connection, &record))
    }

    /// Adds URLs that no page told of: seeds and what sitemaps name.
    pub fn add_crawl_urls(
        &self,
        crawl: CrawlId,
        epoch: i64,
        deed: i64,
        new: Vec<NewCrawlUrl>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + 'static {
        self.begin_write(move |connection| {
            let counts = Counts { new: new.len() as i64, ..Counts::default() };
            count(connection, crawl, (epoch, deed), new.first(), &counts)?;
            add_urls(connection, crawl, &new)
        })
    }
}

impl Store {
    /// URLs that will not be asked for any more; a reason of their own, or else the one they have.
    pub fn give_up_crawl_urls(
        &self,
        crawl: CrawlId,
        epoch: i64,
        deed: i64,
        urls: Vec<(u32, Option<String>)>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + 'static {
        self.begin_write(move |connection| {
            let counts = Counts { failed: urls.len() as i64, ..Counts::default() };
            count(connection, crawl, (epoch, deed), None, &counts)?;
            let mut statement = connection.prepare_cached(
                "UPDATE crawl_url SET state = ?3, not_before = NULL, why = coalesce(?4, why)
                 WHERE crawl_id = ?1 AND spot = ?2",
            )?;
            for (spot, why) in &urls {
                statement.execute(params![crawl.0, spot, UrlState::Dropped.number(), why])?;
            }
            Ok(())
        })
    }
}

fn record_page(connection: &Connection, record: &PageRecord) -> Result<(), StoreError> {
    // A host that is kept may have been given back by a later deed of this crawl: the crawl's own fence is enough.
    if let Some((lease, After::GiveBack { .. })) = &record.host {
        check_lease(connection, lease)?;
    }
    count(connection, record.crawl, (record.epoch, record.deed), record.new.first(), &Counts::of(record))?;
    add_urls(connection, record.crawl, &record.new)?;
    match &record.end {
        UrlEnd::Page(page) => add_page(connection, record, page)?,
        UrlEnd::Redirect(to) => end_url(connection, record, (UrlState::Redirected, 0), None, Some(to))?,
        UrlEnd::Nothing(why) => end_url(connection, record, (UrlState::Dropped, 0), None, Some(why))?,
        UrlEnd::Later { at, why, counts } => {
            end_url(connection, record, (UrlState::Resting, u32::from(*counts)), Some(*at), Some(why))?;
        }
    }
    for candidate in &record.candidates {
        save_candidate(connection, record.crawl, record.spot, candidate, record.now)?;
    }
    if !record.lessons.is_empty() {
        save_lessons(connection, record.crawl, &record.lessons, record.now)?;
    }
    save_robots(connection, &record.robots)?;
    let Some((lease, after)) = &record.host else { return Ok(()) };
    match check_lease(connection, lease) {
        // Given back by a later deed of this crawl.
        Err(StoreError::Fenced) => Ok(()),
        held => held.and_then(|()| settle(connection, lease, after)),
    }
}

/// What a deed adds to the crawl's row.
#[derive(Default)]
struct Counts {
    new: i64,
    fetched: i64,
    relevant: i64,
    failed: i64,
    warc: Option<(u32, u64)>,
}

impl Counts {
    fn of(record: &PageRecord) -> Self {
        let page = if let UrlEnd::Page(page) = &record.end { Some(page) } else { None };
        Self {
            new: record.new.len() as i64,
            fetched: i64::from(page.is_some()),
            relevant: i64::from(page.is_some_and(|page| page.on_topic)),
            failed: i64::from(matches!(record.end, UrlEnd::Nothing(_))),
            warc: record.warc,
        }
    }
}

/// Counts, and is the fence: an earlier start of the crawl, or one that a refused deed left with a gap, writes nothing.
fn count(
    connection: &Connection,
    crawl: CrawlId,
    (epoch, deed): (i64, i64),
    first: Option<&NewCrawlUrl>,
    counts: &Counts,
) -> Result<(), StoreError> {
    let changed = connection
        .prepare_cached(
            "UPDATE crawl SET deeds = deeds + 1, known = known + ?3, fetched = fetched + ?5, relevant = relevant + ?6, failed = failed + ?7,
                 warc_file = coalesce(?8, warc_file), warc_bytes = coalesce(?9, warc_bytes)
             WHERE id = ?1 AND epoch = ?2 AND deeds = ?10 AND (known = ?4 OR ?4 IS NULL)",
        )?
        .execute(params![
            crawl.0,
            epoch,
            counts.new,
            first.map(|url| url.spot),
            counts.fetched,
            counts.relevant,
            counts.failed,
            counts.warc.map(|(file, _)| file),
            counts.warc.map(|(_, bytes)| bytes as i64),
            deed
        ])?;
    if changed == 0 { Err(StoreError::Fenced) } else { Ok(()) }
}

fn add_urls(connection: &Connection, crawl: CrawlId, new: &[NewCrawlUrl]) -> Result<(), StoreError> {
    let mut urls = Set::new(URLS);
    for url in new {
        urls.push(params![
            crawl.0,
            url.spot,
            url.depth,
            url.parent,
            f64::from(url.priority),
            url.hash.cast_signed(),
            url.url.as_str(),
            url.anchor
        ]);
    }
    connection.send_set(
        "INSERT INTO crawl_url (crawl_id, spot, state, depth, parent, priority, hash, url, anchor)
         SELECT {crawl}, {spot}, 0, {depth}, {parent}, {priority}, {hash}, {url}, {anchor} {rows}",
        urls,
    )?;
    Ok(())
}

const URLS: Columns = &[
    ("crawl", Kind::Number),
    ("spot", Kind::Number),
    ("depth", Kind::Number),
    ("parent", Kind::Number),
    ("priority", Kind::Real),
    ("hash", Kind::Number),
    ("url", Kind::Text),
    ("anchor", Kind::Text),
];

fn end_url(
    connection: &Connection,
    record: &PageRecord,
    (state, tried): (UrlState, u32),
    not_before: Option<Timestamp>,
    why: Option<&String>,
) -> Result<(), StoreError> {
    let changed = connection
        .prepare_cached(
            "UPDATE crawl_url SET state = ?3, not_before = ?4, why = ?5, tries = tries + ?6
             WHERE crawl_id = ?1 AND spot = ?2",
        )?
        .execute(params![record.crawl.0, record.spot, state.number(), not_before.map(ms), why, tried])?;
    if changed == 1 { Ok(()) } else { Err(StoreError::Fenced) }
}

fn add_page(connection: &Connection, record: &PageRecord, page: &FoundPage) -> Result<(), StoreError> {
    end_url(connection, record, (UrlState::Fetched, 0), None, page.unkept.as_ref())?;
    let id: i64 = connection
        .prepare_cached(
            "INSERT INTO crawl_page (crawl_id, spot, fetched_at, status, bytes, score, on_topic, evidence, title, language,
                 fingerprint, warc_file, warc_offset, new_from, new_count)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) RETURNING id",
        )?
        .query_row(params![
            record.crawl.0,
            record.spot,
            ms(record.now),
            page.status,
            page.bytes as i64,
            page.score,
            page.on_topic,
            to_json(&page.evidence)?,
            page.title,
            page.language,
            page.fingerprint.map(u64::cast_signed),
            page.warc.map(|(file, _)| file),
            page.warc.map(|(_, offset)| offset as i64),
            record.new.first().map_or(0, |url| url.spot),
            record.new.len() as i64,
        ], |row| row.get(0))?;
    if page.on_topic {
        let title = page.title.as_deref().unwrap_or_default();
        put_words(connection, "crawl_words", id, title, &page.text)?;
    }
    Ok(())
}
