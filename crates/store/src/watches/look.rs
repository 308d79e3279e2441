//! What a visit means for the watches of its source. Inside the visit's deed.

use super::Watch;
use super::message::{tell_change, tell_end};
use super::rows::{WATCHES, watch};
use crate::StoreError;
use crate::database::{Columns, Connection, Kind, Set, params};
use crate::rows::{json, ms, to_json};
use crate::sources::get_source;
use crate::visits::VisitRecord;
use jiff::Timestamp;
use model::{ChangeId, PlannedVisit, SourceId, VisitId, WatchId};
use page::watches::{Aim, Change, Sight, Terms};
use std::collections::{HashMap, HashSet};

/// A watch as a visit needs it: what to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Lookout {
    /// The watch.
    pub watch: WatchId,
    /// Which state of it asked.
    pub revision: i64,
    /// What it looks at.
    pub aim: Aim,
}

/// What a visit saw for a watch.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// The watch.
    pub watch: WatchId,
    /// Which state of it asked; another one does not take the answer.
    pub revision: i64,
    /// What was seen.
    pub sight: Sight,
}

/// What came of a visit for the watches.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// One of them has not seen its page yet: the next answer must not be "not modified".
    pub(crate) unread: bool,
    /// When a watch wants its page visited at the latest, and why.
    pub(crate) next: Option<(Timestamp, String)>,
    /// How much was told.
    pub(crate) told: usize,
}

/// Changes on record of each watch; older ones are forgotten.
const KEPT: i64 = 200;
/// Of each part this much is kept with its change.
const TEXT_BYTES: usize = 4 << 10;

const SOURCES: Columns = &[("source", Kind::Number)];

/// The watches of sources that look.
pub(crate) fn lookouts(
    connection: &Connection,
    sources: impl IntoIterator<Item = SourceId>,
) -> Result<HashMap<SourceId, Vec<Lookout>>, StoreError> {
    let sources = Set::of_numbers(SOURCES, sources.into_iter().map(|source| source.0));
    let lookouts = connection.ask_set(
        "SELECT source_id, id, revision, terms FROM part_watch
         WHERE source_id = {source} AND paused = 0 AND ended_at IS NULL ORDER BY id",
        &sources,
        |row| {
            let terms: Terms = json(row, "terms")?;
            let (watch, revision) = (WatchId(row.get("id")?), row.get("revision")?);
            Ok((SourceId(row.get("source_id")?), Lookout { watch, revision, aim: terms.aim }))
        },
    )?;
    let mut by_source: HashMap<SourceId, Vec<Lookout>> = HashMap::new();
    for (source, lookout) in lookouts {
        by_source.entry(source).or_default().push(lookout);
    }
    Ok(by_source)
}

/// Those of the sources that have watches which look.
pub(crate) fn looked_at(
    connection: &Connection,
    sources: impl IntoIterator<Item = SourceId>,
) -> Result<HashSet<SourceId>, StoreError> {
    let sources = Set::of_numbers(SOURCES, sources.into_iter().map(|source| source.0));
    let sql =
        "SELECT source_id FROM part_watch WHERE source_id = {source} AND paused = 0 AND ended_at IS NULL";
    Ok(connection.ask_set(sql, &sources, |row| Ok(SourceId(row.get(0)?)))?.into_iter().collect())
}

/// A plan that changes without a visit leaves a source's watches their times; one that has not seen its page yet
/// keeps the visit that was planned for it.
pub(crate) fn no_later_than_watches(
    connection: &Connection,
    source: SourceId,
    planned: PlannedVisit,
) -> Result<PlannedVisit, StoreError> {
    let mut looked = Looked::default();
    for (watch, _, unseen) in looking(connection, source)? {
        if unseen {
            let state = get_source(connection, source)?.state;
            if let Some(at) = state.next_at {
                looked.wants(at, state.next_reason);
            }
        } else {
            looked.wants_next(&watch);
        }
    }
    Ok(looked.no_later(planned))
}

