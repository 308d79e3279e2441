//! Watching folders, in memory: rebuilt from visits and articles, which are the truth; kept in step with their deeds.
//!
//! A deed that fails after the watcher has seen it puts memory ahead of the file. Then memory is dropped, and the next
//! deed loads it anew: from the last snapshot and the visits since.

mod deeds;
mod follow;
mod load;
mod settings;
mod snapshot;
mod stories;

pub use settings::WatchSettings;

pub(crate) use deeds::{Catalogue, VisitSeen, watch_body, watch_visit};
pub(crate) use settings::{count_up, save_weights, weights as weights_of};
pub(crate) use snapshot::forget_watches;
pub(crate) use stories::{COPIES, catalogues, mark_copies};

use crate::database::Connection;
use crate::{Store, StoreError};
use detection::{Covering, Watcher};
use jiff::Timestamp;
use model::{FolderId, SourceId};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use stories::Stories;

/// What is watched, in memory.
#[derive(Debug, Default)]
pub(crate) struct Watching {
    state: Mutex<Option<Loaded>>,
    /// Deeds of this process need it: it is not a command that adds a rule and ends.
    wanted: AtomicBool,
    /// What was read ahead, for when the state is missing.
    ahead: Mutex<Option<load::Read>>,
    /// Folders whose articles were filed anew: their history is to be told again.
    stale: Mutex<BTreeSet<FolderId>>,
}

/// The watcher with what belongs to it.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) watcher: Watcher,
    pub(crate) settings: WatchSettings,
    pub(crate) stories: Stories,
    /// Counts changes of settings, calendar and weights.
    version: i64,
    /// Something was seen since the last snapshot.
    pub(crate) changed: bool,
    /// The time, as far as is known.
    pub(crate) now: Timestamp,
    /// When a calendar entry is over, and its kind is better known.
    calendar_until: Option<Timestamp>,
    /// How far it has followed other processes.
    followed: follow::Followed,
}

/// A lock on a loaded state for one deed. A deed that moved the state and then failed, or panicked, leaves none: the
/// next one loads it anew, before anything else is told.
pub(crate) struct Held<'a> {
    state: MutexGuard<'a, Option<Loaded>>,
    moved: bool,
    kept: bool,
}

impl Watching {
    /// The state as this transaction sees it, loaded if need be.
    pub(crate) fn held(&self, connection: &Connection) -> Result<Held<'_>, StoreError> {
        self.wanted.store(true, Ordering::Relaxed);
        let mut state = lock(&self.state);
        if state.as_ref().is_some_and(|loaded| loaded.is_up_to_date(connection)) {
            return Ok(Held { state, moved: false, kept: false });
        }
        let version = settings::version(connection)?;
        let is_known = match state.as_mut() {
            Some(loaded) if loaded.version != version => {
                loaded.refresh(connection, version)? && loaded.follow(connection)?
            }
            Some(loaded) => loaded.follow(connection)?,
            None => false,
        };
        if !is_known {
            let ahead = lock(&self.ahead).take().filter(|read| read.version() == version);
            let read = ahead.map_or_else(|| load::read(connection, version), Ok)?;
            *state = Some(read.put_in_place(connection)?);
        }
        Ok(Held { state, moved: false, kept: false })
    }

    /// Reads what the next deed would have to load while it keeps all other processes waiting. (At 20,000 new sources that
    /// was five seconds for each process after each restart of the database.)
    pub(crate) fn read_ahead(&self, connection: &Connection) -> Result<(), StoreError> {
        if !self.wanted.load(Ordering::Relaxed) || lock(&self.state).is_some() {
            return Ok(());
        }
        let read = connection.at_one_moment(|| load::read(connection, settings::version(connection)?))?;
        *lock(&self.ahead) = Some(read);
        Ok(())
    }

    /// A group of deeds could not be committed: memory is ahead of the file.
    pub(crate) fn lose(&self) {
        *lock(&self.state) = None;
    }

    pub(crate) fn mark_stale(&self, folders: impl IntoIterator<Item = FolderId>) {
        lock(&self.stale).extend(folders);
    }

    fn stale(&self) -> BTreeSet<FolderId> {
        lock(&self.stale).clone()
    }

    fn take_stale(&self) -> BTreeSet<FolderId> {
        std::mem::take(&mut *lock(&self.stale))
    }
}

impl Loaded {
    /// Takes over what changed of calendar and weights; false if the settings changed too, and all is to be learned anew.
    fn refresh(&mut self, connection: &Connection, version: i64) -> Result<bool, StoreError> {
        if settings::stored(connection)? != self.settings {
            return Ok(false);
        }
        self.version = version;
        load::forget_removed_sources(connection, &mut self.watcher)?;
        self.watcher.set_weights(settings::weights(connection, self.settings.detector)?);
        self.read_calendar(connection, self.now)?;
        Ok(true)
    }

