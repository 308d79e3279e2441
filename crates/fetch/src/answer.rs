//! What came back.

use crate::headers;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, LAST_MODIFIED};
use jiff::Timestamp;
use model::Outcome;
use std::fmt::Write as _;
use std::time::Duration;
use url::Url;

/// The status in `Outcome::Busy` when no server said so: our own manners forbid to ask before `until`.
pub const OWN_MANNERS: u16 = 0;

/// What came of one [`Session::get`](crate::Session::get).
#[derive(Debug, Clone)]
pub struct Reply {
    /// How it ended. Anything with content is `NewContent`; comparing it to the last time is the caller's work.
    pub outcome: Outcome,
    /// The last answer, if one came; with `Truncated`, its beginning.
    pub response: Option<Response>,
    /// The URL of the last hop, whether it answered or was refused.
    pub final_url: Url,
    /// Where the redirects led, in order; the last one is `final_url`.
    pub redirects: Vec<Url>,
    /// There were redirects, and all of them are permanent (301 or 308).
    pub permanent: bool,
    /// Requests made, robots.txt included.
    pub requests: u32,
    /// When the first request was made, after waiting for its turn; or, if none was, when `get` was called.
    pub began_at: Timestamp,
    /// When all was over.
    pub ended_at: Timestamp,
    /// The hosts asked, each once: their manners may have changed.
    pub hosts: Vec<String>,
}

/// One answer, as the server sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// `Content-Encoding`.
    pub content_encoding: Option<String>,
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub last_modified: Option<String>,
    /// `max-age` of `Cache-Control`.
    pub cache_max_age: Option<Duration>,
    /// The body as sent, still encoded.
    pub body: Vec<u8>,
    /// Status line and headers. The parser lower-cases names and groups repeated ones.
    pub headers_text: String,
}

impl Response {
    /// Of an answer's head; the body comes later.
    pub(crate) fn new(head: &http::response::Parts) -> Self {
        let text = |name| headers::text(&head.headers, &name).map(str::to_owned);
        Self {
            status: head.status.as_u16(),
            content_type: text(CONTENT_TYPE),
            content_encoding: text(CONTENT_ENCODING),
            etag: text(ETAG),
            last_modified: text(LAST_MODIFIED),
            cache_max_age: headers::max_age(&head.headers),
            body: Vec::new(),
            headers_text: headers_text(head),
        }
    }
}

fn headers_text(head: &http::response::Parts) -> String {
    let mut text = String::with_capacity(64 + head.headers.len() * 48);
    let said = head.extensions.get::<hyper::ext::ReasonPhrase>();
    let reason = match said {
        Some(phrase) => String::from_utf8_lossy(phrase.as_bytes()),
        None => head.status.canonical_reason().unwrap_or_default().into(),
    };
    let _ = write!(text, "{:?} {} {reason}\r\n", head.version, head.status.as_str());
    push_headers(&mut text, &head.headers);
    text
}

fn push_headers(text: &mut String, headers: &HeaderMap) {
    for (name, value) in headers {
        text.push_str(name.as_str());
        text.push_str(": ");
        text.push_str(&String::from_utf8_lossy(value.as_bytes()));
        text.push_str("\r\n");
    }
}
