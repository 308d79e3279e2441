//! What visits write, gathered: rows of several visits go into a table together.
//!
//! Whoever asks about what was gathered has it written first.

use super::VisitRecord;
use super::listed::{NewArticle, NewRow};
use crate::StoreError;
use crate::database::search::NewWords;
use crate::database::{Columns, Connection, Kind, Set, params};
use crate::events::Pending;
use crate::hosts::bring_all_forward;
use crate::knowledge::{FILINGS, save_filings};
use crate::leases::HeldHosts;
use crate::rows::{ms, span_ms, to_json};
use crate::watch::{COPIES, mark_copies};
use jiff::Timestamp;
use model::{ArticleId, EventId, HostId, PlannedVisit, SourceId, SourceKind, Validators, VisitId};
use std::collections::BTreeMap;

pub(crate) struct Gathered {
    visits: Set,
    articles: Set,
    /// Which articles those are, and of which visits.
    unwritten: Vec<(ArticleId, VisitId)>,
    urls: Set,
    listings: Set,
    words: NewWords,
    pub(super) filings: Set,
    copies: Set,
    caught_up: Set,
    sources: Set,
    /// Articles that sources list for the first time.
    listed: BTreeMap<SourceId, i64>,
    /// Hosts on which work has come up.
    due: BTreeMap<HostId, Timestamp>,
    pub(super) hosts: HeldHosts,
}

/// The state of a source after its visit.
pub(super) struct SourceAfter<'a> {
    pub(super) failures: u32,
    pub(super) has_news: bool,
    pub(super) planned: Option<&'a PlannedVisit>,
    pub(super) pending: &'a Pending,
    pub(super) validators: &'a Validators,
}

impl Gathered {
    pub(super) fn new(connection: &Connection, hosts: HeldHosts) -> Self {
        Self {
            visits: Set::new(VISITS),
            articles: Set::new(ARTICLES),
            unwritten: Vec::new(),
            urls: Set::new(URLS),
            listings: Set::new(LISTINGS),
            words: NewWords::new(connection.dialect(), "article_words"),
            filings: Set::new(FILINGS),
            copies: Set::new(COPIES),
            caught_up: Set::new(CAUGHT_UP),
            sources: Set::new(SOURCES),
            listed: BTreeMap::new(),
            due: BTreeMap::new(),
            hosts,
        }
    }

    pub(super) fn visit(
        &mut self,
        id: VisitId,
        record: &VisitRecord,
        new: usize,
        event: Option<EventId>,
    ) -> Result<(), StoreError> {
        self.visits.push(params![
            id.0,
            record.source_id.0,
            ms(record.at),
            span_ms(record.took),
            record.reason,
            record.outcome.word(),
            to_json(&record.outcome)?,
            record.bytes as i64,
            record.articles.len() as i64,
            new as i64,
            to_json(&record.notes)?,
            event.map(|event| event.0)
        ]);
        Ok(())
    }

    pub(super) fn article(&mut self, article: &NewArticle<'_>, row: &NewRow, record: &VisitRecord) {
        let (id, found) = (article.id.0, article.found);
        self.articles.push(params![
            id,
            found.url.as_str(),
            row.host.0,
            found.title,
            found.published_at.map(ms),
            ms(record.at),
            row.visit.0,
            record.source_id.0,
            found.summary,
            row.body.word(),
            row.reads_body().then(|| ms(record.at)),
            article.folders.len() as i64,
            None::<i64>,
            false
        ]);
        self.unwritten.push((article.id, row.visit));
        self.urls.push(params![found.url.as_str(), id]);
        self.words.push(id, &found.title, found.summary.as_deref().unwrap_or_default());
    }

    /// A source lists an article that it did not list before.
    pub(super) fn listing(&mut self, article: ArticleId, visit: VisitId, record: &VisitRecord) {
        self.listings.push(params![article.0, record.source_id.0, visit.0, ms(record.at)]);
        *self.listed.entry(record.source_id).or_default() += 1;
    }

    /// Work has come up on a host.
    pub(super) fn due(&mut self, host: HostId, at: Timestamp) {
        self.due.entry(host).and_modify(|due| *due = at.min(*due)).or_insert(at);
    }

    /// An article tells another one's story.
    pub(crate) fn copy(&mut self, article: ArticleId, first: ArticleId) {
        match self.unwritten.iter().rposition(|(id, _)| *id == article) {
            Some(row) => self.articles.put(row, STORY, first.0),
            None => self.copies.push(params![article.0, first.0]),
        }
    }

    /// What a visit brought says nothing about when it was published.
    pub(crate) fn caught_up(&mut self, visit: VisitId) {
        let mut is_written = true;
        for row in (0..self.unwritten.len()).rev().take_while(|row| self.unwritten[*row].1 == visit) {
            self.articles.put(row, CAUGHT_UP_WITH, 1);
            is_written = false;
        }
        if is_written {
            self.caught_up.push(params![visit.0]);
        }
    }

    /// The state of a source after its visit; of each source once between two writes.
    pub(super) fn source(&mut self, record: &VisitRecord, after: &SourceAfter<'_>) -> Result<(), StoreError> {
        let SourceAfter { planned, pending, validators, .. } = after;
        self.sources.push(params![
            record.source_id.0,
            ms(record.at),
            to_json(&record.outcome)?,
            record.outcome.is_success(),
            after.has_news,
            after.failures,
            planned.map(|planned| ms(planned.at)),
            planned.map_or("", |planned| &planned.reason),
            record.kind.map(SourceKind::word),
            record.title,
            validators.etag,
            validators.last_modified,
            validators.content_hash,
            record.text_hash,
            pending.event.map(|event| event.0),
            pending.base.as_ref().map(|base| ms(base.at)),
            pending.base.as_ref().map(|base| &base.reason),
            record.earliest.map(ms),
            self.listed.remove(&record.source_id).unwrap_or(0)
        ]);
        Ok(())
    }

