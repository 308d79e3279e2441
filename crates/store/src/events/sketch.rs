//! Events at a glance, for lists: the windows around each, who had it first and how many followed.

use super::window::{of, windows};
use super::{Event, FolderWindow};
use crate::database::{Connection, OptionalExtension, params};
use crate::rows::{ms, time};
use crate::{Store, StoreError};
use jiff::{SignedDuration, Timestamp};
use model::EventId;
use std::collections::HashMap;

/// An event at a glance.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EventSketch {
    /// The windows around it, oldest first.
    pub windows: Vec<FolderWindow>,
    /// The source that had it first.
    pub first: Option<String>,
    /// How many sources had it.
    pub sources: u32,
}

/// What came before shows what is usual.
const BEFORE: SignedDuration = SignedDuration::from_hours(24);
const AFTER: SignedDuration = SignedDuration::from_hours(6);
/// A long event is shown by its beginning.
const LONGEST: SignedDuration = SignedDuration::from_hours(48);

impl Store {
    /// Events at a glance, by their ids.
    pub async fn event_sketches(
        &self,
        events: &[Event],
    ) -> Result<HashMap<EventId, EventSketch>, StoreError> {
        let events = events.to_vec();
        let open: Vec<_> =
            events.iter().filter(|event| event.ended_at.is_none()).map(|event| event.folder).collect();
        let now = self
            .watcher(move |watcher| {
                let now = open.iter().filter_map(|folder| Some((*folder, watcher.now(*folder)?)));
                now.collect::<HashMap<_, _>>()
            })
            .await?;
        self.read(move |connection| {
            let mut sketches = HashMap::new();
            for event in &events {
                let mut sketch = sketch(connection, event)?;
                let going_on = now.get(&event.folder).filter(|_| event.ended_at.is_none());
                let is_new =
                    |window: &FolderWindow| sketch.windows.last().is_none_or(|last| last.from < window.from);
                let going_on = going_on.map(of).filter(is_new);
                sketch.windows.extend(going_on.map(|window| FolderWindow { open: true, ..window }));
                sketches.insert(event.id, sketch);
            }
            Ok(sketches)
        })
        .await
    }

    /// When the first visit was that is still remembered: how long there has been something to learn from.
    pub async fn watched_since(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT at FROM visit ORDER BY id LIMIT 1";
            Ok(connection.prepare_cached(sql)?.query_row([], |row| time(row, "at")).optional()?)
        })
        .await
    }
}

fn sketch(connection: &Connection, event: &Event) -> Result<EventSketch, StoreError> {
    let moved = |at: Timestamp, by: SignedDuration| at.checked_add(by).unwrap_or(at);
    let last = moved(event.began_at, LONGEST);
    let to = event.ended_at.map_or(last, |ended| moved(ended, AFTER).min(last));
    let windows = windows(connection, event.folder, moved(event.began_at, -BEFORE), to)?;
    let until = event.ended_at.map_or(i64::MAX, ms);
    let (sources, first) = connection
        .prepare_cached(WHO)?
        .query_row(params![event.folder.0, ms(event.began_at), until], |row| {
            Ok((row.get("sources")?, row.get("first")?))
        })?;
    Ok(EventSketch { windows, first, sources })
}

/// From the folder's newest filings, as ids are in the order of first sight. A date before the event is a mistake of the
/// site, or an old article that was listed again.
const WHO: &str = "
    WITH had AS (
        SELECT l.source_id, min(CASE WHEN a.published_at BETWEEN ?2 AND l.first_seen_at
                                     THEN a.published_at ELSE l.first_seen_at END) AS first_at
        FROM filing f JOIN article a ON a.id = f.article_id JOIN listing l ON l.article_id = a.id
        WHERE f.folder_id = ?1 AND a.caught_up = 0
          AND f.article_id >= coalesce((SELECT id FROM article WHERE first_seen_at > ?2 ORDER BY first_seen_at, id LIMIT 1), 9223372036854775807)
          AND f.article_id <= coalesce((SELECT id FROM article WHERE first_seen_at <= ?3 ORDER BY first_seen_at DESC, id DESC LIMIT 1), 0)
        GROUP BY l.source_id)
    SELECT count(*) AS sources,
           (SELECT coalesce(s.title, s.url) FROM had h JOIN source s ON s.id = h.source_id
            ORDER BY h.first_at, s.id LIMIT 1) AS first
    FROM had";
