//! Who looks at a page, and everything a page needs to know about that.

use super::flash;
use super::shell::{self, Tab};
use super::trouble::Trouble;
use crate::access::cookies::{Cookie, came_by_https};
use crate::access::csrf::{self, Fields};
use crate::access::{random_hex, session};
use crate::app::{App, Counts};
use crate::problem::Problem;
use axum::extract::{FromRequestParts, Path};
use axum::response::{IntoResponse, Response};
use http::header::SET_COOKIE;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode};
use jiff::Timestamp;
use maud::{Markup, html};
use std::time::Duration;

/// Form tokens outlive any open tab.
const VISITOR_FOR: Duration = Duration::from_hours(365 * 24);

/// Who looks at a page.
pub(crate) struct Visitor {
    pub(crate) app: App,
    /// The time all of the page speaks of.
    pub(crate) now: Timestamp,
    /// Where the count of changes stood before the page was made: a later one makes it stale.
    pub(crate) change: u64,
    /// The query of the page.
    pub(crate) query: Fields,
    /// Path and query, to return to.
    pub(crate) here: String,
    pub(crate) flash: Option<String>,
    /// The numbers in the header; `None` for whoever is not logged in.
    pub(crate) counts: Option<Counts>,
    form_token: String,
    new_cookie: Option<HeaderValue>,
}

impl Visitor {
    /// A whole page.
    pub(crate) fn page(&self, tab: Tab, title: &str, content: &Markup) -> Response {
        let mut response = shell::page(self, tab, title, content).into_response();
        if let Some(cookie) = &self.new_cookie {
            response.headers_mut().append(SET_COOKIE, cookie.clone());
        }
        response
    }

    /// The hidden fields of every form that changes something.
    pub(crate) fn hidden(&self) -> Markup {
        self.hidden_for(&self.here)
    }

    /// The same, to return elsewhere.
    pub(crate) fn hidden_for(&self, back: &str) -> Markup {
        html! {
            input type="hidden" name=(csrf::FIELD) value=(self.form_token);
            input type="hidden" name="back" value=(back);
        }
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Trouble> {
        let change = *app.engine.changes().borrow();
        let port = app.bound.port();
        let (visitor, new_cookie) = known_or_new(&parts.headers, port)?;
        let login = Cookie::Session.read(&parts.headers, port);
        let inside = !app.needs_login() || session::holds(app, &parts.headers).await?;
        let query = Fields::of_query(parts.uri.query().unwrap_or_default());
        let here = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        Ok(Self {
            now: app.now(),
            change,
            flash: flash::told(&query),
            query,
            here: here.to_owned(),
            counts: if inside { Some(app.counts().await?) } else { None },
            form_token: app.form_key.token(&visitor, login),
            new_cookie,
            app: app.clone(),
        })
    }
}

/// The browser's own random number, given to it with its first page.
fn known_or_new(headers: &HeaderMap, port: u16) -> Result<(String, Option<HeaderValue>), Problem> {
    if let Some(known) = Cookie::Visitor.read(headers, port) {
        return Ok((known.to_owned(), None));
    }
    let visitor = random_hex::<16>().map_err(|error| {
        tracing::error!(%error, "no random bits for a form token");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the system gives no random numbers")
    })?;
    let cookie = Cookie::Visitor.set(port, &visitor, VISITOR_FOR, came_by_https(headers));
    Ok((visitor, cookie))
}

/// A number in the path.
pub(crate) struct Number(pub(crate) i64);

impl FromRequestParts<App> for Number {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Trouble> {
        let path = Path::<i64>::from_request_parts(parts, app).await;
        path.map(|Path(id)| Self(id)).map_err(|_| Problem::not_found("there is no such page").into())
    }
}
