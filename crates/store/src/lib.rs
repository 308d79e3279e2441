//! What is kept. Alone knows SQL.
//!
//! The interface is deeds, not tables: `record_visit`, `lease_due_hosts`, `articles_page`. Each deed is one
//! transaction: one writer thread runs them and groups their commits; readers never wait for it. The data are in a
//! SQLite file or in PostgreSQL; deeds are written once for both (`database`).

mod access;
mod articles;
mod backup;
mod bodies;
mod calendar;
mod changes;
mod channels;
mod crawls;
mod database;
mod deliveries;
mod error;
mod events;
mod fleet;
mod foreign;
mod health;
mod hosts;
mod knowledge;
mod leases;
mod moving;
mod outbox;
mod place;
mod plan;
mod private;
mod readers;
mod retention;
mod robots;
mod rows;
mod schema;
mod settings;
mod sources;
mod topics;
mod visits;
mod watch;
mod watches;
mod writer;

pub use access::{Secret, TokenInfo};
pub use articles::{ArticleDetail, ArticleFilter, ArticlesPage, Cursor, FolderFilter, ListedBy, Marks};
pub use backup::{BackupManifest, restore};
pub use bodies::{BodyRecord, RecordedBody, StoredPage};
pub use calendar::{ExpectedEntry, Imported};
pub use channels::{
    Channel, ChannelSettings, Encryption, Hidden, MESSAGE_KINDS, MailTarget, Quiet, Rhythm, Target,
};
pub use crawls::{
    Candidate, CandidateKind, CrawlCurve, CrawlEdit, CrawlEnd, CrawlInfo, CrawlPage, CrawlPageFilter,
    CrawlPhase, CrawlPoint, CrawlProgress, CrawlStart, CrawlUrl, FoundCandidate, FoundPage, FoundWord,
    NewCrawl, NewCrawlUrl, PageRecord, Promotion, UrlEnd, UrlState,
};
pub use database::DatabaseError;
pub use deliveries::{DeliveryFilter, DeliveryInfo, DeliveryState, Dispatch, Tried};
pub use error::StoreError;
pub use events::{
    Event, EventDetail, EventFilter, EventSketch, FolderWindow, Follower, Gain, HourOfWeek, Story, Verdict,
};
pub use fleet::{ASKS_FOR, ClockRate, Figures, GONE_AFTER, Reading, Roles, WorkerInfo};
pub use foreign::{ForeignError, ForeignLimits, read_foreign};
pub use health::{Health, LateSource, VisitCounts};
pub use hosts::HostInfo;
pub use knowledge::{FiledBy, FilingDetail, FolderCount, Learned, LessonInfo, Refiling};
pub use leases::{After, DueBody, DueVisit, Entered, HostWork, Lease, LeaseRequest};
pub use moving::{MoveEnd, MoveError, MovePhase, MoveStep, Moved, MovedTable, move_data};
pub use outbox::Message;
pub use plan::{Budget, Census, Dated, HourSpent, PlanChoice, PlanRules, SourcePast};
pub use retention::{Removed, Retention};
pub use scheduling::Share;
pub use schema::SCHEMA_VERSION;
pub use sources::{NewSource, SourceEdit, SourceFilter, SourceOrder, SourcesPage};
pub use topics::{StoredTopic, TopicLesson, TopicNews};
pub use visits::{Recorded, SeenByVisit, VisitRecord};
pub use watch::WatchSettings;
pub use watches::{Lookout, PartChange, Sighting, ToldChange, Watch, WatchEdit, WatchStanding};

use changes::Changes;
use database::Connection;
use place::Place;
use readers::Readers;
use std::path::Path;
use std::sync::Arc;
use writer::{Company, Writer};

/// A handle on the data. Cheap to clone; the last one dropped closes the files.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    place: Place,
    writer: Writer,
    known: Arc<knowledge::Known>,
    watching: Arc<watch::Watching>,
    readers: Readers,
    changes: Changes,
    line: fleet::Line,
}

/// What moves with the deeds.
struct InMemory {
    known: Arc<knowledge::Known>,
    watching: Arc<watch::Watching>,
}

impl writer::Memory for InMemory {
    fn forget(&self) {
        self.known.lose();
        self.watching.lose();
    }

    fn read_ahead(&self, connection: &database::Connection) {
        // Should that fail, the deed that needs it finds out.
        if let Err(error) = self.watching.read_ahead(connection) {
            tracing::debug!(%error, "nothing could be read ahead");
        }
    }
}

impl Store {
    /// The name of the data file inside the data folder.
    pub const FILE: &'static str = "ripplewatch.db";

    /// Opens the data in `folder`, creating it or bringing its schema up to date.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        private::create_folder(folder)
            .map_err(|source| StoreError::Folder { folder: folder.into(), source })?;
        let file = folder.join(Self::FILE);
        let place = Place::File(file.clone());
        let connection = place.open()?;
        // The log takes over the file's own permissions.
        private::restrict(&file);
        Self::begin(place, connection)
    }

    /// Opens the data in a PostgreSQL database, creating the tables or bringing their schema up to date:
    /// `postgres://user:password@host:5432/database`. Tables are made in the first schema of the user's search path.
    pub fn connect(url: &str) -> Result<Self, StoreError> {
        let place = Place::Server(Arc::new(database::Server::parse(url)?));
        // Whoever asks may be on a thread of an async runtime, where waiting is not allowed.
        let opening = std::thread::spawn(move || {
            let connection = place.open()?;
            Self::begin(place, connection)
        });
        opening.join().unwrap_or(Err(StoreError::Panicked))
    }

    fn begin(place: Place, connection: Connection) -> Result<Self, StoreError> {
        let readers = Readers::new(place.clone());
        let known = knowledge::Known::load(&connection)?;
        let watching: Arc<watch::Watching> = Arc::default();
        let memory = InMemory { known: known.clone(), watching: watching.clone() };
        let changes = Changes::new();
        let writer = Writer::start(connection, place.clone(), memory, changes.clone())?;
        Ok(Self {
            inner: Arc::new(Inner {
                place,
                writer,
                known,
                watching,
                readers,
                changes,
                line: fleet::Line::default(),
            }),
        })
    }

    /// The data file; `None` if the data are on a server.
    pub fn file(&self) -> Option<&Path> {
        match &self.inner.place {
            Place::File(file) => Some(file),
            Place::Server(_) => None,
        }
    }

    /// What the data are called: a file, or a database with its server. Never with a password.
    pub fn name(&self) -> String {
        self.inner.place.name()
    }

    /// Runs a deed in a transaction of its own on the writer thread; returns once it is on disk. Where the database was in
    /// its way it is run again, so it must not give away what it is made of.
    async fn write<T, F>(&self, deed: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.inner.writer.run(Company::Alone, deed).await
    }

    /// The same for a deed about one host or one crawl: other processes may write at the same time.
    async fn write_beside<T, F>(&self, deed: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.inner.writer.run(Company::Beside, deed).await
    }

    /// Runs a question on a read connection, off the async threads.
    async fn read<T, F>(&self, question: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.inner.readers.run(question).await
    }
}
