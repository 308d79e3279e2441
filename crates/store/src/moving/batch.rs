//! Rows in batches, by their key: as many as fit into little memory, however large they are.

use super::cells::{Cell, settle};
use super::tables::{Kind, Table};
use super::{Load, MoveError};
use crate::database::Connection;
use std::fmt::Write as _;

/// The values of a row's key.
pub(super) type Key = Vec<Cell>;

/// More rows would not be quicker.
const MOST_ROWS: usize = 4_000;
/// A page as fetched may have megabytes.
const MOST_BYTES: i64 = 8_000_000;

/// What is read, and from what.
pub(super) struct Reading<'a> {
    table: &'a str,
    columns: Vec<(&'a str, Kind)>,
    key: &'a [usize],
    /// All rows belong together.
    at_once: bool,
}

impl<'a> Reading<'a> {
    pub(super) fn of(table: &'a Table) -> Self {
        let columns = table.columns.iter().map(|column| (column.name.as_str(), column.kind));
        Self {
            table: &table.name,
            columns: columns.collect(),
            key: &table.key,
            at_once: table.refers_to_itself || table.key.is_empty(),
        }
    }

    /// The numbers of an index of words.
    pub(super) fn numbers_of(index: &'a str) -> Self {
        Self { table: index, columns: vec![("rowid", Kind::Integer)], key: &[0], at_once: false }
    }

    /// The next rows after a key.
    pub(super) fn batch(&self, connection: &Connection, after: Option<&Key>) -> Result<Load, MoveError> {
        if self.at_once && after.is_some() {
            return Ok(Load { rows: Vec::new(), last: None, mended: 0 });
        }
        let names: Vec<String> = self.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let (rest, mut values) = self.rest(after);
        values.push(Cell::Integer(self.how_many(connection, &rest, &values)?));
        let sql = format!("SELECT {} FROM {}{rest}", names.join(", "), self.table);
        let mut statement = connection.prepare_cached(&sql)?;
        let mut found = statement.query(values.as_slice())?;
        let mut load = Load { rows: Vec::new(), last: None, mended: 0 };
        while let Some(row) = found.next()? {
            let cells = (0..self.columns.len()).map(|n| row.get::<_, Cell>(n));
            let cells = cells.collect::<Result<Vec<_>, _>>()?;
            // The key as it is there, not as it may be mended.
            load.last = Some(self.key.iter().map(|&n| cells[n].clone()).collect());
            let (cells, mended) = settle(cells, self.table, &self.columns)?;
            load.mended += mended;
            load.rows.push(cells);
        }
        Ok(load)
    }

    /// The end of a question: rows after a key, in its order.
    fn rest(&self, after: Option<&Key>) -> (String, Vec<Cell>) {
        let names = || {
            let names = self.key.iter().map(|&n| format!("\"{}\"", self.columns[n].0));
            names.collect::<Vec<_>>().join(", ")
        };
        let mut sql = String::new();
        if let Some(key) = after {
            let places = vec!["?"; key.len()].join(", ");
            let _ = write!(sql, " WHERE ({}) > ({places})", names());
        }
        if !self.key.is_empty() {
            let _ = write!(sql, " ORDER BY {}", names());
        }
        (sql + " LIMIT ?", after.cloned().unwrap_or_default())
    }

    /// How many of the next rows fit. Databases tell lengths without reading what is that long.
    fn how_many(&self, connection: &Connection, rest: &str, values: &[Cell]) -> Result<i64, MoveError> {
        if self.at_once {
            return Ok(i64::from(i32::MAX));
        }
        let long = self.columns.iter().filter(|(_, kind)| matches!(kind, Kind::Text | Kind::Blob));
        let lengths = long.map(|(name, _)| format!("coalesce(CAST(octet_length(\"{name}\") AS BIGINT), 0)"));
        let lengths = lengths.collect::<Vec<_>>().join(" + ");
        if lengths.is_empty() {
            return Ok(MOST_ROWS as i64);
        }
        let mut values = values.to_vec();
        values.push(Cell::Integer(MOST_ROWS as i64));
        let mut statement =
            connection.prepare_cached(&format!("SELECT {lengths} FROM {}{rest}", self.table))?;
        let mut found = statement.query(values.as_slice())?;
        let (mut rows, mut bytes) = (0, 0_i64);
        while let Some(row) = found.next()? {
            bytes = bytes.saturating_add(row.get::<_, i64>(0)?);
            if rows > 0 && bytes > MOST_BYTES {
                break;
            }
            rows += 1;
        }
        // One at least, so that an empty answer means that there are none.
        Ok(rows.max(1))
    }
}
