//! The one writer. Deeds queue up; whatever has queued while the last group was being committed goes into
//! the next group: one fsync for many deeds when busy, no waiting when idle. (Measured with `synchronous =
//! FULL`: 2,800 visits a second one by one, 6,700 in groups of 50.)

mod group;
mod together;

pub(crate) use together::Together;

use crate::StoreError;
use crate::changes::Changes;
use crate::database::{Connection, DatabaseError};
use crate::place::Place;
use group::{Desk, Tries};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use together::SharedJob;
use tokio::sync::oneshot;

/// More would only make the first deed of a group wait longer.
const GROUP: usize = 128;

/// Patient deeds wait this long for others to share a commit with.
const PATIENCE: Duration = Duration::from_millis(8);

/// How soon a deed wants to be on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Haste {
    /// At once: somebody waits for it.
    AtOnce,
    /// Soon: many come one after the other, and nobody waits for any of them. On a crawl, commits were a tenth of its time.
    Soon,
}

/// Whether other processes may write at the same time.
///
/// Most deeds are about everybody's state: knowledge, folders, settings, what is usual in a folder, articles that several
/// sites list. They are done one after the other in all processes, as if there were one writer, so each sees what came before
/// it, and memory can follow (`watch::follow`). Their groups hold the lock only while they are written, not while pages are
/// fetched.
///
/// Deeds that are about one host or one crawl alone go on beside each other; rows protect them: leases are taken with
/// `SKIP LOCKED`, a host's row is locked while its lease is checked, new hosts are made with `ON CONFLICT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Company {
    /// Nobody else writes meanwhile.
    Alone,
    /// Others may.
    Beside,
}

/// What is known in memory and moves with the deeds.
pub(crate) trait Memory: Send {
    /// A group could not be committed: memory is ahead of the data. Called before it is done again or anybody hears of it.
    fn forget(&self);
    /// A group is about to keep other processes waiting: what it would have to load first is read now.
    fn read_ahead(&self, connection: &Connection);
}

pub(crate) struct Writer {
    queue: Option<mpsc::Sender<(Haste, Box<dyn Deed>)>>,
    thread: Option<thread::JoinHandle<()>>,
    stopping: Arc<AtomicBool>,
}

impl Writer {
    pub(crate) fn start(
        connection: Connection,
        place: Place,
        memory: impl Memory + 'static,
        changes: Changes,
    ) -> Result<Self, StoreError> {
        let (queue, deeds) = mpsc::channel();
        let stopping: Arc<AtomicBool> = Arc::default();
        let stop = stopping.clone();
        let thread = thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || {
                write_groups(Desk { connection, place, memory: &memory, stopping: &stop, changes }, &deeds);
            })
            .map_err(|source| StoreError::Io { what: "starting the writer thread".into(), source })?;
        Ok(Self { queue: Some(queue), thread: Some(thread), stopping })
    }

    pub(crate) async fn run<T, F>(&self, company: Company, deed: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.begin(Haste::AtOnce, company, deed).await
    }

    /// Queues a deed before it returns; the future waits for the deed to be on disk.
    pub(crate) fn begin<T, F>(
        &self,
        haste: Haste,
        company: Company,
        deed: F,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + 'static
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (outcome, answer) = Outcome::new();
        let queued = self.queue(haste, Box::new(Job { company, deed, outcome }));
        answered(queued, answer)
    }

    /// The same for a deed that is done together with others of its kind that are waiting.
    pub(crate) fn begin_together<D: Together>(
        &self,
        haste: Haste,
        deed: D,
    ) -> impl Future<Output = Result<D::Done, StoreError>> + Send + 'static {
        let (outcome, answer) = Outcome::new();
        let queued = self.queue(haste, Box::new(SharedJob { deed, outcome }));
        answered(queued, answer)
    }

    fn queue(&self, haste: Haste, deed: Box<dyn Deed>) -> bool {
        self.queue.as_ref().is_some_and(|queue| queue.send((haste, deed)).is_ok())
    }
}

async fn answered<T>(
    queued: bool,
    answer: oneshot::Receiver<Result<T, StoreError>>,
) -> Result<T, StoreError> {
    if !queued {
        return Err(StoreError::Closed);
    }
    answer.await.map_err(|_| StoreError::Closed)?
}

