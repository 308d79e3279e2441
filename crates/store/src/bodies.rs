//! The deed of reading one article's page.

use crate::database::search::put_words;
use crate::database::{self, Connection, OptionalExtension, params};
use crate::events::Told;
use crate::knowledge::{Known, file_anew};
use crate::leases::{After, Lease, check_lease, settle};
use crate::robots::save_robots;
use crate::rows::{ms, to_json};
use crate::watch::{Watching, watch_body};
use crate::{Store, StoreError};
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use jiff::Timestamp;
use model::{ArticleId, ArticlePage, BodyState, EventId, Outcome, RobotsRecord};
use std::io::Read;
use url::Url;

/// Everything one read of an article's page brought.
#[derive(Debug)]
pub struct BodyRecord {
    /// The lease under which it was fetched.
    pub lease: Lease,
    /// The article.
    pub article_id: ArticleId,
    /// How the fetch ended.
    pub outcome: Outcome,
    /// What the page says, if it could be read.
    pub read: Option<ArticlePage>,
    /// The page as fetched.
    pub page: Option<StoredPage>,
    /// When to try again; `None` when it was read or is given up.
    pub retry_at: Option<Timestamp>,
    /// robots.txt files read on the way.
    pub robots: Vec<RobotsRecord>,
    /// What becomes of the host.
    pub after: After,
}

/// A page as fetched: what was sent, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPage {
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// Where it came from in the end.
    pub final_url: String,
    /// Status line and headers.
    pub head: String,
    /// The content type.
    pub content_type: Option<String>,
    /// The content encoding the server used.
    pub content_encoding: Option<String>,
    /// The body, packed.
    body: Packed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Packed {
    AsSent(Vec<u8>),
    Deflated(Vec<u8>),
}

/// The fetcher's own limit is far below.
const MOST_BYTES: u64 = 64 << 20;

impl StoredPage {
    /// Packs a page for storing. Costs CPU: call it off the async threads.
    pub fn pack(
        fetched_at: Timestamp,
        final_url: String,
        head: String,
        content_type: Option<String>,
        content_encoding: Option<String>,
        body: Vec<u8>,
    ) -> Self {
        let body = if content_encoding.is_some() { Packed::AsSent(body) } else { deflate(body) };
        Self { fetched_at, final_url, head, content_type, content_encoding, body }
    }

    /// The body as it was sent.
    pub fn body(&self) -> std::io::Result<Vec<u8>> {
        match &self.body {
            Packed::AsSent(bytes) => Ok(bytes.clone()),
            Packed::Deflated(bytes) => {
                let mut body = Vec::new();
                // More than any page we store; a restored backup may hold anything.
                DeflateDecoder::new(bytes.as_slice()).take(MOST_BYTES).read_to_end(&mut body)?;
                Ok(body)
            }
        }
    }
}

fn deflate(body: Vec<u8>) -> Packed {
    let mut packed = Vec::with_capacity(body.len() / 3);
    match DeflateEncoder::new(body.as_slice(), Compression::fast()).read_to_end(&mut packed) {
        Ok(size) if size < body.len() => Packed::Deflated(packed),
        _ => Packed::AsSent(body),
    }
}

/// What came of recording a page.
#[derive(Debug)]
pub struct RecordedBody {
    /// The article that finally holds the text: another one if the page names a canonical URL that was already known.
    pub article: ArticleId,
    /// Events that this text showed first.
    pub events: Vec<EventId>,
    /// Visits to other sources that were brought forward because of them.
    pub triggered: usize,
}

impl Store {
    /// Records what came of reading an article's page.
    pub async fn record_body(&self, record: BodyRecord) -> Result<RecordedBody, StoreError> {
        let (known, watching) = (self.inner.known.clone(), self.inner.watching.clone());
        let article = record.article_id;
        let recorded =
            self.write(move |connection| record_body(connection, &known, &watching, &record)).await?;
        // Only what is committed can be read again.
        self.inner.known.touch(article.0);
        if recorded.article != article {
            self.inner.known.touch(recorded.article.0);
        }
        Ok(recorded)
    }

    /// The stored page of an article, as fetched.
    pub async fn stored_page(&self, id: ArticleId) -> Result<Option<StoredPage>, StoreError> {
        self.read(move |connection| {
            Ok(connection
                .prepare_cached("SELECT * FROM page WHERE article_id = ?1")?
                .query_row([id.0], |row| {
                    let body = row.get("body")?;
                    let deflated: bool = row.get("deflated")?;
                    Ok(StoredPage {
                        fetched_at: crate::rows::time(row, "fetched_at")?,
                        final_url: row.get("final_url")?,
                        head: row.get("head")?,
                        content_type: row.get("content_type")?,
                        content_encoding: row.get("content_encoding")?,
                        body: if deflated { Packed::Deflated(body) } else { Packed::AsSent(body) },
                    })
                })
                .optional()?)
        })
        .await
    }
}

