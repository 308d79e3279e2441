//! Watches on parts of pages: add, edit, remove, list. What a visit means for them is in `look`.

mod changes;
mod look;
mod message;
mod rows;
mod standing;

pub use changes::{PartChange, ToldChange};
pub(crate) use look::{Looked, look, looked_at, lookouts, no_later_than_watches};
pub use look::{Lookout, Sighting};
pub use standing::WatchStanding;

use crate::database::{Connection, OptionalExtension, params};
use crate::rows::{ms, to_json};
use crate::sources::{get_source, plan_visit};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{PlannedVisit, SourceId, WatchId};
use page::watches::{Course, Terms};
use rows::{WATCHES, watch};
use url::Url;

/// A watch on a part of a source's page.
#[derive(Debug, Clone, PartialEq)]
pub struct Watch {
    /// Its id.
    pub id: WatchId,
    /// The source whose page it looks at.
    pub source: SourceId,
    /// What that is called.
    pub source_title: String,
    /// Where it is.
    pub source_url: Url,
    /// The source is paused, and so nothing is seen.
    pub source_paused: bool,
    /// What it is called.
    pub name: String,
    /// What a person has set.
    pub terms: Terms,
    /// Paused by a person.
    pub paused: bool,
    /// When and why it ended, if it has.
    pub ended: Option<(Timestamp, String)>,
    /// Since when there is one.
    pub created_at: Timestamp,
    /// What it has seen and told.
    pub course: Course,
    /// How many changes it has on record.
    pub changes: u64,
}

/// A change to a watch; `None` leaves a field as it is.
#[derive(Debug, Clone, Default)]
pub struct WatchEdit {
    /// The new name.
    pub name: Option<String>,
    /// The new terms. A watch that has ended begins anew.
    pub terms: Option<Terms>,
    /// Pause or resume.
    pub paused: Option<bool>,
}

impl Store {
    /// Makes a watch. Its page is visited as soon as manners allow, and read whatever the server says.
    pub async fn add_watch(
        &self,
        source: SourceId,
        name: String,
        terms: Terms,
        now: Timestamp,
    ) -> Result<WatchId, StoreError> {
        self.write(move |connection| {
            get_source(connection, source)?;
            let id = connection.query_row(
                "INSERT INTO part_watch (source_id, name, terms, created_at, course) VALUES (?1, ?2, ?3, ?4, ?5)
                 RETURNING id",
                params![source.0, name, to_json(&terms)?, ms(now), to_json(&Course::default())?],
                |row| row.get(0),
            )?;
            see_afresh(connection, source, now, "a watch was added")?;
            Ok(WatchId(id))
        })
        .await
    }

    /// Changes a watch. One that looks at something else begins with what it sees first.
    pub async fn edit_watch(
        &self,
        id: WatchId,
        edit: WatchEdit,
        now: Timestamp,
    ) -> Result<Watch, StoreError> {
        self.write(move |connection| {
            edit_watch(connection, id, edit.clone(), now)?;
            get_watch(connection, id)
        })
        .await
    }

    /// Removes a watch and what it saw.
    pub async fn remove_watch(&self, id: WatchId) -> Result<Watch, StoreError> {
        self.write(move |connection| {
            let removed = get_watch(connection, id)?;
            connection.execute("DELETE FROM part_watch WHERE id = ?1", [id.0])?;
            Ok(removed)
        })
        .await
    }

    /// One watch.
    pub async fn watch(&self, id: WatchId) -> Result<Watch, StoreError> {
        self.read(move |connection| get_watch(connection, id)).await
    }

    /// The watches of a source, or all, in the order they were made.
    pub async fn watches(&self, source: Option<SourceId>) -> Result<Vec<Watch>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection
                .prepare_cached(&format!("{WATCHES} WHERE w.source_id = ?1 OR ?1 IS NULL ORDER BY w.id"))?;
            let rows = statement.query_map([source.map(|id| id.0)], watch)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}

fn edit_watch(
    connection: &Connection,
    id: WatchId,
    edit: WatchEdit,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut found = get_watch(connection, id)?;
    let mut afresh = edit.paused == Some(false) && found.paused;
    let asked_to_look = afresh || edit.terms.is_some();
    if let Some(terms) = edit.terms {
        if terms.aim != found.terms.aim {
            (found.course, afresh) = (Course::default(), true);
        }
        if found.ended.take().is_some() {
            (found.course.tellings, afresh) = (0, true);
        }
        found.terms = terms;
    }
    found.name = edit.name.unwrap_or(found.name);
    found.paused = edit.paused.unwrap_or(found.paused);
    connection.execute(
        "UPDATE part_watch SET name = ?2, terms = ?3, paused = ?4, course = ?5, ended_at = ?6, ended_why = ?7,
             revision = revision + ?8, unseen = max(unseen, ?8) WHERE id = ?1",
        params![
            id.0,
            found.name,
            to_json(&found.terms)?,
            found.paused,
            to_json(&found.course)?,
            found.ended.as_ref().map(|(at, _)| ms(*at)),
            found.ended.as_ref().map(|(_, why)| why),
            afresh
        ],
    )?;
    if afresh {
        see_afresh(connection, found.source, now, "a watch was changed")?;
    } else if asked_to_look && !found.source_paused {
        let planned = PlannedVisit { at: now, reason: "a watch was changed".into() };
        plan_visit(connection, found.source, get_source(connection, found.source)?.host_id, Some(&planned))?;
    }
    Ok(())
}

/// The next visit is soon and is answered with the page, not with "not modified".
fn see_afresh(connection: &Connection, id: SourceId, now: Timestamp, why: &str) -> Result<(), StoreError> {
    let source = get_source(connection, id)?;
    connection.execute(
        "UPDATE source SET etag = NULL, last_modified = NULL, content_hash = NULL WHERE id = ?1",
        [id.0],
    )?;
    if source.paused {
        return Ok(());
    }
    let planned = PlannedVisit { at: now, reason: why.to_owned() };
    plan_visit(connection, id, source.host_id, Some(&planned))
}

fn get_watch(connection: &Connection, id: WatchId) -> Result<Watch, StoreError> {
    connection
        .prepare_cached(&format!("{WATCHES} WHERE w.id = ?1"))?
        .query_row([id.0], watch)
        .optional()?
        .ok_or_else(|| StoreError::not_found(format!("watch {id}")))
}
