//! The API `/api/v1`, and the document that describes it.

mod activity;
mod articles;
mod calendar;
mod channels;
mod crawls;
mod deliveries;
mod event_views;
mod events;
mod extract;
mod fleet;
mod folders;
mod planning;
mod preview;
mod refiling;
mod rule_views;
mod rules;
mod sources;
mod state;
mod stream;
mod teach;
mod topics;
mod views;
mod watch_views;
mod watches;
mod watching;

use crate::app::App;
use crate::problem::Problem;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{HttpMethod, OpenApi as Openapi};
use utoipa::{Modify, OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Ripplewatch",
        description = "Watches web pages and feeds. Send an API token as `Authorization: Bearer rw_…`; without \
            a login in front, reading needs none. Times are RFC 3339 in UTC. Errors say what failed and, where \
            there is one, the next step."
    ),
    modifiers(&Tokens),
    security(("token" = []), ())
)]
struct Description;

struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut Openapi) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        document
            .components
            .get_or_insert_default()
            .add_security_scheme("token", SecurityScheme::Http(bearer));
    }
}

/// The OpenAPI 3.1 document, as JSON.
pub fn openapi() -> String {
    // Our own document always serialises.
    described().into_openapi().to_pretty_json().unwrap_or_default()
}

pub(crate) fn router() -> Router<App> {
    described().into()
}

/// Every route of the API.
pub(crate) fn listed() -> Vec<(&'static str, String)> {
    let paths = described().into_openapi().paths.paths;
    let methods = [
        ("GET", HttpMethod::Get),
        ("POST", HttpMethod::Post),
        ("PATCH", HttpMethod::Patch),
        ("PUT", HttpMethod::Put),
        ("DELETE", HttpMethod::Delete),
    ];
    let known = |path: &str, item: &utoipa::openapi::PathItem| {
        let has = |method: &HttpMethod| match method {
            HttpMethod::Get => item.get.is_some(),
            HttpMethod::Post => item.post.is_some(),
            HttpMethod::Patch => item.patch.is_some(),
            HttpMethod::Put => item.put.is_some(),
            _ => item.delete.is_some(),
        };
        let found = methods.iter().filter(|(_, method)| has(method));
        found.map(|(name, _)| (*name, path.to_owned())).collect::<Vec<_>>()
    };
    paths.iter().flat_map(|(path, item)| known(path, item)).collect()
}

fn described() -> OpenApiRouter<App> {
    let v1 = OpenApiRouter::new()
        .routes(routes!(articles::list))
        .routes(routes!(articles::one, articles::mark))
        .routes(routes!(articles::page))
        .routes(routes!(teach::filing))
        .routes(routes!(teach::teach))
        .routes(routes!(teach::undo))
        .routes(routes!(folders::list, folders::make))
        .routes(routes!(folders::one, folders::edit, folders::remove))
        .routes(routes!(folders::merge))
        .routes(routes!(rules::list))
        .routes(routes!(rules::statistics))
        .routes(routes!(rules::report))
        .routes(routes!(rules::export))
        .routes(routes!(rules::one))
        .routes(routes!(rules::retire))
        .routes(routes!(rules::lessons))
        .routes(routes!(rules::check))
        .routes(routes!(refiling::show))
        .routes(routes!(refiling::stop))
        .routes(routes!(refiling::resume))
        .routes(routes!(sources::list, sources::add))
        .routes(routes!(sources::one, sources::edit, sources::remove))
        .routes(routes!(sources::visits))
        .routes(routes!(planning::outlook))
        .routes(routes!(planning::show, planning::change))
        .routes(routes!(planning::spending))
        .routes(routes!(sources::visit))
        .routes(routes!(watches::list, watches::add))
        .routes(routes!(watches::test))
        .routes(routes!(watches::one, watches::edit, watches::remove))
        .routes(routes!(watches::changes))
        .routes(routes!(channels::list, channels::add))
        .routes(routes!(channels::one, channels::edit, channels::remove))
        .routes(routes!(channels::test))
        .routes(routes!(deliveries::list))
        .routes(routes!(deliveries::retry))
        .routes(routes!(preview::preview))
        .routes(routes!(state::plan))
        .routes(routes!(state::health))
        .routes(routes!(fleet::show))
        .routes(routes!(events::list))
        .routes(routes!(events::one))
        .routes(routes!(events::judge))
        .routes(routes!(activity::show))
        .routes(routes!(calendar::list, calendar::add))
        .routes(routes!(calendar::import))
        .routes(routes!(calendar::remove))
        .routes(routes!(watching::show, watching::change))
        .routes(routes!(topics::list, topics::add))
        .routes(routes!(topics::one, topics::remove))
        .routes(routes!(topics::turtle))
        .routes(routes!(topics::lessons))
        .routes(routes!(topics::undo))
        .routes(routes!(crawls::list, crawls::start))
        .routes(routes!(crawls::one, crawls::remove))
        .routes(routes!(crawls::stop))
        .routes(routes!(crawls::resume))
        .routes(routes!(crawls::pages))
        .routes(routes!(crawls::frontier))
        .routes(routes!(crawls::hosts))
        .routes(routes!(crawls::explain))
        .routes(routes!(crawls::candidates))
        .routes(routes!(crawls::promote))
        .routes(routes!(stream::stream))
        .routes(routes!(document))
        .fallback(nothing_here);
    OpenApiRouter::with_openapi(Description::openapi()).nest("/api/v1", v1)
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", tag = "document", responses((status = 200, body = Object)))]
async fn document() -> Response {
    ([(http::header::CONTENT_TYPE, "application/json")], openapi()).into_response()
}

async fn nothing_here() -> Refusal {
    Problem::not_found("the API has no such path").hint("see /api/v1/openapi.json").into()
}

/// A problem as the API tells it.
#[derive(Debug)]
pub(crate) struct Refusal(Problem);

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
struct ErrorBody {
    /// What failed.
    error: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// The source that is in the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_id: Option<i64>,
}

impl<P: Into<Problem>> From<P> for Refusal {
    fn from(problem: P) -> Self {
        Self(problem.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Problem { status, error, hint, source } = self.0;
        let body = Json(ErrorBody { error, hint, source_id: source.map(|id| id.0) });
        let mut response = (status, body).into_response();
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
