//! The door of the pages and the door of the API.

use crate::access::{origin, session};
use crate::api::Refusal;
use crate::app::App;
use crate::feeds;
use crate::problem::Problem;
use crate::ui::{Trouble, link};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, Method, StatusCode, Uri};
use jiff::Timestamp;

/// Pages: for whoever is logged in. Everyone else is shown the way.
pub(crate) async fn person(State(app): State<App>, request: Request, next: Next) -> Response {
    match may_enter(&app, request.headers()).await {
        Ok(true) => next.run(request).await,
        Ok(false) => show_the_way(&app, request.method(), request.uri()).await,
        Err(problem) => Trouble::from(problem).into_response(),
    }
}

async fn show_the_way(app: &App, method: &Method, uri: &Uri) -> Response {
    if session::is_new(app).await.unwrap_or(false) {
        return Redirect::to("/setup").into_response();
    }
    let wanted = uri.path_and_query().map(|path| path.as_str().to_owned());
    let wanted = wanted.filter(|path| method.is_safe() && path != "/");
    Redirect::to(&link("/login", &[("next", wanted)])).into_response()
}

/// The API and the metrics: for programs with a token, and for our own pages.
pub(crate) async fn program(State(app): State<App>, request: Request, next: Next) -> Response {
    let allowed = match token(request.headers()) {
        Some(token) => check_token(&app, token).await,
        None => check_page(&app, request.method(), request.headers()).await,
    };
    match allowed {
        Ok(()) => next.run(request).await,
        Err(problem) => Refusal::from(problem).into_response(),
    }
}

/// Feeds: for readers with the key, and for whoever may come in otherwise.
pub(crate) async fn reader(State(app): State<App>, request: Request, next: Next) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let allowed = match (feeds::key_fits(&app, query).await, token(request.headers())) {
        (Ok(true), _) => Ok(()),
        (Err(error), _) => Err(error.into()),
        (Ok(false), Some(token)) => check_token(&app, token).await,
        (Ok(false), None) => check_page(&app, request.method(), request.headers()).await,
    };
    match allowed {
        Ok(()) => next.run(request).await,
        Err(problem) => {
            let hint = "the Notifications page shows the addresses of feeds with their key";
            Refusal::from(problem.hint(hint)).into_response()
        }
    }
}

async fn check_token(app: &App, token: &str) -> Result<(), Problem> {
    if app.store().check_token(token, Timestamp::now()).await? {
        return Ok(());
    }
    let problem = Problem::new(StatusCode::UNAUTHORIZED, "this API token is not known, or was taken back");
    Err(problem.hint("make a new one with `ripplewatch tokens add`"))
}

/// Without a token, a write must come from our own pages or from a program on this machine, never from a
/// foreign page in the user's browser.
async fn check_page(app: &App, method: &Method, headers: &HeaderMap) -> Result<(), Problem> {
    if !may_enter(app, headers).await? {
        let problem = Problem::new(StatusCode::UNAUTHORIZED, "log in, or send an API token");
        return Err(problem.hint("send the header `Authorization: Bearer rw_…`"));
    }
    if method.is_safe() {
        return Ok(());
    }
    if !origin::is_ours(headers) {
        let problem = Problem::forbidden("this request was sent from another website");
        return Err(problem.hint("programs send an API token instead"));
    }
    // Forms cannot send JSON: one more thing a foreign page cannot do without being asked first.
    if method != Method::DELETE && !is_json(headers) {
        let problem =
            Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "without an API token, only JSON is accepted");
        return Err(problem.hint("send the header `Content-Type: application/json`"));
    }
    Ok(())
}

async fn may_enter(app: &App, headers: &HeaderMap) -> Result<bool, Problem> {
    Ok(!app.needs_login() || session::holds(app, headers).await?)
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().unwrap_or_default();
    // Something else than a bearer token is an unknown token, not "no token".
    let (scheme, token) = value.split_once(' ').unwrap_or_default();
    Some(if scheme.eq_ignore_ascii_case("bearer") { token.trim() } else { "" })
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}
