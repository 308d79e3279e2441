//! What people and programs do with sources, checked in one place for the pages and the API.

use crate::app::App;
use crate::problem::Problem;
use jiff::SignedDuration;
use model::{PlannedVisit, Source, SourceId};
use page::urls;
use std::time::Duration;
use store::{NewSource, SourceEdit};
use url::Url;

/// Oftener would be rude to any site.
const SHORTEST_INTERVAL: Duration = Duration::from_mins(1);
/// Seldomer is not watching.
const LONGEST_INTERVAL: Duration = Duration::from_hours(30 * 24);
const LONGEST_TITLE: usize = 300;

/// A source as someone asks for it.
#[derive(Debug, Default)]
pub(crate) struct Wish<'a> {
    pub(crate) url: &'a str,
    pub(crate) title: Option<&'a str>,
    pub(crate) selector: Option<&'a str>,
    pub(crate) interval: Option<Duration>,
}

/// An address as typed, in its one spelling.
pub(crate) fn address(typed: &str) -> Result<Url, Problem> {
    let url = urls::parse_address(typed).map_err(|error| Problem::invalid(error.to_string()))?;
    Ok(urls::normalise(&url))
}

/// Starts watching; the first visit follows at once.
pub(crate) async fn add(app: &App, wish: &Wish<'_>) -> Result<SourceId, Problem> {
    let ids = add_all(app, vec![checked(app, wish)?]).await?;
    ids.first().copied().ok_or_else(|| Problem::invalid("nothing was added"))
}

/// Starts watching all of these, or none.
pub(crate) async fn add_all(app: &App, sources: Vec<NewSource>) -> Result<Vec<SourceId>, Problem> {
    let ids = app.store().add_sources(sources, app.now()).await?;
    app.engine.wake();
    app.changed();
    Ok(ids)
}

/// A wish that can be fulfilled, unless the address is already watched.
pub(crate) fn checked(app: &App, wish: &Wish<'_>) -> Result<NewSource, Problem> {
    let filled = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let new = NewSource {
        url: address(wish.url)?,
        title: filled(wish.title),
        selector: filled(wish.selector),
        interval: wish.interval,
        first_visit: app.engine.first_visit(),
    };
    app.engine.check_url(&new.url).map_err(|refusal| Problem::invalid(refusal.to_string()))?;
    check_title(new.title.as_deref())?;
    check_selector(new.selector.as_deref())?;
    check_interval(new.interval)?;
    Ok(new)
}

/// Changes a source.
pub(crate) async fn edit(app: &App, id: SourceId, edit: SourceEdit) -> Result<Source, Problem> {
    check_title(edit.title.as_deref())?;
    check_selector(edit.selector.as_deref())?;
    check_interval(edit.interval.flatten())?;
    let source = app.store().edit_source(id, edit, app.now()).await?;
    app.engine.wake();
    app.changed();
    Ok(source)
}

/// Visits a source as soon as manners allow.
pub(crate) async fn visit_soon(app: &App, id: SourceId) -> Result<(), Problem> {
    let planned = PlannedVisit { at: app.now(), reason: "asked for by you".into() };
    app.store().visit_soon(id, planned).await?;
    app.engine.wake();
    app.changed();
    Ok(())
}

/// Stops watching. Articles stay.
pub(crate) async fn remove(app: &App, id: SourceId) -> Result<Source, Problem> {
    let source = app.store().remove_source(id).await?;
    app.changed();
    Ok(source)
}

pub(crate) fn check_selector(selector: Option<&str>) -> Result<(), Problem> {
    match selector.map(str::trim).filter(|selector| !selector.is_empty()) {
        Some(selector) => page::check_selector(selector).map_err(|error| Problem::invalid(error.to_string())),
        None => Ok(()),
    }
}

fn check_title(title: Option<&str>) -> Result<(), Problem> {
    let length = title.map_or(0, |title| title.chars().count());
    if length <= LONGEST_TITLE {
        return Ok(());
    }
    Err(Problem::invalid(format!("the title has {length} characters: shorten it to at most {LONGEST_TITLE}")))
}

fn check_interval(interval: Option<Duration>) -> Result<(), Problem> {
    if interval.is_none_or(|interval| (SHORTEST_INTERVAL..=LONGEST_INTERVAL).contains(&interval)) {
        return Ok(());
    }
    Err(Problem::invalid("the interval must be between 1 minute and 30 days"))
}

/// How a source is doing, in one word; every page and the API mean the same by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Not visited yet.
    New,
    /// The last visit saw it.
    Fine,
    /// The last visit did not.
    Failing,
    /// It should have been visited by now.
    Late,
    /// Not planned.
    Paused,
}

impl Standing {
    pub(crate) fn of(source: &Source, app: &App) -> Self {
        let late = source.state.next_at.is_some_and(|at| at < app.late_before());
        match source {
            source if source.paused => Self::Paused,
            _ if late => Self::Late,
            source if source.state.failures > 0 => Self::Failing,
            source if source.state.last_visit_at.is_none() => Self::New,
            _ => Self::Fine,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Fine => "ok",
            Self::Failing => "failing",
            Self::Late => "late",
            Self::Paused => "paused",
        }
    }
}

/// What a source is called: its title, or its address without the scheme.
pub(crate) fn name_of(source: &Source) -> &str {
    source.title.as_deref().unwrap_or_else(|| bare(&source.url))
}

/// An address without its scheme.
pub(crate) fn bare(url: &Url) -> &str {
    let text = url.as_str();
    text.split_once("://").map_or(text, |(_, rest)| rest).trim_end_matches('/')
}

/// A number of seconds as a span, if it is one.
pub(crate) fn seconds(seconds: u64) -> Duration {
    let most = SignedDuration::MAX.unsigned_abs();
    Duration::from_secs(seconds).min(most)
}
