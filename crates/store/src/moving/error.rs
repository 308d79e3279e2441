//! Why data were not moved.

use crate::StoreError;
use crate::database::DatabaseError;

/// Why a move was refused or stopped. The source is as it was.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// From and to are the same.
    #[error("{0} is both the source and the target. Name two places")]
    SamePlace(String),
    /// The source holds nothing of ours.
    #[error("there are no data to move in {0}. Check what follows --from")]
    NothingThere(String),
    /// The target is in use.
    #[error("{target} already holds data ({tables}). Move into an empty folder or database")]
    NotEmpty {
        /// The target.
        target: String,
        /// Tables that have rows.
        tables: String,
    },
    /// The target holds a part of other data.
    #[error(
        "{target} holds only a part of what is moved there from {from}. Finish that move, or throw the part away with --restart"
    )]
    OtherMove {
        /// The target.
        target: String,
        /// Where that part comes from.
        from: String,
    },
    /// A process works with the data.
    #[error("{place} is in use by {who}. Stop it first")]
    InUse {
        /// The source or the target.
        place: String,
        /// Who uses it.
        who: String,
    },
    /// A table is not the same on both sides.
    #[error(
        "the table {table} is not the same on both sides: {}. The target stays marked as unfinished. Was the source changed while the move was interrupted? Begin anew with --restart", differing(*.source_rows, *.target_rows)
    )]
    Differs {
        /// The table.
        table: String,
        /// Its rows in the source.
        source_rows: u64,
        /// Its rows in the target.
        target_rows: u64,
    },
    /// A value that does not belong where it is.
    #[error(
        "{table}.{column} holds {found}, which does not belong there: the data are damaged. See `ripplewatch doctor`"
    )]
    Unsuited {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// What is there.
        found: &'static str,
    },
    /// No room left.
    #[error(
        "the target's disk is full. Free some room and give the same command again: it goes on where it stopped"
    )]
    DiskFull,
    /// The server went away.
    #[error("{0}. Give the same command again: it goes on where it stopped")]
    Lost(StoreError),
    /// Whoever was told wanted it to stop.
    #[error("the move was stopped. Give the same command again: it goes on where it stopped")]
    Stopped,
    /// Anything else about the data.
    #[error(transparent)]
    Store(StoreError),
}

fn differing(source: u64, target: u64) -> String {
    if source == target {
        format!("{source} rows each, but their checksums differ")
    } else {
        format!("{source} rows in the source, {target} in the target")
    }
}

impl From<StoreError> for MoveError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::DiskFull => Self::DiskFull,
            StoreError::Sql(_) if error.is_lost() => Self::Lost(error),
            error => Self::Store(error),
        }
    }
}

impl From<DatabaseError> for MoveError {
    fn from(error: DatabaseError) -> Self {
        StoreError::from(error).into()
    }
}