impl Drop for Writer {
    /// Lets the queue run dry, so that everything accepted is on disk when the store is gone.
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn write_groups(mut desk: Desk<'_>, deeds: &mpsc::Receiver<(Haste, Box<dyn Deed>)>) {
    while let Ok(first) = deeds.recv() {
        let mut group = gather(first, deeds);
        let committed = desk.write(&mut group);
        if let Err(error) = &committed {
            tracing::error!(%error, deeds = group.len(), "a group of deeds could not be committed");
        }
        for deed in group {
            deed.answer(committed.as_ref().err());
        }
    }
    // Leaves no -wal file behind after a clean stop.
    if let Connection::Sqlite(file) = &desk.connection {
        let _ = file.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }
}

/// What has queued up; if nobody waits for any of it, also what comes within a moment.
fn gather(
    (mut haste, first): (Haste, Box<dyn Deed>),
    deeds: &mpsc::Receiver<(Haste, Box<dyn Deed>)>,
) -> Vec<Box<dyn Deed>> {
    let mut group = vec![first];
    let until = Instant::now() + PATIENCE;
    while group.len() < GROUP {
        let next = match haste {
            Haste::AtOnce => deeds.try_recv().ok(),
            Haste::Soon => deeds.recv_timeout(until.saturating_duration_since(Instant::now())).ok(),
        };
        let Some((next_haste, deed)) = next else { break };
        if next_haste == Haste::AtOnce {
            haste = Haste::AtOnce;
        }
        group.push(deed);
    }
    group
}

trait Deed: Send {
    /// Who else may write meanwhile.
    fn company(&self) -> Company;
    /// Does it, perhaps not for the first time; whether it succeeded.
    fn run(&mut self, connection: &Connection) -> bool;
    /// Itself, to find those of a kind.
    fn as_any(&mut self) -> &mut dyn Any;
    /// What was in its way, if that passes: then it may succeed the next time.
    fn take_error_in_passing(&mut self, tries: Tries) -> Option<DatabaseError>;
    /// It has failed after all.
    fn fail(&mut self, error: DatabaseError);
    /// Tells the caller, once the group is committed or has failed.
    fn answer(self: Box<Self>, failure: Option<&DatabaseError>);
}

struct Job<T, F> {
    company: Company,
    deed: F,
    outcome: Outcome<T>,
}

impl<T, F> Deed for Job<T, F>
where
    T: Send + 'static,
    F: FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
{
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn company(&self) -> Company {
        self.company
    }

    fn run(&mut self, connection: &Connection) -> bool {
        let deed = &mut self.deed;
        self.outcome.of(|| deed(connection))
    }

    fn take_error_in_passing(&mut self, tries: Tries) -> Option<DatabaseError> {
        self.outcome.take_error_in_passing(tries)
    }

    fn fail(&mut self, error: DatabaseError) {
        self.outcome.result = Some(Err(error.into()));
    }

    fn answer(self: Box<Self>, failure: Option<&DatabaseError>) {
        self.outcome.answer(failure);
    }
}

/// What came of a deed, and who waits for it.
struct Outcome<T> {
    result: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T> Outcome<T> {
    fn new() -> (Self, oneshot::Receiver<Result<T, StoreError>>) {
        let (reply, answer) = oneshot::channel();
        (Self { result: None, reply }, answer)
    }

    /// Does a deed; whether it succeeded.
    fn of(&mut self, deed: impl FnOnce() -> Result<T, StoreError>) -> bool {
        let result = without_panic(deed);
        let succeeded = result.is_ok();
        self.result = Some(result);
        succeeded
    }

    fn take_error_in_passing(&mut self, tries: Tries) -> Option<DatabaseError> {
        match self.result.take() {
            Some(Err(StoreError::Sql(error))) if tries.are_worth_another(&error) => Some(error),
            result => {
                self.result = result;
                None
            }
        }
    }

    fn answer(self, failure: Option<&DatabaseError>) {
        let result = match (self.result, failure) {
            (Some(Ok(_)) | None, Some(error)) => Err(not_committed(error)),
            (Some(result), _) => result,
            (None, None) => Err(StoreError::Closed),
        };
        // Nobody waiting any more is fine: the deed is done all the same.
        let _ = self.reply.send(result);
    }
}

/// Deeds run the policy and cut foreign text into words. A fault there is one failed deed, not the end of all writing.
fn without_panic<T>(deed: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(deed)).unwrap_or(Err(StoreError::Panicked))
}

fn not_committed(error: &DatabaseError) -> StoreError {
    if error.is_disk_full() {
        return StoreError::DiskFull;
    }
    StoreError::Sql(DatabaseError::NotCommitted(error.to_string()))
}

#[cfg(test)]
mod tests {
    use crate::{Store, StoreError};
    use testkit::postgres::shared;

    #[tokio::test]
    async fn a_statement_nobody_waited_for_fails_its_own_deed_alone() {
        let store = Store::connect(&shared().url_of(&shared().new_database(None))).unwrap();
        let put = |name: &'static str, value: Option<&'static str>| {
            store.write(move |connection| {
                let mut statement =
                    connection.prepare_cached("INSERT INTO setting (name, value) VALUES (?1, ?2)")?;
                // Longer than one statement, so that the bad one is not the last.
                statement.send([Some(name), value])?;
                statement.send([Some(format!("{name} again")), value.map(str::to_owned)])?;
                Ok(())
            })
        };
        // Together in a group, if they are quick enough: begun before any is waited for.
        let (first, bad, last) =
            tokio::join!(put("one", Some("1")), put("two", None), put("three", Some("3")));
        assert!(first.is_ok() && last.is_ok(), "{first:?} {last:?}");
        assert!(matches!(bad, Err(StoreError::Sql(_))), "{bad:?}");
        let count = store.read(|connection| {
            Ok(connection.query_row("SELECT count(*) FROM setting", [], |row| row.get::<_, i64>(0))?)
        });
        assert_eq!(count.await.unwrap(), 4);
    }
}
