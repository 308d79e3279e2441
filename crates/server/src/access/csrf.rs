//! Form tokens: a form that changes something must have come from a page of ours, shown to this browser.

use crate::access::cookies::Cookie;
use crate::access::{hex, origin, random_hex};
use crate::app::App;
use crate::problem::Problem;
use crate::ui::Trouble;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, StatusCode};
use sha2::{Digest, Sha256};
use std::io;
use std::str::FromStr;
use subtle::ConstantTimeEq;
use url::form_urlencoded;

/// The name of the hidden field.
pub(crate) const FIELD: &str = "form_token";

/// A list of 20,000 sources as OPML, with room to spare.
const LARGEST_FORM: usize = 8 << 20;

/// Makes and checks form tokens; new at every start.
pub(crate) struct FormKey(String);

impl FormKey {
    pub(crate) fn random() -> io::Result<Self> {
        random_hex::<32>().map(Self)
    }

    /// The token for a browser and its login. Key and parts have fixed alphabets and a separator, so that no
    /// two inputs read the same.
    pub(crate) fn token(&self, visitor: &str, session: Option<&str>) -> String {
        let text = format!("{}:{visitor}:{}", self.0, session.unwrap_or_default());
        hex(&Sha256::digest(text.as_bytes()))
    }

    fn accepts(&self, headers: &HeaderMap, port: u16, token: &str) -> bool {
        let Some(visitor) = Cookie::Visitor.read(headers, port) else {
            return false;
        };
        let expected = self.token(visitor, Cookie::Session.read(headers, port));
        expected.as_bytes().ct_eq(token.as_bytes()).into()
    }
}

/// What a form sent. Only requests that passed [`guard`] have it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// The same for a query, which changes nothing and needs no token.
    pub(crate) fn of_query(query: &str) -> Self {
        Self(form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    /// All of them, as sent.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// A field's text, trimmed; empty if it was not sent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// A field as sent.
    pub(crate) fn raw(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// A field's text unless it is empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    /// All values of a field that can be read as such.
    pub(crate) fn all<T: FromStr>(&self, name: &str) -> Vec<T> {
        self.0.iter().filter(|(key, _)| key == name).filter_map(|(_, value)| value.parse().ok()).collect()
    }
}

impl FromRequestParts<App> for Fields {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Trouble> {
        parts.extensions.remove::<Self>().ok_or_else(|| stale().into())
    }
}

/// Lets forms through that carry the token of this browser; everything that reads, as it is.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    if !origin::may_be_our_form(&parts.headers) {
        return refuse(Problem::forbidden("this form was sent from another website"));
    }
    let Ok(body) = to_bytes(body, LARGEST_FORM).await else {
        let problem = Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "that is more than 8 MB of text");
        return refuse(problem.hint("split the list and add it in parts"));
    };
    let fields = Fields(form_urlencoded::parse(&body).into_owned().collect());
    if !app.form_key.accepts(&parts.headers, app.bound.port(), fields.text(FIELD)) {
        return refuse(stale());
    }
    parts.extensions.insert(fields);
    next.run(Request::from_parts(parts, Body::empty())).await
}

fn stale() -> Problem {
    Problem::forbidden("this form is from an earlier start of Ripplewatch, or cookies are switched off")
        .hint("go back, reload the page and try again")
}

fn refuse(problem: Problem) -> Response {
    Trouble::from(problem).into_response()
}
