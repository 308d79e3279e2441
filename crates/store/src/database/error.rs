//! What a database can answer instead of rows.

use tokio_postgres::error::SqlState;

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// SQLite said so.
    #[error(transparent)]
    Sqlite(rusqlite::Error),
    /// PostgreSQL said so.
    #[error("{}", in_words(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// There is no such row.
    #[error("there is no such row")]
    NoRow,
    /// Another number of values than the statement has places: a fault of the program.
    #[error("a statement was given {given} values and has {expected} places")]
    Values {
        /// How many were given.
        given: usize,
        /// How many places there are.
        expected: usize,
    },
    /// A column that does not hold what the schema promises: damaged data, never the user's fault.
    #[error("a stored value cannot be read: {column}: {detail}")]
    Odd {
        /// The column.
        column: String,
        /// What is wrong with it.
        detail: String,
    },
    /// A successor has closed this connection: it cannot commit any more.
    #[error("the connection was given up and made anew")]
    SignedOut,
    /// A group of deeds was not committed, for a reason that was told elsewhere.
    #[error("{0}")]
    NotCommitted(String),
}

pub(crate) type Result<T> = std::result::Result<T, DatabaseError>;

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        match error {
            rusqlite::Error::QueryReturnedNoRows => Self::NoRow,
            error => Self::Sqlite(error),
        }
    }
}

impl DatabaseError {
    /// Whether there is no room left for the data.
    pub(crate) fn is_disk_full(&self) -> bool {
        match self {
            Self::Sqlite(error) => error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull),
            Self::Postgres(_) => self.state() == Some(&SqlState::DISK_FULL),
            _ => false,
        }
    }

    /// Whether the connection was lost, or is about to be.
    pub(crate) fn is_lost(&self) -> bool {
        use std::error::Error as _;
        let Self::Postgres(error) = self else { return matches!(self, Self::SignedOut) };
        match error.code() {
            // A server that is stopping, has crashed or is starting says so before it hangs up, and so does one that has waited
            // for us in vain.
            Some(code) => {
                code.code().starts_with("57P")
                    || code.code().starts_with("08")
                    || *code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
            }
            None => {
                error.is_closed() || error.source().is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
            }
        }
    }

    /// Whether another process was in the way: a deadlock, a serialisation failure, or the same thing made by both at once.
    pub(crate) fn is_in_the_way(&self) -> bool {
        let passing = [
            &SqlState::T_R_DEADLOCK_DETECTED,
            &SqlState::T_R_SERIALIZATION_FAILURE,
            &SqlState::LOCK_NOT_AVAILABLE,
            &SqlState::UNIQUE_VIOLATION,
        ];
        self.state().is_some_and(|state| passing.contains(&state))
    }

    /// Whether something is there already: made by another process at the same moment, or by whoever tries it again.
    pub(crate) fn is_double(&self) -> bool {
        self.state() == Some(&SqlState::UNIQUE_VIOLATION)
    }

    /// PostgreSQL's five letters for it.
    pub(crate) fn state(&self) -> Option<&SqlState> {
        match self {
            Self::Postgres(error) => error.code(),
            _ => None,
        }
    }
}

/// The server's own words, which say more than "db error".
pub(super) fn in_words(error: &tokio_postgres::Error) -> String {
    use std::error::Error as _;
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => {
            let detail = said.detail().map(|detail| format!(" ({detail})")).unwrap_or_default();
            format!("{}{detail} [{}]", said.message(), said.code().code())
        }
        (None, Some(cause)) => format!("{error}: {cause}"),
        (None, None) => error.to_string(),
    }
}

/// No row is an answer, too.
pub(crate) trait OptionalExtension<T> {
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(DatabaseError::NoRow) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
