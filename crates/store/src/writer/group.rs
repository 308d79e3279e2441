//! One group of deeds: done, and done again where the database was in the way rather than the deeds.
//!
//! On PostgreSQL a group may fail though nothing is wrong with it: another process was in its way (a deadlock, a
//! serialisation failure), or the server went away and comes back. Then memory that the deeds have moved is dropped, and
//! they are done again. A connection that is lost while the commit is under way leaves it open whether it was made: the
//! server is asked afterwards, by the number of the group.

use super::{Company, Deed};
use crate::changes::Changes;
use crate::database::{self, Connection, DatabaseError, Unsettled};
use crate::place::Place;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A server that is restarted or replaced is back by then; who waits for a deed hears of it otherwise.
const WAIT_FOR_SERVER: Duration = Duration::from_mins(1);
/// While the program is stopping nobody waits that long.
const WAIT_WHEN_STOPPING: Duration = Duration::from_secs(5);
/// Getting into each other's way so often is more than chance.
const MOST_TRIES: u32 = 12;
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// What a group is done with.
pub(super) struct Desk<'a> {
    pub(super) connection: Connection,
    pub(super) place: Place,
    /// Drops memory that deeds have moved.
    pub(super) forget: &'a dyn Fn(),
    pub(super) stopping: &'a AtomicBool,
    pub(super) changes: Changes,
}

impl Desk<'_> {
    /// Does a group of deeds; all of them are stored, or an error says why none is.
    pub(super) fn write(&mut self, group: &mut [Box<dyn Deed>]) -> database::Result<()> {
        let (began, mut pause, mut tries) = (Instant::now(), FIRST_PAUSE, 0);
        loop {
            let Err(error) = write_group(&self.connection, group, self.forget) else {
                if self.connection.has_told() {
                    self.changes.count();
                }
                return Ok(());
            };
            (self.forget)();
            tries += 1;
            if error.is_lost() {
                if self.reconnect(began)? {
                    return Ok(());
                }
            } else if !error.is_in_the_way() || tries >= MOST_TRIES {
                return Err(error);
            }
            tracing::info!(%error, deeds = group.len(), tries, "a group of deeds is done again");
            sleep(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Connects anew; whether the commit that was under way was made after all.
    fn reconnect(&mut self, began: Instant) -> database::Result<bool> {
        let unsettled = self.connection.unsettled();
        loop {
            let settled = self.try_reconnect(unsettled.as_ref());
            let error = match settled {
                Ok(committed) => return Ok(committed),
                Err(error) => error,
            };
            let patience =
                if self.stopping.load(Ordering::Relaxed) { WAIT_WHEN_STOPPING } else { WAIT_FOR_SERVER };
            if began.elapsed() > patience {
                return Err(error);
            }
            sleep(LONGEST_PAUSE / 5);
        }
    }

    fn try_reconnect(&mut self, unsettled: Option<&Unsettled>) -> database::Result<bool> {
        if !self.connection.is_usable() {
            let opened = self.place.open();
            self.connection = opened.map_err(|error| DatabaseError::NotCommitted(error.to_string()))?;
        }
        unsettled.map_or(Ok(false), |group| self.connection.was_committed(group))
    }
}

/// All deeds in one transaction, each in a savepoint: one that fails takes only itself back.
fn write_group(
    connection: &Connection,
    group: &mut [Box<dyn Deed>],
    forget: &dyn Fn(),
) -> database::Result<()> {
    let alone = group.iter().any(|deed| deed.company() == Company::Alone);
    connection.begin_group(alone)?;
    let done = run_deeds(connection, group, forget).and_then(|()| connection.commit_group());
    if done.is_err() {
        connection.give_up_group();
    }
    done
}

fn run_deeds(
    connection: &Connection,
    group: &mut [Box<dyn Deed>],
    forget: &dyn Fn(),
) -> database::Result<()> {
    for deed in group {
        if deed.run(connection) {
            // Statements that nobody waited for are answered here at the latest.
            match connection.keep_deed() {
                Err(error) if error.is_lost() || error.is_in_the_way() || connection.is_autocommit() => {
                    return Err(error);
                }
                Err(error) => {
                    connection.undo_deed()?;
                    deed.fail(error);
                    forget();
                }
                Ok(()) => {}
            }
        } else if let Some(error) = deed.take_error_in_passing() {
            return Err(error);
        } else if connection.is_autocommit() {
            // A full disk ends the whole transaction by itself: then every deed of the group has failed.
            return Err(disk_full());
        } else {
            connection.undo_deed()?;
        }
    }
    Ok(())
}

fn disk_full() -> DatabaseError {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL), None).into()
}
