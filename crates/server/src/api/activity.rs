//! What goes on in a folder.

use super::event_views::Window;
use super::extract::{Id, Params};
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use model::FolderId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// How far to go back, 1 to 400 days; 14 unless said.
    days: Option<i64>,
}

/// What goes on in a folder.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Activity {
    /// Oldest first; the last one may still be going on. Windows in which nothing was seen are missing, not zero.
    windows: Vec<Window>,
    /// Articles a week in each hour of the week: seven days, Monday first, of 24 hours.
    #[schema(value_type = Vec<Vec<f64>>)]
    week: store::HourOfWeek,
    /// The IANA name of the zone of those hours.
    zone: String,
    /// The sources that cover it, most articles first.
    covered_by: Vec<CoveredBy>,
}

/// A source that covers a folder.
#[derive(Debug, Serialize, ToSchema)]
struct CoveredBy {
    source_id: i64,
    articles: u32,
    /// As active here as the most active one: from 0 to 1.
    similarity: f64,
}

/// A folder's windows against what was expected, its mean week, and who covers it.
#[utoipa::path(
    get, path = "/folders/{id}/activity", tag = "events", operation_id = "folder_activity",
    params(("id" = i64, Path), Wanted),
    responses((status = 200, body = Activity), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody))
)]
pub(crate) async fn show(
    State(app): State<App>,
    Id(id): Id,
    Params(wanted): Params<Wanted>,
) -> Result<Json<Activity>, Refusal> {
    let days = wanted.days.unwrap_or(14);
    if !(1..=400).contains(&days) {
        return Err(Problem::bad_request("days must be between 1 and 400").into());
    }
    let (id, store, now) = (FolderId(id), app.store(), app.now());
    if store.knowledge(move |base| base.folders().get(id).is_none()).await? {
        return Err(Problem::not_found(format!("there is no folder {id}")).into());
    }
    let since = now.checked_sub(SignedDuration::from_hours(days * 24)).unwrap_or(Timestamp::MIN);
    let settings = store.watch_settings().await?.unwrap_or_default();
    let zone = TimeZone::get(&settings.zone).unwrap_or(TimeZone::UTC);
    let windows = store.folder_windows(id, since, now).await?;
    let most = store.covering(id, None).await?.first().map(|first| first.source);
    let covering = store.covering(id, most).await?.into_iter().map(|one| CoveredBy {
        source_id: one.source.0,
        articles: one.articles,
        similarity: one.similarity,
    });
    Ok(Json(Activity {
        windows: windows.into_iter().map(Window::from).collect(),
        week: store.folder_week(id, since, now, zone).await?,
        zone: settings.zone,
        covered_by: covering.collect(),
    }))
}
