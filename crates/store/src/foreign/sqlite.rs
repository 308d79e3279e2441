//! The schema of a `SQLite` file.

use super::ForeignError;
use super::database::{Connection, Database, Row, quote};
use discovery::ontology::relational::{Column, ColumnKind, Inclusion, Schema, Table};
use rusqlite::{ErrorCode, OpenFlags};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

pub(super) fn open(address: &str, time: Duration, deadline: Instant) -> Result<Database, ForeignError> {
    let path =
        address.strip_prefix("sqlite://").or_else(|| address.strip_prefix("sqlite:")).unwrap_or(address);
    if Path::new(path).is_dir() {
        return Err(ForeignError::Folder(path.to_owned()));
    }
    if !Path::new(path).is_file() {
        if let Some((scheme, _)) = path.split_once("://") {
            return Err(ForeignError::Scheme(scheme.to_owned()));
        }
        // What looks like a user and a password is not repeated.
        let path = path.rsplit_once('@').map_or(path, |(_, place)| place);
        return Err(ForeignError::NoFile(path.to_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let broken = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ForeignError::Locked(path.to_owned()),
        _ => ForeignError::NoDatabase { file: path.to_owned(), detail: error.to_string() },
    };
    let connection = rusqlite::Connection::open_with_flags(path, flags).map_err(broken)?;
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(())).map_err(broken)?;
    Ok(Database { connection: Connection::Sqlite(Arc::new(Mutex::new(connection))), time, deadline })
}

pub(super) async fn schema(database: &Database, address: &str) -> Result<Schema, ForeignError> {
    let name =
        Path::new(address).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut schema = Schema { name, ..Schema::default() };
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    for row in database.rows(tables).await? {
        let Some(Some(name)) = row.into_iter().next() else { continue };
        let info = database.rows(&format!("PRAGMA table_info({})", quote(&name))).await?;
        schema.tables.push(table(name, &info));
    }
    for at in 0..schema.tables.len() {
        let from = schema.tables[at].name.clone();
        let list = database.rows(&format!("PRAGMA foreign_key_list({})", quote(&from))).await?;
        let found = references(&schema, &from, &list);
        schema.inclusions.extend(found);
    }
    Ok(schema)
}

/// From `table_info`: cid, name, type, notnull, default, place in the key.
fn table(name: String, info: &[Row]) -> Table {
    let cell = |row: &Row, at: usize| row.get(at).cloned().flatten().unwrap_or_default();
    let columns =
        info.iter().map(|row| Column { name: cell(row, 1), kind: kind(&cell(row, 2)), samples: Vec::new() });
    let mut key: Vec<(u32, String)> = info
        .iter()
        .map(|row| (cell(row, 5).parse().unwrap_or(0), cell(row, 1)))
        .filter(|(place, _)| *place > 0)
        .collect();
    key.sort_unstable();
    let key: Vec<String> = key.into_iter().map(|(_, name)| name).collect();
    Table { name, columns: columns.collect(), key_declared: !key.is_empty(), key, rows: None }
}

/// From `foreign_key_list`: id, place, table, from, to.
fn references(schema: &Schema, from: &str, list: &[Row]) -> Vec<Inclusion> {
    let cell = |row: &Row, at: usize| row.get(at).cloned().flatten();
    let mut found: Vec<(String, Inclusion)> = Vec::new();
    let mut rows: Vec<&Row> = list.iter().collect();
    rows.sort_by_key(|row| cell(row, 1).and_then(|place| place.parse::<u32>().ok()));
    for row in rows {
        let (Some(id), Some(named), Some(column)) = (cell(row, 0), cell(row, 2), cell(row, 3)) else {
            continue;
        };
        // Names of tables are the same in upper and lower case.
        let Some(target) = schema.tables.iter().find(|table| table.name.eq_ignore_ascii_case(&named)) else {
            continue;
        };
        let place = found.iter().position(|(known, _)| *known == id).unwrap_or_else(|| {
            let to = target.name.clone();
            let new = Inclusion { from: from.to_owned(), to, declared: true, ..Inclusion::default() };
            found.push((id, new));
            found.len() - 1
        });
        let inclusion = &mut found[place].1;
        // Without a column, the key is meant.
        let to = cell(row, 4).or_else(|| target.key.get(inclusion.columns.len()).cloned());
        let Some(to) = to else { continue };
        inclusion.columns.push(column);
        inclusion.to_columns.push(to);
    }
    let mut found: Vec<Inclusion> =
        found.into_iter().map(|(_, it)| it).filter(|it| !it.columns.is_empty()).collect();
    found.sort_by(|a, b| a.columns.cmp(&b.columns));
    found
}

/// By SQLite's rules of affinity, as far as they matter here.
fn kind(declared: &str) -> ColumnKind {
    let declared = declared.to_ascii_uppercase();
    let has = |parts: &[&str]| parts.iter().any(|part| declared.contains(part));
    if has(&["INT", "NUM", "REAL", "FLOA", "DOUB", "DEC"]) {
        ColumnKind::Number
    } else if has(&["CHAR", "TEXT", "CLOB", "UUID"]) {
        ColumnKind::Text
    } else {
        ColumnKind::Other
    }
}
