//! What opens feeds to readers that cannot log in, and what names their entries for ever.

use crate::access::random_hex;
use crate::app::App;
use crate::problem::Problem;
use http::StatusCode;
use store::StoreError;
use subtle::ConstantTimeEq;
use url::form_urlencoded;

const KEY: &str = "feed_key";
const INSTANCE: &str = "instance";

/// The key, if there is one.
pub(crate) async fn current(app: &App) -> Result<Option<String>, StoreError> {
    app.store().setting(KEY).await
}

/// Makes a new key; the old one opens nothing any more.
pub(crate) async fn renew(app: &App) -> Result<(), Problem> {
    let key = random()?;
    Ok(app.store().set_setting(KEY, Some(&key)).await?)
}

/// Takes the key back.
pub(crate) async fn revoke(app: &App) -> Result<(), StoreError> {
    app.store().set_setting::<String>(KEY, None).await
}

/// Whether a query carries the key.
pub(crate) async fn fits(app: &App, query: &str) -> Result<bool, StoreError> {
    let given = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "key");
    Ok(match (given, current(app).await?) {
        (Some((_, given)), Some(key)) => key.as_bytes().ct_eq(given.as_bytes()).into(),
        _ => false,
    })
}

/// What the names of our feeds and entries begin with, in all the world and whatever address we are reached at.
pub(super) async fn names(app: &App) -> Result<String, Problem> {
    let known: Option<String> = app.store().setting(INSTANCE).await?;
    let instance = if let Some(known) = known {
        known
    } else {
        let new = random()?;
        app.store().set_setting(INSTANCE, Some(&new)).await?;
        new
    };
    Ok(format!("tag:ripplewatch.example,2026:{instance}/"))
}

fn random() -> Result<String, Problem> {
    random_hex::<32>().map_err(|error| {
        tracing::error!(%error, "no random bits for a feed");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the system gives no random numbers")
    })
}
