//! Values in a form that is the same on both sides, and their checksum.

use super::MoveError;
use super::tables::Kind;
use crate::database::{FromValue, ToValue, ValueRef};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

impl FromValue for Cell {
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        Some(match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => Self::Text(text.to_owned()),
            ValueRef::Blob(bytes) => Self::Blob(bytes.to_vec()),
        })
    }
}

impl ToValue for Cell {
    fn to_value(&self) -> ValueRef<'_> {
        match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }
    }
}

impl Cell {
    /// The value as both databases can hold it, and whether something had to be replaced. SQLite stores anything anywhere;
    /// PostgreSQL has no place for the character zero in a text, and SQLite none for a negative zero.
    pub(super) fn settled(self, kind: Kind) -> Result<(Self, bool), &'static str> {
        Ok(match (self, kind) {
            (Self::Null, _) => (Self::Null, false),
            (Self::Integer(number), Kind::Integer) => (Self::Integer(number), false),
            (Self::Integer(number), Kind::Real) => (Self::Real(number as f64), false),
            // Zero, whatever its sign.
            (Self::Real(number), Kind::Real) => (Self::Real(number + 0.0), false),
            (Self::Text(text), Kind::Text) if text.as_bytes().contains(&0) => {
                (Self::Text(text.replace('\0', "\u{fffd}")), true)
            }
            (Self::Text(text), Kind::Text) => (Self::Text(text), false),
            // A text that is no UTF-8 comes as bytes.
            (Self::Blob(bytes), Kind::Text) => {
                (Self::Text(String::from_utf8_lossy(&bytes).replace('\0', "\u{fffd}")), true)
            }
            (Self::Blob(bytes), Kind::Blob) => (Self::Blob(bytes), false),
            (Self::Text(text), Kind::Blob) => (Self::Blob(text.into_bytes()), false),
            (Self::Integer(_), _) => return Err("a number"),
            (Self::Real(_), _) => return Err("a fraction"),
            (Self::Text(_), _) => return Err("a text"),
            (Self::Blob(_), _) => return Err("bytes"),
        })
    }

    fn hash_into(&self, hash: &mut Sha256) {
        let (tag, bytes): (u8, &[u8]) = match self {
            Self::Null => (0, &[]),
            Self::Integer(number) => (1, &number.to_le_bytes()),
            Self::Real(number) => (2, &number.to_bits().to_le_bytes()),
            Self::Text(text) => (3, text.as_bytes()),
            Self::Blob(bytes) => (4, bytes),
        };
        hash.update([tag]);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
}

/// What rows come to: how many, and a sum of their checksums, in which their order does not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) rows: u64,
    sum: u128,
}

impl Sum {
    pub(super) fn add(&mut self, row: &[Cell]) {
        let mut hash = Sha256::new();
        for cell in row {
            cell.hash_into(&mut hash);
        }
        let digest = hash.finalize();
        let half = digest.iter().take(16).fold(0_u128, |sum, byte| (sum << 8) | u128::from(*byte));
        self.sum = self.sum.wrapping_add(half);
        self.rows += 1;
    }

    /// The sum in hexadecimal.
    pub(super) fn checksum(&self) -> String {
        format!("{:032x}", self.sum)
    }
}

/// Brings a row into the form of both sides; how many values were mended.
pub(super) fn settle(
    row: Vec<Cell>,
    table: &str,
    columns: &[(&str, Kind)],
) -> Result<(Vec<Cell>, u64), MoveError> {
    let mut mended = 0;
    let mut settled = Vec::with_capacity(row.len());
    for (cell, (name, kind)) in row.into_iter().zip(columns) {
        let (cell, changed) = cell.settled(*kind).map_err(|found| MoveError::Unsuited {
            table: table.to_owned(),
            column: (*name).to_owned(),
            found,
        })?;
        mended += u64::from(changed);
        settled.push(cell);
    }
    Ok((settled, mended))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(rows: &[&[Cell]]) -> Sum {
        let mut sum = Sum::default();
        for row in rows {
            sum.add(row);
        }
        sum
    }

    #[test]
    fn the_order_of_rows_does_not_matter_and_all_else_does() {
        let (a, b) = ([Cell::Integer(1), Cell::Text("x".into())], [Cell::Integer(2), Cell::Null]);
        assert_eq!(sum(&[&a, &b]), sum(&[&b, &a]));
        assert_ne!(sum(&[&a]), sum(&[&a, &a]));
        assert_ne!(
            sum(&[&[Cell::Text("ab".into()), Cell::Text("c".into())]]),
            sum(&[&[Cell::Text("a".into()), Cell::Text("bc".into())]])
        );
        assert_ne!(sum(&[&[Cell::Text("x".into())]]), sum(&[&[Cell::Blob(b"x".to_vec())]]));
    }

    #[test]
    fn values_are_brought_into_a_form_both_can_hold() {
        let settled = |cell: Cell, kind| cell.settled(kind);
        assert_eq!(
            settled(Cell::Text("a\0b".into()), Kind::Text),
            Ok((Cell::Text("a\u{fffd}b".into()), true))
        );
        assert_eq!(
            settled(Cell::Blob(vec![b'a', 0xff]), Kind::Text),
            Ok((Cell::Text("a\u{fffd}".into()), true))
        );
        assert_eq!(settled(Cell::Integer(3), Kind::Real), Ok((Cell::Real(3.0), false)));
        let Ok((Cell::Real(zero), false)) = settled(Cell::Real(-0.0), Kind::Real) else { panic!() };
        assert!(zero.is_sign_positive());
        assert_eq!(settled(Cell::Text("x".into()), Kind::Integer), Err("a text"));
    }
}
