//! How far a move is: a note in the target that is written with each batch, and that nobody but the move gets past.

use super::batch::Key;
use super::end::Target;
use super::tables::Table;
use super::{Load, MoveError, words};
use crate::StoreError;
use crate::database::{Connection, Dialect};
use crate::place::Place;
use crate::rows::to_json;
use serde::{Deserialize, Serialize};

/// Tables that a program fills by itself when it starts on nothing: they do not make a target one that holds data.
const FILLED_ALONE: [&str; 5] = ["knowledge", "setting", "login", "watch", "watch_folder"];

/// How far it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Course {
    /// Where the data come from.
    from: String,
    /// What has been begun, in the order in which it was begun.
    begun: Vec<Going>,
    #[serde(skip)]
    resumed: bool,
}

/// How far it is with one table.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Going {
    table: String,
    after: Key,
    rows: u64,
    mended: u64,
    done: bool,
}

impl Course {
    /// Goes on with what was begun from the same source, or begins.
    pub(super) fn take_up(
        target: &Target,
        from: &str,
        tables: &[Table],
        restart: bool,
    ) -> Result<Self, MoveError> {
        let begun = read(target)?;
        let fresh = Self { from: from.to_owned(), ..Self::default() };
        match begun {
            Some(course) if !restart && course.from == from => Ok(Self { resumed: true, ..course }),
            Some(course) if !restart => {
                Err(MoveError::OtherMove { target: target.name.clone(), from: course.from })
            }
            Some(_) => target.transaction(|| {
                empty(target, tables)?;
                fresh.write(target)?;
                Ok(fresh)
            }),
            None => target.transaction(|| {
                refuse_data(target, tables)?;
                empty(target, tables)?;
                target.execute_batch("CREATE TABLE moving (state TEXT NOT NULL)")?;
                target.execute("INSERT INTO moving (state) VALUES (?1)", [to_json(&fresh)?])?;
                Ok(fresh)
            }),
        }
    }

    /// Whether an earlier run has brought something.
    pub(super) fn has_begun(&self) -> bool {
        self.resumed && !self.begun.is_empty()
    }

    /// Whether all of a table is there.
    pub(super) fn is_done(&self, table: &str) -> bool {
        self.begun.iter().any(|going| going.table == table && going.done)
    }

    /// The key after which to go on with a table, if it was begun.
    pub(super) fn place_in(&self, table: &str) -> Option<Key> {
        self.begun.iter().find(|going| going.table == table).map(|going| going.after.clone())
    }

    /// A batch is about to be written; an empty one was the last.
    pub(super) fn advance(&mut self, table: &str, load: &Load) {
        if !self.begun.iter().any(|going| going.table == table) {
            let after = Key::new();
            self.begun.push(Going { table: table.to_owned(), after, rows: 0, mended: 0, done: false });
        }
        let Some(going) = self.begun.iter_mut().find(|going| going.table == table) else { return };
        going.rows += load.rows.len() as u64;
        going.mended += load.mended;
        match &load.last {
            Some(last) => going.after.clone_from(last),
            None => going.done = true,
        }
    }

    /// Values that had to be mended.
    pub(super) fn mended(&self) -> u64 {
        self.begun.iter().map(|going| going.mended).sum()
    }

    /// The table it is at, how many of its rows are there, and how many of all.
    pub(super) fn so_far(&self) -> (String, u64, u64) {
        let rows = self.begun.iter().map(|going| going.rows).sum();
        self.begun.last().map_or_else(Default::default, |last| (last.table.clone(), last.rows, rows))
    }

    /// Writes it down.
    pub(super) fn write(&self, target: &Connection) -> Result<(), MoveError> {
        target.execute("UPDATE moving SET state = ?1", [to_json(self)?])?;
        Ok(())
    }
}

/// Nobody but the move itself works with a part of the data.
pub(crate) fn refuse_unfinished(connection: &Connection, place: &Place) -> Result<(), StoreError> {
    match read(connection)? {
        None => Ok(()),
        Some(course) => Err(StoreError::Unfinished { place: place.name(), from: course.from }),
    }
}

fn read(connection: &Connection) -> Result<Option<Course>, StoreError> {
    let sql = match connection.dialect() {
        Dialect::Sqlite => "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'moving')",
        Dialect::Postgres => "SELECT to_regclass('moving') IS NOT NULL",
    };
    if !connection.query_row(sql, [], |row| row.get::<_, bool>(0))? {
        return Ok(None);
    }
    let state: String = connection.query_row("SELECT state FROM moving", [], |row| row.get(0))?;
    // One that cannot be read was written by another release: it can only begin anew.
    Ok(Some(serde_json::from_str(&state).unwrap_or_default()))
}

fn refuse_data(target: &Target, tables: &[Table]) -> Result<(), MoveError> {
    let mut filled = Vec::new();
    for table in tables.iter().filter(|table| !FILLED_ALONE.contains(&table.name.as_str())) {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {})", table.name);
        if target.query_row(&sql, [], |row| row.get::<_, bool>(0))? {
            filled.push(table.name.as_str());
        }
    }
    if filled.is_empty() {
        return Ok(());
    }
    Err(MoveError::NotEmpty { target: target.name.clone(), tables: filled.join(", ") })
}

/// Takes out what is there.
fn empty(target: &Target, tables: &[Table]) -> Result<(), MoveError> {
    let names = || tables.iter().map(|table| table.name.as_str());
    if target.dialect() == Dialect::Postgres {
        let all: Vec<&str> = names().chain(words::INDEXES).collect();
        return Ok(target.execute_batch(&format!("TRUNCATE {}", all.join(", ")))?);
    }
    for name in names() {
        target.execute_batch(&format!("DELETE FROM {name}"))?;
    }
    for index in words::INDEXES {
        target.execute_batch(&format!("INSERT INTO {index} ({index}) VALUES ('delete-all')"))?;
    }
    Ok(())
}
