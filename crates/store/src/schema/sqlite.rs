//! Data in a file.

use crate::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

/// Marks a file as ours ("RPPL"), so that another application's database is not touched.
pub(crate) const APPLICATION_ID: i64 = 0x5250_504C;

/// Step n brings schema n − 1 to n. A released step is never edited.
const STEPS: &[&str] = &[
    include_str!("sqlite/001.sql"),
    include_str!("sqlite/002.sql"),
    include_str!("sqlite/003.sql"),
    include_str!("sqlite/004.sql"),
    include_str!("sqlite/005.sql"),
    include_str!("sqlite/006.sql"),
    include_str!("sqlite/007.sql"),
];

/// The schema this program writes.
pub const SCHEMA_VERSION: i64 = STEPS.len() as i64;

pub(crate) fn open(file: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(file).map_err(|error| damaged(file, &error))?;
    prepare(&connection).map_err(|error| damaged(file, &error))?;
    migrate(&connection, file, SCHEMA_VERSION)?;
    Ok(connection)
}

pub(crate) fn open_reader(file: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(file)?;
    settle(&connection)?;
    // There are several of them, and the system keeps the file's pages as well: what SQLite itself takes is enough.
    connection.pragma_update(None, "cache_size", -2_000)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// A file that is only looked at, and not trusted.
pub(crate) fn open_untrusted(file: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// The schema of release `version`, as SQLite remembers it: what an honest file must look like.
pub(crate) fn blueprint(version: i64) -> Result<Vec<(String, String)>, StoreError> {
    objects(&in_memory(version)?)
}

/// The newest schema with nothing in it, in memory.
pub(crate) fn newest() -> Result<Connection, StoreError> {
    in_memory(SCHEMA_VERSION)
}

fn in_memory(version: i64) -> Result<Connection, StoreError> {
    let connection = Connection::open_in_memory()?;
    migrate(&connection, Path::new(":memory:"), version)?;
    Ok(connection)
}

/// Every object of a database: its name and the SQL that made it.
pub(crate) fn objects(connection: &Connection) -> Result<Vec<(String, String)>, StoreError> {
    let mut statement = connection
        .prepare("SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_master ORDER BY type, name")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    settle(connection)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // FULL: what was answered as stored survives a power cut, not only a crash.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "wal_autocheckpoint", 4000)
}

fn settle(connection: &Connection) -> rusqlite::Result<()> {
    // Plans do not depend on bound values. Otherwise SQLite, weighing partial indexes, compiles a cached
    // statement anew for every new value: a third of the writer's time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(256);
    connection.pragma_update(None, "cache_size", -8_000)?;
    connection.pragma_update(None, "temp_store", "MEMORY")
}

fn migrate(connection: &Connection, file: &Path, target: i64) -> Result<(), StoreError> {
    connection.execute_batch("BEGIN IMMEDIATE").map_err(|error| damaged(file, &error))?;
    let result = step_forward(connection, file, target);
    connection.execute_batch(if result.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    result
}

fn step_forward(connection: &Connection, file: &Path, target: i64) -> Result<(), StoreError> {
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let application: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    if application != APPLICATION_ID && (application != 0 || tables > 0) {
        return Err(StoreError::Foreign { file: file.into() });
    }
    if found > target {
        return Err(StoreError::NewerSchema { file: file.into(), found, known: target });
    }
    for step in STEPS.iter().take(target as usize).skip(found as usize) {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", target)?;
    Ok(())
}

fn damaged(file: &Path, error: &rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode::{CannotOpen, NotADatabase, PermissionDenied, ReadOnly};
    match error.sqlite_error_code() {
        Some(CannotOpen | PermissionDenied | ReadOnly) => StoreError::Folder {
            folder: file.parent().unwrap_or(file).into(),
            source: std::io::Error::other(error.to_string()),
        },
        Some(NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
            StoreError::Damaged { file: file.into(), detail: error.to_string() }
        }
        _ => StoreError::from(rusqlite::Error::SqliteFailure(
            error.sqlite_error().copied().unwrap_or(rusqlite::ffi::Error::new(1)),
            Some(format!("{}: {error}", file.display())),
        )),
    }
}
