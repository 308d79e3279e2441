//! Loading the watcher: from the last snapshot and the visits since, or from the visits of the last weeks.

use super::follow::Followed;
use super::settings::{self, WatchSettings};
use super::stories::{Stories, catalogues};
use super::{Loaded, snapshot};
use crate::StoreError;
use crate::database::{self, Connection, Row, Rows, params};
use crate::events::{open_events, save_window};
use crate::rows::time;
use detection::{Closed, Count, Sighting, Watcher, What};
use jiff::{SignedDuration, Timestamp};
use model::{FolderId, SourceId};
use std::collections::BTreeSet;

/// History older than this says little about now.
const HISTORY_MS: i64 = 8 * 7 * 24 * 3_600_000;
/// Visits told at once.
const PIECE: i64 = 100_000;

/// What was read of the history, to be put in place in a deed.
#[derive(Debug)]
pub(super) struct Read {
    loaded: Loaded,
    /// Windows that were completed on the way.
    windows: Vec<(FolderId, Closed)>,
    /// Folders that were told from the beginning.
    folders: Vec<ToldFolder>,
}

/// Reads what is to be known; the long part, which changes nothing.
pub(super) fn read(connection: &Connection, version: i64) -> Result<Read, StoreError> {
    let settings = settings::stored(connection)?;
    let mut watcher = fresh(connection, &settings)?;
    let now = newest(connection)?;
    let (calendar, calendar_until) = crate::calendar::calendar(connection, now)?;
    watcher.set_calendar(calendar);
    let upto = snapshot::restore(connection, &settings, &mut watcher)?;
    forget_removed_sources(connection, &mut watcher)?;
    let missing = if upto.is_some() { unwatched(connection, &watcher)? } else { BTreeSet::new() };
    let since = upto.map_or_else(|| history_begins(connection), Ok)?;
    let mut windows = Vec::new();
    replay(connection, &mut watcher, since, None, &mut |folder, closed| {
        windows.push((folder, closed.clone()));
        Ok(())
    })?;
    let told = missing.into_iter().map(|folder| tell_folder(connection, &settings, folder));
    let folders = told.collect::<Result<_, _>>()?;
    let stories = Stories::load(connection)?;
    let followed = Followed::all(connection)?;
    let changed = upto.is_none();
    let loaded = Loaded { watcher, settings, stories, version, changed, now, calendar_until, followed };
    Ok(Read { loaded, windows, folders })
}

impl Read {
    /// Which version of settings, calendar and weights it was read with.
    pub(super) fn version(&self) -> i64 {
        self.loaded.version
    }

    /// Puts it in place, and takes over what others did since it was read.
    pub(super) fn put_in_place(self, connection: &Connection) -> Result<Loaded, StoreError> {
        let mut loaded = self.loaded;
        for (folder, closed) in &self.windows {
            save_window(connection, *folder, closed)?;
        }
        for told in self.folders {
            told.put_in_place(connection, &mut loaded.watcher)?;
        }
        loaded.watcher.set_events(&open_events(connection)?);
        loaded.follow(connection)?;
        Ok(loaded)
    }
}

/// The time of the last visit: as far as the data knows.
fn newest(connection: &Connection) -> Result<Timestamp, StoreError> {
    let newest: i64 = connection.query_row("SELECT coalesce(max(at), 0) FROM visit", [], |row| row.get(0))?;
    Ok(Timestamp::from_millisecond(newest).unwrap_or_default())
}

/// A folder's history, told from the beginning.
#[derive(Debug)]
pub(super) struct ToldFolder {
    folder: FolderId,
    watcher: Watcher,
    /// The last visit that is in it.
    upto: i64,
    windows: Vec<Closed>,
}

pub(super) fn tell_folder(
    connection: &Connection,
    settings: &WatchSettings,
    folder: FolderId,
) -> Result<ToldFolder, StoreError> {
    let mut watcher = fresh(connection, settings)?;
    watcher.set_calendar(crate::calendar::calendar(connection, newest(connection)?)?.0);
    let mut told = ToldFolder { folder, watcher, upto: history_begins(connection)?, windows: Vec::new() };
    told.follow_up(connection)?;
    Ok(told)
}

