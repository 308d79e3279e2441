//! The calendar: list, add, import, remove.

use super::extract::{Body, Id, Params};
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::calendar;
use axum::Json;
use axum::extract::State;
use detection::Entry;
use http::StatusCode;
use jiff::Timestamp;
use model::FolderId;
use serde::{Deserialize, Serialize};
use store::ExpectedEntry;
use utoipa::{IntoParams, ToSchema};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only those of this folder, by its number.
    folder: Option<i64>,
}

/// A time at which a folder is expected to differ from the usual.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Expected {
    id: Option<i64>,
    folder_id: i64,
    /// Past entries of a kind teach what to expect of the next.
    kind: String,
    title: String,
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    to: Timestamp,
    /// How many times the usual, as typed; null where it is estimated.
    multiplier: Option<f64>,
    /// Standard deviation of the multiplier's logarithm, as typed.
    uncertainty: Option<f64>,
    /// What is expected in the end: as typed, or as estimated.
    level: Level,
    estimate: Option<Estimated>,
    /// What came of it, once it is over.
    came: Option<Came>,
}

/// How busy a time is expected to be.
#[derive(Debug, Serialize, ToSchema)]
struct Level {
    /// How many times the usual.
    multiplier: f64,
    /// Standard deviation of the multiplier's logarithm.
    uncertainty: f64,
}

impl From<detection::Level> for Level {
    fn from(level: detection::Level) -> Self {
        Self { multiplier: level.multiplier, uncertainty: level.uncertainty }
    }
}

/// What past entries of the kind say.
#[derive(Debug, Serialize, ToSchema)]
struct Estimated {
    level: Level,
    /// From so many past entries.
    entries: u64,
    /// Whether foretelling each from the others did better than expecting the usual; null with fewer than two.
    helps: Option<bool>,
}

/// What came of an entry.
#[derive(Debug, Serialize, ToSchema)]
struct Came {
    observed: f64,
    usual: f64,
}

impl From<ExpectedEntry> for Expected {
    fn from(one: ExpectedEntry) -> Self {
        let entry = one.entry;
        Self {
            id: entry.id,
            folder_id: entry.folder.0,
            kind: entry.kind,
            title: entry.title,
            from: entry.from,
            to: entry.to,
            multiplier: entry.multiplier,
            uncertainty: entry.uncertainty,
            level: one.level.into(),
            estimate: one.estimate.map(|estimate| Estimated {
                level: estimate.level.into(),
                entries: estimate.entries as u64,
                helps: estimate.held_out.map(|held| held.helps()),
            }),
            came: one.came.map(|came| Came { observed: came.observed, usual: came.usual }),
        }
    }
}

/// The calendar, in the order of time.
#[utoipa::path(
    get, path = "/calendar", tag = "events", operation_id = "list_expected", params(Wanted),
    responses((status = 200, body = Vec<Expected>), (status = 400, body = ErrorBody))
)]
pub(crate) async fn list(
    State(app): State<App>,
    Params(wanted): Params<Wanted>,
) -> Result<Json<Vec<Expected>>, Refusal> {
    let entries = app.store().expected(wanted.folder.map(FolderId), app.now()).await?;
    Ok(Json(entries.into_iter().map(Expected::from).collect()))
}

/// An entry to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddExpected {
    folder_id: i64,
    title: String,
    /// From the title, without its numbers, unless said.
    #[serde(default)]
    kind: String,
    /// RFC 3339.
    from: String,
    to: String,
    /// How many times the usual; learned from past entries of the kind unless said.
    multiplier: Option<f64>,
    /// Standard deviation of the multiplier's logarithm.
    uncertainty: Option<f64>,
}

/// How many entries came in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Imported {
    /// New ones.
    added: u64,
    /// Those that were there (same folder, title and beginning) and are as given now.
    updated: u64,
    /// What could not be read, or not as it was meant.
    problems: Vec<Line>,
}

/// Something in a file that could not be read as it was meant.
#[derive(Debug, Serialize, ToSchema)]
struct Line {
    line: u64,
    message: String,
}

/// Adds an entry; one with the same folder, title and beginning is brought up to date.
#[utoipa::path(
    post, path = "/calendar", tag = "events", operation_id = "add_expected", request_body = AddExpected,
    responses((status = 200, body = Imported), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn add(
    State(app): State<App>,
    Body(new): Body<AddExpected>,
) -> Result<Json<Imported>, Refusal> {
    let zone = calendar::zone(&app).await?;
    let entry = Entry {
        id: None,
        folder: FolderId(new.folder_id),
        kind: new.kind,
        title: new.title,
        from: calendar::moment(&new.from, &zone, "beginning")?,
        to: calendar::moment(&new.to, &zone, "end")?,
        multiplier: new.multiplier,
        uncertainty: new.uncertainty,
    };
    let imported = calendar::add(&app, entry).await?;
    Ok(Json(told(imported, Vec::new())))
}

/// A calendar to import.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportCalendar {
    folder_id: i64,
    /// The text of an iCalendar file.
    ics: String,
}

/// Takes over the dates of an iCalendar file, all that can be read or, if it is none, nothing.
#[utoipa::path(
    post, path = "/calendar/import", tag = "events", operation_id = "import_expected", request_body = ImportCalendar,
    responses((status = 200, body = Imported), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn import(
    State(app): State<App>,
    Body(calendar): Body<ImportCalendar>,
) -> Result<Json<Imported>, Refusal> {
    let found = calendar::read(&app, calendar.ics, FolderId(calendar.folder_id)).await?;
    let imported = calendar::add_all(&app, found.entries).await?;
    let problems = found.problems.into_iter();
    let problems = problems.map(|problem| Line { line: problem.line as u64, message: problem.message });
    Ok(Json(told(imported, problems.collect())))
}

fn told(imported: store::Imported, problems: Vec<Line>) -> Imported {
    Imported { added: imported.added as u64, updated: imported.updated as u64, problems }
}

/// Removes an entry.
#[utoipa::path(
    delete, path = "/calendar/{id}", tag = "events", operation_id = "remove_expected", params(("id" = i64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody))
)]
pub(crate) async fn remove(State(app): State<App>, Id(id): Id) -> Result<StatusCode, Refusal> {
    calendar::remove(&app, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
