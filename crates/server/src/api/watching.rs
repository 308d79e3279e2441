//! How folders are watched.

use super::extract::Body;
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::events::set_watching;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use store::WatchSettings;
use utoipa::ToSchema;

/// How folders are watched.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Watching {
    /// What decides: `default`, `day-hour`, `dc1`, `grubbs`, `negative-binomial`, `ears` or `cusum`.
    detector: String,
    /// What an event causes: `none`, `day-hour` (similar sources at once) or `dc1` (the whole folder every ten minutes).
    reaction: String,
    /// The IANA name of the zone whose hours of the week count.
    zone: String,
    /// Minutes of a window: 15 to 1440, a divisor of the day.
    window_minutes: u32,
    /// Visits that events may cause on one host within an hour.
    visits_per_host_and_hour: u32,
}

impl From<WatchSettings> for Watching {
    fn from(settings: WatchSettings) -> Self {
        Self {
            detector: settings.detector.to_string(),
            reaction: settings.reaction.to_string(),
            zone: settings.zone,
            window_minutes: settings.window_minutes,
            visits_per_host_and_hour: settings.visits_per_host_and_hour,
        }
    }
}

/// How folders are watched.
#[utoipa::path(
    get, path = "/watching", tag = "events", operation_id = "get_watching", responses((status = 200, body = Watching))
)]
pub(crate) async fn show(State(app): State<App>) -> Result<Json<Watching>, Refusal> {
    Ok(Json(app.store().watch_settings().await?.unwrap_or_default().into()))
}

/// Changes how folders are watched, all of it. Another detector learns from the stored history at once.
#[utoipa::path(
    put, path = "/watching", tag = "events", operation_id = "set_watching", request_body = Watching,
    responses((status = 200, body = Watching), (status = 400, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn change(
    State(app): State<App>,
    Body(wanted): Body<Watching>,
) -> Result<Json<Watching>, Refusal> {
    let settings = WatchSettings {
        detector: wanted.detector.parse().map_err(Problem::invalid)?,
        reaction: wanted.reaction.parse().map_err(Problem::invalid)?,
        zone: wanted.zone,
        window_minutes: wanted.window_minutes,
        visits_per_host_and_hour: wanted.visits_per_host_and_hour,
    };
    set_watching(&app, settings).await?;
    show(State(app)).await
}
