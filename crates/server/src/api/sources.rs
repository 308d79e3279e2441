//! Sources: list, add, change, remove, visit.

use super::extract::{Body, Change, Id, Params, limit};
use super::views::{Source, Visit};
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::problem::Problem;
use crate::watching::{self, Wish, seconds};
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{HeaderName, LOCATION};
use http::{HeaderValue, StatusCode};
use model::SourceId;
use serde::Deserialize;
use store::{SourceEdit, SourceFilter};
use utoipa::{IntoParams, ToSchema};

/// How many there are in all.
const TOTAL: HeaderName = HeaderName::from_static("x-total-count");

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only those whose title or URL contains this.
    search: Option<String>,
    /// At most this many, 1 to 1000; 100 unless said.
    limit: Option<i64>,
    /// Skip this many.
    offset: Option<u32>,
}

/// Sources by name. `X-Total-Count` says how many there are in all.
#[utoipa::path(
    get, path = "/sources", tag = "sources", operation_id = "list_sources", params(Wanted),
    responses((status = 200, body = Vec<Source>, headers(("X-Total-Count" = u64))), (status = 400, body = ErrorBody))
)]
pub(crate) async fn list(
    State(app): State<App>,
    Params(wanted): Params<Wanted>,
) -> Result<Response, Refusal> {
    let filter = SourceFilter {
        search: super::articles::search(wanted.search.as_deref())?,
        offset: wanted.offset.unwrap_or(0) as usize,
        limit: limit(wanted.limit, 100)?,
        ..SourceFilter::default()
    };
    let page = app.store().sources_page(filter).await?;
    let sources: Vec<Source> = page.sources.into_iter().map(|source| Source::new(source, &app)).collect();
    Ok(([(TOTAL, HeaderValue::from(page.total))], Json(sources)).into_response())
}

/// A source to watch.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddSource {
    /// The address of a page, feed or sitemap; `https://` is added if there is no scheme.
    url: String,
    /// What to call it; the page's own title unless said.
    title: Option<String>,
    /// CSS selector that says where the articles are on a list page.
    selector: Option<String>,
    /// Your own interval, 60 to 2,592,000; the policy decides unless said.
    interval_seconds: Option<u64>,
}

/// Starts watching a source. Its first visit follows at once.
#[utoipa::path(
    post, path = "/sources", tag = "sources", operation_id = "add_source", request_body = AddSource,
    responses((status = 201, body = Source, headers(("Location" = String))),
        (status = 409, body = ErrorBody, description = "Already watched"), (status = 422, body = ErrorBody))
)]
pub(crate) async fn add(State(app): State<App>, Body(new): Body<AddSource>) -> Result<Response, Refusal> {
    let wish = Wish {
        url: &new.url,
        title: new.title.as_deref(),
        selector: new.selector.as_deref(),
        interval: new.interval_seconds.map(seconds),
    };
    let id = watching::add(&app, &wish).await?;
    let source = Source::new(app.store().source(id).await?, &app);
    Ok((StatusCode::CREATED, [(LOCATION, format!("/api/v1/sources/{id}"))], Json(source)).into_response())
}

/// One source.
#[utoipa::path(
    get, path = "/sources/{id}", tag = "sources", operation_id = "get_source", params(("id" = i64, Path)),
    responses((status = 200, body = Source), (status = 404, body = ErrorBody))
)]
pub(crate) async fn one(State(app): State<App>, Id(id): Id) -> Result<Json<Source>, Refusal> {
    Ok(Json(Source::new(app.store().source(SourceId(id)).await?, &app)))
}

/// What to change; a field left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditSource {
    /// The new title; null or empty returns to the page's own.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    title: Change<String>,
    /// The new selector; null or empty removes it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    selector: Change<String>,
    /// The new interval; null leaves it to the policy.
    #[serde(default)]
    #[schema(value_type = Option<u64>)]
    interval_seconds: Change<u64>,
    /// Pause or resume.
    paused: Option<bool>,
}

/// Changes a source.
#[utoipa::path(
    patch, path = "/sources/{id}", tag = "sources", operation_id = "edit_source", params(("id" = i64, Path)),
    request_body = EditSource,
    responses((status = 200, body = Source), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn edit(
    State(app): State<App>,
    Id(id): Id,
    Body(edit): Body<EditSource>,
) -> Result<Json<Source>, Refusal> {
    let edit = SourceEdit {
        title: edit.title.into_text(),
        selector: edit.selector.into_text(),
        interval: match edit.interval_seconds {
            Change::Keep => None,
            Change::Empty => Some(None),
            Change::Set(interval) => Some(Some(seconds(interval))),
        },
        paused: edit.paused,
    };
    Ok(Json(Source::new(watching::edit(&app, SourceId(id), edit).await?, &app)))
}

/// Stops watching a source. Its articles stay.
#[utoipa::path(
    delete, path = "/sources/{id}", tag = "sources", operation_id = "remove_source", params(("id" = i64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody))
)]
pub(crate) async fn remove(State(app): State<App>, Id(id): Id) -> Result<StatusCode, Refusal> {
    watching::remove(&app, SourceId(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Limit {
    /// At most this many, 1 to 1000; 50 unless said.
    limit: Option<i64>,
}

impl Limit {
    pub(crate) fn get(&self) -> Result<usize, Problem> {
        limit(self.limit, 50)
    }
}

/// The last visits to a source, newest first.
#[utoipa::path(
    get, path = "/sources/{id}/visits", tag = "sources", operation_id = "list_visits",
    params(("id" = i64, Path), Limit),
    responses((status = 200, body = Vec<Visit>), (status = 404, body = ErrorBody))
)]
pub(crate) async fn visits(
    State(app): State<App>,
    Id(id): Id,
    Params(limit): Params<Limit>,
) -> Result<Json<Vec<Visit>>, Refusal> {
    let source = app.store().source(SourceId(id)).await?;
    let visits = app.store().visits_of(source.id, limit.get()?).await?;
    Ok(Json(visits.into_iter().map(Visit::from).collect()))
}

/// Visits a source as soon as manners allow.
#[utoipa::path(
    post, path = "/sources/{id}/visit", tag = "sources", operation_id = "visit_source", params(("id" = i64, Path)),
    responses((status = 202, body = Source), (status = 404, body = ErrorBody))
)]
pub(crate) async fn visit(State(app): State<App>, Id(id): Id) -> Result<(StatusCode, Json<Source>), Refusal> {
    watching::visit_soon(&app, SourceId(id)).await?;
    Ok((StatusCode::ACCEPTED, one(State(app), Id(id)).await?))
}
