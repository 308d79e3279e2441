//! What people and programs do with the calendar, checked in one place for the pages and the API.

use crate::app::App;
use crate::problem::Problem;
use detection::{Entry, Import, read_ics};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use model::FolderId;
use store::Imported;

/// Adds one entry.
pub(crate) async fn add(app: &App, entry: Entry) -> Result<Imported, Problem> {
    let entry =
        entry.checked().map_err(|error| Problem::invalid(format!("the entry cannot be used: {error}")))?;
    add_all(app, vec![entry]).await
}

/// Adds entries that were checked, all or none.
pub(crate) async fn add_all(app: &App, entries: Vec<Entry>) -> Result<Imported, Problem> {
    let imported = app.store().add_expected(entries).await?;
    app.changed();
    Ok(imported)
}

/// Takes an entry off the calendar.
pub(crate) async fn remove(app: &App, id: i64) -> Result<(), Problem> {
    app.store().remove_expected(id).await?;
    app.changed();
    Ok(())
}

/// The entries of an iCalendar text, for a folder that exists. Large ones take a while, off the async threads.
pub(crate) async fn read(app: &App, text: String, folder: FolderId) -> Result<Import, Problem> {
    if app.store().knowledge(move |base| base.folders().get(folder).is_none()).await? {
        return Err(Problem::not_found(format!("there is no folder {folder}")));
    }
    let (zone, now) = (zone(app).await?, app.now());
    let read = tokio::task::spawn_blocking(move || read_ics(&text, folder, &zone, now)).await;
    match read {
        Ok(Ok(import)) => Ok(import),
        Ok(Err(error)) => Err(Problem::invalid(error.to_string())),
        Err(_) => Err(Problem::invalid("the calendar could not be read")),
    }
}

/// The zone of times that are typed without one.
pub(crate) async fn zone(app: &App) -> Result<TimeZone, Problem> {
    let settings = app.store().watch_settings().await?.unwrap_or_default();
    Ok(TimeZone::get(&settings.zone).unwrap_or(TimeZone::UTC))
}

/// A time as a form sends it, `2026-07-06T14:00`, or with a zone of its own.
pub(crate) fn moment(typed: &str, zone: &TimeZone, what: &str) -> Result<Timestamp, Problem> {
    let typed = typed.trim();
    if let Ok(at) = typed.parse::<Timestamp>() {
        return Ok(at);
    }
    let local = typed.parse::<DateTime>().ok().and_then(|local| local.to_zoned(zone.clone()).ok());
    local.map(|local| local.timestamp()).ok_or_else(|| {
        Problem::invalid(format!("the {what} “{typed}” is no time; write for example 2026-07-06T14:00"))
    })
}
