//! What the watcher found becomes facts: events, windows, messages, visits. Inside the deed that showed it.

use super::reaction::{react, shown_by};
use super::window::save_window;
use super::{Event, get_event};
use crate::StoreError;
use crate::database::{Connection, OptionalExtension, params};
use crate::outbox::{Message, post};
use crate::rows::{ms, time, to_json};
use crate::watch::Loaded;
use detection::{Finding, Score, What};
use jiff::Timestamp;
use model::{EventId, FolderId, SourceId, VisitId};
use serde_json::json;
use std::collections::HashMap;

/// What showed the findings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) at: Timestamp,
    pub(crate) visit: Option<VisitId>,
    pub(crate) source: Option<SourceId>,
}

impl Seen {
    pub(crate) fn by_clock(at: Timestamp) -> Self {
        Self { at, visit: None, source: None }
    }
}

/// What came of the findings.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Events that opened.
    pub(crate) events: Vec<EventId>,
    /// Events that ended.
    pub(crate) ended: usize,
    /// Visits that were brought forward.
    pub(crate) visits: usize,
}

pub(crate) fn apply(
    connection: &Connection,
    loaded: &mut Loaded,
    seen: &Seen,
    findings: Vec<Finding>,
) -> Result<Told, StoreError> {
    let mut told = Told::default();
    for finding in findings {
        match finding.what {
            What::Closed(closed) => save_window(connection, finding.folder, &closed)?,
            What::Opened { began_at, score } => {
                if !folder_exists(connection, finding.folder)? {
                    continue;
                }
                // After a merge of folders the books may know of an event already.
                if open_events(connection)?.contains_key(&finding.folder) {
                    told.visits += grow(connection, loaded, seen, finding.folder, &score)?;
                    continue;
                }
                let id = open(connection, loaded, seen, finding.folder, began_at, &score)?;
                let event = get_event(connection, id)?;
                told.visits += react(connection, loaded, seen, &event, &score)?;
                tell(connection, &event, "opened", seen.at)?;
                told.events.push(id);
            }
            What::Grew(score) => told.visits += grow(connection, loaded, seen, finding.folder, &score)?,
            What::Ended(at) => told.ended += usize::from(end(connection, seen, finding.folder, at)?),
        }
    }
    Ok(told)
}

