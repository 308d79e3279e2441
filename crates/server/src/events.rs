//! What people and programs do with events, checked in one place for the pages and the API.

use crate::app::App;
use crate::problem::Problem;
use model::EventId;
use store::{Event, Verdict, WatchSettings};

/// More visits than one a second are not manners.
const MOST_VISITS: u32 = 3_600;

/// A person or a program says what an event was.
pub(crate) async fn judge(app: &App, id: EventId, verdict: &str) -> Result<Event, Problem> {
    let verdict = Verdict::from_word(verdict)
        .ok_or_else(|| Problem::invalid("the verdict must be “confirmed” or “dismissed”"))?;
    let event = app.store().judge_event(id, verdict, app.now()).await?;
    app.changed();
    Ok(event)
}

/// Changes how folders are watched.
pub(crate) async fn set_watching(app: &App, settings: WatchSettings) -> Result<(), Problem> {
    if let Some(problem) = settings.problem() {
        return Err(Problem::invalid(problem));
    }
    if settings.visits_per_host_and_hour > MOST_VISITS {
        return Err(Problem::invalid(format!(
            "at most {MOST_VISITS} visits to a host in an hour are possible"
        )));
    }
    app.store().set_watch_settings(settings).await?;
    app.changed();
    Ok(())
}