fn record_body(
    connection: &Connection,
    known: &Known,
    watching: &Watching,
    record: &BodyRecord,
) -> Result<RecordedBody, StoreError> {
    check_lease(connection, &record.lease)?;
    // Before anything is written: what is loaded now must not know of this text yet.
    let mut held = watching.held(connection)?;
    save_robots(connection, &record.robots)?;
    let state = match (&record.read, record.retry_at) {
        (Some(_), _) => BodyState::Read,
        (None, Some(_)) => BodyState::Waiting,
        (None, None) => BodyState::Missing,
    };
    let changed = connection
        .prepare_cached(
            "UPDATE article SET body = ?2, body_at = ?3, body_tries = body_tries + 1, body_outcome = ?4 WHERE id = ?1",
        )?
        .execute(params![
            record.article_id.0,
            state.word(),
            record.retry_at.filter(|_| state == BodyState::Waiting).map(ms),
            to_json(&record.outcome)?
        ])?;
    if changed == 0 {
        return Err(StoreError::not_found(format!("article {}", record.article_id)));
    }
    let Some(read) = &record.read else {
        settle(connection, &record.lease, &record.after)?;
        return Ok(RecordedBody { article: record.article_id, events: Vec::new(), triggered: 0 });
    };
    let id = settle_canonical(connection, record.article_id, read)?;
    let mut told = Told::default();
    // The text of a double is kept only where its other self has none.
    if id == record.article_id || !is_read(connection, id)? {
        save_text(connection, id, read)?;
        save_page(connection, id, record.page.as_ref())?;
        let refiled = file_anew(connection, known, id)?;
        if let Some(loaded) = held.moving() {
            told = watch_body(connection, loaded, id, read, &refiled)?;
        }
    }
    settle(connection, &record.lease, &record.after)?;
    held.keep();
    Ok(RecordedBody { article: id, events: told.events, triggered: told.visits })
}

fn is_read(connection: &Connection, id: ArticleId) -> Result<bool, StoreError> {
    let has_text = "SELECT EXISTS (SELECT 1 FROM article_text WHERE article_id = ?1)";
    Ok(connection.prepare_cached(has_text)?.query_row([id.0], |row| row.get(0))?)
}

/// Makes the canonical URL the article's own. If another article has it, and it is the same story, the two are one.
///
/// A page's word is not enough: a consent page, a paywall or a careless template names one canonical URL for
/// everything, and would swallow article after article.
fn settle_canonical(
    connection: &Connection,
    id: ArticleId,
    read: &ArticlePage,
) -> Result<ArticleId, StoreError> {
    let Some(canonical) = &read.canonical else { return Ok(id) };
    let this = Identity::of(connection, id)?;
    let holder: Option<Option<i64>> = connection
        .prepare_cached("SELECT article_id FROM known_url WHERE url = ?1")?
        .query_row([canonical.as_str()], |row| row.get(0))
        .optional()?;
    match holder {
        None if this.is_told_by(read, canonical) => {
            connection
                .prepare_cached("UPDATE article SET url = ?2 WHERE id = ?1")?
                .execute(params![id.0, canonical.as_str()])?;
            connection
                .prepare_cached("INSERT INTO known_url (url, article_id) VALUES (?1, ?2)")?
                .execute(params![canonical.as_str(), id.0])?;
            Ok(id)
        }
        Some(Some(other)) if other != id.0 => {
            let other = ArticleId(other);
            if !Identity::of(connection, other)?.is_same_story(&this, read) {
                return Ok(id);
            }
            merge(connection, id, other)?;
            Ok(other)
        }
        // Its own URL, one that retention has removed, or one that is not believed.
        _ => Ok(id),
    }
}

/// What tells whether two articles are one.
struct Identity {
    url: String,
    title: String,
    fingerprint: Option<u64>,
}

impl Identity {
    fn of(connection: &Connection, id: ArticleId) -> Result<Self, StoreError> {
        let read = |row: &database::Row<'_>| {
            let fingerprint: Option<i64> = row.get(2)?;
            Ok(Self {
                url: row.get(0)?,
                title: row.get(1)?,
                fingerprint: fingerprint.map(i64::cast_unsigned),
            })
        };
        let found = connection
            .prepare_cached("SELECT url, title, fingerprint FROM article WHERE id = ?1")?
            .query_row([id.0], read)
            .optional()?;
        found.ok_or_else(|| StoreError::not_found(format!("article {id}")))
    }

    /// Whether a page speaks of this article when it names `canonical`: by headline, or by the address's last words.
    fn is_told_by(&self, read: &ArticlePage, canonical: &Url) -> bool {
        let last_words = |url: &str| {
            let path = url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
            let last = path.rsplit('/').next().unwrap_or_default();
            last.split('.').next().unwrap_or_default().to_owned()
        };
        let (own, named) = (last_words(&self.url), last_words(canonical.as_str()));
        read.title.as_deref().is_some_and(|title| alike(title, &self.title))
            || (own == named && own.len() > 8)
    }

    /// Whether this is the article that `other` is, whose page was just read.
    fn is_same_story(&self, other: &Self, read: &ArticlePage) -> bool {
        // Texts that differ in a word or two.
        const NEAR: u32 = 6;
        let near = |pair: (u64, u64)| page::fingerprint::distance(pair.0, pair.1) <= NEAR;
        alike(&self.title, &other.title) || self.fingerprint.zip(read.fingerprint).is_some_and(near)
    }
}

