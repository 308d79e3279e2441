//! The last step: numbers go on where they were, leases end, and the target is open to everybody.

use super::MoveError;
use super::end::{Source, Target};
use super::tables::Table;
use crate::database::{Connection, Dialect, OptionalExtension, params};
use crate::hosts::refresh_due;
use model::HostId;

pub(super) fn settle(source: &Source, target: &Target, tables: &[Table]) -> Result<(), MoveError> {
    target.transaction(|| {
        for table in tables {
            let given = if table.counts_on { last_given(source, &table.name)? } else { None };
            count_on(target, table, given)?;
        }
        end_leases(target)?;
        target.execute_batch("DROP TABLE moving")?;
        Ok(())
    })?;
    match target.dialect() {
        Dialect::Sqlite => target.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?,
        Dialect::Postgres => {
            // Until it has seen how much there is, the server reads by plans for nothing.
            let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
            target.execute_batch(&format!("ANALYZE {}", names.join(", ")))?;
        }
    }
    Ok(())
}

/// The last number that was ever given to a row of a table, also if that row is gone.
fn last_given(source: &Connection, table: &str) -> Result<Option<i64>, MoveError> {
    let sql = match source.dialect() {
        Dialect::Sqlite => "SELECT seq FROM sqlite_sequence WHERE name = ?1",
        Dialect::Postgres => {
            "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(?1, 'id') AS regclass))"
        }
    };
    let last: Option<Option<i64>> = source.query_row(sql, [table], |row| row.get(0)).optional()?;
    Ok(last.flatten())
}

/// The next number is beyond all that were given. (A file counts on from its newest row by itself.)
fn count_on(target: &Connection, table: &Table, given: Option<i64>) -> Result<(), MoveError> {
    if target.dialect() == Dialect::Sqlite {
        if table.counts_on {
            target.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [&table.name])?;
        }
        if let Some(given) = given {
            target.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
                params![table.name, given],
            )?;
        }
        return Ok(());
    }
    let [key] = table.key.as_slice() else { return Ok(()) };
    let column = table.columns[*key].name.as_str();
    let sql = "SELECT pg_get_serial_sequence(?1, ?2) IS NOT NULL";
    if !target.query_row(sql, [table.name.as_str(), column], |row| row.get::<_, bool>(0))? {
        return Ok(());
    }
    let sql = format!("SELECT max(\"{column}\") FROM {}", table.name);
    let newest: Option<i64> = target.query_row(&sql, [], |row| row.get(0))?;
    if let Some(last) = newest.max(given) {
        target.query_row(
            "SELECT setval(CAST(pg_get_serial_sequence(?1, ?2) AS regclass), ?3)",
            params![table.name, column, last],
            |_| Ok(()),
        )?;
    }
    Ok(())
}

/// Nobody works with the data here yet: what was held in the source is free, and what a holder might still write is refused.
fn end_leases(target: &Connection) -> Result<(), MoveError> {
    let mut statement = target.prepare_cached("SELECT id FROM host WHERE lease_owner IS NOT NULL")?;
    let held: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for host in held {
        target.execute(
            "UPDATE host SET lease_owner = NULL, lease_until = NULL, epoch = epoch + 1 WHERE id = ?1",
            [host],
        )?;
        refresh_due(target, HostId(host))?;
    }
    target.execute("UPDATE crawl SET lease_owner = NULL WHERE lease_owner IS NOT NULL", [])?;
    target.execute(
        "UPDATE channel SET lease_owner = NULL, lease_until = NULL WHERE lease_owner IS NOT NULL",
        [],
    )?;
    Ok(())
}
