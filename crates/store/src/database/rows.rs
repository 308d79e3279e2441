//! Rows as a deed reads them.

use super::postgres::Raw;
use super::value::{self, FromValue, ValueRef};
use super::{DatabaseError, Result};

/// Rows, one after the other.
pub(crate) struct Rows<'a>(Source<'a>);

enum Source<'a> {
    Sqlite(rusqlite::Rows<'a>),
    /// All of them, as they came: PostgreSQL answers nothing else before it has sent the last one.
    Kept(std::vec::IntoIter<tokio_postgres::Row>),
}

impl<'a> Rows<'a> {
    pub(super) fn of_file(rows: rusqlite::Rows<'a>) -> Self {
        Self(Source::Sqlite(rows))
    }

    pub(super) fn kept(rows: Vec<tokio_postgres::Row>) -> Self {
        Self(Source::Kept(rows.into_iter()))
    }

    /// The next row.
    pub(crate) fn next(&mut self) -> Result<Option<Row<'_>>> {
        Ok(match &mut self.0 {
            Source::Sqlite(rows) => rows.next()?.map(Row::Sqlite),
            Source::Kept(rows) => rows.next().map(Row::Postgres),
        })
    }
}

/// What is made of rows, one after the other.
pub(crate) struct Mapped<'a, F> {
    pub(super) rows: Rows<'a>,
    pub(super) read: F,
}

impl<T, E, F> Iterator for Mapped<'_, F>
where
    F: FnMut(&Row<'_>) -> std::result::Result<T, E>,
    E: From<DatabaseError>,
{
    type Item = std::result::Result<T, E>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.rows.next() {
            Ok(row) => row.map(|row| (self.read)(&row)),
            Err(error) => Some(Err(error.into())),
        }
    }
}

/// A row.
pub(crate) enum Row<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(tokio_postgres::Row),
}

impl Row<'_> {
    /// A column, by number or by name.
    pub(crate) fn get<I: Column, T: FromValue>(&self, column: I) -> Result<T> {
        match self {
            Self::Sqlite(row) => {
                let at = column.in_file(row)?;
                let value = match row.get_ref(at)? {
                    rusqlite::types::ValueRef::Null => ValueRef::Null,
                    rusqlite::types::ValueRef::Integer(number) => ValueRef::Integer(number),
                    rusqlite::types::ValueRef::Real(number) => ValueRef::Real(number),
                    rusqlite::types::ValueRef::Text(text) => match std::str::from_utf8(text) {
                        Ok(text) => ValueRef::Text(text),
                        Err(_) => ValueRef::Blob(text),
                    },
                    rusqlite::types::ValueRef::Blob(bytes) => ValueRef::Blob(bytes),
                };
                value::read(column.name().unwrap_or_default(), value)
            }
            Self::Postgres(row) => {
                let at = column.in_row(row)?;
                let Raw(value) = row.try_get(at)?;
                value::read(row.columns().get(at).map_or("", tokio_postgres::Column::name), value)
            }
        }
    }
}

/// Names a column.
pub(crate) trait Column: Copy {
    fn name(&self) -> Option<&str>;
    fn in_file(self, row: &rusqlite::Row<'_>) -> Result<usize>;
    fn in_row(self, row: &tokio_postgres::Row) -> Result<usize>;
}

impl Column for usize {
    fn name(&self) -> Option<&str> {
        None
    }

    fn in_file(self, _: &rusqlite::Row<'_>) -> Result<usize> {
        Ok(self)
    }

    fn in_row(self, _: &tokio_postgres::Row) -> Result<usize> {
        Ok(self)
    }
}

impl Column for &str {
    fn name(&self) -> Option<&str> {
        Some(self)
    }

    fn in_file(self, row: &rusqlite::Row<'_>) -> Result<usize> {
        Ok(row.as_ref().column_index(self)?)
    }

    fn in_row(self, row: &tokio_postgres::Row) -> Result<usize> {
        row.columns()
            .iter()
            .position(|column| column.name() == self)
            .ok_or_else(|| DatabaseError::Odd { column: self.to_owned(), detail: "no such column".into() })
    }
}
