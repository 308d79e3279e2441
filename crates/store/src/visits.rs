//! The deed of a visit: what it found, what follows from it, and when the next one is, in one transaction.

mod listed;

pub(crate) use listed::NewArticle;

use crate::database::{self, Connection, OptionalExtension, params};
use crate::events::{Pending, Told, after_triggered};
use crate::knowledge::{Known, file_article};
use crate::leases::{After, Lease, check_lease, settle};
use crate::plan::{PlanRules, not_before, within_host_budget};
use crate::robots::save_robots;
use crate::rows::{json, ms, source, span_ms, time, to_json};
use crate::watch::{Watching, watch_visit};
use crate::watches::{Looked, Sighting, look};
use crate::{Store, StoreError};
use jiff::Timestamp;
use listed::insert_articles;
use model::{
    ArticleId, EventId, Found, Outcome, PlannedVisit, RobotsRecord, Source, SourceId, SourceKind, Validators,
    Visit, VisitId,
};
use scheduling::News;
use std::time::Duration;

/// Everything one visit brought.
#[derive(Debug, Clone)]
pub struct VisitRecord {
    /// The lease under which it was made.
    pub lease: Lease,
    /// The source visited.
    pub source_id: SourceId,
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub took: Duration,
    /// Why it was made.
    pub reason: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Bytes received.
    pub bytes: u64,
    /// What the page is, if it was read.
    pub kind: Option<SourceKind>,
    /// What the page calls itself.
    pub title: Option<String>,
    /// The articles on it, in the order of the page.
    pub articles: Vec<Found>,
    /// For how many of the new ones the page is to be read as well.
    pub bodies: usize,
    /// The selector the page was read with.
    pub selector: Option<String>,
    /// What to send the next time; `None` keeps the old ones.
    pub validators: Option<Validators>,
    /// Hash of the visible text; `None` keeps the old one.
    pub text_hash: Option<i64>,
    /// What the watches saw of it; `None` if the page is as it was.
    pub sights: Option<Vec<Sighting>>,
    /// What the reader noted.
    pub notes: Vec<String>,
    /// robots.txt files read on the way.
    pub robots: Vec<RobotsRecord>,
    /// What becomes of the host.
    pub after: After,
    /// The server asked not to be visited before this.
    pub earliest: Option<Timestamp>,
    /// What the user's plan asks for.
    pub rules: PlanRules,
}

/// What the planner is told about a visit, inside its transaction.
#[derive(Debug)]
pub struct SeenByVisit {
    /// The source as it was before.
    pub source: Source,
    /// Failures in a row, this visit included.
    pub failures: u32,
    /// Articles on the page.
    pub listed: u32,
    /// Articles never seen before.
    pub news: Vec<News>,
}

/// What came of recording a visit.
#[derive(Debug)]
pub struct Recorded {
    /// The visit.
    pub visit_id: VisitId,
    /// Articles never seen before, oldest first.
    pub new: Vec<ArticleId>,
    /// The next visit.
    pub planned: Option<PlannedVisit>,
    /// Events that this visit showed first.
    pub events: Vec<EventId>,
    /// Visits to other sources that were brought forward because of them.
    pub triggered: usize,
    /// Messages that watches posted.
    pub told: usize,
}

impl Store {
    /// Records a visit. `plan` says when the next one is, knowing what this one saw; it runs inside the
    /// transaction, so that a crash can never separate the two.
    pub async fn record_visit<P>(&self, record: VisitRecord, plan: P) -> Result<Recorded, StoreError>
    where
        P: FnOnce(&SeenByVisit) -> PlannedVisit + Send + 'static,
    {
        let (known, watching) = (self.inner.known.clone(), self.inner.watching.clone());
        let (mut plan, mut decided) = (Some(plan), None);
        // Asked once: a policy that is told of a visit remembers it. Should the deed be done again, its word stands.
        let mut plan = move |seen: &SeenByVisit| {
            if let Some(plan) = plan.take() {
                decided = Some(plan(seen));
            }
            decided.clone().ok_or(StoreError::Panicked)
        };
        self.write(move |connection| record_visit(connection, &known, &watching, &record, &mut plan)).await
    }

    /// The last visits to a source, newest first.
    pub async fn visits_of(&self, source: SourceId, limit: usize) -> Result<Vec<Visit>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT * FROM visit WHERE source_id = ?1 ORDER BY at DESC, id DESC LIMIT ?2",
            )?;
            let rows = statement.query_map(params![source.0, limit as i64], visit)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}

