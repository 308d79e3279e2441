//! The stored articles in memory, by their words: for asking what a rule would change.

use super::filing::FIELDS_SQL;
use super::{Known, State, filing};
use crate::StoreError;
use crate::database::Connection;
use crate::place::Place;
use knowledge::{Archive, Fields, Texts};
use roaring::RoaringBitmap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Articles beyond these, the oldest, are not asked about: memory is not for ever.
const MOST_ARTICLES: i64 = 100_000;
/// Articles read at once.
const PIECE: i64 = 500;
/// The memory is given back when nobody has taught for this long.
const KEPT_FOR: Duration = Duration::from_mins(15);

/// The archive, and how far it has come.
#[derive(Debug)]
pub(super) struct Archived {
    archive: Archive,
    /// The version of the knowledge it is filed by; `None` if that is no longer known.
    pub(super) version: Option<i64>,
    /// The newest article in it.
    newest: i64,
    used_at: Instant,
}

impl Archived {
    pub(super) fn is_unused(&self) -> bool {
        self.used_at.elapsed() > KEPT_FOR
    }

    /// Follows one step of the knowledge; an archive that is further behind finds out anew when it is next asked.
    pub(super) fn step(&mut self, version: i64, follow: impl FnOnce(&mut Archive)) {
        self.version = match self.version {
            Some(before) if before + 1 == version => {
                follow(&mut self.archive);
                Some(version)
            }
            _ => None,
        };
    }
}

/// The archive as it is now.
pub(super) fn up_to_date<'a>(
    kept: &'a mut Option<Archived>,
    known: &Known,
    state: &State,
    connection: &Connection,
    place: &Place,
) -> Result<&'a Archive, StoreError> {
    let newest: i64 = connection
        .prepare_cached("SELECT coalesce(max(id), 0) FROM article")?
        .query_row([], |row| row.get(0))?;
    let mut archived = match kept.take() {
        Some(archived) => archived,
        None => Archived {
            archive: Archive::new(Texts::Elsewhere(reader(place)?)),
            version: Some(state.version),
            newest: newest - MOST_ARTICLES,
            used_at: Instant::now(),
        },
    };
    archived.used_at = Instant::now();
    if archived.version != Some(state.version) {
        archived.archive.learn_all(state.base.tree());
        archived.version = Some(state.version);
    }
    let touched = std::mem::take(&mut *known.touched.lock().unwrap_or_else(PoisonError::into_inner));
    // An error leaves none behind: half of it might be missing. It is read anew the next time.
    bring_in(&mut archived, state, connection, &touched)?;
    Ok(&kept.insert(archived).archive)
}

/// Adds what is new, and reads again what changed.
fn bring_in(
    archived: &mut Archived,
    state: &State,
    connection: &Connection,
    touched: &[i64],
) -> Result<(), StoreError> {
    let tree = state.base.tree();
    let old: Vec<i64> = touched.iter().copied().filter(|id| *id <= archived.newest).collect();
    let numbers: RoaringBitmap = old.iter().filter_map(|id| u32::try_from(*id).ok()).collect();
    let gone = &numbers & archived.archive.articles();
    archived.archive.remove_all(&numbers);
    for number in gone {
        if let Some(fields) = filing::fields(connection, i64::from(number))? {
            archived.archive.add(tree, number, &fields);
        }
    }
    // A piece at a time: PostgreSQL sends all it is asked for at once.
    let sql = format!("{FIELDS_SQL} WHERE a.id > ?1 ORDER BY a.id LIMIT ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    loop {
        let mut rows = statement.query([archived.newest, PIECE])?;
        let mut read = 0;
        while let Some(row) = rows.next()? {
            let id: i64 = row.get("id")?;
            if let Ok(number) = u32::try_from(id) {
                archived.archive.add(tree, number, &filing::fields_of(&row)?);
            }
            archived.newest = id;
            read += 1;
        }
        if read < PIECE {
            return Ok(());
        }
    }
}

/// A way to read a text again, on a connection of its own: the archive outlives any one question.
fn reader(place: &Place) -> Result<Box<dyn Fn(u32) -> Option<Fields<'static>> + Send + Sync>, StoreError> {
    let (connection, place) = (Mutex::new(place.open_reader()?), place.clone());
    Ok(Box::new(move |number| {
        let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
        if !connection.is_usable() {
            *connection = place.open_reader().ok()?;
        }
        filing::fields(&connection, i64::from(number)).ok().flatten()
    }))
}
