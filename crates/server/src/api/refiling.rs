//! Filing stored articles anew: how far it has come.

use super::Refusal;
use crate::app::App;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// How far filing stored articles anew has come.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Refiling {
    /// The version of the knowledge it is done for.
    version: i64,
    /// Articles looked at.
    done: u64,
    /// Articles still to be looked at.
    left: u64,
    /// Articles whose folders or rules changed.
    changed: u64,
    /// A person stopped it.
    stopped: bool,
    /// All articles are filed by the knowledge as it is.
    finished: bool,
}

impl From<store::Refiling> for Refiling {
    fn from(refiling: store::Refiling) -> Self {
        let finished = refiling.is_finished();
        let store::Refiling { version, done, left, changed, stopped } = refiling;
        Self { version, done, left, changed, stopped, finished }
    }
}

/// How far filing stored articles anew has come.
#[utoipa::path(
    get, path = "/refiling", tag = "rules", operation_id = "refiling", responses((status = 200, body = Refiling))
)]
pub(crate) async fn show(State(app): State<App>) -> Result<Json<Refiling>, Refusal> {
    Ok(Json(app.store().refiling().await?.into()))
}

/// Stops filing anew. Articles not looked at yet stay as they are filed.
#[utoipa::path(
    post, path = "/refiling/stop", tag = "rules", operation_id = "stop_refiling",
    responses((status = 200, body = Refiling))
)]
pub(crate) async fn stop(State(app): State<App>) -> Result<Json<Refiling>, Refusal> {
    steer(&app, true).await
}

/// Lets filing anew go on.
#[utoipa::path(
    post, path = "/refiling/resume", tag = "rules", operation_id = "resume_refiling",
    responses((status = 200, body = Refiling))
)]
pub(crate) async fn resume(State(app): State<App>) -> Result<Json<Refiling>, Refusal> {
    steer(&app, false).await
}

async fn steer(app: &App, stop: bool) -> Result<Json<Refiling>, Refusal> {
    let refiling = app.store().stop_refiling(stop).await?;
    app.engine.knowledge_changed();
    Ok(Json(refiling.into()))
}
