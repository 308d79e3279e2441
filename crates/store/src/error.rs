//! What can go wrong with the data, in words that say what to do next.

use crate::database::DatabaseError;
use std::path::PathBuf;

/// Why a deed was not done. Nothing of it was stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The data folder cannot be made or written.
    #[error("cannot use the data folder {}: {source}. Choose another with --data, or give yourself write access to it", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The schema is from a later release.
    #[error("{} was written by a newer Ripplewatch (schema {found}, this program knows {known}). Install that release, or point --data elsewhere", file.display())]
    NewerSchema {
        /// The data file.
        file: PathBuf,
        /// The schema in the file.
        found: i64,
        /// The newest schema known here.
        known: i64,
    },
    /// A database, but not one of ours.
    #[error("{} is a database of another application. Point --data at an empty folder", file.display())]
    Foreign {
        /// The data file.
        file: PathBuf,
    },
    /// The file is not a database, or damaged.
    #[error("{} is damaged or not a database ({detail}). Restore a backup with `ripplewatch restore`", file.display())]
    Damaged {
        /// The data file.
        file: PathBuf,
        /// What SQLite said.
        detail: String,
    },
    /// Not the address of a PostgreSQL database. Never the whole of it: there may be a password in it.
    #[error("this is no PostgreSQL URL ({0}). It looks like postgres://user:password@host:5432/database")]
    BadUrl(String),
    /// The server does not answer.
    #[error(
        "cannot reach the database {database}: {detail}. Check that PostgreSQL runs there, the address and the port"
    )]
    Unreachable {
        /// Name, host and port; never the password.
        database: String,
        /// What went wrong.
        detail: String,
    },
    /// The server does not let us in.
    #[error(
        "the database {database} refused the login: {detail}. Check user and password in the URL, and pg_hba.conf on the server"
    )]
    WrongLogin {
        /// Name, host and port.
        database: String,
        /// What the server said.
        detail: String,
    },
    /// There is no such database.
    #[error("there is no database {database}. Create it with createdb, or check its name in the URL")]
    NoDatabase {
        /// Name, host and port.
        database: String,
    },
    /// The server has no place left.
    #[error(
        "the server of the database {database} takes no more connections. Raise max_connections, or stop some workers"
    )]
    Crowded {
        /// Name, host and port.
        database: String,
    },
    /// The user may not do what is needed.
    #[error(
        "the database {database} does not allow it: {detail}. The user needs to own the database, or GRANT ALL ON SCHEMA public, and its tables"
    )]
    NoRights {
        /// Name, host and port.
        database: String,
        /// What the server said.
        detail: String,
    },
    /// A standby, or a database set to read only.
    #[error("the database {database} can only be read. Point at the primary server, or make it writable")]
    ReadOnly {
        /// Name, host and port.
        database: String,
    },
    /// A database with tables of somebody else's.
    #[error("the database {database} is in use by another application. Create one of its own with createdb")]
    ForeignDatabase {
        /// Name, host and port.
        database: String,
    },
    /// The schema is from a later release.
    #[error(
        "the database {database} was written by a newer Ripplewatch (schema {found}, this program knows {known}). Install that release on every machine"
    )]
    NewerDatabase {
        /// Name, host and port.
        database: String,
        /// The schema there.
        found: i64,
        /// The newest schema known here.
        known: i64,
    },
    /// A move into these data was begun and has not ended.
    #[error(
        "{place} holds only a part of what is moved there from {from}. Go on with the same `ripplewatch move` command, or begin it anew with --restart"
    )]
    Unfinished {
        /// The data that were opened.
        place: String,
        /// Where they come from.
        from: String,
    },
    /// Something that is done with a file.
    #[error(
        "{0} works on a data file. On PostgreSQL use pg_dump and pg_restore, or `ripplewatch move` to a file first"
    )]
    NoFile(&'static str),
    /// The source is already watched.
    #[error("{url} is already watched (source {id})")]
    DuplicateSource {
        /// Its URL.
        url: String,
        /// The source that has it.
        id: model::SourceId,
    },
    /// There is no such thing.
    #[error("there is no {what}")]
    NotFound {
        /// What was asked for, with its id.
        what: String,
    },
    /// A late writer: the host was leased to someone else meanwhile.
    #[error("the lease on the host was lost; the write was refused")]
    Fenced,
    /// The text typed as a search has no word in it.
    #[error("nothing to search for in “{0}”: type a word")]
    EmptySearch(String),
    /// A name is taken.
    #[error("there is already a {what} called “{name}”")]
    NameTaken {
        /// What kind of thing.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A backup that must not be restored.
    #[error("the backup was refused: {0}. Nothing was changed")]
    BadBackup(String),
    /// The target of a restore is in use.
    #[error("{} already holds data. Use --replace to put it aside as {}.before-restore", .0.display(), .0.display())]
    Occupied(PathBuf),
    /// A lesson that cannot be taught.
    #[error(transparent)]
    Teach(#[from] ::knowledge::TeachError),
    /// A file of rules that cannot be taken over.
    #[error(transparent)]
    Import(#[from] ::knowledge::ImportError),
    /// A wish about folders that cannot be fulfilled.
    #[error(transparent)]
    Folders(#[from] ::knowledge::FolderError),
    /// A wish that makes no sense; why.
    #[error("{0}")]
    Senseless(String),
    /// Someone taught or undid meanwhile.
    #[error(
        "this is no longer the last lesson: someone has taught or undone since. Look again before you undo"
    )]
    NotTheLastLesson,
    /// Two folders that cannot be made one.
    #[error(transparent)]
    Merge(#[from] ::knowledge::MergeError),
    /// A folder that is still needed.
    #[error("“{path}” still holds articles, or rules speak of it: merge it into another folder instead")]
    FolderInUse {
        /// Its path.
        path: String,
    },
    /// Words are cut otherwise than when the rules were made, and that matters.
    #[error(
        "this release cuts words differently, and {cornerstones} article(s) that prompted rules would be filed elsewhere. Nothing was changed: export the rules with the release that made them (`ripplewatch rules export`), mend them, and import them into a new data folder"
    )]
    WordsChanged {
        /// How many cornerstones.
        cornerstones: usize,
    },
    /// Something stored that makes no sense.
    #[error("{0} cannot be read. Restore a backup with `ripplewatch restore`")]
    Unreadable(String),
    /// No room left.
    #[error("the disk is full; nothing was stored. Free some room: Ripplewatch goes on by itself")]
    DiskFull,
    /// The server went away in the middle of something that is not done twice by itself.
    #[error("the connection to the database was lost; nothing was stored. Do it again")]
    Interrupted,
    /// A fault of the program, caught. Nothing of the deed was stored.
    #[error("an internal fault; nothing was stored. Please report it with the log")]
    Panicked,
    /// The writer thread has ended.
    #[error("the store has been closed")]
    Closed,
    /// Reading or writing a file failed.
    #[error("{what}: {source}")]
    Io {
        /// What was being done, on what.
        what: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Anything else the database says.
    #[error("the database answered: {0}")]
    Sql(DatabaseError),
}

impl From<DatabaseError> for StoreError {
    fn from(error: DatabaseError) -> Self {
        if error.is_disk_full() { Self::DiskFull } else { Self::Sql(error) }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        DatabaseError::from(error).into()
    }
}

impl StoreError {
    /// Whether it is trouble with the data rather than a wish that cannot be fulfilled.
    pub(crate) fn is_trouble(&self) -> bool {
        matches!(self, Self::Sql(_) | Self::DiskFull | Self::Panicked | Self::Closed | Self::Io { .. })
    }

    /// Whether the server is not there now: what failed may succeed when it is back.
    pub fn is_lost(&self) -> bool {
        match self {
            Self::Sql(error) => error.is_lost(),
            Self::Unreachable { .. } | Self::Crowded { .. } => true,
            _ => false,
        }
    }

    /// Shorthand for a thing that is not there.
    pub(crate) fn not_found(what: impl Into<String>) -> Self {
        Self::NotFound { what: what.into() }
    }
}