/// The same headline, or one cut short.
fn alike(a: &str, b: &str) -> bool {
    let plain = |text: &str| page::words::search_text(text.trim_end_matches(['…', '.']));
    let (a, b) = (plain(a), plain(b));
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short == long || (short.len() >= 12 && long.starts_with(&short))
}

fn merge(connection: &Connection, from: ArticleId, into: ArticleId) -> Result<(), StoreError> {
    let pair = params![from.0, into.0];
    connection.execute("UPDATE known_url SET article_id = ?2 WHERE article_id = ?1", pair)?;
    connection.execute(
        "UPDATE listing SET article_id = ?2 WHERE article_id = ?1 AND NOT EXISTS (
             SELECT 1 FROM listing other WHERE other.article_id = ?2 AND other.source_id = listing.source_id)",
        pair,
    )?;
    // A source that listed both now lists one.
    connection.execute(
        "UPDATE source SET articles = articles - 1 WHERE id IN (SELECT source_id FROM listing WHERE article_id = ?1)",
        [from.0],
    )?;
    connection.execute(
        "UPDATE article SET starred = max(starred, (SELECT starred FROM article WHERE id = ?1)) WHERE id = ?2",
        pair,
    )?;
    connection.execute("DELETE FROM article_words WHERE rowid = ?1", [from.0])?;
    connection.execute("DELETE FROM article WHERE id = ?1", [from.0])?;
    Ok(())
}

fn save_text(connection: &Connection, id: ArticleId, read: &ArticlePage) -> Result<(), StoreError> {
    let title: String = connection
        .prepare_cached(
            "UPDATE article SET
                 title = CASE WHEN CAST(?2 AS TEXT) IS NOT NULL AND (title = '' OR title LIKE '%…' OR title LIKE '%...')
                              THEN ?2 ELSE title END,
                 published_at = coalesce(published_at, ?3), language = coalesce(?4, language),
                 summary = coalesce(summary, ?5), fingerprint = ?6
             WHERE id = ?1 RETURNING title",
        )?
        .query_row(
            params![
                id.0,
                read.title,
                read.published_at.map(ms),
                read.language,
                beginning(&read.text),
                read.fingerprint.map(u64::cast_signed)
            ],
            |row| row.get(0),
        )?;
    connection
        .prepare_cached(
            "INSERT INTO article_text (article_id, text, notes) VALUES (?1, ?2, ?3)
             ON CONFLICT (article_id) DO UPDATE SET text = excluded.text, notes = excluded.notes",
        )?
        .execute(params![id.0, read.text, to_json(&read.notes)?])?;
    Ok(put_words(connection, "article_words", id.0, &title, &read.text)?)
}

/// The first words of a text, as a teaser.
fn beginning(text: &str) -> Option<String> {
    const CHARS: usize = 240;
    let mut words = text.split_whitespace().peekable();
    words.peek()?;
    let mut teaser = String::new();
    for word in words {
        if teaser.chars().count() + word.chars().count() > CHARS {
            teaser.push('…');
            break;
        }
        if !teaser.is_empty() {
            teaser.push(' ');
        }
        teaser.push_str(word);
    }
    // One word longer than a teaser (a text without spaces): its beginning.
    if teaser == "…" {
        Some(text.trim().chars().take(CHARS).chain(['…']).collect())
    } else {
        Some(teaser)
    }
}

fn save_page(connection: &Connection, id: ArticleId, page: Option<&StoredPage>) -> Result<(), StoreError> {
    let Some(page) = page else { return Ok(()) };
    let (deflated, body) = match &page.body {
        Packed::AsSent(bytes) => (false, bytes),
        Packed::Deflated(bytes) => (true, bytes),
    };
    connection
        .prepare_cached(
            "INSERT INTO page
                 (article_id, fetched_at, final_url, head, content_type, content_encoding, deflated, size, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (article_id) DO UPDATE SET
                 fetched_at = excluded.fetched_at, final_url = excluded.final_url, head = excluded.head,
                 content_type = excluded.content_type, content_encoding = excluded.content_encoding,
                 deflated = excluded.deflated, size = excluded.size, body = excluded.body",
        )?
        .execute(params![
            id.0,
            ms(page.fetched_at),
            page.final_url,
            page.head,
            page.content_type,
            page.content_encoding,
            deflated,
            body.len() as i64,
            body
        ])?;
    Ok(())
}
