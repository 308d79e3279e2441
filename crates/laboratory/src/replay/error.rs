//! Why a history cannot be replayed.

use crate::trace::TraceError;

/// Why a history cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file cannot be used.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// No article.
    #[error("the history has no article")]
    Empty,
    /// Nothing to learn from.
    #[error(
        "at least one week to learn from is needed: every policy begins with what it knows of the sources"
    )]
    NoTraining,
    /// Nothing is left to test on.
    #[error(
        "the history is {days:.0} days long: {weeks} weeks to learn from leave less than a week to test on. \
         Ask for at most {most} weeks, or take a longer history"
    )]
    Short {
        /// How long it is.
        days: f64,
        /// What was asked for.
        weeks: u32,
        /// What can be asked for.
        most: u32,
    },
    /// A history that not even one week can be learned from.
    #[error(
        "the history is {days:.1} days long; at least two weeks are needed, one to learn from and one to test on"
    )]
    TooShort {
        /// How long it is.
        days: f64,
    },
    /// A history of which not even a share can be learned from.
    #[error("the history is {days:.1} days long; at least three are needed")]
    NotThreeDays {
        /// How long it is.
        days: f64,
    },
    /// A budget nobody can keep to.
    #[error("{0}")]
    Budget(String),
    /// There is no such folder.
    #[error("there is no folder “{name}”: {hint}")]
    Folder {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// There is no such policy.
    #[error("{0}")]
    Policy(String),
    /// Somebody stopped it.
    #[error("stopped")]
    Stopped,
    /// The set-up of a paper needs more than the history has.
    #[error("{0}")]
    Unsuitable(String),
}
