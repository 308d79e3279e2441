//! Statements on SQLite, through rusqlite. Values are bound without a copy of ours.

use super::rows::Rows;
use super::value::{Params, ValueRef};
use super::{DatabaseError, Result};
use rusqlite::Statement;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef as SqliteValue};

pub(super) fn execute(statement: &mut Statement<'_>, params: &impl Params) -> Result<usize> {
    bind(statement, params)?;
    Ok(statement.raw_execute()?)
}

pub(super) fn query<'a>(statement: &'a mut Statement<'_>, params: &impl Params) -> Result<Rows<'a>> {
    bind(statement, params)?;
    Ok(Rows::of_file(statement.raw_query()))
}

fn bind(statement: &mut Statement<'_>, params: &impl Params) -> Result<()> {
    let mut bound = 0;
    params.for_each(&mut |value| {
        bound += 1;
        Ok(statement.raw_bind_parameter(bound, Bound(value))?)
    })?;
    let expected = statement.parameter_count();
    if bound == expected { Ok(()) } else { Err(DatabaseError::Values { given: bound, expected }) }
}

struct Bound<'a>(ValueRef<'a>);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            ValueRef::Null => SqliteValue::Null,
            ValueRef::Integer(number) => SqliteValue::Integer(number),
            ValueRef::Real(number) => SqliteValue::Real(number),
            ValueRef::Text(text) => SqliteValue::Text(text.as_bytes()),
            ValueRef::Blob(bytes) => SqliteValue::Blob(bytes),
        }))
    }
}
