//! A database that is not ours: read, never written, to learn an ontology from its schema and data.
//!
//! Declared keys and references come first; then what nobody declared is looked for on the data, as long as time
//! allows. A `SQLite` file is opened read-only, a PostgreSQL session is set to read only.

mod checks;
mod database;
mod postgres;
mod sqlite;

use discovery::ontology::relational::Schema;
use std::time::Duration;
use tokio::time::Instant;

/// How much is looked at.
#[derive(Debug, Clone, Copy)]
pub struct ForeignLimits {
    /// For everything together. What could not be checked by then is noted.
    pub time: Duration,
    /// Tables with more rows are not searched for keys.
    pub rows: u64,
    /// Distinct values that a reference is checked on, and from which samples are taken.
    pub values: u64,
    /// Tables at most.
    pub tables: usize,
}

impl Default for ForeignLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(30), rows: 200_000, values: 10_000, tables: 1_000 }
    }
}

/// Why a foreign database could not be read. Nothing was changed in it.
#[derive(Debug, thiserror::Error)]
pub enum ForeignError {
    /// There is no such file.
    #[error(
        "there is no file {0}. Give the path of a SQLite file, or a URL such as postgres://user:password@host/database"
    )]
    NoFile(String),
    /// A folder.
    #[error("{0} is a folder. Give the path of the SQLite file in it")]
    Folder(String),
    /// Somebody writes into it just now.
    #[error(
        "{0} is locked: another program writes into it. Try again when it is done, or make a copy and give that"
    )]
    Locked(String),
    /// Another kind of database. Never the whole address: there may be a password in it.
    #[error("a {0} database cannot be read, only SQLite and PostgreSQL. Export it to a SQLite file first")]
    Scheme(String),
    /// The file is no database.
    #[error(
        "{file} is not a SQLite database, or is damaged ({detail}). Other databases: export to SQLite or PostgreSQL first"
    )]
    NoDatabase {
        /// The file.
        file: String,
        /// What SQLite said.
        detail: String,
    },
    /// The server does not answer, or refuses.
    #[error(
        "cannot reach the PostgreSQL server {server}: {detail}. Check that it runs, the address, the user and the password; connections are made without TLS"
    )]
    Unreachable {
        /// Host and port; never the password.
        server: String,
        /// What went wrong.
        detail: String,
    },
    /// The URL is none.
    #[error("this is no PostgreSQL URL ({0}). It looks like postgres://user:password@host:5432/database")]
    BadUrl(String),
    /// The schema itself took too long.
    #[error("reading the schema took longer than {0:?}. Allow more with --time")]
    TooSlow(Duration),
    /// A question was refused.
    #[error("the database refused a question about its schema: {0}. Check that the user may read the tables")]
    Refused(String),
    /// Nothing to learn from.
    #[error(
        "the database has no tables that can be seen. Check the name of the database and that the user may read it"
    )]
    Empty,
    /// More tables than anybody meant.
    #[error(
        "the database has {found} tables, more than the limit of {limit}. Point at a smaller one, or raise --tables"
    )]
    TooManyTables {
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
}

/// Reads the schema of a database, and from its data what the schema does not say.
pub async fn read_foreign(address: &str, limits: &ForeignLimits) -> Result<Schema, ForeignError> {
    let deadline = Instant::now() + limits.time;
    let postgres = address.starts_with("postgres://") || address.starts_with("postgresql://");
    let (database, mut schema) = if postgres {
        let database = postgres::open(address, limits.time, deadline).await?;
        let schema = postgres::schema(&database).await?;
        (database, schema)
    } else {
        let database = sqlite::open(address, limits.time, deadline)?;
        let schema = sqlite::schema(&database, address).await?;
        (database, schema)
    };
    if schema.tables.is_empty() {
        return Err(ForeignError::Empty);
    }
    if schema.tables.len() > limits.tables {
        return Err(ForeignError::TooManyTables { found: schema.tables.len(), limit: limits.tables });
    }
    checks::complete(&database, &mut schema, limits).await;
    Ok(schema)
}