/// The watches of a source that look, each with its revision and whether it has yet to see its page.
fn looking(connection: &Connection, source: SourceId) -> Result<Vec<(Watch, i64, bool)>, StoreError> {
    let mut statement = connection.prepare_cached(&format!(
        "{WATCHES} WHERE w.source_id = ?1 AND w.paused = 0 AND w.ended_at IS NULL ORDER BY w.id"
    ))?;
    let rows =
        statement.query_map([source.0], |row| Ok((watch(row)?, row.get("revision")?, row.get("unseen")?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Tells the watches of a source what a successful visit saw.
pub(crate) fn look(
    connection: &Connection,
    record: &VisitRecord,
    visit: VisitId,
) -> Result<Looked, StoreError> {
    let mut looked = Looked::default();
    for (watch, revision, unseen) in looking(connection, record.source_id)? {
        let mut sightings = record.sights.iter().flatten();
        let sighting = sightings.find(|one| one.watch == watch.id && one.revision == revision);
        let sight = sighting.map(|one| one.sight.clone());
        if unseen && sight.is_none() {
            looked.unread = true;
            if record.sights.is_some() {
                // Made or changed while the visit was under way: the page is wanted again at once.
                looked.wants(record.at, "a watch was changed meanwhile".into());
            }
            continue;
        }
        look_once(connection, record, visit, watch, sight, &mut looked)?;
    }
    Ok(looked)
}

impl Looked {
    /// A planned visit, brought forward where a watch wants to look earlier.
    pub(crate) fn no_later(&self, planned: PlannedVisit) -> PlannedVisit {
        match &self.next {
            Some((at, reason)) if *at < planned.at => PlannedVisit { at: *at, reason: reason.clone() },
            _ => planned,
        }
    }

    /// A watch that looks at times of its own wants its page visited then.
    fn wants_next(&mut self, watch: &Watch) {
        if let Some(next) = watch.course.looked_at.and_then(|last| watch.terms.next_look(last)) {
            self.wants(next, format!("the watch “{}” looks {}", watch.name, watch.terms.when));
        }
    }

    fn wants(&mut self, at: Timestamp, why: String) {
        if self.next.as_ref().is_none_or(|(next, _)| at < *next) {
            self.next = Some((at, why));
        }
    }
}

fn look_once(
    connection: &Connection,
    record: &VisitRecord,
    visit: VisitId,
    mut watch: Watch,
    sight: Option<Sight>,
    looked: &mut Looked,
) -> Result<(), StoreError> {
    let finding = watch.course.look(&watch.terms, sight, record.at);
    if let Some(change) = &finding.change {
        let id = insert_change(connection, &watch, visit, record.at, change)?;
        if change.told {
            tell_change(connection, &watch, id, change, record.at)?;
            looked.told += 1;
        }
    }
    if let Some(why) = &finding.ended {
        watch.ended = Some((record.at, why.clone()));
        tell_end(connection, &watch, visit, why, record.at)?;
        looked.told += 1;
    } else {
        looked.wants_next(&watch);
    }
    connection
        .prepare_cached(
            "UPDATE part_watch SET course = ?2, ended_at = ?3, ended_why = ?4, unseen = 0 WHERE id = ?1",
        )?
        .execute(params![
            watch.id.0,
            to_json(&watch.course)?,
            watch.ended.as_ref().map(|(at, _)| ms(*at)),
            watch.ended.as_ref().map(|(_, why)| why)
        ])?;
    Ok(())
}

fn insert_change(
    connection: &Connection,
    watch: &Watch,
    visit: VisitId,
    at: Timestamp,
    change: &Change,
) -> Result<ChangeId, StoreError> {
    let now = watch.course.now.as_ref();
    let text = now.filter(|now| now.gone.is_none()).map(|now| now.part.text()).unwrap_or_default();
    let kind = serde_json::to_value(change.kind).ok();
    let id = connection
        .prepare_cached(
            "INSERT INTO part_change (watch_id, visit_id, at, kind, told, why, since_at, hash, number_before, number,
                                      text, diff)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) RETURNING id",
        )?
        .query_row(params![
            watch.id.0,
            visit.0,
            ms(at),
            kind.as_ref().and_then(serde_json::Value::as_str),
            change.told,
            change.why,
            change.since.map(ms),
            now.map_or(0, page::watches::Seen::hash),
            change.number_before,
            change.number,
            &text[..text.floor_char_boundary(TEXT_BYTES)],
            to_json(&change.diff)?
        ], |row| row.get(0))?;
    connection
        .prepare_cached(
            "DELETE FROM part_change WHERE watch_id = ?1 AND id <= (
                 SELECT id FROM part_change WHERE watch_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
        )?
        .execute(params![watch.id.0, KEPT])?;
    Ok(ChangeId(id))
}
