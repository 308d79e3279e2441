//! What went wrong, for whoever asked: a status, a sentence, and what to do next. Never a stack trace.
//!
//! Handlers speak of a [`Problem`]; the API answers it as JSON (`api::Refusal`), the pages as a page
//! (`ui::Trouble`).

use engine::ChannelError;
use http::StatusCode;
use knowledge::{FolderError, TeachError};
use model::SourceId;
use store::StoreError;

/// What went wrong.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// What failed, on what.
    pub(crate) error: String,
    /// What to do next.
    pub(crate) hint: Option<String>,
    /// The source that is in the way, if that is the trouble.
    pub(crate) source: Option<SourceId>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, error: error.into(), hint: None, source: None }
    }

    pub(crate) fn bad_request(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// Understood, but it cannot be done that way.
    pub(crate) fn invalid(error: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, error)
    }

    pub(crate) fn forbidden(error: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, error)
    }

    pub(crate) fn not_found(error: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error)
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::NotFound { .. } | StoreError::Folders(FolderError::Unknown(_)) => {
                StatusCode::NOT_FOUND
            }
            StoreError::DuplicateSource { id, .. } => {
                let problem = Self::new(StatusCode::CONFLICT, error.to_string());
                return Self { source: Some(*id), ..problem };
            }
            StoreError::NameTaken { .. }
            | StoreError::NotTheLastLesson
            | StoreError::FolderInUse { .. }
            | StoreError::Folders(FolderError::Taken(_))
            | StoreError::Teach(TeachError::Conflicts(_)) => StatusCode::CONFLICT,
            StoreError::Teach(_)
            | StoreError::Folders(_)
            | StoreError::Merge(_)
            | StoreError::Senseless(_) => StatusCode::UNPROCESSABLE_ENTITY,
            StoreError::EmptySearch(_) => StatusCode::BAD_REQUEST,
            StoreError::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
            error if error.is_lost() => {
                tracing::warn!(%error, "the database did not answer a request");
                return Self::new(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer").hint(
                    "visits wait for it, and nothing is lost: everything goes on by itself when it is back. `ripplewatch doctor` says more",
                );
            }
            _ => {
                tracing::error!(%error, "the store failed while answering a request");
                return Self::new(StatusCode::INTERNAL_SERVER_ERROR, "the data could not be read or written")
                    .hint("try again; the log and the Health page say more");
            }
        };
        Self::new(status, error.to_string())
    }
}

impl From<ChannelError> for Problem {
    fn from(error: ChannelError) -> Self {
        match error {
            ChannelError::Store(error) => error.into(),
            error => Self::invalid(error.to_string()),
        }
    }
}
