//! How a request ended. A failure is an outcome of its own: never "no news", never "all is new".

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a visit, or the fetch of an article's page, ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// The server sent content that differs from the last time.
    NewContent,
    /// 304, or the same bytes as last time.
    NotModified,
    /// 404 or 410: the page is not there.
    Gone {
        /// The HTTP status.
        status: u16,
    },
    /// robots.txt does not want us there.
    RefusedByRobots {
        /// The rule that matched, or why the file could not be read.
        rule: String,
    },
    /// The address or URL is one we never ask (see the gate in `fetch`).
    RefusedByGate {
        /// What was refused and why.
        why: String,
    },
    /// 429 or 503: come back later.
    Busy {
        /// The HTTP status.
        status: u16,
        /// Not before this time.
        until: Timestamp,
    },
    /// No usable answer.
    Failed {
        /// What kind of failure.
        kind: FailureKind,
        /// The details, for people.
        detail: String,
    },
    /// The answer hit a cap; what arrived is not trusted as a whole.
    Truncated {
        /// The cap that was hit.
        cap: Cap,
    },
}

/// Kinds of failure, so that people and metrics can tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The name did not resolve.
    Dns,
    /// No connection.
    Connect,
    /// The certificate or the TLS handshake was refused.
    Tls,
    /// One of the time limits passed.
    Timeout,
    /// The peer sent something that is not HTTP, or broke off.
    Protocol,
    /// Too many redirects, or a circle of them.
    Redirects,
    /// A status that is an error and none of the others.
    Status,
    /// 200 with nothing in it.
    Empty,
    /// A captcha or "checking your browser" page instead of content.
    Challenge,
    /// The content encoding is unknown or damaged.
    Decoding,
    /// A feed or sitemap now shows something else.
    Changed,
    /// A part of it could not be read; what could be read is kept.
    Incomplete,
    /// Our own fault: the reader gave up on it. Never expected.
    Internal,
}

/// Limits on what one answer may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    /// Bytes on the wire.
    BodyBytes,
    /// Bytes after decompression.
    DecodedBytes,
    /// Decompressed bytes for one compressed byte.
    Ratio,
}

impl Outcome {
    /// Whether the visit closed its window: it saw what was there. Anything else is *missing*, not zero.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::NewContent | Self::NotModified)
    }

    /// A short machine word, as stored and as used in metrics.
    pub fn word(&self) -> &'static str {
        match self {
            Self::NewContent => "new_content",
            Self::NotModified => "not_modified",
            Self::Gone { .. } => "gone",
            Self::RefusedByRobots { .. } => "refused_by_robots",
            Self::RefusedByGate { .. } => "refused_by_gate",
            Self::Busy { .. } => "busy",
            Self::Failed { .. } => "failed",
            Self::Truncated { .. } => "truncated",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewContent => f.write_str("new content"),
            Self::NotModified => f.write_str("not modified"),
            Self::Gone { status } => write!(f, "gone (HTTP {status})"),
            Self::RefusedByRobots { rule } => write!(f, "refused by robots.txt: {rule}"),
            Self::RefusedByGate { why } => write!(f, "refused by the gate: {why}"),
            Self::Busy { status: 0, until } => {
                write!(f, "left alone for now: politeness, not before {until:.0}")
            }
            Self::Busy { status, until } => write!(f, "busy (HTTP {status}), not before {until:.0}"),
            Self::Failed { kind, detail } => write!(f, "{kind}: {detail}"),
            Self::Truncated { cap } => write!(f, "truncated: {cap}"),
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dns => "name not found",
            Self::Connect => "no connection",
            Self::Tls => "TLS refused",
            Self::Timeout => "timed out",
            Self::Protocol => "not proper HTTP",
            Self::Redirects => "redirects",
            Self::Status => "error status",
            Self::Empty => "empty page",
            Self::Challenge => "captcha page",
            Self::Decoding => "undecodable",
            Self::Changed => "not what it was",
            Self::Incomplete => "read in part",
            Self::Internal => "internal error",
        })
    }
}

impl fmt::Display for Cap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BodyBytes => "the body is larger than the limit",
            Self::DecodedBytes => "the decompressed body is larger than the limit",
            Self::Ratio => "it decompresses beyond the allowed ratio",
        })
    }
}
