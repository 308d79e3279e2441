//! An ontology from a relational database: rules that read its keys and inclusions.
//!
//! | rule | what it finds | what it makes |
//! |---|---|---|
//! | 1 | tables whose keys have the same values | one class |
//! | 1 (i) | a key of one column | a class |
//! | 1 (ii) | a key of several columns, one of which is no foreign key | a class |
//! | 2 | a column outside of the key whose values are another table's | a relation from class to class |
//! | 2 (i, ii) | a key of several columns with a foreign key inside | the pair is-part-of and has-part |
//! | 3 | a key whose values are some of another key's | a subclass, or a subrelation |
//!
//! A table that Rule 1 makes no class of, for its key is foreign keys only, says which things belong together: it
//! is a relation between the classes of these. That is what Rule 3 calls the property corresponding to a table.
//! Which tables are merged or below each other is decided on declared references, or on values where the names of
//! the columns agree too: that two tables are both numbered from 1 means nothing.

mod names;
mod questions;
mod rules;
mod schema;

pub use questions::{may_sample, suspected};
pub use rules::{Derivation, Derived, derive};
pub use schema::{Column, ColumnKind, Inclusion, Schema, Table};
