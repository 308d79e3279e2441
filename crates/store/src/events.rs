//! Events: what was unusually busy, why, what came of it.

mod apply;
mod detail;
mod gain;
mod judge;
mod reaction;
mod sketch;
mod window;

pub use detail::{EventDetail, Follower, Story};
pub use gain::Gain;
pub use judge::Verdict;
pub use sketch::EventSketch;
pub use window::{FolderWindow, HourOfWeek};

pub(crate) use apply::{Seen, Told, apply, open_events};
pub(crate) use reaction::{Pending, after_triggered};
pub(crate) use window::save_window;

use crate::database::{self, OptionalExtension, Row, params};
use crate::rows::{json, maybe_time, time};
use crate::{Store, StoreError};
use detection::Score;
use jiff::Timestamp;
use model::{EventId, FolderId, SourceId, VisitId};

/// A time at which a folder was unusually busy.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// The folder.
    pub folder: FolderId,
    /// The folder's path.
    pub folder_name: String,
    /// When the window began that shows it.
    pub began_at: Timestamp,
    /// When it was noticed.
    pub opened_at: Timestamp,
    /// When it was over; `None` while it goes on.
    pub ended_at: Option<Timestamp>,
    /// The visit that showed it.
    pub visit: Option<VisitId>,
    /// That visit's source.
    pub source: Option<SourceId>,
    /// Its name.
    pub source_title: Option<String>,
    /// What decided.
    pub detector: String,
    /// The window that opened it.
    pub opening: Score,
    /// The most unusual window so far.
    pub peak: Score,
    /// What a person said of it.
    pub verdict: Option<Verdict>,
    /// When.
    pub judged_at: Option<Timestamp>,
    /// Articles of the folder while it went on.
    pub articles: u64,
    /// Visits it caused.
    pub visits: u64,
}

/// Which events to list.
#[derive(Debug, Clone, Default)]
pub struct EventFilter {
    /// Only of this folder.
    pub folder: Option<FolderId>,
    /// Only those that go on (or only those that are over).
    pub open: Option<bool>,
    /// Only those that were judged so.
    pub verdict: Option<Verdict>,
    /// Only older ones than this.
    pub before: Option<EventId>,
    /// At most this many.
    pub limit: usize,
}

/// Ids are in the order of first sight, so a span of time is a span of ids.
const EVENTS: &str = "SELECT e.*,
        (WITH RECURSIVE up (parent_id, path) AS (
             SELECT parent_id, name FROM folder WHERE id = e.folder_id
             UNION ALL SELECT f.parent_id, f.name || '/' || up.path FROM folder f JOIN up ON f.id = up.parent_id)
         SELECT path FROM up WHERE parent_id IS NULL) AS folder_name, coalesce(s.title, s.url) AS source_title,
        (SELECT count(*) FROM visit v WHERE v.event_id = e.id) AS visits,
        (SELECT count(DISTINCT g.article_id) FROM filing g JOIN article c ON c.id = g.article_id AND c.caught_up = 0
         WHERE g.folder_id = e.folder_id
           AND g.article_id >= coalesce((SELECT id FROM article WHERE first_seen_at > e.began_at ORDER BY first_seen_at, id LIMIT 1), 9223372036854775807)
           AND g.article_id <= coalesce(
               (SELECT id FROM article WHERE first_seen_at <= coalesce(e.ended_at, 9223372036854775807) ORDER BY first_seen_at DESC, id DESC LIMIT 1), 0)) AS articles
    FROM event e LEFT JOIN source s ON s.id = e.source_id";

impl Store {
    /// Events, newest first.
    pub async fn events(&self, filter: EventFilter) -> Result<Vec<Event>, StoreError> {
        self.read(move |connection| {
            let sql = format!(
                "{EVENTS} WHERE (e.folder_id = ?1 OR ?1 IS NULL) AND ((e.ended_at IS NULL) = ?2 OR ?2 IS NULL)
                 AND (e.id < ?3 OR ?3 IS NULL) AND (e.verdict = ?5 OR ?5 IS NULL) ORDER BY e.id DESC LIMIT ?4"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(
                params![
                    filter.folder.map(|id| id.0),
                    filter.open,
                    filter.before.map(|id| id.0),
                    filter.limit as i64,
                    filter.verdict.map(Verdict::word)
                ],
                event,
            )?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// How many events go on.
    pub async fn count_open_events(&self) -> Result<u64, StoreError> {
        self.read(|connection| {
            let sql = "SELECT count(*) FROM event WHERE ended_at IS NULL";
            Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get::<_, i64>(0))?.unsigned_abs())
        })
        .await
    }
}

pub(crate) fn get_event(connection: &database::Connection, id: EventId) -> Result<Event, StoreError> {
    let sql = format!("{EVENTS} WHERE e.id = ?1");
    let found = connection.prepare_cached(&sql)?.query_row([id.0], event).optional()?;
    found.ok_or_else(|| StoreError::not_found(format!("event {id}")))
}

fn event(row: &Row<'_>) -> database::Result<Event> {
    let verdict: Option<String> = row.get("verdict")?;
    Ok(Event {
        id: EventId(row.get("id")?),
        folder: FolderId(row.get("folder_id")?),
        folder_name: row.get("folder_name")?,
        began_at: time(row, "began_at")?,
        opened_at: time(row, "opened_at")?,
        ended_at: maybe_time(row, "ended_at")?,
        visit: row.get::<_, Option<i64>>("visit_id")?.map(VisitId),
        source: row.get::<_, Option<i64>>("source_id")?.map(SourceId),
        source_title: row.get("source_title")?,
        detector: row.get("detector")?,
        opening: json(row, "opening")?,
        peak: json(row, "peak")?,
        verdict: verdict.as_deref().and_then(Verdict::from_word),
        judged_at: maybe_time(row, "judged_at")?,
        articles: row.get::<_, i64>("articles")?.unsigned_abs(),
        visits: row.get::<_, i64>("visits")?.unsigned_abs(),
    })
}
