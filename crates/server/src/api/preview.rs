//! A look at an address before it becomes a source. Nothing is stored.

use super::extract::Body;
use super::views::Outcome;
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::watching;
use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What to look at.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Look {
    /// The address.
    url: String,
    /// CSS selector that says where the articles are.
    selector: Option<String>,
}

/// What an address would be as a source.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Preview {
    outcome: Outcome,
    /// Where it led in the end.
    final_url: String,
    /// The source that already watches it.
    source_id: Option<i64>,
    /// `feed`, `article_list`, `sitemap` or `page`; null if it could not be read.
    kind: Option<&'static str>,
    format: Option<&'static str>,
    title: Option<String>,
    articles: Vec<Found>,
    /// Feeds the page offers.
    feeds: Vec<Feed>,
    notes: Vec<String>,
}

/// An article a listing shows.
#[derive(Debug, Serialize, ToSchema)]
struct Found {
    url: String,
    title: String,
    #[schema(value_type = Option<String>, format = DateTime)]
    published_at: Option<Timestamp>,
    summary: Option<String>,
}

/// A feed a page offers.
#[derive(Debug, Serialize, ToSchema)]
struct Feed {
    url: String,
    title: Option<String>,
}

/// Looks at an address: what would it be as a source? Nothing is stored.
#[utoipa::path(
    post, path = "/preview", tag = "sources", operation_id = "preview", request_body = Look,
    responses((status = 200, body = Preview), (status = 422, body = ErrorBody))
)]
pub(crate) async fn preview(
    State(app): State<App>,
    Body(look): Body<Look>,
) -> Result<Json<Preview>, Refusal> {
    let url = watching::address(&look.url)?;
    let selector = look.selector.as_deref().map(str::trim).filter(|selector| !selector.is_empty());
    watching::check_selector(selector)?;
    let known = app.store().source_by_url(url.clone()).await?;
    let seen = app.engine.preview(&url, selector).await;
    let mut preview = Preview {
        outcome: seen.outcome.into(),
        final_url: seen.final_url.into(),
        source_id: known.map(|source| source.id.0),
        kind: None,
        format: None,
        title: None,
        articles: Vec::new(),
        feeds: Vec::new(),
        notes: Vec::new(),
    };
    if let Some(listing) = seen.listing {
        preview.kind = Some(listing.kind.word());
        preview.format = Some(listing.format);
        preview.title = listing.title;
        preview.articles = listing.articles.into_iter().map(Found::from).collect();
        let feeds = listing.feeds.into_iter();
        preview.feeds = feeds.map(|feed| Feed { url: feed.url.into(), title: feed.title }).collect();
        preview.notes = listing.notes;
    }
    Ok(Json(preview))
}

impl From<model::Found> for Found {
    fn from(found: model::Found) -> Self {
        Self {
            url: found.url.into(),
            title: found.title,
            published_at: found.published_at,
            summary: found.summary,
        }
    }
}