impl ToldFolder {
    /// Tells what came since.
    pub(super) fn follow_up(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let last = connection.query_row("SELECT coalesce(max(id), 0) FROM visit", [], |row| row.get(0))?;
        let windows = &mut self.windows;
        replay(connection, &mut self.watcher, self.upto, Some(self.folder), &mut |_, closed| {
            windows.push(closed.clone());
            Ok(())
        })?;
        self.upto = last;
        Ok(())
    }

    /// Puts it in the place of what was thought of the folder.
    pub(super) fn put_in_place(
        self,
        connection: &Connection,
        watcher: &mut Watcher,
    ) -> Result<(), StoreError> {
        connection
            .prepare_cached("DELETE FROM folder_window WHERE folder_id = ?1")?
            .execute([self.folder.0])?;
        for closed in &self.windows {
            save_window(connection, self.folder, closed)?;
        }
        watcher.replace(self.folder, self.watcher);
        Ok(())
    }
}

/// Sources may be removed by another process, or just before a crash.
pub(super) fn forget_removed_sources(
    connection: &Connection,
    watcher: &mut Watcher,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached("SELECT id FROM source")?;
    let known = statement.query_map([], |row| Ok(SourceId(row.get(0)?)))?;
    let known: BTreeSet<SourceId> = known.collect::<Result<_, _>>()?;
    let gone: Vec<SourceId> = watcher.sights().keys().filter(|id| !known.contains(id)).copied().collect();
    for source in gone {
        watcher.forget_source(source);
    }
    Ok(())
}

fn fresh(connection: &Connection, settings: &WatchSettings) -> Result<Watcher, StoreError> {
    let weights = settings::weights(connection, settings.detector)?;
    Ok(Watcher::new(settings.detector, settings.for_detectors(), weights))
}

/// The last visit before the history that counts.
fn history_begins(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row(
        "SELECT coalesce((SELECT min(id) - 1 FROM visit WHERE at >= (SELECT max(at) FROM visit) - ?1), 0)",
        [HISTORY_MS],
        |row| row.get(0),
    )?)
}

/// Folders that hold articles and have no watch: new, or filed anew just before a crash.
fn unwatched(connection: &Connection, watcher: &Watcher) -> Result<BTreeSet<FolderId>, StoreError> {
    let have: BTreeSet<FolderId> = watcher.folders().map(|(id, _)| id).collect();
    let mut statement = connection.prepare_cached(
        "SELECT id FROM folder WHERE EXISTS (SELECT 1 FROM filing WHERE folder_id = folder.id)",
    )?;
    let all = statement.query_map([], |row| Ok(FolderId(row.get(0)?)))?;
    let mut missing = BTreeSet::new();
    for folder in all {
        missing.insert(folder?);
    }
    Ok(&missing - &have)
}

/// Tells the watcher of all visits after `after`, in their order; of one folder only if that is given. `complete` is told of
/// windows that were completed.
pub(super) fn replay(
    connection: &Connection,
    watcher: &mut Watcher,
    after: i64,
    only: Option<FolderId>,
    complete: &mut dyn FnMut(FolderId, &Closed) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let visits = if only.is_some() { VISITS_OF_FOLDER } else { VISITS };
    let folder = only.map(|folder| folder.0);
    let mut after = after;
    // A piece at a time: PostgreSQL sends all it is asked for at once.
    while let Some(last) = piece_ends(connection, after)? {
        let mut filed = connection.prepare_cached(FILED)?;
        let mut filed = Filed::new(filed.query(params![after, last, folder])?)?;
        let mut visits = connection.prepare_cached(visits)?;
        let rows = match folder {
            Some(folder) => visits.query_map(params![after, last, folder], told_visit)?,
            None => visits.query_map(params![after, last], told_visit)?,
        };
        let told: Vec<ToldVisit> = rows.collect::<Result<_, _>>()?;
        // Asked for one by one, those of 20,000 new sources held everybody up for three seconds and more.
        let is_young = |visit: &&ToldVisit| {
            watcher.last_seen(visit.source).is_none() || watcher.wants_catalogue(visit.source, visit.at)
        };
        let young: BTreeSet<SourceId> = told.iter().filter(is_young).map(|visit| visit.source).collect();
        let catalogues = catalogues(connection, young)?;
        for visit in told {
            let counts = filed.of(visit.id)?;
            let wants_catalogue = watcher.wants_catalogue(visit.source, visit.at);
            let seen = Sighting {
                source: visit.source,
                at: visit.at,
                counts: &counts,
                longest_gap: visit.longest_gap,
                catalogue: catalogues.get(&visit.source).copied().filter(|_| wants_catalogue),
            };
            for finding in watcher.observe(&seen) {
                if let What::Closed(closed) = &finding.what {
                    complete(finding.folder, closed)?;
                }
            }
        }
        after = last;
    }
    Ok(())
}

