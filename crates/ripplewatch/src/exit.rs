//! Exit codes that mean something, and how an error is shown.

use crate::console;
use knowledge::{FolderError, TeachError};
use std::process::ExitCode;
use store::{MoveError, StoreError};

/// What the exit code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Something failed.
    Failed = 1,
    /// What was typed cannot be used. (Also clap's own.)
    BadInput = 2,
    /// What was asked for is not there.
    NotFound = 3,
    /// `doctor` found problems.
    Unwell = 4,
    /// Earlier decisions would change, and that was not accepted.
    Refused = 5,
}

/// An error whose exit code is known where it arises.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Told {
    pub(crate) exit: Exit,
    pub(crate) message: String,
}

/// What was typed cannot be used.
pub(crate) fn bad_input(message: impl Into<String>) -> anyhow::Error {
    Told { exit: Exit::BadInput, message: message.into() }.into()
}

/// What was asked for is not there.
pub(crate) fn not_found(message: impl Into<String>) -> anyhow::Error {
    Told { exit: Exit::NotFound, message: message.into() }.into()
}

impl Exit {
    /// Says what went wrong on stderr and chooses the code.
    pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
        console::error(&message(error));
        Self::of(error).into()
    }

    fn of(error: &anyhow::Error) -> Self {
        if let Some(told) = error.downcast_ref::<Told>() {
            return told.exit;
        }
        let store = match error.downcast_ref::<MoveError>() {
            Some(MoveError::NothingThere(_)) => return Self::NotFound,
            Some(MoveError::SamePlace(_) | MoveError::NotEmpty { .. } | MoveError::OtherMove { .. }) => {
                return Self::BadInput;
            }
            Some(MoveError::Store(error)) => Some(error),
            _ => error.downcast_ref::<StoreError>(),
        };
        match store {
            Some(StoreError::Teach(TeachError::Conflicts(_))) => Self::Refused,
            Some(StoreError::NotFound { .. } | StoreError::Folders(FolderError::Unknown(_))) => {
                Self::NotFound
            }
            Some(
                StoreError::DuplicateSource { .. }
                | StoreError::EmptySearch(_)
                | StoreError::Senseless(_)
                | StoreError::BadUrl(_)
                | StoreError::NameTaken { .. }
                | StoreError::FolderInUse { .. }
                | StoreError::Merge(_)
                | StoreError::Folders(_)
                | StoreError::Teach(_)
                | StoreError::Import(_),
            ) => Self::BadInput,
            _ => Self::Failed,
        }
    }
}

/// The error and its causes, each once: ours often name their cause already.
fn message(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |said, cause| {
        let cause = cause.to_string();
        match said {
            said if said.is_empty() => cause,
            said if said.contains(&cause) => said,
            said => format!("{said}: {cause}"),
        }
    })
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
