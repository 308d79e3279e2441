//! The way in and out.

use super::links::{after, local};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::access::csrf::Fields;
use crate::access::password::{self, PasswordError, SHORTEST_PASSWORD};
use crate::access::session;
use crate::app::App;
use crate::problem::Problem;
use crate::settings::Login;
use crate::words::{capitalised, span_words};
use axum::extract::{ConnectInfo, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{HeaderMap, RETRY_AFTER, SET_COOKIE};
use http::{HeaderValue, StatusCode};
use maud::{Markup, html};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

pub(crate) async fn form(visitor: Visitor) -> Result<Response, Trouble> {
    if visitor.counts.is_some() {
        return Ok(Redirect::to(local(visitor.query.text("next"))).into_response());
    }
    if session::is_new(&visitor.app).await? {
        return Ok(Redirect::to("/setup").into_response());
    }
    let next = visitor.query.text("next").to_owned();
    Ok(login_page(&visitor, &next, None))
}

fn login_page(visitor: &Visitor, next: &str, error: Option<&str>) -> Response {
    let fields = html! {
        input type="hidden" name="next" value=(next);
        (password_field("password", "Password", "current-password", true))
    };
    door(visitor, "Log in", "/login", &html! {}, &fields, error)
}

pub(crate) async fn log_in(
    State(app): State<App>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, Trouble> {
    let next = local(fields.text("next"));
    if !app.needs_login() {
        return Ok(Redirect::to(next).into_response());
    }
    if let Err(wait) = app.login_limit.try_now(address.ip(), Instant::now()) {
        return Ok(too_often(wait));
    }
    let Some(hash) = password::kept(app.store()).await? else {
        return Ok(Redirect::to("/setup").into_response());
    };
    if !is_right(&app, hash, fields.raw("password")).await {
        tracing::warn!(address = %address.ip(), "a login with a wrong password");
        let page = login_page(&visitor, next, Some("This is not the password."));
        return Ok((StatusCode::UNAUTHORIZED, page).into_response());
    }
    app.login_limit.forgive(address.ip());
    let cookie = session::begin(&app, &headers).await?;
    Ok(with_cookie(Redirect::to(next), cookie))
}

async fn is_right(app: &App, hash: String, typed: &str) -> bool {
    // Closed only when the program ends.
    let Ok(_place) = app.hashing.acquire().await else {
        return false;
    };
    password::matches(hash, typed).await
}

fn too_often(wait: Duration) -> Response {
    let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too many tries at the password");
    let trouble = Trouble::from(problem.hint(format!("wait {} and try again", span_words(wait))));
    let mut response = trouble.into_response();
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait.as_secs()));
    response
}

pub(crate) async fn log_out(
    State(app): State<App>,
    headers: HeaderMap,
    _: Fields,
) -> Result<Response, Trouble> {
    let cookie = session::end(&app, &headers).await?;
    Ok(with_cookie(Redirect::to("/login?done=logged_out"), cookie))
}

fn with_cookie(redirect: Redirect, cookie: Option<HeaderValue>) -> Response {
    let mut response = redirect.into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

/// What the address printed at the start carries.
#[derive(Debug, Default, serde::Deserialize)]
pub(crate) struct SetupAddress {
    #[serde(default)]
    token: String,
}

pub(crate) async fn setup_form(
    visitor: Visitor,
    Query(address): Query<SetupAddress>,
) -> Result<Response, Trouble> {
    if !session::is_new(&visitor.app).await? {
        return Ok(Redirect::to("/").into_response());
    }
    Ok(setup_page(&visitor, &address.token, None))
}

fn setup_page(visitor: &Visitor, token: &str, error: Option<&str>) -> Response {
    let Login::Required { setup_token: Some(_) } = &visitor.app.settings.login else {
        let content = html! {
            section .card.narrow {
                h1 { "No password is set" }
                p { "Set one on the machine itself with " code { "ripplewatch password" } ", then reload this page." }
            }
        };
        return visitor.page(Tab::None, "No password is set", &content);
    };
    let intro = html! {
        p { "The setup token was printed when Ripplewatch started. It lets you set the password, once." }
    };
    let fields = html! {
        label .field {
            span { "Setup token" }
            input type="text" name="token" value=(token) required autocomplete="off" spellcheck="false" autocapitalize="off" autofocus;
        }
        (password_field("password", "New password", "new-password", false))
        (password_field("again", "The same again", "new-password", false))
        p .quiet { "At least " (SHORTEST_PASSWORD) " characters; three or four words are good." }
    };
    door(visitor, "Set the password", "/setup", &intro, &fields, error)
}

pub(crate) async fn set_up(
    State(app): State<App>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, Trouble> {
    if !session::is_new(&app).await? {
        return Ok(Redirect::to("/login").into_response());
    }
    if let Err(wait) = app.login_limit.try_now(address.ip(), Instant::now()) {
        return Ok(too_often(wait));
    }
    let refuse = |error: &str| {
        Ok((StatusCode::UNPROCESSABLE_ENTITY, setup_page(&visitor, "", Some(error))).into_response())
    };
    if !session::is_setup_token(&app, fields.text("token")) {
        return refuse("This is not the setup token.");
    }
    let typed = fields.raw("password");
    if typed != fields.raw("again") {
        return refuse("The two passwords differ.");
    }
    let set = {
        let Ok(_place) = app.hashing.acquire().await else {
            return refuse("Ripplewatch is stopping.");
        };
        password::set_password(app.store(), typed).await
    };
    match set {
        Ok(()) => Ok(Redirect::to(&after("/login", "password", None)).into_response()),
        Err(PasswordError::Store(error)) => Err(error.into()),
        Err(error) => refuse(&format!("{}.", capitalised(&error.to_string()))),
    }
}

fn door(
    visitor: &Visitor,
    title: &str,
    action: &str,
    intro: &Markup,
    fields: &Markup,
    error: Option<&str>,
) -> Response {
    let content = html! {
        section .card.door {
            h1 { (title) }
            (intro)
            form .stack method="post" action=(action) {
                (visitor.hidden())
                (fields)
                @if let Some(error) = error { p .error role="alert" { (error) } }
                button .button.primary { (title) }
            }
        }
    };
    visitor.page(Tab::None, title, &content)
}

fn password_field(name: &str, label: &str, autocomplete: &str, focus: bool) -> Markup {
    html! {
        label .field {
            span { (label) }
            input type="password" name=(name) required autocomplete=(autocomplete) maxlength="1000" autofocus[focus];
        }
    }
}
