//! What is asked.

use crate::settings::Settings;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use model::Validators;
use std::time::Duration;
use url::Url;

/// One page to get.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Where it is.
    pub url: &'a Url,
    /// What an earlier answer told us, so that an unchanged page costs nothing.
    pub validators: Option<&'a Validators>,
    /// What is hoped for.
    pub accept: Accept,
    /// Headers the user wants to send besides ours. Never sent to another origin.
    pub headers: &'a [(String, String)],
    /// How long politeness may make us wait before each hop, on the fetcher's clock. If it would take longer,
    /// the answer is `Busy` with status [`OWN_MANNERS`](crate::OWN_MANNERS).
    pub patience: Duration,
}

/// What is hoped for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Accept {
    /// Whatever it is.
    #[default]
    Any,
    /// A page.
    Html,
    /// A feed; a page is fine as well.
    Feed,
    /// robots.txt: plain text, not compressed.
    Robots,
}

/// The headers common to all requests of a fetcher: cloning them copies no text.
#[derive(Debug)]
pub(crate) struct Templates {
    user_agent: HeaderValue,
}

impl Templates {
    /// `None` if the user agent does not fit into a header.
    pub(crate) fn new(settings: &Settings) -> Option<Self> {
        Some(Self { user_agent: HeaderValue::from_str(&settings.user_agent).ok()? })
    }

    /// The headers every server gets to see.
    pub(crate) fn plain(&self, accept: Accept) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(USER_AGENT, self.user_agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static(accept.text()));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accept.encodings()));
        headers
    }

    /// Those, and what only the origin of the request's own URL gets to see. `Err` names a header that cannot be sent.
    pub(crate) fn personal(&self, request: &Request<'_>) -> Result<HeaderMap, String> {
        let mut headers = self.plain(request.accept);
        add(&mut headers, request.headers)?;
        if let Some(validators) = request.validators {
            let fields = [(IF_NONE_MATCH, &validators.etag), (IF_MODIFIED_SINCE, &validators.last_modified)];
            for (name, value) in fields {
                // What the server once sent us may be anything: unsendable means unconditional.
                if let Some(value) = value.as_deref().and_then(|text| HeaderValue::from_str(text).ok()) {
                    headers.insert(name, value);
                }
            }
        }
        Ok(headers)
    }
}

/// Adds headers of the caller's own. `Err` names one that cannot be sent.
pub(crate) fn add(headers: &mut HeaderMap, own: &[(String, String)]) -> Result<(), String> {
    for (name, value) in own {
        let unusable = || format!("the header {name:?} cannot be sent");
        let key = HeaderName::try_from(name.as_str()).map_err(|_| unusable())?;
        if OURS.contains(&key) {
            return Err(unusable());
        }
        headers.insert(key, HeaderValue::from_str(value).map_err(|_| unusable())?);
    }
    Ok(())
}

/// Whether a 304 would make sense as an answer.
pub(crate) fn is_conditional(headers: &HeaderMap) -> bool {
    headers.contains_key(IF_NONE_MATCH) || headers.contains_key(IF_MODIFIED_SINCE)
}

/// Headers that frame the message. Setting them from outside could smuggle a second request.
const OURS: [HeaderName; 7] = [HOST, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING, TE, TRAILER, UPGRADE];

impl Accept {
    fn text(self) -> &'static str {
        match self {
            Self::Any => "*/*",
            Self::Html => "text/html, application/xhtml+xml, */*;q=0.5",
            Self::Feed => {
                "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, \
                 text/html;q=0.8, */*;q=0.5"
            }
            Self::Robots => "text/plain, */*;q=0.5",
        }
    }

    fn encodings(self) -> &'static str {
        match self {
            Self::Robots => "identity",
            _ => "gzip, br, zstd, deflate",
        }
    }
}
