//! Watches on parts of pages: list, add, change, remove, and what they saw.

use super::extract::{Body, Id, Params};
use super::watch_views::{ChangeView, Seen, WatchView};
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::problem::Problem;
use crate::watches;
use axum::Json;
use axum::extract::State;
use engine::WatchWish;
use http::StatusCode;
use model::{ChangeId, SourceId, WatchId};
use serde::Deserialize;
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

const MOST_CHANGES: usize = 200;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only those on the page of this source, by its number.
    source: Option<i64>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// Only changes before this one, by its number.
    before: Option<i64>,
    /// At most this many; 50 unless said, 200 at most.
    limit: Option<usize>,
}

/// What can be set about a watch. What is left out stays as it is, or takes its default; an empty text takes
/// a setting away.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct WatchSettings {
    /// What it is called; by default after what it looks at.
    name: Option<String>,
    /// What it looks at: `text`, `links`, `images`, `keyword recall`, `phrase sold out`, `table 2`, `list`, `css .price`,
    /// `css img.hero @src` or `regex (\d+) left`.
    what: Option<String>,
    /// Only inside what this CSS selector matches.
    within: Option<String>,
    /// Lines that match this regular expression are left out.
    ignore: Option<String>,
    /// When a look counts: `every visit`, `every 30 minutes` or `at 09:00, 17:30 on mon-fri`.
    when: Option<String>,
    /// Tell only when the first number has moved so far since the last telling: `up 5`, `down 10 %`, `by 2`.
    moved: Option<String>,
    /// It ends when one of these holds: `after 2026-12-31`, `told 3 times`, `contains sold out`, `lacks in stock`,
    /// `above 100`, `below 5`.
    stops: Option<Vec<String>>,
    /// Which changes are told: `always`, `appears sold out`, `disappears in stock`, `above 100`, `below 5`, `words 10`.
    notify: Option<String>,
    /// The time zone of its times, by its IANA name; this machine's unless said.
    zone: Option<String>,
}

impl From<WatchSettings> for WatchWish {
    fn from(settings: WatchSettings) -> Self {
        Self {
            name: settings.name,
            what: settings.what,
            within: settings.within,
            ignore: settings.ignore,
            when: settings.when,
            moved: settings.moved,
            stops: settings.stops,
            notify: settings.notify,
            zone: settings.zone,
        }
    }
}

/// A watch to make: on a source, or on a URL, which becomes a source if it is none yet.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct AddWatch {
    source_id: Option<i64>,
    url: Option<String>,
    #[serde(flatten)]
    settings: WatchSettings,
    #[serde(flatten)]
    #[schema(ignore)]
    unknown: Unknown,
}

/// A change to a watch. One that has ended begins anew when its settings are changed.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct EditWatch {
    /// Pause or resume.
    paused: Option<bool>,
    #[serde(flatten)]
    settings: WatchSettings,
    #[serde(flatten)]
    #[schema(ignore)]
    unknown: Unknown,
}

/// Fields that mean nothing: refused, for they may be typing mistakes.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
struct Unknown(BTreeMap<String, serde_json::Value>);

impl Unknown {
    fn refuse(&self) -> Result<(), Problem> {
        match self.0.keys().next() {
            Some(name) => Err(Problem::bad_request(format!("unknown field `{name}`"))),
            None => Ok(()),
        }
    }
}

/// A part to look at, now, without storing anything.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TryWatch {
    url: String,
    what: String,
    within: Option<String>,
    ignore: Option<String>,
}

/// The watches, in the order they were made.
#[utoipa::path(
    get, path = "/watches", tag = "watches", operation_id = "list_watches", params(Wanted),
    responses((status = 200, body = Vec<WatchView>), (status = 400, body = ErrorBody))
)]
pub(crate) async fn list(
    State(app): State<App>,
    Params(wanted): Params<Wanted>,
) -> Result<Json<Vec<WatchView>>, Refusal> {
    let watches = app.store().watches(wanted.source.map(SourceId)).await?;
    Ok(Json(watches.into_iter().map(WatchView::from).collect()))
}

