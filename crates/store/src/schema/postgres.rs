//! Data in PostgreSQL: in whatever schema the connection's `search_path` names first, which is `public` unless someone
//! chose otherwise.

use super::{APPLICATION_ID, SCHEMA_VERSION};
use crate::StoreError;
use crate::database::{Connection, OptionalExtension, Server, params};

/// The step that PostgreSQL begins with.
const FIRST: i64 = 6;
/// Steps from there on. A released step is never edited.
const STEPS: &[&str] = &[include_str!("postgres/006.sql"), include_str!("postgres/007.sql")];

const _: () = assert!(FIRST + STEPS.len() as i64 - 1 == SCHEMA_VERSION, "steps come in pairs");

/// Should this process stop in the middle of something, or its machine be lost, others do not wait for it for ever: neither while
/// it says nothing, nor while the server has more to say than the connection takes.
const NOT_FOR_EVER: &str = "SET idle_in_transaction_session_timeout = '5s'; SET tcp_user_timeout = '20s';
     SET tcp_keepalives_idle = '20s'; SET tcp_keepalives_interval = '5s'; SET tcp_keepalives_count = 3";

/// Connects, and brings the schema up to date.
pub(crate) fn open(server: &Server) -> Result<Connection, StoreError> {
    let connection = server.connect()?;
    connection.execute_batch(NOT_FOR_EVER)?;
    connection.transaction(|| migrate(&connection, server)).map_err(|error| server.explain(error))?;
    Ok(connection)
}

fn migrate(connection: &Connection, server: &Server) -> Result<(), StoreError> {
    let sql = "SELECT current_setting('transaction_read_only') = 'on'";
    if connection.query_row(sql, [], |row| row.get(0))? {
        return Err(StoreError::ReadOnly { database: server.database().to_owned() });
    }
    // Usually there is nothing to do. Whoever connects again after trouble must not wait for one that starts.
    if found(connection, server)? == SCHEMA_VERSION {
        return Ok(());
    }
    // Two processes that start at once: the second waits and finds it done.
    connection.query_row("SELECT pg_advisory_xact_lock(?1) IS NULL", [APPLICATION_ID], |_| Ok(()))?;
    let found = found(connection, server)?;
    for step in STEPS.iter().skip((found + 1 - FIRST) as usize) {
        connection.execute_batch(step)?;
    }
    if found < SCHEMA_VERSION {
        connection.execute(
            "UPDATE ripplewatch SET version = ?2 WHERE application = ?1",
            params![APPLICATION_ID, SCHEMA_VERSION],
        )?;
    }
    Ok(())
}

/// The step that the data have reached; an empty database is before the first.
fn found(connection: &Connection, server: &Server) -> Result<i64, StoreError> {
    let marked: bool =
        connection.query_row("SELECT to_regclass('ripplewatch') IS NOT NULL", [], |row| row.get(0))?;
    let found = if marked { version(connection)? } else { None };
    let name = server.database().to_owned();
    match found {
        Some(found) if found > SCHEMA_VERSION => {
            Err(StoreError::NewerDatabase { database: name, found, known: SCHEMA_VERSION })
        }
        Some(found) => Ok(found),
        None if marked || has_tables(connection)? => Err(StoreError::ForeignDatabase { database: name }),
        None => Ok(FIRST - 1),
    }
}

/// The version of the data, if they are ours.
fn version(connection: &Connection) -> Result<Option<i64>, StoreError> {
    let columns: i64 = connection.query_row(
        "SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('ripplewatch')
             AND attname IN ('application', 'version') AND atttypid = CAST('bigint' AS regtype)",
        [],
        |row| row.get(0),
    )?;
    if columns != 2 {
        return Ok(None);
    }
    let sql = "SELECT version FROM ripplewatch WHERE application = ?1";
    Ok(connection.query_row(sql, [APPLICATION_ID], |row| row.get(0)).optional()?)
}

/// Whether somebody else keeps something here; what extensions brought along does not count.
fn has_tables(connection: &Connection) -> Result<bool, StoreError> {
    Ok(connection.query_row(
        "SELECT EXISTS (
             SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
                 AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e'))",
        [],
        |row| row.get(0),
    )?)
}
