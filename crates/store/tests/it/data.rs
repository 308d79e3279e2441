//! Where a test's data are: in a folder of their own, or in a database of their own on PostgreSQL. The suite runs once for
//! each; `RIPPLEWATCH_TEST_DATABASE=postgres` chooses the second. What is about files asks for a folder in both.

use std::fmt::Write as _;
use store::{Store, StoreError};
use tempfile::TempDir;
use testkit::postgres::{shared, wanted};

pub(crate) enum Data {
    Folder(TempDir),
    /// The name of a database.
    Database(String),
}

impl Data {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        if wanted() { Self::Database(shared().new_database(Some(migrated()))) } else { Self::in_folder() }
    }

    /// Nothing yet, and in a folder whatever the suite runs on.
    pub(crate) fn in_folder() -> Self {
        Self::Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn open(&self) -> Result<Store, StoreError> {
        match self {
            Self::Folder(folder) => Store::open(folder.path()),
            Self::Database(name) => Store::connect(&shared().url_of(name)),
        }
    }

    /// The same once more. Nobody may have it open.
    pub(crate) fn copy(&self) -> Self {
        match self {
            Self::Folder(folder) => {
                let copy = tempfile::tempdir().unwrap();
                std::fs::copy(folder.path().join(Store::FILE), copy.path().join(Store::FILE)).unwrap();
                Self::Folder(copy)
            }
            Self::Database(name) => Self::Database(shared().new_database(Some(name))),
        }
    }

    /// Changes the data behind the store's back.
    pub(crate) fn tamper(&self, sql: &str) {
        match self {
            Self::Folder(folder) => {
                let file = rusqlite::Connection::open(folder.path().join(Store::FILE)).unwrap();
                file.execute_batch(sql).unwrap();
            }
            Self::Database(name) => shared().run_in(name, sql),
        }
    }

    /// Asks the data behind the store's back: a line for each row.
    pub(crate) fn ask(&self, sql: &str) -> String {
        let folder = match self {
            Self::Database(name) => {
                return shared().rows_of(name, sql).iter().map(|row| row.join("|") + "\n").collect();
            }
            Self::Folder(folder) => folder,
        };
        let file = rusqlite::Connection::open(folder.path().join(Store::FILE)).unwrap();
        let mut statement = file.prepare(sql).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        let mut answer = String::new();
        while let Some(row) = rows.next().unwrap() {
            for column in 0..columns {
                let _ = write!(answer, "{:?}|", row.get_ref(column).unwrap());
            }
            answer.push('\n');
        }
        answer
    }

    /// The folder of a test that asked for one.
    pub(crate) fn folder(&self) -> &std::path::Path {
        match self {
            Self::Folder(folder) => folder.path(),
            Self::Database(_) => panic!("this test is about files"),
        }
    }
}

/// A database with our tables and nothing in them, to copy from: quicker than making them each time.
fn migrated() -> &'static str {
    static NAME: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    NAME.get_or_init(|| {
        let name = shared().new_database(None);
        drop(Store::connect(&shared().url_of(&name)).unwrap());
        name
    })
}