/// Makes a watch on a part of a page. One fetch serves all watches of a page; the page is visited as soon as manners allow.
#[utoipa::path(
    post, path = "/watches", tag = "watches", operation_id = "add_watch", request_body = AddWatch,
    responses((status = 201, body = WatchView), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn add(
    State(app): State<App>,
    Body(new): Body<AddWatch>,
) -> Result<(StatusCode, Json<WatchView>), Refusal> {
    new.unknown.refuse()?;
    let on = watches::On { source: new.source_id.map(SourceId), url: new.url.as_deref() };
    let watch = watches::add(&app, &on, &new.settings.into()).await?;
    Ok((StatusCode::CREATED, Json(watch.into())))
}

/// One watch.
#[utoipa::path(
    get, path = "/watches/{id}", tag = "watches", operation_id = "get_watch", params(("id" = i64, Path)),
    responses((status = 200, body = WatchView), (status = 404, body = ErrorBody))
)]
pub(crate) async fn one(State(app): State<App>, Id(id): Id) -> Result<Json<WatchView>, Refusal> {
    Ok(Json(app.store().watch(WatchId(id)).await?.into()))
}

/// Changes a watch.
#[utoipa::path(
    patch, path = "/watches/{id}", tag = "watches", operation_id = "edit_watch", params(("id" = i64, Path)),
    request_body = EditWatch,
    responses((status = 200, body = WatchView), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn edit(
    State(app): State<App>,
    Id(id): Id,
    Body(edit): Body<EditWatch>,
) -> Result<Json<WatchView>, Refusal> {
    edit.unknown.refuse()?;
    let id = WatchId(id);
    let wish: WatchWish = edit.settings.into();
    if wish != WatchWish::default() {
        watches::change(&app, id, &wish).await?;
    }
    if let Some(paused) = edit.paused {
        watches::pause(&app, id, paused).await?;
    }
    Ok(Json(app.store().watch(id).await?.into()))
}

/// Removes a watch and what it saw.
#[utoipa::path(
    delete, path = "/watches/{id}", tag = "watches", operation_id = "remove_watch", params(("id" = i64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody))
)]
pub(crate) async fn remove(State(app): State<App>, Id(id): Id) -> Result<StatusCode, Refusal> {
    watches::remove(&app, WatchId(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What a watch saw change, newest first, told or not.
#[utoipa::path(
    get, path = "/watches/{id}/changes", tag = "watches", operation_id = "list_changes", params(("id" = i64, Path), Page),
    responses((status = 200, body = Vec<ChangeView>), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody))
)]
pub(crate) async fn changes(
    State(app): State<App>,
    Id(id): Id,
    Params(page): Params<Page>,
) -> Result<Json<Vec<ChangeView>>, Refusal> {
    let id = app.store().watch(WatchId(id)).await?.id;
    let limit = page.limit.unwrap_or(50).min(MOST_CHANGES);
    let changes = app.store().part_changes(id, page.before.map(ChangeId), limit).await?;
    Ok(Json(changes.into_iter().map(ChangeView::from).collect()))
}

/// What a watch would see now. Nothing is stored.
#[utoipa::path(
    post, path = "/watches/test", tag = "watches", operation_id = "test_watch", request_body = TryWatch,
    responses((status = 200, body = Seen), (status = 422, body = ErrorBody))
)]
pub(crate) async fn test(
    State(app): State<App>,
    Body(wanted): Body<TryWatch>,
) -> Result<Json<Seen>, Refusal> {
    let wish = WatchWish {
        what: Some(wanted.what),
        within: wanted.within,
        ignore: wanted.ignore,
        ..WatchWish::default()
    };
    let glance = watches::glance(&app, &wanted.url, &wish).await?;
    Ok(Json(glance.into()))
}
