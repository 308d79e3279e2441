//! From an answer to what it says: decoding and parsing, off the async threads.

use crate::worker::Worker;
use fetch::Response;
use model::{ArticlePage, FailureKind, Outcome};
use page::watches::{Aim, Sight};
use page::{Caps, Input, Listing, PageLink, Stop};
use std::borrow::Cow;
use store::StoredPage;
use url::Url;

/// What reading a source's answer gave.
pub(crate) enum Read {
    /// Byte for byte what it was the last time.
    Same,
    /// Something to look at, what the watches see of it, and the hash of its bytes.
    Listing(Box<Listing>, Vec<Sight>, i64),
    /// Not usable, and why.
    Unusable(Outcome),
}

/// What reading an article's page gave: what it says, and the page packed for storing.
pub(crate) type ReadPage = Result<(ArticlePage, StoredPage), Outcome>;

/// Reads a source's answer.
pub(crate) async fn listing(
    worker: &Worker,
    response: Response,
    url: Url,
    selector: Option<String>,
    aims: Vec<Aim>,
    last_hash: Option<i64>,
) -> Read {
    let caps = worker.settings.caps;
    let read = move || {
        let hash = page::content_hash(&response.body);
        if last_hash == Some(hash) {
            return Read::Same;
        }
        match read_page(&response, &url, selector.as_deref(), &aims, &caps) {
            Ok((listing, sights)) => Read::Listing(Box::new(listing), sights, hash),
            Err(outcome) => Read::Unusable(outcome),
        }
    };
    worker.on_cpu(read).await.unwrap_or_else(|| Read::Unusable(gave_up()))
}

/// Reads an answer as a listing, without comparing it to anything.
pub(crate) fn read_listing(
    response: &Response,
    url: &Url,
    selector: Option<&str>,
    caps: &Caps,
) -> Result<Listing, Outcome> {
    read_page(response, url, selector, &[], caps).map(|(listing, _)| listing)
}

/// The same, and what watches see of it: one reading for all.
pub(crate) fn read_page(
    response: &Response,
    url: &Url,
    selector: Option<&str>,
    aims: &[Aim],
    caps: &Caps,
) -> Result<(Listing, Vec<Sight>), Outcome> {
    let bytes = decoded(response, caps)?;
    let input = Input { url, content_type: response.content_type.as_deref(), bytes: &bytes };
    let (listing, sights) = page::read_page(&input, selector, aims, caps);
    if listing.challenge {
        return Err(challenge());
    }
    if listing.format == page::UNREADABLE_FEED && listing.articles.is_empty() {
        let detail = listing.notes.first().cloned().unwrap_or_else(|| "the feed is broken".into());
        return Err(Outcome::Failed { kind: FailureKind::Decoding, detail });
    }
    Ok((listing, sights))
}

/// All links of an answer, if it is HTML.
pub(crate) fn read_links(response: &Response, url: &Url, caps: &Caps) -> Vec<PageLink> {
    let content_type = response.content_type.as_deref();
    match decoded(response, caps) {
        Ok(bytes) => page::read_links(&Input { url, content_type, bytes: &bytes }, caps),
        Err(_) => Vec::new(),
    }
}

/// Reads an article's page and packs it for storing.
pub(crate) async fn article(worker: &Worker, response: Response, url: Url) -> ReadPage {
    let caps = worker.settings.caps;
    let now = worker.clock.now();
    let read = move || {
        let article = {
            let bytes = decoded(&response, &caps)?;
            let input = Input { url: &url, content_type: response.content_type.as_deref(), bytes: &bytes };
            page::read_article(&input, &caps)
        };
        if article.challenge {
            return Err(challenge());
        }
        let Response { headers_text, content_type, content_encoding, body, .. } = response;
        let page = StoredPage::pack(now, url.into(), headers_text, content_type, content_encoding, body);
        Ok((article, page))
    };
    worker.on_cpu(read).await.unwrap_or_else(|| Err(gave_up()))
}

pub(crate) fn decoded<'a>(response: &'a Response, caps: &Caps) -> Result<Cow<'a, [u8]>, Outcome> {
    let decoded = page::decode(&response.body, response.content_encoding.as_deref(), caps);
    let undecodable = |detail| Outcome::Failed { kind: FailureKind::Decoding, detail };
    match decoded.stopped {
        None if decoded.bytes.iter().all(u8::is_ascii_whitespace) => {
            Err(Outcome::Failed { kind: FailureKind::Empty, detail: "the page has nothing in it".into() })
        }
        None => Ok(decoded.bytes),
        Some(Stop::Cap(cap)) => Err(Outcome::Truncated { cap }),
        Some(Stop::Broken(why)) => Err(undecodable(why)),
        Some(Stop::UnknownEncoding(name)) => Err(undecodable(format!("unknown content encoding “{name}”"))),
    }
}

pub(crate) fn challenge() -> Outcome {
    Outcome::Failed {
        kind: FailureKind::Challenge,
        detail: "the site answered with a captcha or browser check instead of its page".into(),
    }
}

fn gave_up() -> Outcome {
    Outcome::Failed {
        kind: FailureKind::Internal,
        detail: "the page could not be read; please report it".into(),
    }
}