    fn read_calendar(&mut self, connection: &Connection, now: Timestamp) -> Result<(), StoreError> {
        let (calendar, until) = crate::calendar::calendar(connection, now)?;
        self.watcher.set_calendar(calendar);
        self.calendar_until = until;
        Ok(())
    }

    pub(crate) fn forget_source(&mut self, source: SourceId) {
        self.watcher.forget_source(source);
        self.changed = true;
    }
}

impl Held<'_> {
    /// How folders are watched.
    pub(crate) fn settings(&self) -> WatchSettings {
        self.state.as_ref().map(|loaded| loaded.settings.clone()).unwrap_or_default()
    }

    /// The state, to ask it something.
    pub(crate) fn look(&self) -> Option<&Loaded> {
        self.state.as_ref()
    }

    /// The state, to move it on.
    pub(crate) fn moving(&mut self) -> Option<&mut Loaded> {
        self.moved = true;
        self.state.as_mut()
    }

    /// The deed has succeeded.
    pub(crate) fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.moved && !self.kept {
            *self.state = None;
        }
    }
}

impl Store {
    /// This process will record visits: what they need to know is read before the first of them keeps others waiting.
    pub fn expect_visits(&self) {
        self.inner.watching.wanted.store(true, Ordering::Relaxed);
    }

    /// Asks the watcher, as it is now. The first question after a start loads it.
    pub async fn watcher<T, F>(&self, mut question: F) -> Result<T, StoreError>
    where
        T: Send + Default + 'static,
        F: FnMut(&Watcher) -> T + Send + 'static,
    {
        let watching = self.inner.watching.clone();
        self.write(move |connection| {
            Ok(watching.held(connection)?.look().map(|loaded| question(&loaded.watcher)).unwrap_or_default())
        })
        .await
    }

    /// The sources that cover a folder, most articles first, compared with `to`.
    pub async fn covering(
        &self,
        folder: FolderId,
        to: Option<SourceId>,
    ) -> Result<Vec<Covering>, StoreError> {
        self.watcher(move |watcher| watcher.covering(folder, to)).await
    }

    /// The folders a source covers, with its articles there, most first.
    pub async fn covered_by(&self, source: SourceId) -> Result<Vec<(FolderId, u32)>, StoreError> {
        self.watcher(move |watcher| watcher.covered_by(source)).await
    }

    /// Time passes: closes windows that are over, ends events. Returns how many events ended or opened.
    pub async fn tick_watch(&self, now: Timestamp) -> Result<usize, StoreError> {
        self.watch_write(move |connection, loaded| {
            loaded.now = now;
            if loaded.calendar_until.is_some_and(|until| until <= now) {
                loaded.read_calendar(connection, now)?;
            }
            let findings = loaded.watcher.tick(now);
            let changed = !findings.is_empty();
            loaded.changed |= changed;
            let told =
                crate::events::apply(connection, loaded, &crate::events::Seen::by_clock(now), findings)?;
            Ok(told.events.len() + told.ended)
        })
        .await
    }

    /// Tells the history of folders anew whose articles were filed anew. Returns how many.
    pub async fn rebuild_stale_watches(&self) -> Result<usize, StoreError> {
        let stale = self.inner.watching.take_stale();
        let mut done = 0;
        for folder in stale {
            let outcome = self.rebuild_watch(folder).await;
            if outcome.is_err() {
                self.inner.watching.mark_stale([folder]);
                outcome?;
            }
            done += 1;
        }
        Ok(done)
    }

    async fn rebuild_watch(&self, folder: FolderId) -> Result<(), StoreError> {
        let watching = self.inner.watching.clone();
        // The long part reads beside the writer; what was seen meanwhile follows in the deed.
        let settings = self.watcher(|_| ()).await.and(Ok(watching.settings()))?;
        let told = self.read(move |connection| load::tell_folder(connection, &settings, folder)).await?;
        let mut told = Some(told);
        self.watch_write(move |connection, loaded| {
            // Put in place only once: should that have to be done again, the folder is told anew.
            let mut told = told.take().ok_or(StoreError::Closed)?;
            told.follow_up(connection)?;
            told.put_in_place(connection, &mut loaded.watcher)?;
            loaded.watcher.set_events(&crate::events::open_events(connection)?);
            loaded.changed = true;
            Ok(())
        })
        .await
    }

    /// Runs a deed that moves the watcher; should it fail, memory is dropped.
    pub(crate) async fn watch_write<T, F>(&self, mut deed: F) -> Result<T, StoreError>
    where
        T: Send + Default + 'static,
        F: FnMut(&Connection, &mut Loaded) -> Result<T, StoreError> + Send + 'static,
    {
        let watching = self.inner.watching.clone();
        self.write(move |connection| {
            let mut held = watching.held(connection)?;
            let done = held.moving().map_or_else(|| Ok(T::default()), |loaded| deed(connection, loaded))?;
            held.keep();
            Ok(done)
        })
        .await
    }
}

impl Watching {
    fn settings(&self) -> WatchSettings {
        let state = lock(&self.state);
        state.as_ref().map(|loaded| loaded.settings.clone()).unwrap_or_default()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
