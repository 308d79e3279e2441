//! Policy, budget and interests.

use super::extract::Body;
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::plan::{choose, standing};
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, State};
use jiff::Timestamp;
use model::{FolderId, SourceId};
use scheduling::{Interests, Pace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::{Budget, PlanChoice};
use utoipa::ToSchema;

/// How visits are planned. Leave both numbers of visits out for what the configured interval gives.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Planning {
    /// Who decides: `planner`, `even`, `sqrt`, or another policy that `ripplewatch replay` knows.
    #[serde(default = "planner")]
    policy: String,
    /// The budget: visits a day for each source, on average.
    #[serde(default)]
    visits_per_source_day: Option<f64>,
    /// The budget: visits a day for all sources together.
    #[serde(default)]
    visits_per_day: Option<f64>,
    /// `free`: visits may move from the night to the day; `hourly`: the same budget each hour.
    #[serde(default = "free")]
    pace: String,
    /// At most so many planned visits a day to one host.
    #[serde(default)]
    visits_per_host_and_day: Option<u32>,
    /// What an article counts that is in none of the folders below; 1 is the usual.
    #[serde(default = "one")]
    interest_in_others: f64,
    /// What an article of a folder counts, by the folder's id.
    #[serde(default)]
    interests: BTreeMap<i64, f64>,
}

fn planner() -> String {
    "planner".into()
}

fn free() -> String {
    "free".into()
}

fn one() -> f64 {
    1.0
}

impl From<PlanChoice> for Planning {
    fn from(choice: PlanChoice) -> Self {
        let (each, all) = match choice.budget {
            Budget::Configured => (None, None),
            Budget::EachSource(visits) => (Some(visits), None),
            Budget::InAll(visits) => (None, Some(visits)),
        };
        Self {
            policy: choice.policy.to_string(),
            visits_per_source_day: each,
            visits_per_day: all,
            pace: if choice.pace == Pace::Hourly { "hourly".into() } else { free() },
            visits_per_host_and_day: choice.visits_per_host_and_day,
            interest_in_others: choice.interests.others,
            interests: choice.interests.folders.iter().map(|(id, weight)| (id.0, *weight)).collect(),
        }
    }
}

impl Planning {
    fn choice(self) -> Result<PlanChoice, Problem> {
        let budget = match (self.visits_per_source_day, self.visits_per_day) {
            (None, None) => Budget::Configured,
            (Some(visits), None) => Budget::EachSource(visits),
            (None, Some(visits)) => Budget::InAll(visits),
            (Some(_), Some(_)) => {
                return Err(Problem::invalid("give visits_per_source_day or visits_per_day, not both"));
            }
        };
        let pace = match self.pace.as_str() {
            "free" => Pace::Free,
            "hourly" => Pace::Hourly,
            other => return Err(Problem::invalid(format!("there is no pace {other:?}: free or hourly"))),
        };
        let folders = self.interests.into_iter().map(|(id, weight)| (FolderId(id), weight)).collect();
        Ok(PlanChoice {
            policy: self.policy.parse().map_err(Problem::invalid)?,
            budget,
            pace,
            visits_per_host_and_day: self.visits_per_host_and_day,
            interests: Interests { others: self.interest_in_others, folders },
        })
    }
}

/// The budget and what was spent of it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Spending {
    /// Sources without an interval of their own, not paused.
    sources: u64,
    /// Visits a day that may be planned for all of them.
    budget: f64,
    /// Visits in the last 24 hours.
    spent: u64,
    /// The same, hour by hour; hours without a visit are left out.
    hours: Vec<Hour>,
}

/// The visits of one hour.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Hour {
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    visits: u32,
    /// Those that an event caused.
    by_events: u32,
    /// Articles they found.
    new: u32,
}

/// How visits are planned.
#[utoipa::path(
    get, path = "/planning", tag = "plan", operation_id = "get_planning", responses((status = 200, body = Planning))
)]
pub(crate) async fn show(State(app): State<App>) -> Result<Json<Planning>, Refusal> {
    Ok(Json(standing(&app).await?.choice.into()))
}

/// Changes how visits are planned, all of it; in force at once.
#[utoipa::path(
    put, path = "/planning", tag = "plan", operation_id = "set_planning", request_body = Planning,
    responses((status = 200, body = Planning), (status = 400, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn change(
    State(app): State<App>,
    Body(wanted): Body<Planning>,
) -> Result<Json<Planning>, Refusal> {
    choose(&app, &wanted.choice()?).await?;
    show(State(app)).await
}

/// The budget and what was spent of it in the last 24 hours.
#[utoipa::path(
    get, path = "/planning/spending", tag = "plan", operation_id = "spending", responses((status = 200, body = Spending))
)]
pub(crate) async fn spending(State(app): State<App>) -> Result<Json<Spending>, Refusal> {
    let standing = standing(&app).await?;
    let hours = standing.hours.into_iter().map(|hour| Hour {
        from: hour.from,
        visits: hour.visits,
        by_events: hour.by_events,
        new: hour.new,
    });
    Ok(Json(Spending {
        sources: standing.sources,
        budget: standing.budget,
        spent: standing.spent,
        hours: hours.collect(),
    }))
}

/// What the policy expects of a source.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Expected {
    /// Articles expected in each hour of the week, Monday 00:00 first; empty if the policy expects nothing.
    week: Vec<f64>,
    /// The coming hours.
    points: Vec<ExpectedPoint>,
    /// Minutes of waiting, summed over articles, that a visit must save to be made.
    price: f64,
    /// How many times its usual articles it brings lately.
    burst: f64,
}

/// What is expected at one moment.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExpectedPoint {
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// Articles expected since the last visit, weighted by interest.
    backlog: f64,
    /// A visit is made as soon as so many are expected.
    threshold: f64,
}

/// What the policy in force expects of a source, and when that makes a visit worth while.
#[utoipa::path(
    get, path = "/sources/{id}/outlook", tag = "plan", operation_id = "outlook", params(("id" = i64, Path)),
    responses((status = 200, body = Expected), (status = 404, body = ErrorBody))
)]
pub(crate) async fn outlook(State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Expected>, Refusal> {
    let source = app.store().source(SourceId(id)).await?;
    let outlook = app.engine.outlook(source.id).await?;
    Ok(Json(outlook.map_or(
        Expected { week: Vec::new(), points: Vec::new(), price: 0.0, burst: 1.0 },
        |outlook| {
            Expected {
                week: outlook.week,
                points: outlook
                    .points
                    .iter()
                    .filter(|point| point.backlog.is_finite() && point.threshold.is_finite())
                    .map(|point| ExpectedPoint {
                        at: point.at,
                        backlog: point.backlog,
                        threshold: point.threshold,
                    })
                    .collect(),
                price: outlook.price,
                burst: outlook.burst,
            }
        },
    )))
}
