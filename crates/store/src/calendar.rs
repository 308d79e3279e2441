//! The calendar: what is expected, and what past entries of a kind say about the next one.

use crate::database::{self, Connection, Row, params};
use crate::rows::{ms, time};
use crate::watch::count_up;
use crate::{Store, StoreError};
use detection::{Calendar, Entry, Estimate, Level, Occurrence, Prior, estimate};
use jiff::Timestamp;
use model::FolderId;
use std::collections::BTreeMap;

/// An entry with what is expected of it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ExpectedEntry {
    /// The entry.
    #[serde(flatten)]
    pub entry: Entry,
    /// What is expected: as typed, or as estimated.
    pub level: Level,
    /// What past entries of the kind say, if there are any.
    pub estimate: Option<Estimate>,
    /// What came of it, if it is over.
    pub came: Option<Occurrence>,
}

/// What adding entries did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Imported {
    /// Entries that are new.
    pub added: usize,
    /// Entries that were there and are as given now.
    pub updated: usize,
}

impl Store {
    /// The calendar, in the order of time, of one folder or all. `now` divides what came from what is to come.
    pub async fn expected(
        &self,
        folder: Option<FolderId>,
        now: Timestamp,
    ) -> Result<Vec<ExpectedEntry>, StoreError> {
        self.read(move |connection| {
            let book = Book::read(connection, now)?;
            let of_folder = |entry: &&Entry| folder.is_none_or(|folder| entry.folder == folder);
            Ok(book.entries.iter().filter(of_folder).map(|entry| book.expected(entry)).collect())
        })
        .await
    }

    /// Adds checked entries, all or none; one that is there already (same folder, title and beginning) is brought up to date.
    pub async fn add_expected(&self, entries: Vec<Entry>) -> Result<Imported, StoreError> {
        self.write(move |connection| {
            let mut imported = Imported::default();
            for entry in &entries {
                let is_new = save(connection, entry)?;
                imported.added += usize::from(is_new);
                imported.updated += usize::from(!is_new);
            }
            count_up(connection)?;
            Ok(imported)
        })
        .await
    }

    /// Removes an entry.
    pub async fn remove_expected(&self, id: i64) -> Result<(), StoreError> {
        self.write(move |connection| {
            if connection.execute("DELETE FROM expected WHERE id = ?1", [id])? == 0 {
                return Err(StoreError::not_found(format!("calendar entry {id}")));
            }
            count_up(connection)
        })
        .await
    }
}

fn save(connection: &Connection, entry: &Entry) -> Result<bool, StoreError> {
    let is_new: bool = connection
        .prepare_cached(
            "SELECT NOT EXISTS (SELECT 1 FROM expected WHERE folder_id = ?1 AND title = ?2 AND from_at = ?3)",
        )?
        .query_row(params![entry.folder.0, entry.title, ms(entry.from)], |row| row.get(0))?;
    let exists: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM folder WHERE id = ?1)")?
        .query_row([entry.folder.0], |row| row.get(0))?;
    if !exists {
        return Err(StoreError::not_found(format!("folder {}", entry.folder)));
    }
    connection
        .prepare_cached(
            "INSERT INTO expected (folder_id, kind, title, from_at, to_at, multiplier, uncertainty)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (folder_id, title, from_at) DO UPDATE SET
                 kind = excluded.kind, to_at = excluded.to_at, multiplier = excluded.multiplier,
                 uncertainty = excluded.uncertainty",
        )?
        .execute(params![
            entry.folder.0,
            entry.kind,
            entry.title,
            ms(entry.from),
            ms(entry.to),
            entry.multiplier,
            entry.uncertainty
        ])?;
    Ok(is_new)
}

/// All entries, with what came of the past ones.
struct Book {
    entries: Vec<Entry>,
    came: BTreeMap<i64, Occurrence>,
    estimates: BTreeMap<(FolderId, String), Estimate>,
    calendar: Calendar,
}

/// The calendar as watchers are told, and when the next entry is over: then there is more to learn from.
pub(crate) fn calendar(
    connection: &Connection,
    now: Timestamp,
) -> Result<(Calendar, Option<Timestamp>), StoreError> {
    let book = Book::read(connection, now)?;
    let next = book.entries.iter().map(|entry| entry.to).filter(|to| *to > now).min();
    Ok((book.calendar, next))
}

impl Book {
    fn read(connection: &Connection, now: Timestamp) -> Result<Self, StoreError> {
        let mut statement = connection.prepare_cached("SELECT * FROM expected ORDER BY from_at, id")?;
        let entries: Vec<Entry> = statement.query_map([], entry)?.collect::<Result<_, _>>()?;
        let mut came = BTreeMap::new();
        let mut kinds: BTreeMap<(FolderId, String), Vec<Occurrence>> = BTreeMap::new();
        for entry in entries.iter().filter(|entry| entry.to <= now) {
            let occurrence = occurrence(connection, entry)?;
            // Nothing was watched then: it teaches nothing.
            if occurrence.usual > 0.0 {
                came.extend(entry.id.map(|id| (id, occurrence)));
                kinds.entry((entry.folder, entry.kind.clone())).or_default().push(occurrence);
            }
        }
        let prior = Prior::of(kinds.values().map(Vec::as_slice));
        let mut calendar = Calendar::new(entries.iter().cloned());
        let mut estimates = BTreeMap::new();
        for (key, occurrences) in kinds {
            let estimate = estimate(&occurrences, prior);
            calendar.set_estimate(key.0, key.1.clone(), estimate.level);
            estimates.insert(key, estimate);
        }
        Ok(Self { entries, came, estimates, calendar })
    }

    fn expected(&self, entry: &Entry) -> ExpectedEntry {
        ExpectedEntry {
            level: self.calendar.level_of(entry),
            estimate: self.estimates.get(&(entry.folder, entry.kind.clone())).copied(),
            came: entry.id.and_then(|id| self.came.get(&id)).copied(),
            entry: entry.clone(),
        }
    }
}

/// What was seen during a past entry, and what would have been usual without it.
fn occurrence(connection: &Connection, entry: &Entry) -> Result<Occurrence, StoreError> {
    let share = "CAST(min(to_at, ?3) - max(from_at, ?2) AS DOUBLE PRECISION) / nullif(to_at - from_at, 0)";
    let sql = format!(
        "SELECT coalesce(sum(observed * {share}), 0), coalesce(sum(expected / nullif(multiplier, 0) * {share}), 0)
         FROM folder_window WHERE folder_id = ?1 AND from_at > ?2 - 86400000 AND to_at > ?2 AND from_at < ?3"
    );
    Ok(connection
        .prepare_cached(&sql)?
        .query_row(params![entry.folder.0, ms(entry.from), ms(entry.to)], |row| {
            Ok(Occurrence { observed: row.get(0)?, usual: row.get(1)? })
        })?)
}

fn entry(row: &Row<'_>) -> database::Result<Entry> {
    Ok(Entry {
        id: Some(row.get("id")?),
        folder: FolderId(row.get("folder_id")?),
        kind: row.get("kind")?,
        title: row.get("title")?,
        from: time(row, "from_at")?,
        to: time(row, "to_at")?,
        multiplier: row.get("multiplier")?,
        uncertainty: row.get("uncertainty")?,
    })
}