    /// Writes everything, in the order in which rows refer to each other.
    pub(crate) fn write(&mut self, connection: &Connection) -> Result<(), StoreError> {
        connection.send_set(INSERT_VISITS, self.visits.take())?;
        self.unwritten.clear();
        connection.send_set(INSERT_ARTICLES, self.articles.take())?;
        connection.send_set(
            "INSERT INTO known_url (url, article_id) VALUES ({url}, {article})",
            self.urls.take(),
        )?;
        connection.send_set(
            "INSERT INTO listing (article_id, source_id, visit_id, first_seen_at)
             VALUES ({article}, {source}, {visit}, {seen})",
            self.listings.take(),
        )?;
        self.words.write(connection)?;
        save_filings(connection, self.filings.take())?;
        mark_copies(connection, self.copies.take())?;
        connection.send_set(
            "UPDATE article SET caught_up = 1 {rows} WHERE visit_id = {visit}",
            self.caught_up.take(),
        )?;
        connection.send_set(UPDATE_SOURCES, self.sources.take())?;
        self.count_listed(connection)?;
        bring_all_forward(connection, std::mem::take(&mut self.due))?;
        self.hosts.write(connection)
    }

    /// Of visits that are not done yet: the others have counted with their source's row.
    fn count_listed(&mut self, connection: &Connection) -> Result<(), StoreError> {
        const LISTED: Columns = &[("source", Kind::Number), ("more", Kind::Number)];
        let mut listed = Set::new(LISTED);
        for (source, more) in std::mem::take(&mut self.listed) {
            listed.push(params![source.0, more]);
        }
        connection
            .send_set("UPDATE source SET articles = articles + {more} {rows} WHERE id = {source}", listed)?;
        Ok(())
    }
}

const VISITS: Columns = &[
    ("visit", Kind::Number),
    ("source", Kind::Number),
    ("visited", Kind::Number),
    ("took", Kind::Number),
    ("reason", Kind::Text),
    ("word", Kind::Text),
    ("outcome", Kind::Text),
    ("bytes", Kind::Number),
    ("listed", Kind::Number),
    ("news", Kind::Number),
    ("notes", Kind::Text),
    ("event", Kind::Number),
];

const INSERT_VISITS: &str =
    "INSERT INTO visit (id, source_id, at, took_ms, reason, word, outcome, bytes, listed, new, notes, event_id)
     VALUES ({visit}, {source}, {visited}, {took}, {reason}, {word}, {outcome}, {bytes}, {listed}, {news}, {notes},
            {event})";

const ARTICLES: Columns = &[
    ("article", Kind::Number),
    ("url", Kind::Text),
    ("host", Kind::Number),
    ("title", Kind::Text),
    ("published", Kind::Number),
    ("seen", Kind::Number),
    ("visit", Kind::Number),
    ("source", Kind::Number),
    ("summary", Kind::Text),
    ("body", Kind::Text),
    ("due", Kind::Number),
    ("folders", Kind::Number),
    ("story", Kind::Number),
    ("caught_up", Kind::Number),
];
/// What the watcher says of articles after they were gathered.
const STORY: usize = 12;
const CAUGHT_UP_WITH: usize = 13;

const INSERT_ARTICLES: &str =
    "INSERT INTO article (id, url, host_id, title, anchor, published_at, first_seen_at, visit_id, source_id, summary, body,
                          body_at, folders, story_id, caught_up)
     VALUES ({article}, {url}, {host}, {title}, {title}, {published}, {seen}, {visit}, {source}, {summary}, {body}, {due},
            {folders}, {story}, {caught_up})";

const URLS: Columns = &[("url", Kind::Text), ("article", Kind::Number)];

const LISTINGS: Columns =
    &[("article", Kind::Number), ("source", Kind::Number), ("visit", Kind::Number), ("seen", Kind::Number)];

const CAUGHT_UP: Columns = &[("visit", Kind::Number)];

const SOURCES: Columns = &[
    ("source", Kind::Number),
    ("visited", Kind::Number),
    ("outcome", Kind::Text),
    ("success", Kind::Number),
    ("has_news", Kind::Number),
    ("failed", Kind::Number),
    ("due", Kind::Number),
    ("reason", Kind::Text),
    ("sort", Kind::Text),
    ("name", Kind::Text),
    ("tag", Kind::Text),
    ("modified", Kind::Text),
    ("content", Kind::Number),
    ("visible", Kind::Number),
    ("event", Kind::Number),
    ("base", Kind::Number),
    ("base_why", Kind::Text),
    ("earliest", Kind::Number),
    ("listed", Kind::Number),
];

const UPDATE_SOURCES: &str = "UPDATE source SET last_visit_at = {visited}, last_outcome = {outcome},
         last_success_at = CASE WHEN {success} = 1 THEN {visited} ELSE last_success_at END,
         last_new_at = CASE WHEN {has_news} = 1 THEN {visited} ELSE last_new_at END,
         failures = {failed}, next_at = {due},
         next_reason = CASE WHEN {due} IS NULL THEN next_reason ELSE {reason} END,
         kind = coalesce({sort}, kind), title = coalesce(title, {name}),
         etag = {tag}, last_modified = {modified}, content_hash = {content},
         text_hash = coalesce({visible}, text_hash),
         event_id = {event}, base_at = {base}, base_reason = {base_why}, earliest_at = {earliest},
         articles = articles + {listed}
     {rows} WHERE id = {source}";
