//! Values as both databases have them: nothing, a number, a text, bytes. Yes and no are 1 and 0.

use super::{DatabaseError, Result};

/// A value, by reference where it can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ValueRef<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'a str),
    Blob(&'a [u8]),
}

/// A value of its own, for statements that are put together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Integer(i64),
    Text(String),
}

/// What can be stored.
pub(crate) trait ToValue {
    fn to_value(&self) -> ValueRef<'_>;
}

/// What can be read.
pub(crate) trait FromValue: Sized {
    /// `None` if the value is of another kind.
    fn from_value(value: ValueRef<'_>) -> Option<Self>;
}

/// The values of a statement.
pub(crate) trait Params {
    fn for_each<'a>(&'a self, take: &mut dyn FnMut(ValueRef<'a>) -> Result<()>) -> Result<()>;
}

impl<T: ToValue> Params for &[T] {
    fn for_each<'a>(&'a self, take: &mut dyn FnMut(ValueRef<'a>) -> Result<()>) -> Result<()> {
        self.iter().try_for_each(|value| take(value.to_value()))
    }
}

/// No values.
impl Params for [&dyn ToValue; 0] {
    fn for_each<'a>(&'a self, _: &mut dyn FnMut(ValueRef<'a>) -> Result<()>) -> Result<()> {
        Ok(())
    }
}

/// One by one, so that the compiler knows what `[]` is.
macro_rules! arrays {
    ($($size:literal),*) => {$(
        impl<T: ToValue> Params for [T; $size] {
            fn for_each<'a>(&'a self, take: &mut dyn FnMut(ValueRef<'a>) -> Result<()>) -> Result<()> {
                self.iter().try_for_each(|value| take(value.to_value()))
            }
        }
    )*};
}
arrays!(1, 2, 3);

/// Values that were collected.
pub(crate) struct Collected(Vec<Value>);

/// Takes any number of values.
pub(crate) fn params_from_iter<T: Into<Value>>(values: impl IntoIterator<Item = T>) -> Collected {
    Collected(values.into_iter().map(Into::into).collect())
}

impl Params for Collected {
    fn for_each<'a>(&'a self, take: &mut dyn FnMut(ValueRef<'a>) -> Result<()>) -> Result<()> {
        self.0.iter().try_for_each(|value| take(value.to_value()))
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl ToValue for Value {
    fn to_value(&self) -> ValueRef<'_> {
        match self {
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text),
        }
    }
}

macro_rules! integers {
    ($($kind:ty),*) => {$(
        impl ToValue for $kind {
            fn to_value(&self) -> ValueRef<'_> {
                ValueRef::Integer(i64::from(*self))
            }
        }

        impl FromValue for $kind {
            fn from_value(value: ValueRef<'_>) -> Option<Self> {
                match value {
                    ValueRef::Integer(number) => number.try_into().ok(),
                    _ => None,
                }
            }
        }
    )*};
}
integers!(i64, i32, u32, u16);

impl ToValue for bool {
    fn to_value(&self) -> ValueRef<'_> {
        ValueRef::Integer(i64::from(*self))
    }
}

impl FromValue for bool {
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        i64::from_value(value).map(|number| number != 0)
    }
}

impl ToValue for f64 {
    fn to_value(&self) -> ValueRef<'_> {
        ValueRef::Real(*self)
    }
}

impl FromValue for f64 {
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Real(number) => Some(number),
            ValueRef::Integer(number) => Some(number as Self),
            _ => None,
        }
    }
}

impl ToValue for str {
    fn to_value(&self) -> ValueRef<'_> {
        ValueRef::Text(self)
    }
}

impl ToValue for String {
    fn to_value(&self) -> ValueRef<'_> {
        ValueRef::Text(self)
    }
}

impl FromValue for String {
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Text(text) => Some(text.to_owned()),
            _ => None,
        }
    }
}

impl ToValue for Vec<u8> {
    fn to_value(&self) -> ValueRef<'_> {
        ValueRef::Blob(self)
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Blob(bytes) => Some(bytes.to_vec()),
            _ => None,
        }
    }
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> ValueRef<'_> {
        (**self).to_value()
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> ValueRef<'_> {
        self.as_ref().map_or(ValueRef::Null, ToValue::to_value)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// Reads a value of a column.
pub(super) fn read<T: FromValue>(column: &str, value: ValueRef<'_>) -> Result<T> {
    T::from_value(value).ok_or_else(|| {
        let kind = match value {
            ValueRef::Null => "nothing",
            ValueRef::Integer(_) => "a number",
            ValueRef::Real(_) => "a fraction",
            ValueRef::Text(_) => "a text",
            ValueRef::Blob(_) => "bytes",
        };
        DatabaseError::Odd { column: column.to_owned(), detail: format!("{kind} that does not fit") }
    })
}