fn record_visit(
    connection: &Connection,
    known: &Known,
    watching: &Watching,
    record: &VisitRecord,
    plan: &mut dyn FnMut(&SeenByVisit) -> Result<PlannedVisit, StoreError>,
) -> Result<Recorded, StoreError> {
    check_lease(connection, &record.lease)?;
    // Before anything is written: what is loaded now must not know of this visit yet.
    let mut held = watching.held(connection)?;
    let (source, pending) = source_with_pending(connection, record.source_id)?;
    // A visit that a person asked for meanwhile is not the event's.
    let pending = if record.reason == source.state.next_reason { pending } else { Pending::default() };
    save_robots(connection, &record.robots)?;
    let visit_id = insert_visit(connection, record, pending.event)?;
    let mut new = insert_articles(connection, record, visit_id, source.host_id)?;
    for article in &mut new {
        article.folders = file_article(connection, known, article.id, &article.fields(&source))?;
    }
    if !new.is_empty() {
        connection
            .prepare_cached("UPDATE visit SET new = ?2 WHERE id = ?1")?
            .send(params![visit_id.0, new.len() as i64])?;
    }
    let success = record.outcome.is_success();
    let failures = if success { 0 } else { source.state.failures.saturating_add(1) };
    let (paused, interval) = (source.paused, source.interval);
    let news = news(record, &new);
    let seen = SeenByVisit { source, failures, listed: record.articles.len() as u32, news };
    let watch = held.settings();
    let looked = if success { look(connection, record, visit_id)? } else { Looked::default() };
    // A visit that a person asked for does not bring a paused source back.
    let planned = match (!paused).then(|| plan(&seen)).transpose()? {
        Some(planned) => {
            let planned = not_before(record.earliest, looked.no_later(planned));
            let (host, visits) = (seen.source.host_id, record.rules.visits_per_host_and_day);
            Some(within_host_budget(connection, host, visits, record.at, planned)?)
        }
        None => None,
    };
    let (planned, pending) = match planned {
        Some(planned) if success => {
            let (planned, pending) = after_triggered(connection, &watch, pending, planned, &seen, record)?;
            (Some(planned), pending)
        }
        planned => (planned, Pending::default()),
    };
    update_source(connection, record, &seen, planned.as_ref(), &pending, looked.unread)?;
    let told = match success.then(|| held.moving()).flatten() {
        Some(loaded) => watch_visit(connection, loaded, record, visit_id, interval, &new)?,
        None => Told::default(),
    };
    settle(connection, &record.lease, &record.after)?;
    held.keep();
    let new = new.iter().map(|article| article.id).collect();
    Ok(Recorded { visit_id, new, planned, events: told.events, triggered: told.visits, told: looked.told })
}

/// The new articles as policies see them. A date without a time of day says nothing of the hour, and one in the future
/// nothing at all.
fn news(record: &VisitRecord, new: &[NewArticle<'_>]) -> Vec<News> {
    let says = |at: &Timestamp| *at <= record.at && ms(*at) % 86_400_000 != 0;
    let one = |article: &NewArticle<'_>| News {
        at: article.found.published_at.filter(says).unwrap_or(record.at),
        folders: article.folders.clone(),
    };
    new.iter().map(one).collect()
}

/// A source, and the event that its next visit is for.
fn source_with_pending(connection: &Connection, id: SourceId) -> Result<(Source, Pending), StoreError> {
    connection
        .prepare_cached("SELECT * FROM source WHERE id = ?1")?
        .query_row([id.0], |row| Ok((source(row)?, Pending::read(row)?)))
        .optional()?
        .ok_or_else(|| StoreError::not_found(format!("source {id}")))
}

fn insert_visit(
    connection: &Connection,
    record: &VisitRecord,
    event: Option<EventId>,
) -> Result<VisitId, StoreError> {
    let id = connection
        .prepare_cached(
            "INSERT INTO visit (source_id, at, took_ms, reason, word, outcome, bytes, listed, new, notes, event_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, ?10) RETURNING id",
        )?
        .query_row(params![
            record.source_id.0,
            ms(record.at),
            span_ms(record.took),
            record.reason,
            record.outcome.word(),
            to_json(&record.outcome)?,
            record.bytes as i64,
            record.articles.len() as i64,
            to_json(&record.notes)?,
            event.map(|event| event.0)
        ], |row| row.get(0))?;
    Ok(VisitId(id))
}

fn update_source(
    connection: &Connection,
    record: &VisitRecord,
    seen: &SeenByVisit,
    planned: Option<&PlannedVisit>,
    pending: &Pending,
    unread: bool,
) -> Result<(), StoreError> {
    let success = record.outcome.is_success();
    // A selector or a watch changed meanwhile wants the page read afresh.
    let none = Validators::default();
    let validators = match &record.validators {
        _ if unread || seen.source.selector != record.selector => &none,
        Some(validators) => validators,
        None => &seen.source.state.validators,
    };
    connection
        .prepare_cached(
            "UPDATE source SET last_visit_at = ?2, last_outcome = ?3,
                 last_success_at = CASE WHEN ?4 THEN ?2 ELSE last_success_at END,
                 last_new_at = CASE WHEN ?5 THEN ?2 ELSE last_new_at END,
                 failures = ?6, next_at = ?7, next_reason = CASE WHEN CAST(?7 AS BIGINT) IS NULL THEN next_reason ELSE ?8 END,
                 kind = coalesce(?9, kind), title = coalesce(title, ?10),
                 etag = ?11, last_modified = ?12, content_hash = ?13, text_hash = coalesce(?14, text_hash),
                 event_id = ?15, base_at = ?16, base_reason = ?17, earliest_at = ?18
             WHERE id = ?1",
        )?
        .send(params![
            record.source_id.0,
            ms(record.at),
            to_json(&record.outcome)?,
            success,
            !seen.news.is_empty(),
            seen.failures,
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
            record.earliest.map(ms)
        ])?;
    Ok(())
}

pub(crate) fn visit(row: &database::Row<'_>) -> database::Result<Visit> {
    Ok(Visit {
        id: VisitId(row.get("id")?),
        source_id: SourceId(row.get("source_id")?),
        at: time(row, "at")?,
        took: Duration::from_millis(row.get::<_, i64>("took_ms")?.unsigned_abs()),
        reason: row.get("reason")?,
        outcome: json(row, "outcome")?,
        bytes: row.get::<_, i64>("bytes")?.unsigned_abs(),
        listed: row.get("listed")?,
        new: row.get("new")?,
        notes: json(row, "notes")?,
        event: row.get::<_, Option<i64>>("event_id")?.map(EventId),
    })
}
