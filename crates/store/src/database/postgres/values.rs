//! Values on their way to the server and back.

use super::super::set::Column;
use super::super::value::{Params, ToValue, ValueRef};
use super::super::{DatabaseError, Result};
use tokio_postgres::Statement;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type};

/// The values in a row, as many as there are places.
pub(super) fn collect<'a>(statement: &Statement, params: &'a impl Params) -> Result<Vec<Bound<'a>>> {
    let mut values = Vec::with_capacity(statement.params().len());
    params.for_each(&mut |value| {
        values.push(Bound(value));
        Ok(())
    })?;
    let (given, expected) = (values.len(), statement.params().len());
    if given == expected { Ok(values) } else { Err(DatabaseError::Values { given, expected }) }
}

/// A value, written the way the server expects it at its place.
#[derive(Debug)]
pub(super) struct Bound<'a>(ValueRef<'a>);

pub(super) fn bound<T: ToValue>(value: &T) -> Bound<'_> {
    Bound(value.to_value())
}

type Trouble = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Bound<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Trouble> {
        match (self.0, kind) {
            (ValueRef::Null, _) => return Ok(IsNull::Yes),
            (ValueRef::Integer(number), &Type::INT8) => out.extend_from_slice(&number.to_be_bytes()),
            (ValueRef::Integer(number), &Type::INT4) => {
                out.extend_from_slice(&i32::try_from(number)?.to_be_bytes());
            }
            (ValueRef::Integer(number), &Type::BOOL) => out.extend_from_slice(&[u8::from(number != 0)]),
            (ValueRef::Integer(number), &Type::FLOAT8) => {
                out.extend_from_slice(&(number as f64).to_be_bytes());
            }
            (ValueRef::Real(number), &Type::FLOAT8) => out.extend_from_slice(&number.to_be_bytes()),
            (ValueRef::Text(text), &(Type::TEXT | Type::VARCHAR | Type::NAME | Type::JSON)) => {
                put_text(text, out);
            }
            (ValueRef::Blob(bytes), &Type::BYTEA) => out.extend_from_slice(bytes),
            (value, kind) => return Err(format!("{value:?} where PostgreSQL expects {kind}").into()),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}

/// Values that outlive the deed's own.
pub(super) fn owned(statement: &Statement, params: &impl Params) -> Result<Vec<Owned>> {
    Ok(collect(statement, params)?.into_iter().map(|Bound(value)| Owned::of(value)).collect())
}

#[derive(Debug)]
pub(super) enum Owned {
    Plain(ValueRef<'static>),
    Text(String),
    Blob(Vec<u8>),
}

impl Owned {
    fn of(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Plain(ValueRef::Null),
            ValueRef::Integer(number) => Self::Plain(ValueRef::Integer(number)),
            ValueRef::Real(number) => Self::Plain(ValueRef::Real(number)),
            ValueRef::Text(text) => Self::Text(text.to_owned()),
            ValueRef::Blob(bytes) => Self::Blob(bytes.to_vec()),
        }
    }
}

impl ToSql for Owned {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Trouble> {
        let value = match self {
            Self::Plain(value) => *value,
            Self::Text(text) => ValueRef::Text(text),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        };
        Bound(value).to_sql(kind, out)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}

/// A column of a set, as an array.
impl ToSql for Column {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Trouble> {
        match (self, kind) {
            (Self::Numbers(all), &Type::INT8_ARRAY) => put_array(all, &Type::INT8, out, |number, out| {
                out.extend_from_slice(&number.to_be_bytes());
            }),
            (Self::Reals(all), &Type::FLOAT8_ARRAY) => put_array(all, &Type::FLOAT8, out, |number, out| {
                out.extend_from_slice(&number.to_be_bytes());
            }),
            (Self::Texts(all), &Type::TEXT_ARRAY) => {
                put_array(all, &Type::TEXT, out, |text, out| put_text(text, out))
            }
            (_, kind) => Err(format!("a column where PostgreSQL expects {kind}").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}

/// An array of one dimension: what it is, then each element with its length before it.
fn put_array<T>(
    all: &[Option<T>],
    element: &Type,
    out: &mut BytesMut,
    put: impl Fn(&T, &mut BytesMut),
) -> std::result::Result<IsNull, Trouble> {
    let has_null = all.iter().any(Option::is_none);
    for number in [1, i32::from(has_null)] {
        out.extend_from_slice(&number.to_be_bytes());
    }
    out.extend_from_slice(&element.oid().to_be_bytes());
    for number in [i32::try_from(all.len())?, 1] {
        out.extend_from_slice(&number.to_be_bytes());
    }
    for value in all {
        let Some(value) = value else {
            out.extend_from_slice(&(-1_i32).to_be_bytes());
            continue;
        };
        let begin = out.len();
        out.extend_from_slice(&[0; 4]);
        put(value, out);
        let length = i32::try_from(out.len() - begin - 4)?;
        out[begin..begin + 4].copy_from_slice(&length.to_be_bytes());
    }
    Ok(IsNull::No)
}

/// PostgreSQL has no place for the character zero in a text, and pages may hold any.
fn put_text(text: &str, out: &mut BytesMut) {
    if text.as_bytes().contains(&0) {
        out.extend_from_slice(text.replace('\0', "\u{fffd}").as_bytes());
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}

/// A value as it came.
pub(in crate::database) struct Raw<'a>(pub(in crate::database) ValueRef<'a>);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> std::result::Result<Self, Trouble> {
        Ok(Self(match *kind {
            Type::INT8 => ValueRef::Integer(i64::from_be_bytes(raw.try_into()?)),
            Type::INT4 => ValueRef::Integer(i32::from_be_bytes(raw.try_into()?).into()),
            Type::INT2 => ValueRef::Integer(i16::from_be_bytes(raw.try_into()?).into()),
            Type::BOOL => ValueRef::Integer(i64::from(raw != [0])),
            Type::FLOAT8 => ValueRef::Real(f64::from_be_bytes(raw.try_into()?)),
            Type::TEXT | Type::VARCHAR | Type::NAME => ValueRef::Text(std::str::from_utf8(raw)?),
            Type::BYTEA => ValueRef::Blob(raw),
            _ => return Err(format!("PostgreSQL answered with {kind}").into()),
        }))
    }

    fn from_sql_null(_: &Type) -> std::result::Result<Self, Trouble> {
        Ok(Self(ValueRef::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
