//! Logins: begun with the password, held by a cookie, 30 days.

use crate::access::cookies::{Cookie, came_by_https};
use crate::access::password;
use crate::app::App;
use crate::settings::Login;
use http::{HeaderMap, HeaderValue};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use store::StoreError;
use subtle::ConstantTimeEq;

const LIFETIME: Duration = Duration::from_hours(30 * 24);

// Logins are about people: they hold by the real time, even where the monitor's clock runs fast.

/// Whether a request carries a login that holds.
pub(crate) async fn holds(app: &App, headers: &HeaderMap) -> Result<bool, StoreError> {
    match Cookie::Session.read(headers, app.bound.port()) {
        Some(secret) => app.store().check_login(secret, Timestamp::now()).await,
        None => Ok(false),
    }
}

/// Begins a login; the header gives it to the browser.
pub(crate) async fn begin(app: &App, headers: &HeaderMap) -> Result<Option<HeaderValue>, StoreError> {
    let now = Timestamp::now();
    let lifetime = SignedDuration::try_from(LIFETIME).unwrap_or(SignedDuration::ZERO);
    let expires = now.checked_add(lifetime).unwrap_or(now);
    let secret = app.store().begin_login(now, expires).await?;
    Ok(Cookie::Session.set(app.bound.port(), secret.reveal(), LIFETIME, came_by_https(headers)))
}

/// Ends the login of this request; the header takes it from the browser.
pub(crate) async fn end(app: &App, headers: &HeaderMap) -> Result<Option<HeaderValue>, StoreError> {
    if let Some(secret) = Cookie::Session.read(headers, app.bound.port()) {
        app.store().end_login(Some(secret)).await?;
    }
    Ok(Cookie::Session.set(app.bound.port(), "", Duration::ZERO, came_by_https(headers)))
}

/// Whether the first password is still to be set.
pub(crate) async fn is_new(app: &App) -> Result<bool, StoreError> {
    Ok(app.needs_login() && password::kept(app.store()).await?.is_none())
}

/// Whether this is the token that lets its holder set the first password.
pub(crate) fn is_setup_token(app: &App, token: &str) -> bool {
    match &app.settings.login {
        Login::Required { setup_token: Some(expected) } => expected.as_bytes().ct_eq(token.as_bytes()).into(),
        _ => false,
    }
}
