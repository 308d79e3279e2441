//! The plan, and how it goes.

use super::extract::Params;
use super::sources::Limit;
use super::views::Outcome;
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::watching::name_of;
use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// A coming visit, with its reason.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlannedVisit {
    source_id: i64,
    source_title: String,
    url: String,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    reason: String,
}

/// The coming visits, earliest first.
#[utoipa::path(
    get, path = "/plan", tag = "state", operation_id = "plan", params(Limit),
    responses((status = 200, body = Vec<PlannedVisit>), (status = 400, body = ErrorBody))
)]
pub(crate) async fn plan(
    State(app): State<App>,
    Params(limit): Params<Limit>,
) -> Result<Json<Vec<PlannedVisit>>, Refusal> {
    let sources = app.store().plan(limit.get()?).await?;
    let planned = sources.into_iter().filter_map(|source| {
        Some(PlannedVisit {
            source_id: source.id.0,
            source_title: name_of(&source).to_owned(),
            at: source.state.next_at?,
            reason: source.state.next_reason,
            url: source.url.into(),
        })
    });
    Ok(Json(planned.collect()))
}

/// How it goes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// The time on the monitor's clock.
    #[schema(value_type = String, format = DateTime)]
    now: Timestamp,
    version: &'static str,
    /// The loop is running and looking for work.
    alive: bool,
    sources: u64,
    paused: u64,
    failing: u64,
    articles: u64,
    unread: u64,
    /// Articles whose page is still to be read.
    bodies_waiting: u64,
    file_bytes: u64,
    /// Visits of the last day by outcome.
    visits: Vec<VisitCounts>,
    /// Sources that should have been visited by now.
    late: Vec<LateSource>,
    /// The last deed the store refused.
    trouble: Option<Trouble>,
}

/// How often an outcome came.
#[derive(Debug, Serialize, ToSchema)]
struct VisitCounts {
    outcome: String,
    visits: u64,
    new: u64,
}

/// A source that was not visited on time.
#[derive(Debug, Serialize, ToSchema)]
struct LateSource {
    source_id: i64,
    url: String,
    title: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    due_at: Timestamp,
    /// Until when manners keep us from its host.
    #[schema(value_type = Option<String>, format = DateTime)]
    host_not_before: Option<Timestamp>,
    last_outcome: Option<Outcome>,
}

/// A deed the store refused.
#[derive(Debug, Serialize, ToSchema)]
struct Trouble {
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    what: String,
}

/// How it goes: counts, what is late and why, visits of the last day by outcome.
#[utoipa::path(
    get, path = "/health", tag = "state", operation_id = "health", responses((status = 200, body = Health))
)]
pub(crate) async fn health(State(app): State<App>) -> Result<Json<Health>, Refusal> {
    let health = app.health().await?;
    let status = app.engine.status();
    let visits = health.visits.into_iter().map(|counts| VisitCounts {
        outcome: counts.outcome,
        visits: counts.visits,
        new: counts.new,
    });
    let late = health.late.into_iter().map(|late| LateSource {
        source_id: late.id.0,
        url: late.url.into(),
        title: late.title,
        due_at: late.due_at,
        host_not_before: late.host_not_before,
        last_outcome: late.last_outcome.map(Outcome::from),
    });
    Ok(Json(Health {
        now: status.now,
        version: env!("CARGO_PKG_VERSION"),
        alive: status.alive,
        sources: health.sources,
        paused: health.paused,
        failing: health.failing,
        articles: health.articles,
        unread: health.unread,
        bodies_waiting: health.bodies_waiting,
        file_bytes: health.file_bytes,
        visits: visits.collect(),
        late: late.collect(),
        trouble: status.trouble.map(|(at, what)| Trouble { at, what }),
    }))
}
