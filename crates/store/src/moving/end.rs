//! The two ends of a move.

use super::MoveError;
use crate::database::{Connection, Dialect, Server};
use crate::place::Place;
use crate::{Hidden, Store, StoreError, fleet, private};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

/// "RPPL" and two: the lock of whoever moves data into a database.
const MOVER: i64 = 0x5250_504C_0002;

/// Where data are, or are to be.
#[derive(Debug, Clone)]
pub enum MoveEnd {
    /// In a folder.
    Folder(PathBuf),
    /// In the PostgreSQL database with this URL.
    Database(Hidden),
}

impl MoveEnd {
    pub(super) fn place(&self) -> Result<Place, MoveError> {
        Ok(match self {
            Self::Folder(folder) => {
                // One folder has one name here, whatever way leads to it.
                let folder = folder.canonicalize().or_else(|_| std::path::absolute(folder));
                let folder = folder.map_err(|source| StoreError::Folder { folder: self.folder(), source })?;
                Place::File(folder.join(Store::FILE))
            }
            Self::Database(url) => Place::Server(Arc::new(Server::parse(url.reveal())?)),
        })
    }

    fn folder(&self) -> PathBuf {
        match self {
            Self::Folder(folder) => folder.clone(),
            Self::Database(_) => PathBuf::new(),
        }
    }
}

/// What is moved: read as of one moment, never written.
pub(super) struct Source {
    pub(super) name: String,
    connection: Connection,
}

impl Source {
    pub(super) fn open(place: &Place) -> Result<Self, MoveError> {
        let name = place.name();
        if !holds_data(place)? {
            return Err(MoveError::NothingThere(name));
        }
        // Brings the schema up to date, and refuses what is itself a part of a move.
        drop(place.open()?);
        let connection = place.open_reader()?;
        refuse_in_use(&connection, &name)?;
        match &connection {
            Connection::Sqlite(_) => super::words::prepare(&connection)?,
            // It looks for as long as it takes.
            Connection::Postgres(_) => connection
                .execute_batch("SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0")?,
        }
        Ok(Self { name, connection })
    }

    /// Does something with the data of one moment.
    pub(super) fn at_one_moment<T>(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Result<T, MoveError>,
    ) -> Result<T, MoveError> {
        let (begin, end) = match self.connection.dialect() {
            Dialect::Sqlite => ("BEGIN", "COMMIT"),
            Dialect::Postgres => ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "ROLLBACK"),
        };
        self.connection.execute_batch(begin)?;
        let answer = ask(self);
        // Nothing was changed: how this ends does not matter.
        let _ = self.connection.execute_batch(end);
        answer
    }

    pub(super) fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl Deref for Source {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// Where it is moved to.
pub(super) struct Target {
    pub(super) name: String,
    connection: Connection,
}

impl Target {
    pub(super) fn open(place: &Place) -> Result<Self, MoveError> {
        let name = place.name();
        if let Place::File(file) = place {
            let folder = file.parent().unwrap_or(file);
            private::create_folder(folder)
                .map_err(|source| StoreError::Folder { folder: folder.into(), source })?;
        }
        let connection = place.open_unfinished()?;
        if let Place::File(file) = place {
            private::restrict(file);
            // Rows come in an order that allows for references; all of them are checked at the end.
            connection.execute_batch("PRAGMA foreign_keys = OFF")?;
        } else {
            let sql = "SELECT pg_try_advisory_lock(?1)";
            if !connection.query_row(sql, [MOVER], |row| row.get::<_, bool>(0))? {
                return Err(MoveError::InUse { place: name, who: "another `ripplewatch move`".into() });
            }
        }
        refuse_in_use(&connection, &name)?;
        Ok(Self { name, connection })
    }

    /// All of it or nothing.
    pub(super) fn transaction<T>(&self, deed: impl FnOnce() -> Result<T, MoveError>) -> Result<T, MoveError> {
        self.connection.begin_group(true)?;
        match deed() {
            Ok(done) => {
                self.connection.commit_group()?;
                Ok(done)
            }
            Err(error) => {
                self.connection.give_up_group();
                Err(error)
            }
        }
    }
}

impl Deref for Target {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// Whether there is anything of ours. Looking makes nothing.
fn holds_data(place: &Place) -> Result<bool, MoveError> {
    match place {
        Place::File(file) => Ok(file.exists()),
        Place::Server(server) => {
            let sql = "SELECT to_regclass('ripplewatch') IS NOT NULL";
            Ok(server.connect_reader()?.query_row(sql, [], |row| row.get(0))?)
        }
    }
}

/// Who works on a database has a row in it. (Who works on a folder holds its lock, which the caller takes.)
fn refuse_in_use(connection: &Connection, name: &str) -> Result<(), MoveError> {
    if connection.dialect() == Dialect::Sqlite {
        return Ok(());
    }
    let labels = fleet::present(connection)?;
    if labels.is_empty() {
        return Ok(());
    }
    Err(MoveError::InUse { place: name.to_owned(), who: labels.join(", ") })
}