/// The open event of each folder, and when it was opened.
pub(crate) fn open_events(connection: &Connection) -> Result<HashMap<FolderId, Timestamp>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT * FROM event WHERE ended_at IS NULL")?;
    let rows =
        statement.query_map([], |row| Ok((FolderId(row.get("folder_id")?), time(row, "opened_at")?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn folder_exists(connection: &Connection, folder: FolderId) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM folder WHERE id = ?1)";
    Ok(connection.prepare_cached(sql)?.query_row([folder.0], |row| row.get(0))?)
}

fn open(
    connection: &Connection,
    loaded: &Loaded,
    seen: &Seen,
    folder: FolderId,
    began_at: Timestamp,
    score: &Score,
) -> Result<EventId, StoreError> {
    let id = connection
        .prepare_cached(
            "INSERT INTO event (folder_id, began_at, opened_at, visit_id, source_id, detector, opening, peak, peak_score, reacted)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9) RETURNING id",
        )?
        .query_row(params![
            folder.0,
            ms(began_at.min(seen.at)),
            ms(seen.at),
            seen.visit.map(|id| id.0),
            shown_by(seen, score).map(|id| id.0),
            loaded.settings.detector.word(),
            to_json(score)?,
            score.score,
            to_json(&shown_by(seen, score).as_slice())?
        ], |row| row.get(0))?;
    Ok(EventId(id))
}

/// An event goes on. A further source that is unusual by itself brings those like it forward, once.
fn grow(
    connection: &Connection,
    loaded: &mut Loaded,
    seen: &Seen,
    folder: FolderId,
    score: &Score,
) -> Result<usize, StoreError> {
    let open = connection
        .prepare_cached(
            "SELECT id, peak_score, reacted FROM event WHERE folder_id = ?1 AND ended_at IS NULL",
        )?
        .query_row([folder.0], |row| {
            Ok((
                EventId(row.get(0)?),
                row.get::<_, f64>(1)?,
                crate::rows::json::<Vec<SourceId>>(row, "reacted")?,
            ))
        })
        .optional()?;
    let Some((id, peak, mut reacted)) = open else {
        // Somebody dismissed it, perhaps from another process.
        loaded.watcher.mute(folder);
        return Ok(0);
    };
    if score.score > peak {
        connection
            .prepare_cached("UPDATE event SET peak = ?2, peak_score = ?3 WHERE id = ?1")?
            .execute(params![id.0, to_json(score)?, score.score])?;
    }
    let is_unusual =
        |source: &SourceId| score.contributions.iter().any(|part| part.unusual && part.source == *source);
    let Some(source) = seen.source.filter(|source| !reacted.contains(source) && is_unusual(source)) else {
        return Ok(0);
    };
    reacted.push(source);
    connection
        .prepare_cached("UPDATE event SET reacted = ?2 WHERE id = ?1")?
        .execute(params![id.0, to_json(&reacted)?])?;
    react(connection, loaded, seen, &get_event(connection, id)?, score)
}

fn end(connection: &Connection, seen: &Seen, folder: FolderId, at: Timestamp) -> Result<bool, StoreError> {
    let ended: Option<i64> = connection
        .prepare_cached(
            "UPDATE event SET ended_at = max(?2, opened_at) WHERE folder_id = ?1 AND ended_at IS NULL RETURNING id",
        )?
        .query_row(params![folder.0, ms(at)], |row| row.get(0))
        .optional()?;
    if let Some(id) = ended {
        tell(connection, &get_event(connection, EventId(id))?, "ended", seen.at)?;
    }
    Ok(ended.is_some())
}

/// Posts a message that names the event and its state: the same happening never makes two.
pub(super) fn tell(
    connection: &Connection,
    event: &Event,
    state: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    let message = Message {
        key: format!("event:{}:{state}", event.id),
        kind: format!("event_{state}"),
        payload: facts(connection, event, state)?,
        created_at: at,
    };
    post(connection, &message)?;
    Ok(())
}

fn facts(connection: &Connection, event: &Event, state: &str) -> Result<serde_json::Value, StoreError> {
    let score = if state == "opened" { &event.opening } else { &event.peak };
    let mut sources = Vec::new();
    for part in score.contributions.iter().filter(|part| part.observed > 0.0) {
        let title: Option<String> = connection
            .prepare_cached("SELECT coalesce(title, url) FROM source WHERE id = ?1")?
            .query_row([part.source.0], |row| row.get(0))
            .optional()?;
        sources.push(json!({
            "id": part.source, "title": title, "observed": part.observed, "expected": part.expected,
        }));
    }
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT a.id, a.title, a.url, coalesce(s.title, s.url) AS source FROM filing f
         JOIN article a ON a.id = f.article_id LEFT JOIN source s ON s.id = a.source_id
         WHERE f.folder_id = ?1 AND a.first_seen_at > ?2 AND a.caught_up = 0 ORDER BY a.id DESC LIMIT 10",
    )?;
    let articles = statement.query_map(params![event.folder.0, ms(event.began_at)], |row| {
        Ok(json!({
            "id": row.get::<_, i64>(0)?, "title": row.get::<_, String>(1)?, "url": row.get::<_, String>(2)?,
            "source": row.get::<_, Option<String>>(3)?,
        }))
    })?;
    Ok(json!({
        "event": event.id,
        "folder": {"id": event.folder, "name": event.folder_name},
        "state": state,
        "observed": score.observed,
        "expected": score.expected,
        "low": score.low,
        "high": score.high,
        "score": score.score,
        "reason": score.reason,
        "began_at": event.began_at,
        "began_in": event.source_title,
        "opened_at": event.opened_at,
        "ended_at": event.ended_at,
        "verdict": event.verdict,
        "sources": sources,
        "articles": articles.collect::<Result<Vec<_>, _>>()?,
        "url": format!("/events/{}", event.id),
    }))
}
