//! A group of deeds in one transaction, each in a savepoint: one that fails takes only itself back.
//!
//! To PostgreSQL the end of one deed and the beginning of the next go together: every message is a way there and back.

use super::{Connection, Result};

impl Connection {
    /// Begins a group and its first deed.
    pub(crate) fn begin_group(&self) -> Result<()> {
        match self {
            Self::Sqlite(_) => {
                self.execute_batch("BEGIN IMMEDIATE")?;
                self.step("SAVEPOINT deed")
            }
            Self::Postgres(link) => link.begin("BEGIN; SAVEPOINT deed"),
        }
    }

    /// The deed is done; begins the next.
    pub(crate) fn keep_deed(&self) -> Result<()> {
        match self {
            Self::Sqlite(_) => {
                self.step("RELEASE deed")?;
                self.step("SAVEPOINT deed")
            }
            Self::Postgres(link) => link.execute_batch("RELEASE deed; SAVEPOINT deed"),
        }
    }

    /// The deed has failed; begins the next.
    pub(crate) fn undo_deed(&self) -> Result<()> {
        match self {
            Self::Sqlite(_) => self.step("ROLLBACK TO deed"),
            Self::Postgres(link) => link.execute_batch("ROLLBACK TO deed"),
        }
    }

    /// Ends the group: all that was kept is stored.
    pub(crate) fn commit_group(&self) -> Result<()> {
        match self {
            Self::Sqlite(_) => {
                self.step("RELEASE deed")?;
                self.execute_batch("COMMIT")
            }
            // Should a deed have passed over an error, the server refuses the release. Without it, it would answer to
            // COMMIT that all is well, and take everything back.
            Self::Postgres(link) => link.end("RELEASE deed; COMMIT"),
        }
    }

    /// Ends the group: nothing is stored.
    pub(crate) fn give_up_group(&self) {
        if self.is_autocommit() {
            return;
        }
        let _ = match self {
            Self::Sqlite(_) => self.execute_batch("ROLLBACK"),
            Self::Postgres(link) => link.end("ROLLBACK"),
        };
    }

    fn step(&self, sql: &str) -> Result<()> {
        self.prepare_cached(sql)?.execute([]).map(drop)
    }
}
