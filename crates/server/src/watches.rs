//! What people and programs do with watches, checked in one place for the pages and the API.

use crate::app::App;
use crate::problem::Problem;
use crate::watching::{self, Wish};
use engine::{Fetched, Glance, WatchRefusal, WatchWish};
use model::{SourceId, WatchId};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::Watch;
use url::Url;

/// What a watch is to look at: a source, or a URL that becomes one.
#[derive(Debug)]
pub(crate) struct On<'a> {
    pub(crate) source: Option<SourceId>,
    pub(crate) url: Option<&'a str>,
}

/// Makes a watch.
pub(crate) async fn add(app: &App, on: &On<'_>, wish: &WatchWish) -> Result<Watch, Problem> {
    // A watch that cannot be makes no source either.
    wish.terms(None, app.now())?;
    let source = match (on.source, on.url) {
        (Some(source), _) => app.store().source(source).await?.id,
        (None, Some(typed)) => source_of(app, typed).await?,
        (None, None) => return Err(Problem::invalid("say which source, or which url, to look at")),
    };
    let watch = app.engine.add_watch(source, wish).await?;
    app.changed();
    Ok(watch)
}

async fn source_of(app: &App, typed: &str) -> Result<SourceId, Problem> {
    let url = watching::address(typed)?;
    match app.store().source_by_url(url).await? {
        Some(source) => Ok(source.id),
        None => watching::add(app, &Wish { url: typed, ..Wish::default() }).await,
    }
}

/// Changes a watch.
pub(crate) async fn change(app: &App, id: WatchId, wish: &WatchWish) -> Result<Watch, Problem> {
    let watch = app.engine.change_watch(id, wish).await?;
    app.changed();
    Ok(watch)
}

/// Pauses a watch, or lets it look again.
pub(crate) async fn pause(app: &App, id: WatchId, paused: bool) -> Result<(), Problem> {
    // Resuming what is not paused would plan a visit nobody asked for.
    if app.store().watch(id).await?.paused != paused {
        app.engine.pause_watch(id, paused).await?;
        app.changed();
    }
    Ok(())
}

/// Removes a watch and what it saw.
pub(crate) async fn remove(app: &App, id: WatchId) -> Result<Watch, Problem> {
    let watch = app.store().remove_watch(id).await?;
    app.changed();
    Ok(watch)
}

/// Pages that were fetched for previews, so that trying one selector after the other asks the site once.
#[derive(Default)]
pub(crate) struct Previews(Mutex<Vec<(Url, Instant, Fetched)>>);

/// A preview shows a page that is at most this old; so many pages are kept.
const PREVIEW_FOR: Duration = Duration::from_mins(5);
const PREVIEWS: usize = 4;

impl Previews {
    fn get(&self, url: &Url) -> Option<Fetched> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(_, at, _)| at.elapsed() < PREVIEW_FOR);
        kept.iter().find(|(known, ..)| known == url).map(|(.., fetched)| fetched.clone())
    }

    fn keep(&self, url: Url, fetched: Fetched) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, ..)| *known != url);
        kept.insert(0, (url, Instant::now(), fetched));
        kept.truncate(PREVIEWS);
    }
}

/// What a watch would see of a page that was fetched a moment ago at most.
pub(crate) async fn preview(app: &App, url: &Url, wish: &WatchWish) -> Result<Glance, Problem> {
    let aim = wish.terms(None, app.now())?.aim;
    let fetched = match app.previews.get(url) {
        Some(fetched) => fetched,
        None => app.engine.fetch_page(url).await,
    };
    let glance = app.engine.glance_at(&fetched, &aim).await;
    // A failure is tried again the next time.
    if glance.sight.is_some() {
        app.previews.keep(url.clone(), fetched);
    }
    Ok(glance)
}

/// What a watch would see now.
pub(crate) async fn glance(app: &App, typed: &str, wish: &WatchWish) -> Result<Glance, Problem> {
    let url = watching::address(typed)?;
    app.engine.check_url(&url).map_err(|refusal| Problem::invalid(refusal.to_string()))?;
    let aim = wish.terms(None, app.now())?.aim;
    Ok(app.engine.glance(&url, &aim).await)
}

impl From<WatchRefusal> for Problem {
    fn from(error: WatchRefusal) -> Self {
        match error {
            WatchRefusal::Store(error) => error.into(),
            error => Self::invalid(error.to_string()),
        }
    }
}
