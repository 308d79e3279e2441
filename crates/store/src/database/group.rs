//! A group of deeds in one transaction, each in a savepoint: one that fails takes only itself back.
//!
//! To PostgreSQL the end of one deed and the beginning of the next go together: every message is a way there and back.

use super::{Connection, OptionalExtension, Result};

/// Whoever writes holds this lock until its commit: by itself, or together with others. What is read afterwards, in
/// statements of their own, is what those before it have committed.
///
/// A process that stood still while it waited is given the lock all the same, and everybody waits for it: it has a second to
/// take it up ([`TAKEN_UP`]). Several that stand still, one after the other, held everybody up for twenty.
const ALONE: &str = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '1s';
     SELECT pg_advisory_xact_lock(5656556126210); SAVEPOINT deed";
const BESIDE: &str = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '1s';
     SELECT pg_advisory_xact_lock_shared(5656556126210); SAVEPOINT deed";

/// From here on the deeds have the time that they need between two statements.
const TAKEN_UP: &str = "SET LOCAL idle_in_transaction_session_timeout = '5s'";

/// A group of which nobody knows whether it was committed.
#[derive(Debug, Clone)]
pub(crate) struct Unsettled {
    pub(super) writer: String,
    pub(super) number: i64,
}

impl Connection {
    /// Begins a group and its first deed. `alone`: no other process writes meanwhile.
    pub(crate) fn begin_group(&self, alone: bool) -> Result<()> {
        match self {
            Self::Sqlite(file) => {
                file.told.set(false);
                self.execute_batch("BEGIN IMMEDIATE")?;
                self.step("SAVEPOINT deed")
            }
            Self::Postgres(link) => {
                link.begin(if alone { ALONE } else { BESIDE })?;
                link.execute_batch(TAKEN_UP)
            }
        }
    }

    /// A number that stays the same as long as nothing can have changed that deeds of this process look at: in one group on a
    /// server. `None` for a file, where looking costs nothing.
    pub(crate) fn group(&self) -> Option<i64> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres(link) => Some(link.begun()),
        }
    }

    /// The deed changes something that concerns everybody: they hear of it when it is committed.
    pub(crate) fn tell_everybody(&self) {
        match self {
            Self::Sqlite(file) => file.told.set(true),
            Self::Postgres(link) => link.tell_everybody(),
        }
    }

    /// Whether the last group told something.
    pub(crate) fn has_told(&self) -> bool {
        match self {
            Self::Sqlite(file) => file.told.get(),
            Self::Postgres(link) => link.has_told(),
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
            Self::Postgres(link) => {
                link.look_again();
                link.execute_batch("ROLLBACK TO deed")
            }
        }
    }

    /// Ends the group: all that was kept is stored.
    pub(crate) fn commit_group(&self) -> Result<()> {
        match self {
            Self::Sqlite(_) => {
                self.step("RELEASE deed")?;
                self.execute_batch("COMMIT")
            }
            Self::Postgres(link) => link.commit_group(),
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

    /// Gives a writer's connection a name, under which it is known what it has committed.
    pub(crate) fn sign_in(&self, name: String) -> Result<()> {
        let Self::Postgres(link) = self else { return Ok(()) };
        // Those of processes that are long gone.
        self.execute_batch("DELETE FROM committed WHERE seen_at < now() - INTERVAL '30 days'")?;
        self.execute("INSERT INTO committed (writer, last) VALUES (?1, 0)", [&name])?;
        link.sign_in(name);
        Ok(())
    }

    /// The group whose commit was under way when the connection was lost.
    pub(crate) fn unsettled(&self) -> Option<Unsettled> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres(link) => link.unsettled(),
        }
    }

    /// Whether a group of another connection was committed. From then on it cannot be: that connection is closed, even if
    /// its last words are still on their way to the server.
    pub(crate) fn was_committed(&self, group: &Unsettled) -> Result<bool> {
        let sql = "UPDATE committed SET closed = 1 WHERE writer = ?1 RETURNING last";
        let last: Option<i64> = self.query_row(sql, [&group.writer], |row| row.get(0)).optional()?;
        Ok(last == Some(group.number))
    }

    fn step(&self, sql: &str) -> Result<()> {
        self.prepare_cached(sql)?.execute([]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Server;
    use crate::place::Place;
    use std::sync::Arc;
    use std::thread::sleep;
    use std::time::{Duration, Instant};
    use testkit::postgres::shared;

    fn place() -> Place {
        let url = shared().url_of(&shared().new_database(None));
        Place::Server(Arc::new(Server::parse(&url).unwrap()))
    }

    #[test]
    fn who_stands_still_when_it_is_given_the_lock_holds_the_others_up_for_a_second() {
        let place = place();
        let (still, other) = (place.open().unwrap(), place.open().unwrap());
        let Connection::Postgres(link) = &still else { panic!("it is a server") };
        link.begin(ALONE).unwrap();
        let began = Instant::now();
        other.begin_group(true).unwrap();
        assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
        other.commit_group().unwrap();
        assert!(link.execute_batch(TAKEN_UP).unwrap_err().is_lost());
    }

    #[test]
    fn who_thinks_for_two_seconds_between_two_statements_keeps_the_lock() {
        let connection = place().open().unwrap();
        connection.begin_group(true).unwrap();
        sleep(Duration::from_secs(2));
        connection.keep_deed().unwrap();
        connection.commit_group().unwrap();
    }
}
