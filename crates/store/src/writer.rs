//! The one writer. Deeds queue up; whatever has queued while the last group was being committed goes into
//! the next group: one fsync for many deeds when busy, no waiting when idle. (Measured with `synchronous =
//! FULL`: 2,800 visits a second one by one, 6,700 in groups of 50.)

use crate::StoreError;
use crate::database::{self, Connection, DatabaseError};
use crate::place::Place;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
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

pub(crate) struct Writer {
    queue: Option<mpsc::Sender<(Haste, Box<dyn Deed>)>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Writer {
    /// `on_failure` is called when a group could not be committed, before anybody hears of it.
    pub(crate) fn start(
        connection: Connection,
        place: Place,
        on_failure: impl Fn() + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (queue, deeds) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || write_groups(connection, &place, &deeds, &on_failure))
            .map_err(|source| StoreError::Io { what: "starting the writer thread".into(), source })?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }

    pub(crate) async fn run<T, F>(&self, deed: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.begin(Haste::AtOnce, deed).await
    }

    /// Queues a deed before it returns; the future waits for the deed to be on disk.
    pub(crate) fn begin<T, F>(
        &self,
        haste: Haste,
        deed: F,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + 'static
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Job { deed: Some(deed), result: None, reply };
        let queued = self.queue.as_ref().is_some_and(|queue| queue.send((haste, Box::new(job))).is_ok());
        async move {
            if !queued {
                return Err(StoreError::Closed);
            }
            answer.await.map_err(|_| StoreError::Closed)?
        }
    }
}

impl Drop for Writer {
    /// Lets the queue run dry, so that everything accepted is on disk when the store is gone.
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn write_groups(
    mut connection: Connection,
    place: &Place,
    deeds: &mpsc::Receiver<(Haste, Box<dyn Deed>)>,
    on_failure: &dyn Fn(),
) {
    while let Ok(first) = deeds.recv() {
        let mut group = gather(first, deeds);
        if !connection.is_usable()
            && let Ok(new) = place.open()
        {
            connection = new;
        }
        let committed = write_group(&connection, &mut group);
        if let Err(error) = &committed {
            tracing::error!(%error, deeds = group.len(), "a group of deeds could not be committed");
            on_failure();
        }
        for deed in group {
            deed.answer(committed.as_ref().err());
        }
    }
    // Leaves no -wal file behind after a clean stop.
    if let Connection::Sqlite(file) = &connection {
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

/// All deeds in one transaction, each in a savepoint: one that fails takes only itself back.
fn write_group(connection: &Connection, group: &mut [Box<dyn Deed>]) -> database::Result<()> {
    connection.begin_group()?;
    let done = run_deeds(connection, group).and_then(|()| connection.commit_group());
    if done.is_err() {
        connection.give_up_group();
    }
    done
}

fn run_deeds(connection: &Connection, group: &mut [Box<dyn Deed>]) -> database::Result<()> {
    let mut left = group.len();
    for deed in group {
        left -= 1;
        if deed.run(connection) {
            if left > 0 {
                connection.keep_deed()?;
            }
        } else if connection.is_autocommit() {
            // A full disk ends the whole transaction by itself: then every deed of the group has failed.
            return Err(disk_full());
        } else {
            connection.undo_deed()?;
        }
    }
    Ok(())
}

trait Deed: Send {
    /// Does it; whether it succeeded.
    fn run(&mut self, connection: &Connection) -> bool;
    /// Tells the caller, once the group is committed or has failed.
    fn answer(self: Box<Self>, failure: Option<&DatabaseError>);
}

struct Job<T, F> {
    deed: Option<F>,
    result: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Deed for Job<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, connection: &Connection) -> bool {
        let Some(deed) = self.deed.take() else {
            return false;
        };
        // Deeds run the policy and cut foreign text into words. A fault there is one failed deed, not the end of
        // all writing.
        let result = catch_unwind(AssertUnwindSafe(|| deed(connection))).unwrap_or(Err(StoreError::Panicked));
        let succeeded = result.is_ok();
        self.result = Some(result);
        succeeded
    }

    fn answer(self: Box<Self>, failure: Option<&DatabaseError>) {
        let result = match (self.result, failure) {
            (Some(Ok(_)) | None, Some(error)) => Err(not_committed(error)),
            (Some(result), _) => result,
            (None, None) => Err(StoreError::Closed),
        };
        // Nobody waiting any more is fine: the deed is done all the same.
        let _ = self.reply.send(result);
    }
}

fn disk_full() -> DatabaseError {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL), None).into()
}

fn not_committed(error: &DatabaseError) -> StoreError {
    if error.is_disk_full() {
        return StoreError::DiskFull;
    }
    StoreError::Sql(DatabaseError::NotCommitted(error.to_string()))
}