/// A visit as the watcher is told of it.
struct ToldVisit {
    id: i64,
    source: SourceId,
    at: Timestamp,
    longest_gap: SignedDuration,
}

fn told_visit(row: &Row<'_>) -> database::Result<ToldVisit> {
    Ok(ToldVisit {
        id: row.get("id")?,
        source: SourceId(row.get("source_id")?),
        at: time(row, "at")?,
        longest_gap: longest_gap(row.get("interval_ms")?),
    })
}

/// The last visit of the piece that begins after one.
fn piece_ends(connection: &Connection, after: i64) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT max(id) FROM (SELECT id FROM visit WHERE id > ?1 ORDER BY id LIMIT ?2) piece";
    Ok(connection.prepare_cached(sql)?.query_row([after, PIECE], |row| row.get(0))?)
}

/// A visit after a longer silence catches up rather than measures.
pub(crate) fn longest_gap(interval_ms: Option<i64>) -> SignedDuration {
    SignedDuration::from_hours(24)
        .max(SignedDuration::from_millis(interval_ms.unwrap_or(0).saturating_mul(2)))
}

const VISITS: &str =
    "SELECT v.id, v.source_id, v.at, s.interval_ms FROM visit v JOIN source s ON s.id = v.source_id
     WHERE v.id > ?1 AND v.id <= ?2 AND v.word IN ('new_content', 'not_modified') ORDER BY v.id";

const VISITS_OF_FOLDER: &str = "SELECT v.id, v.source_id, v.at, s.interval_ms FROM visit v JOIN source s ON s.id = v.source_id
     WHERE v.id > ?1 AND v.id <= ?2 AND v.word IN ('new_content', 'not_modified') AND v.source_id IN (
         SELECT DISTINCT a.source_id FROM filing f JOIN article a ON a.id = f.article_id WHERE f.folder_id = ?3)
     ORDER BY v.id";

/// Copies of a story that the folder has already count as articles only.
const FILED: &str = "SELECT a.visit_id, f.folder_id, count(DISTINCT a.id) AS articles,
         count(DISTINCT CASE WHEN a.story_id IS NULL OR NOT EXISTS (
             SELECT 1 FROM filing g JOIN article b ON b.id = g.article_id
             WHERE g.folder_id = f.folder_id AND b.id < a.id AND (b.id = a.story_id OR b.story_id = a.story_id)
         ) THEN a.id END) AS stories
     FROM article a JOIN filing f ON f.article_id = a.id
     WHERE a.visit_id > ?1 AND a.visit_id <= ?2 AND f.folder_id IS NOT NULL AND (f.folder_id = ?3 OR ?3 IS NULL)
     GROUP BY a.visit_id, f.folder_id ORDER BY a.visit_id";

/// What visits brought to folders, read alongside the visits.
struct Filed<'a> {
    rows: Rows<'a>,
    next: Option<(i64, Count)>,
}

impl<'a> Filed<'a> {
    fn new(rows: Rows<'a>) -> Result<Self, StoreError> {
        let mut filed = Self { rows, next: None };
        filed.advance()?;
        Ok(filed)
    }

    fn of(&mut self, visit: i64) -> Result<Vec<Count>, StoreError> {
        let mut counts = Vec::new();
        while let Some((at, count)) = self.next.filter(|(at, _)| *at <= visit) {
            if at == visit {
                counts.push(count);
            }
            self.advance()?;
        }
        Ok(counts)
    }

    fn advance(&mut self) -> Result<(), StoreError> {
        self.next = match self.rows.next()? {
            Some(row) => Some((
                row.get("visit_id")?,
                Count {
                    folder: FolderId(row.get("folder_id")?),
                    stories: row.get("stories")?,
                    articles: row.get("articles")?,
                },
            )),
            None => None,
        };
        Ok(())
    }
}
