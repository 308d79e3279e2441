//! Importing a calendar: first what was understood, line by line; then, on a click, all of it.

use super::forms::{folder, import_form};
use super::span_words;
use crate::access::csrf::Fields;
use crate::calendar::{add_all, read, zone};
use crate::problem::Problem;
use crate::ui::events::{Section, sections};
use crate::ui::filed;
use crate::ui::links::after;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use crate::words::plural;
use axum::response::{IntoResponse, Redirect, Response};
use detection::Import;
use http::StatusCode;
use jiff::tz::TimeZone;
use maud::{Markup, html};

/// Entries shown before they are taken over.
const SHOWN: usize = 50;

/// Shows what a calendar holds, and changes nothing.
pub(crate) async fn preview(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    match understood(&visitor, &fields).await {
        Ok(found) => {
            let zone = zone(&visitor.app).await?;
            Ok(visitor.page(Tab::Events, "Import a calendar", &found_page(&visitor, &fields, &found, &zone)))
        }
        Err(problem) if problem.status.is_client_error() => refused(&visitor, &fields, &problem).await,
        Err(problem) => Err(problem.into()),
    }
}

/// Takes over what a calendar holds.
pub(crate) async fn import(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    let done = match understood(&visitor, &fields).await {
        Ok(found) => add_all(&visitor.app, found.entries).await,
        Err(problem) => Err(problem),
    };
    match done {
        Ok(imported) => {
            let n = imported.added + imported.updated;
            Ok(Redirect::to(&after("/calendar", "expected_imported", Some(n))).into_response())
        }
        Err(problem) if problem.status.is_client_error() => refused(&visitor, &fields, &problem).await,
        Err(problem) => Err(problem.into()),
    }
}

async fn understood(visitor: &Visitor, fields: &Fields) -> Result<Import, Problem> {
    read(&visitor.app, fields.raw("ics").to_owned(), folder(fields.text("folder"))?).await
}

async fn refused(visitor: &Visitor, fields: &Fields, problem: &Problem) -> Result<Response, Trouble> {
    let folders = filed::folders(&visitor.app).await?;
    let content = html! {
        (sections(Section::Calendar))
        (import_form(visitor, &folders, fields.text("folder"), Some(fields.raw("ics")), Some(problem)))
    };
    let mut response = visitor.page(Tab::Events, "Import a calendar", &content);
    *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    Ok(response)
}

fn found_page(visitor: &Visitor, fields: &Fields, found: &Import, zone: &TimeZone) -> Markup {
    let n = found.entries.len();
    html! {
        (sections(Section::Calendar))
        section .card {
            h1 { (if n == 1 { "1 entry".to_owned() } else { format!("{n} entries") }) " understood" }
            @if !found.problems.is_empty() {
                p .alarm { span { (plural(found.problems.len() as u64, "line")) " could not be read as meant:" } }
                ul .problems-by-line {
                    @for problem in &found.problems { li { strong { "Line " (problem.line) ":" } " " (problem.message) } }
                }
            }
            @if n == 0 { p .note { "There is nothing to import." } }
            ul .stories {
                @for entry in found.entries.iter().take(SHOWN) {
                    li {
                        strong dir="auto" { (entry.title) }
                        span .why { (span_words(entry, zone)) " · kind: " span dir="auto" { (entry.kind) } }
                    }
                }
            }
            @if n > SHOWN { p .quiet { "and " (plural((n - SHOWN) as u64, "later one")) } }
            form .actions method="post" action="/calendar/import" {
                (visitor.hidden_for("/calendar"))
                input type="hidden" name="folder" value=(fields.text("folder"));
                textarea name="ics" hidden { (fields.raw("ics")) }
                @if n > 0 { button .button.primary { "Import" } }
                a .button href="/calendar" { "Back" }
            }
        }
    }
}
