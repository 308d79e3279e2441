//! Deliveries: each message on its way through each channel.

use super::extract::{Id, Params, limit};
use super::views::DeliveryView;
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use model::{ChannelId, DeliveryId};
use serde::Deserialize;
use store::{DeliveryFilter, DeliveryState};
use utoipa::IntoParams;

/// Which deliveries.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those through this channel.
    channel: Option<i64>,
    /// Only those that stand so: `waiting`, `delivered` or `given_up`.
    state: Option<String>,
    /// At most this many, 1 to 1000.
    limit: Option<i64>,
}

/// Deliveries, newest first.
#[utoipa::path(
    get, path = "/deliveries", tag = "telling", operation_id = "list_deliveries", params(Which),
    responses((status = 200, body = Vec<DeliveryView>), (status = 400, body = ErrorBody))
)]
pub(crate) async fn list(
    State(app): State<App>,
    Params(which): Params<Which>,
) -> Result<Json<Vec<DeliveryView>>, Refusal> {
    let known = |word: String| {
        let state = DeliveryState::from_word(&word);
        state.ok_or_else(|| Problem::bad_request("state must be waiting, delivered or given_up"))
    };
    let filter = DeliveryFilter {
        channel: which.channel.map(ChannelId),
        state: which.state.map(known).transpose()?,
        limit: limit(which.limit, 50)?,
    };
    let deliveries = app.store().deliveries(filter).await?;
    Ok(Json(deliveries.into_iter().map(DeliveryView::from).collect()))
}

/// Tries a delivery again now, although it was given up or waits for its time.
#[utoipa::path(
    post, path = "/deliveries/{id}/retry", tag = "telling", operation_id = "retry_delivery",
    params(("id" = i64, Path)),
    responses((status = 200, body = DeliveryView), (status = 404, body = ErrorBody))
)]
pub(crate) async fn retry(State(app): State<App>, Id(id): Id) -> Result<Json<DeliveryView>, Refusal> {
    app.store().retry_delivery(DeliveryId(id), app.now()).await?;
    app.engine.tell();
    Ok(Json(app.store().delivery(DeliveryId(id)).await?.into()))
}
