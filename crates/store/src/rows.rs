//! Between SQL values and the nouns of `model`.

use crate::StoreError;
use crate::database::{self, DatabaseError, Row};
use jiff::Timestamp;
use model::{
    Article, ArticleId, BodyState, HostId, Outcome, Source, SourceId, SourceKind, SourceState, Validators,
};
use std::time::Duration;
use url::Url;

/// A column that does not hold what the schema promises: a damaged file, never the user's fault.
pub(crate) fn odd(column: &str, error: impl std::error::Error) -> DatabaseError {
    tracing::error!(column, %error, "a stored value cannot be read");
    DatabaseError::Odd { column: column.to_owned(), detail: error.to_string() }
}

pub(crate) fn ms(at: Timestamp) -> i64 {
    at.as_millisecond()
}

pub(crate) fn span_ms(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

pub(crate) fn time(row: &Row<'_>, column: &str) -> database::Result<Timestamp> {
    Timestamp::from_millisecond(row.get(column)?).map_err(|error| odd(column, error))
}

pub(crate) fn maybe_time(row: &Row<'_>, column: &str) -> database::Result<Option<Timestamp>> {
    let value: Option<i64> = row.get(column)?;
    value.map(Timestamp::from_millisecond).transpose().map_err(|error| odd(column, error))
}

pub(crate) fn maybe_span(row: &Row<'_>, column: &str) -> database::Result<Option<Duration>> {
    let value: Option<i64> = row.get(column)?;
    Ok(value.map(|ms| Duration::from_millis(ms.unsigned_abs())))
}

pub(crate) fn url(row: &Row<'_>, column: &str) -> database::Result<Url> {
    let text: String = row.get(column)?;
    Url::parse(&text).map_err(|error| odd(column, error))
}

pub(crate) fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: &str) -> database::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| odd(column, error))
}

pub(crate) fn maybe_json<T: serde::de::DeserializeOwned>(
    row: &Row<'_>,
    column: &str,
) -> database::Result<Option<T>> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| serde_json::from_str(&text).map_err(|error| odd(column, error))).transpose()
}

pub(crate) fn maybe_outcome(row: &Row<'_>, column: &str) -> database::Result<Option<Outcome>> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| serde_json::from_str(&text)).transpose().map_err(|error| odd(column, error))
}

/// To JSON text. Our own types always serialise; an error would be a fault of the program.
pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Sql(odd("json", error)))
}

pub(crate) fn source(row: &Row<'_>) -> database::Result<Source> {
    let kind: Option<String> = row.get("kind")?;
    Ok(Source {
        id: SourceId(row.get("id")?),
        url: url(row, "url")?,
        host_id: HostId(row.get("host_id")?),
        title: row.get("title")?,
        kind: kind.as_deref().and_then(SourceKind::from_word),
        selector: row.get("selector")?,
        interval: maybe_span(row, "interval_ms")?,
        paused: row.get("paused")?,
        added_at: time(row, "added_at")?,
        state: SourceState {
            last_visit_at: maybe_time(row, "last_visit_at")?,
            last_outcome: maybe_outcome(row, "last_outcome")?,
            last_success_at: maybe_time(row, "last_success_at")?,
            last_new_at: maybe_time(row, "last_new_at")?,
            failures: row.get("failures")?,
            next_at: maybe_time(row, "next_at")?,
            next_reason: row.get("next_reason")?,
            validators: Validators {
                etag: row.get("etag")?,
                last_modified: row.get("last_modified")?,
                content_hash: row.get("content_hash")?,
            },
            articles: row.get::<_, i64>("articles")?.unsigned_abs(),
        },
    })
}

/// What [`article`] reads; join `source` as `s`.
pub(crate) const ARTICLE_COLUMNS: &str = "a.id, a.url, a.title, a.published_at, a.first_seen_at, a.source_id, \
    coalesce(s.title, s.url) AS source_title, a.language, a.summary, a.body, a.read, a.starred";

pub(crate) fn article(row: &Row<'_>) -> database::Result<Article> {
    let url = url(row, "url")?;
    let body: String = row.get("body")?;
    let source_title: Option<String> = row.get("source_title")?;
    Ok(Article {
        id: ArticleId(row.get("id")?),
        title: row.get("title")?,
        published_at: maybe_time(row, "published_at")?,
        first_seen_at: time(row, "first_seen_at")?,
        source_id: row.get::<_, Option<i64>>("source_id")?.map(SourceId),
        // A source may be removed; its articles stay and are then named by their site.
        source_title: source_title.unwrap_or_else(|| url.host_str().unwrap_or_default().to_owned()),
        language: row.get("language")?,
        summary: row.get("summary")?,
        body: BodyState::from_word(&body).unwrap_or(BodyState::Missing),
        read: row.get("read")?,
        starred: row.get("starred")?,
        url,
    })
}
