//! Posting to a webhook: one request, one answer, no redirects.

use crate::connection::{Connection, Outgoing, Unanswered};
use crate::exchange::exchange;
use crate::failure::{Failure, Fault};
use crate::fetcher::Fetcher;
use crate::gate::Refusal;
use crate::headers::{self, retry_after};
use crate::redirect::is_redirect;
use crate::request::{self, Accept};
use crate::settings::Limits;
use http::header::LOCATION;
use http::{HeaderValue, header};
use hyper::body::Bytes;
use model::{FailureKind, Outcome};
use std::time::Duration;
use url::Url;

/// What is posted.
#[derive(Debug, Clone)]
pub struct Post<'a> {
    /// Where to.
    pub url: &'a Url,
    /// Headers besides ours.
    pub headers: &'a [(String, String)],
    /// The type of the content.
    pub content_type: &'static str,
    /// The content.
    pub content: Vec<u8>,
}

/// An answer to what was posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// The HTTP status.
    pub status: u16,
    /// How long to wait before trying again, if it says so.
    pub retry_after: Option<Duration>,
    /// Where it would redirect to. That is not followed: who signs a message says who gets it.
    pub redirect: Option<String>,
    /// How its body begins, as text.
    pub said: String,
}

/// Why there was no answer.
#[derive(Debug, thiserror::Error)]
pub enum PostFailure {
    /// The gate refused; nobody was asked.
    #[error("the gate refused it: {0}")]
    Refused(#[from] Refusal),
    /// No answer, or none that could be read.
    #[error("{0}")]
    Failed(Outcome),
}

/// What is read of an answer: enough for a sentence that says what is wrong.
const ANSWER: usize = 2_000;

/// An endpoint has this long in all; a person may be waiting for the result of a test.
const TOTAL: Duration = Duration::from_secs(20);

impl Fetcher {
    /// Posts to a webhook. Neither robots.txt nor the pacer has a say: it is the user's own choice.
    pub async fn post(&self, post: Post<'_>) -> Result<Posted, PostFailure> {
        let shared = self.shared();
        let mut headers = shared.templates.plain(Accept::Any);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(post.content_type));
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        request::add(&mut headers, post.headers)
            .map_err(|detail| Failure::new(FailureKind::Internal, detail))?;
        let limits = &shared.settings.limits;
        let limits = Limits {
            total: limits.total.min(TOTAL),
            first_byte: limits.first_byte.min(TOTAL),
            ..limits.clone()
        };
        let mut connection = Connection::open(shared, post.url, None).await?;
        let outgoing =
            Outgoing { url: post.url, headers: &headers, content: Some(Bytes::from(post.content)) };
        let answer = exchange(&mut connection, &outgoing, ANSWER, &limits).await?;
        let status = answer.response.status;
        let to = headers::text(&answer.headers, &LOCATION).unwrap_or("somewhere it does not say");
        Ok(Posted {
            status,
            retry_after: retry_after(&answer.headers, shared.now()),
            redirect: is_redirect(status).then(|| to.to_owned()),
            said: beginning(&answer.response.body),
        })
    }
}

/// The first line with something in it, short enough to be shown.
fn beginning(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().filter(|character| !character.is_control()).take(200).collect()
}

impl From<Failure> for PostFailure {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure.into())
    }
}

impl From<Fault> for PostFailure {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(refusal) => Self::Refused(refusal),
            Fault::Failed(failure) | Fault::Lost(failure) => failure.into(),
        }
    }
}

impl From<Unanswered> for PostFailure {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Unsent => {
                Failure::new(FailureKind::Protocol, "the connection was closed before anything could be sent")
                    .into()
            }
            Unanswered::Died(failure) | Unanswered::Failed(failure) => failure.into(),
        }
    }
}
