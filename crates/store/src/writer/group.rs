//! One group of deeds: done, and done again where the database was in the way rather than the deeds.
//!
//! On PostgreSQL a group may fail though nothing is wrong with it: another process was in its way (a deadlock, a
//! serialisation failure), or the server went away and comes back. Then memory that the deeds have moved is dropped, and
//! they are done again. A connection that is lost while the commit is under way leaves it open whether it was made: the
//! server is asked afterwards, by the number of the group.

use super::together::run_together;
use super::{Company, Deed, Memory};
use crate::changes::Changes;
use crate::crawls::CrawlDeed;
use crate::database::{self, Connection, DatabaseError, Unsettled};
use crate::place::Place;
use crate::visits::VisitDeed;
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

/// What is there already after so many tries is no coincidence: then the deed that makes it again fails, alone.
const DOUBLE_AFTER: u32 = 3;

/// How often a group was tried before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tries(u32);

impl Tries {
    /// Whether the whole group is to be done again after such an error.
    pub(super) fn are_worth_another(self, error: &DatabaseError) -> bool {
        error.is_lost() || (error.is_in_the_way() && (self.0 < DOUBLE_AFTER || !error.is_double()))
    }
}

/// What a group is done with.
pub(super) struct Desk<'a> {
    pub(super) connection: Connection,
    pub(super) place: Place,
    pub(super) memory: &'a dyn Memory,
    pub(super) stopping: &'a AtomicBool,
    pub(super) changes: Changes,
}

impl Desk<'_> {
    /// Does a group of deeds; all of them are stored, or an error says why none is.
    pub(super) fn write(&mut self, group: &mut [Box<dyn Deed>]) -> database::Result<()> {
        let (began, mut pause, mut tries) = (Instant::now(), FIRST_PAUSE, 0);
        loop {
            let alone = group.iter().any(|deed| deed.company() == Company::Alone);
            if alone && matches!(self.connection, Connection::Postgres(_)) {
                self.memory.read_ahead(&self.connection);
            }
            let Err(error) = write_group(&self.connection, group, alone, (Tries(tries), self.memory)) else {
                if self.connection.has_told() {
                    self.changes.count();
                }
                return Ok(());
            };
            self.memory.forget();
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

/// All deeds in one transaction, each in a savepoint: one that fails takes only itself back. Visits share one, and so do a crawl's
/// deeds. These come first: whoever records a visit waits for it before anything else, and a crawl's deeds stay in their order.
fn write_group(
    connection: &Connection,
    group: &mut [Box<dyn Deed>],
    alone: bool,
    (tries, memory): (Tries, &dyn Memory),
) -> database::Result<()> {
    connection.begin_group(alone)?;
    let done = run_deeds(connection, group, (tries, memory)).and_then(|()| connection.commit_group());
    if done.is_err() {
        connection.give_up_group();
    }
    done
}

fn run_deeds(
    connection: &Connection,
    group: &mut [Box<dyn Deed>],
    (tries, memory): (Tries, &dyn Memory),
) -> database::Result<()> {
    let mut done = vec![false; group.len()];
    run_together::<VisitDeed>(connection, group, &mut done, (tries, memory))?;
    run_together::<CrawlDeed>(connection, group, &mut done, (tries, memory))?;
    for (deed, _) in group.iter_mut().zip(done).filter(|(_, done)| !done) {
        if deed.run(connection) {
            // Statements that nobody waited for are answered here at the latest.
            match connection.keep_deed() {
                Err(error) if tries.are_worth_another(&error) || connection.is_autocommit() => {
                    return Err(error);
                }
                Err(error) => {
                    connection.undo_deed()?;
                    deed.fail(error);
                    memory.forget();
                }
                Ok(()) => {}
            }
        } else if let Some(error) = deed.take_error_in_passing(tries) {
            return Err(error);
        } else if connection.is_autocommit() {
            return Err(disk_full());
        } else {
            connection.undo_deed()?;
        }
    }
    Ok(())
}

/// A full disk ends the whole transaction by itself: then every deed of the group has failed.
pub(super) fn disk_full() -> DatabaseError {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL), None).into()
}
