//! The knowledge base: loaded once, kept in step with the data, taught in transactions.
//!
//! The base lives in memory, for filing must be quick; the data file is the truth. Every change counts the version up
//! inside its transaction. Whoever writes compares versions first and loads anew when another process, or a commit that
//! failed, has put memory out of step.

mod archived;
mod counts;
mod filing;
mod folders;
mod lessons;
mod load;
mod proof;
mod refile;
mod rows;
mod usage;

pub use counts::FolderCount;
pub use filing::{FiledBy, FilingDetail};
pub use lessons::{Learned, LessonInfo};
pub use refile::Refiling;

pub(crate) use filing::{FILINGS, Refiled, file_anew, file_article, save_filings};

use crate::database::Connection;
use crate::{Store, StoreError};
use archived::Archived;
use knowledge::{Archive, Base, Filer};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// The version of a memory that may be anything: whoever needs it loads anew.
pub(crate) const LOST: i64 = -1;

/// What is known, in memory.
#[derive(Debug)]
pub(crate) struct Known {
    state: RwLock<State>,
    /// The group in which a writer last compared versions.
    looked: AtomicI64,
    /// Working space of whoever writes.
    filer: Mutex<Filer>,
    archived: Mutex<Option<Archived>>,
    /// Whether there is an archive to be kept up to date: asked by writers, who must not wait for it.
    has_archive: AtomicBool,
    /// Articles whose text changed or went since the archive looked.
    touched: Mutex<Vec<i64>>,
    /// The last count of how rules are used.
    counted: Mutex<Option<usage::Counted>>,
}

#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) version: i64,
    pub(crate) base: Base,
}

impl Known {
    pub(crate) fn load(connection: &Connection) -> Result<Arc<Self>, StoreError> {
        let state = load::state(connection)?;
        proof::prove(connection, &state)?;
        Ok(Arc::new(Self {
            state: RwLock::new(state),
            looked: AtomicI64::new(LOST),
            filer: Mutex::default(),
            archived: Mutex::default(),
            has_archive: AtomicBool::new(false),
            touched: Mutex::default(),
            counted: Mutex::default(),
        }))
    }

    /// The state for a writer: exactly what its transaction sees.
    pub(crate) fn for_writing(
        &self,
        connection: &Connection,
    ) -> Result<RwLockReadGuard<'_, State>, StoreError> {
        let group = connection.group();
        // In one group of deeds on a server nobody else teaches: once is enough.
        if group.is_some_and(|group| group == self.looked.load(Ordering::Relaxed))
            && self.read().version != LOST
        {
            return Ok(self.read());
        }
        if self.read().version != load::version(connection)? {
            let state = load::state(connection)?;
            *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
            self.archive_is_behind();
        }
        self.looked.store(group.unwrap_or(LOST), Ordering::Relaxed);
        Ok(self.read())
    }

    /// The state for a reader: at least what its connection sees. A lesson being committed may be in it already.
    fn for_reading(&self, connection: &Connection) -> Result<RwLockReadGuard<'_, State>, StoreError> {
        if self.read().version < load::version(connection)? {
            let loaded = load::state(connection)?;
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            // Loading takes a while: someone may have taught meanwhile.
            if state.version < loaded.version {
                *state = loaded;
                drop(state);
                self.archive_is_behind();
            }
        }
        Ok(self.read())
    }

    /// What is in memory may be ahead of the data: whoever needs it loads anew.
    pub(crate) fn lose(&self) {
        self.state.write().unwrap_or_else(PoisonError::into_inner).version = LOST;
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the archive learned may not be what is known now.
    fn archive_is_behind(&self) {
        if let Some(archived) = self.archived().as_mut() {
            archived.version = None;
        }
    }

    fn archived(&self) -> MutexGuard<'_, Option<Archived>> {
        self.archived.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn counted(&self) -> MutexGuard<'_, Option<usage::Counted>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An article's text changed, or it went.
    pub(crate) fn touch(&self, article: i64) {
        // Without an archive in memory there is nothing to bring up to date.
        if self.has_archive.load(Ordering::Acquire) {
            self.touched.lock().unwrap_or_else(PoisonError::into_inner).push(article);
        }
    }
}

impl Store {
    /// Asks the knowledge base, as it is now.
    pub async fn knowledge<T, F>(&self, question: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Base) -> T + Send + 'static,
    {
        let known = self.inner.known.clone();
        let mut question = Some(question);
        self.read(move |connection| {
            let state = known.for_reading(connection)?;
            // Asked once, after all that may have to be done again.
            question.take().map(|question| question(&state.base)).ok_or(StoreError::Closed)
        })
        .await
    }

    /// The version of the knowledge.
    pub async fn knowledge_version(&self) -> Result<i64, StoreError> {
        self.read(load::version).await
    }

    /// Asks the knowledge base together with the archive of stored articles (the newest hundred thousand), whose
    /// numbers are article ids. The first question after a while reads the archive into memory.
    pub async fn study<T, F>(&self, question: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Base, &Archive) -> T + Send + 'static,
    {
        let known = self.inner.known.clone();
        let place = self.inner.place.clone();
        let mut question = Some(question);
        self.read(move |connection| {
            let state = known.for_reading(connection)?;
            let mut archived = known.archived();
            known.has_archive.store(true, Ordering::Release);
            let archived = archived::up_to_date(&mut archived, &known, &state, connection, &place)?;
            question.take().map(|question| question(&state.base, archived)).ok_or(StoreError::Closed)
        })
        .await
    }

    /// Runs a deed that changes the knowledge, and memory with it. If its commit fails, memory is ahead of the file and
    /// must be loaded anew.
    async fn teach<T, F>(&self, deed: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let result = self.write(deed).await;
        if result.as_ref().is_err_and(StoreError::is_trouble) {
            self.inner.known.lose();
        }
        result
    }

    /// Gives the archive's memory back if nobody has studied it for a while.
    pub fn forget_unused_archive(&self) {
        // Whoever holds it is using it.
        let Ok(mut archived) = self.inner.known.archived.try_lock() else { return };
        if archived.as_ref().is_some_and(Archived::is_unused) {
            *archived = None;
            self.inner.known.has_archive.store(false, Ordering::Release);
        }
    }
}
