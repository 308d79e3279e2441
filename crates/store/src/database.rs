//! A connection to the data, whichever database it is in.
//!
//! Deeds are written once, against the few words here; they look like rusqlite's, which the deeds were first written
//! for. SQL is written once as well, in what SQLite and PostgreSQL both understand; what differs is in [`Dialect`].

mod bulk;
mod dialect;
mod error;
mod group;
mod listen;
mod postgres;
mod rows;
pub(crate) mod search;
mod server;
mod set;
mod sqlite;
mod tls;
mod value;

pub use error::DatabaseError;

pub(crate) use dialect::Dialect;
pub(crate) use error::{OptionalExtension, Result};
pub(crate) use group::Unsettled;
pub(crate) use postgres::Link;
pub(crate) use rows::{Mapped, Row, Rows};
pub(crate) use server::Server;
pub(crate) use set::{Columns, Kind, Set};
pub(crate) use value::{FromValue, Params, ToValue, Value, ValueRef, params_from_iter};

use crate::StoreError;

/// The values of a statement, each anything that can be stored.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$(&$value as &dyn $crate::database::ToValue),*] as &[&dyn $crate::database::ToValue]
    };
}
pub(crate) use params;

/// A connection.
pub(crate) enum Connection {
    Sqlite(File),
    Postgres(Box<Link>),
}

/// A connection to a file.
pub(crate) struct File {
    connection: rusqlite::Connection,
    /// The group under way changes something for everybody.
    told: std::cell::Cell<bool>,
}

impl std::ops::Deref for File {
    type Target = rusqlite::Connection;

    fn deref(&self) -> &Self::Target {
        &self.connection
    }
}

impl From<rusqlite::Connection> for Connection {
    fn from(connection: rusqlite::Connection) -> Self {
        Self::Sqlite(File { connection, told: std::cell::Cell::default() })
    }
}

impl Connection {
    /// What is written otherwise for this database.
    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// A statement, kept for the next time.
    pub(crate) fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>> {
        Ok(match self {
            Self::Sqlite(connection) => Statement::Sqlite(connection.prepare_cached(sql)?),
            Self::Postgres(link) => Statement::Postgres(link, link.prepare(sql)?),
        })
    }

    /// Does something; how many rows it touched.
    pub(crate) fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        self.prepare_cached(sql)?.execute(params)
    }

    /// Asks for one row.
    pub(crate) fn query_row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.prepare_cached(sql)?.query_row(params, read)
    }

    /// A transaction around something: all of it or nothing.
    pub(crate) fn transaction<T>(
        &self,
        deed: impl FnOnce() -> std::result::Result<T, StoreError>,
    ) -> std::result::Result<T, StoreError> {
        self.begin_group(true)?;
        let done = deed();
        match &done {
            Ok(_) => self.commit_group()?,
            Err(_) => self.give_up_group(),
        }
        done
    }

    /// Runs statements without values.
    pub(crate) fn execute_batch(&self, sql: &str) -> Result<()> {
        match self {
            Self::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Self::Postgres(link) => link.execute_batch(sql),
        }
    }

    /// Whether no transaction is under way.
    pub(crate) fn is_autocommit(&self) -> bool {
        match self {
            Self::Sqlite(connection) => connection.is_autocommit(),
            Self::Postgres(link) => link.is_autocommit(),
        }
    }

    /// Answers several questions by the data of one moment, also while others write.
    pub(crate) fn at_one_moment<T>(
        &self,
        ask: impl FnOnce() -> std::result::Result<T, StoreError>,
    ) -> std::result::Result<T, StoreError> {
        // Inside a deed nobody else changes what deeds read.
        if !self.is_autocommit() {
            return ask();
        }
        match self {
            Self::Sqlite(_) => self.execute_batch("BEGIN")?,
            Self::Postgres(link) => link.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?,
        }
        let answer = ask();
        match self {
            Self::Sqlite(_) => self.execute_batch("COMMIT")?,
            Self::Postgres(link) => link.end("ROLLBACK")?,
        }
        answer
    }

    /// Whether it may be asked again: a connection that broke is thrown away.
    pub(crate) fn is_usable(&self) -> bool {
        match self {
            Self::Sqlite(_) => true,
            Self::Postgres(link) => link.is_usable(),
        }
    }

    /// The file's own connection, for what only files can do.
    pub(crate) fn file(&self, what: &'static str) -> std::result::Result<&rusqlite::Connection, StoreError> {
        match self {
            Self::Sqlite(connection) => Ok(connection),
            Self::Postgres(_) => Err(StoreError::NoFile(what)),
        }
    }
}

/// A prepared statement.
pub(crate) enum Statement<'c> {
    Sqlite(rusqlite::CachedStatement<'c>),
    Postgres(&'c Link, tokio_postgres::Statement),
}

impl Statement<'_> {
    /// Does it; how many rows it touched.
    #[expect(clippy::needless_pass_by_value, reason = "callers write values down, they do not keep them")]
    pub(crate) fn execute(&mut self, params: impl Params) -> Result<usize> {
        match self {
            Self::Sqlite(statement) => sqlite::execute(statement, &params),
            Self::Postgres(link, statement) => link.execute(statement, &params),
        }
    }

    /// Does it without waiting for the server: nothing depends on how many rows it touches. Should it fail, the deed fails with
    /// the next statement that is waited for, or at its end.
    #[expect(clippy::needless_pass_by_value, reason = "callers write values down, they do not keep them")]
    pub(crate) fn send(&mut self, params: impl Params) -> Result<()> {
        match self {
            Self::Sqlite(statement) => sqlite::execute(statement, &params).map(drop),
            Self::Postgres(link, statement) => link.send(statement, &params),
        }
    }

    /// Asks for rows, to be read one after the other.
    #[expect(clippy::needless_pass_by_value, reason = "callers write values down, they do not keep them")]
    pub(crate) fn query(&mut self, params: impl Params) -> Result<Rows<'_>> {
        match self {
            Self::Sqlite(statement) => sqlite::query(statement, &params),
            Self::Postgres(link, statement) => Ok(Rows::kept(link.query(statement, &params)?)),
        }
    }

    /// The first row; an error if there is none, which `optional` turns into `None`.
    pub(crate) fn query_row<T>(
        &mut self,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        match self.query(params)?.next()? {
            Some(row) => read(&row),
            None => Err(DatabaseError::NoRow),
        }
    }

    /// What `read` makes of each row.
    pub(crate) fn query_map<T, F>(&mut self, params: impl Params, read: F) -> Result<Mapped<'_, F>>
    where
        F: FnMut(&Row<'_>) -> Result<T>,
    {
        self.query_and_then(params, read)
    }

    /// The same where reading can fail in ways of its own.
    pub(crate) fn query_and_then<T, E, F>(&mut self, params: impl Params, read: F) -> Result<Mapped<'_, F>>
    where
        E: From<DatabaseError>,
        F: FnMut(&Row<'_>) -> std::result::Result<T, E>,
    {
        Ok(Mapped { rows: self.query(params)?, read })
    }
}
