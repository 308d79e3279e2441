//! Feeds of what was found: of all articles, of a folder, of events, of watches; as Atom 1.0 and RSS 2.0.
//!
//! Feed readers cannot log in, so feeds, and nothing else, also open with a key in their address.

mod articles;
mod atom;
mod events;
mod key;
mod rss;
mod text;
mod watches;

pub(crate) use key::{current as current_key, fits as key_fits, renew as renew_key, revoke as revoke_key};

use crate::app::App;
use crate::problem::Problem;
use crate::routes::Listed;
use crate::ui::Trouble;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use http::{HeaderMap, StatusCode};
use jiff::{SignedDuration, Timestamp};
use model::{FolderId, WatchId};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use url::Url;

/// Entries of a feed, unless asked for otherwise; readers come by often enough.
const USUAL: usize = 50;
const MOST: usize = 200;

pub(crate) fn feeds() -> Listed {
    Listed::default()
        .get("/feeds/{file}", whole)
        .get("/feeds/folders/{file}", of_folder)
        .get("/feeds/watches/{file}", of_watch)
}

/// A feed before it is written down.
struct Feed {
    /// Names it for ever.
    id: String,
    title: String,
    /// Where it is itself, without key.
    own: Option<Url>,
    /// The page that shows the same.
    page: Option<Url>,
    /// Newest first.
    entries: Vec<Entry>,
}

struct Entry {
    /// Names it for ever.
    id: String,
    title: String,
    url: Option<Url>,
    published: Timestamp,
    updated: Timestamp,
    /// Plain text.
    summary: Option<String>,
    /// Who has it.
    author: Option<String>,
    categories: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
enum Format {
    Atom,
    Rss,
}

/// What may stand behind the `?`.
#[derive(Debug, Deserialize)]
struct Asked {
    limit: Option<usize>,
}

impl Asked {
    fn limit(&self) -> Result<usize, Problem> {
        match self.limit.unwrap_or(USUAL) {
            limit @ 1..=MOST => Ok(limit),
            _ => Err(Problem::bad_request(format!("limit must be between 1 and {MOST}"))),
        }
    }
}

async fn whole(
    State(app): State<App>,
    Path(file): Path<String>,
    asked: Result<Query<Asked>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let (name, format) = named(&file)?;
    let limit = limit(asked)?;
    let feed = match name {
        "articles" => articles::all(&app, limit).await?,
        "events" => events::all(&app, limit).await?,
        "watches" => watches::all(&app, limit).await?,
        _ => return Err(nothing().into()),
    };
    Ok(answer(&app, feed, &format!("/feeds/{file}"), format, &headers))
}

async fn of_folder(
    State(app): State<App>,
    Path(file): Path<String>,
    asked: Result<Query<Asked>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let (name, format) = named(&file)?;
    let id = FolderId(name.parse().map_err(|_| nothing())?);
    let feed = articles::of_folder(&app, id, limit(asked)?).await?;
    Ok(answer(&app, feed, &format!("/feeds/folders/{file}"), format, &headers))
}

async fn of_watch(
    State(app): State<App>,
    Path(file): Path<String>,
    asked: Result<Query<Asked>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let (name, format) = named(&file)?;
    let id = WatchId(name.parse().map_err(|_| nothing())?);
    let feed = watches::of_one(&app, id, limit(asked)?).await?;
    Ok(answer(&app, feed, &format!("/feeds/watches/{file}"), format, &headers))
}

fn limit(asked: Result<Query<Asked>, axum::extract::rejection::QueryRejection>) -> Result<usize, Problem> {
    asked.map_err(|error| Problem::bad_request(error.body_text()))?.limit()
}

/// `12.atom` is 12 as Atom.
fn named(file: &str) -> Result<(&str, Format), Problem> {
    match file.rsplit_once('.') {
        Some((name, "atom")) => Ok((name, Format::Atom)),
        Some((name, "rss")) => Ok((name, Format::Rss)),
        _ => Err(nothing()),
    }
}

fn nothing() -> Problem {
    Problem::not_found("there is no such feed").hint("see the Notifications page for those there are")
}

/// The feed, or "not modified" for who has it already.
fn answer(app: &App, feed: Feed, path: &str, format: Format, headers: &HeaderMap) -> Response {
    let feed = Feed { own: app.engine.public_url().join(path).ok(), ..feed };
    // Nothing in it depends on now: who has seen the newest entry has seen it all.
    let updated = feed.entries.iter().map(|entry| entry.updated).max().unwrap_or(Timestamp::UNIX_EPOCH);
    let (kind, body) = match format {
        Format::Atom => ("application/atom+xml; charset=utf-8", atom::write(&feed, updated)),
        Format::Rss => ("application/rss+xml; charset=utf-8", rss::write(&feed, updated)),
    };
    let Ok(body) = body else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let digest = crate::access::hex(Sha256::digest(&body).get(..16).unwrap_or_default());
    let tag = format!("\"{digest}\"");
    let same = is_same(headers, &tag, updated);
    let known =
        [(ETAG, tag), (LAST_MODIFIED, text::http_date(updated)), (CACHE_CONTROL, "private, no-cache".into())];
    if same {
        return (StatusCode::NOT_MODIFIED, known).into_response();
    }
    (known, [(CONTENT_TYPE, kind)], body).into_response()
}

fn is_same(headers: &HeaderMap, tag: &str, updated: Timestamp) -> bool {
    let text = |name| headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok());
    if let Some(tags) = text(IF_NONE_MATCH) {
        return tags
            .split(',')
            .map(|one| one.trim().trim_start_matches("W/"))
            .any(|one| one == tag || one == "*");
    }
    let since = text(IF_MODIFIED_SINCE).and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
    // Dates there have no fractions.
    since.is_some_and(|since| updated.duration_since(since.timestamp()) < SignedDuration::from_secs(1))
}
