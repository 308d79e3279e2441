//! Failures on the way to an answer, sorted into `model::FailureKind`s.

use crate::gate::{Barred, Refusal};
use crate::politeness;
use model::{FailureKind, Outcome};
use std::error::Error;
use std::io;
use std::time::Duration;

/// No usable answer: what kind, and the details for people.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) detail: String,
}

/// Why a request brought no answer.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The gate said no; nobody was asked.
    Refused(Refusal),
    /// It failed.
    Failed(Failure),
    /// A connection kept from an earlier request died before it answered this one, as servers close idle
    /// connections at any time. The request may have been seen, so asking again is a new request.
    Lost(Failure),
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }

    /// A time limit passed.
    pub(crate) fn timeout(what: &str, limit: Duration) -> Self {
        Self::new(FailureKind::Timeout, format!("{what} within {limit:?}"))
    }

    /// The TLS handshake, or the connection under it, failed.
    pub(crate) fn tls(error: &io::Error) -> Self {
        Self::new(FailureKind::Tls, chain(error))
    }

    /// HTTP was broken, or broken off.
    pub(crate) fn protocol(error: &hyper::Error) -> Self {
        Self::new(FailureKind::Protocol, chain(error))
    }

    /// How much it speaks for a host that is overloaded or down, so that it should be left in peace for a while. A
    /// refused certificate or broken HTTP is a fault, but not one that asking less would help.
    pub(crate) fn stumble(&self) -> Option<u32> {
        match self.kind {
            FailureKind::Dns | FailureKind::Connect => Some(politeness::HOST_STUMBLE),
            FailureKind::Timeout => Some(politeness::PAGE_STUMBLE),
            _ => None,
        }
    }
}

impl From<Failure> for Outcome {
    fn from(Failure { kind, detail }: Failure) -> Self {
        Self::Failed { kind, detail }
    }
}

impl From<Refusal> for Outcome {
    fn from(refusal: Refusal) -> Self {
        Self::RefusedByGate { why: refusal.to_string() }
    }
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Barred> for Fault {
    fn from(barred: Barred) -> Self {
        match barred {
            Barred::Refused(refusal) => Self::Refused(refusal),
            Barred::Unresolved(error) => Self::Failed(Failure::new(FailureKind::Dns, error.to_string())),
        }
    }
}

/// An error and what caused it, in one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let cause = error.to_string();
        // Wrappers like to repeat what they wrap.
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
        source = error.source();
    }
    text
}
