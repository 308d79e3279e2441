//! A database as the rules see it.

use serde::{Deserialize, Serialize};

/// The tables of a database, and which columns' values are among which others'.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Schema {
    /// What the database is called.
    pub name: String,
    /// Its tables.
    pub tables: Vec<Table>,
    /// What is known about values.
    pub inclusions: Vec<Inclusion>,
    /// What could not be looked at, for people.
    pub notes: Vec<String>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// The columns of its primary key; empty if it has none.
    pub key: Vec<String>,
    /// Whether the key is declared; if not, it was found on the data.
    pub key_declared: bool,
    /// How many rows it has, if they were counted.
    pub rows: Option<u64>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// Some of its values, where they are words.
    pub samples: Vec<String>,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnKind {
    /// Words.
    Text,
    /// Numbers.
    Number,
    /// Anything else.
    #[default]
    Other,
}

/// The values of some columns are among those of others: `R_i(A_i) ⊆ R_j(A_j)`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Inclusion {
    /// `R_i`.
    pub from: String,
    /// `A_i`.
    pub columns: Vec<String>,
    /// `R_j`.
    pub to: String,
    /// `A_j`.
    pub to_columns: Vec<String>,
    /// Declared as a foreign key; if not, found on the data.
    pub declared: bool,
    /// The values of both are the same.
    pub equal: bool,
}

impl Schema {
    /// A table by its name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }
}

impl Table {
    /// Whether all of these columns are in the key.
    pub(super) fn key_has(&self, columns: &[String]) -> bool {
        columns.iter().all(|column| self.key.contains(column))
    }

    /// Whether these columns are the key.
    pub(super) fn key_is(&self, columns: &[String]) -> bool {
        self.key.len() == columns.len() && self.key_has(columns)
    }
}
