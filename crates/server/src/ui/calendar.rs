//! The calendar: what is expected, and so is no surprise.

mod forms;
mod import;

pub(crate) use import::{import, preview};

use super::events::{Section, sections, watch};
use super::filed;
use super::links::after;
use super::parts::{empty, when};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::{Number, Visitor};
use crate::access::csrf::Fields;
use crate::app::App;
use crate::calendar;
use crate::problem::Problem;
use crate::words::{about, clock, day_clock, plural};
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use detection::{Entry, Estimate, Level};
use forms::{Typed, add_form, import_form};
use http::StatusCode;
use jiff::tz::TimeZone;
use knowledge::Folders;
use maud::{Markup, html};
use store::ExpectedEntry;

/// What is over is there to learn from; the oldest are not read.
const PAST: usize = 60;
const COMING: usize = 200;

pub(crate) async fn list(visitor: Visitor) -> Result<Response, Trouble> {
    page(&visitor, &Typed::default(), None).await
}

pub(crate) async fn add(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    let typed = Typed::read(&fields);
    let zone = calendar::zone(&visitor.app).await?;
    let added = match typed.entry(&zone) {
        Ok(entry) => calendar::add(&visitor.app, entry).await,
        Err(problem) => Err(problem),
    };
    match added {
        Ok(_) => Ok(Redirect::to(&after("/calendar", "expected_added", None)).into_response()),
        Err(problem) if problem.status.is_client_error() => page(&visitor, &typed, Some(&problem)).await,
        Err(problem) => Err(problem.into()),
    }
}

pub(crate) async fn remove(
    State(app): State<App>,
    Number(id): Number,
    _: Fields,
) -> Result<Redirect, Trouble> {
    calendar::remove(&app, id).await?;
    Ok(Redirect::to(&after("/calendar", "expected_removed", None)))
}

async fn page(visitor: &Visitor, typed: &Typed, problem: Option<&Problem>) -> Result<Response, Trouble> {
    let entries = visitor.app.store().expected(None, visitor.now).await?;
    let folders = filed::folders(&visitor.app).await?;
    let (settings, zone) = watch(&visitor.app).await?;
    let (past, coming): (Vec<_>, Vec<_>) = entries.iter().partition(|one| one.entry.to <= visitor.now);
    let line = |one: &&ExpectedEntry| row(visitor, one, &folders, &zone);
    let content = html! {
        (sections(Section::Calendar))
        div .head {
            h1 { "Calendar" }
            p .quiet { "What is expected is no surprise: while an entry lasts, its folder may be as busy as expected, and only more than \
                that becomes an event. Times are those of " (settings.zone) "." }
        }
        @if entries.is_empty() { section .list { (nothing(&folders)) } }
        @if !coming.is_empty() {
            section .group {
                h2 { "Coming" }
                ul .list.entries { @for one in coming.iter().take(COMING) { (line(one)) } }
                @if coming.len() > COMING { p .quiet { "and " (plural((coming.len() - COMING) as u64, "later one")) } }
            }
        }
        @if !folders.is_empty() {
            div .forms {
                (add_form(visitor, &folders, typed, problem, &settings.zone))
                (import_form(visitor, &folders, "", None, None))
            }
        }
        @if !past.is_empty() {
            section .group {
                h2 .apart { "Past" }
                ul .list.entries { @for one in past.iter().rev().take(PAST) { (line(one)) } }
                @if past.len() > PAST { p .quiet { "and " (plural((past.len() - PAST) as u64, "older one")) } }
            }
        }
    };
    let mut response = visitor.page(Tab::Events, "Calendar", &content);
    *response.status_mut() = problem.map_or(StatusCode::OK, |problem| problem.status);
    Ok(response)
}

fn nothing(folders: &Folders) -> Markup {
    let action = if folders.is_empty() {
        html! { a .button.primary href="/folders" { "To the folders" } }
    } else {
        html! { a .button href="#add" { "Add an entry" } a .button href="#import" { "Import a calendar" } }
    };
    empty(
        "Nothing is expected",
        "Add finals, elections, product launches: a folder that is busier then is not told as an event. From past entries of \
         a kind Ripplewatch learns how much busier.",
        &action,
    )
}

fn row(visitor: &Visitor, one: &ExpectedEntry, folders: &Folders, zone: &TimeZone) -> Markup {
    let entry = &one.entry;
    html! {
        li .entry {
            div .says {
                h3 dir="auto" { (entry.title) }
                p .meta {
                    a .chip.filed href={ "/folders/" (entry.folder) } dir="auto" { (folders.path(entry.folder)) }
                    span { (span_words(entry, zone)) }
                    span { (when(if entry.from > visitor.now { entry.from } else { entry.to }, visitor.now))
                        @if entry.from <= visitor.now && entry.to > visitor.now { " it ends" } }
                    @if entry.kind != entry.title.to_lowercase() { span dir="auto" { "kind: " (entry.kind) } }
                }
                p .reason { @if entry.to <= visitor.now { (came(one)) } @else { (expectation(one)) } }
            }
            @if let Some(id) = entry.id {
                form method="post" action={ "/calendar/" (id) "/remove" } {
                    (visitor.hidden())
                    button .button.danger aria-label={ "Remove " (entry.title) } { "Remove" }
                }
            }
        }
    }
}

/// "Mon 6 Jul 14:00 to 16:00", with the second day where it is another one.
pub(super) fn span_words(entry: &Entry, zone: &TimeZone) -> String {
    let day = |at: jiff::Timestamp| at.to_zoned(zone.clone()).date();
    let to = if day(entry.from) == day(entry.to) { clock(entry.to, zone) } else { day_clock(entry.to, zone) };
    format!("{} to {to}", day_clock(entry.from, zone))
}

/// What is expected, and how that is known.
fn expectation(one: &ExpectedEntry) -> Markup {
    let typed = one.entry.multiplier.is_some();
    html! {
        "Expected: " strong { (level_words(one.level)) } ", "
        @match (typed, &one.estimate) {
            (true, Some(estimate)) => { "as typed. Past ones say " (level_words(estimate.level)) "." },
            (true, None) => "as typed.",
            (false, Some(estimate)) => (estimated(estimate)),
            (false, None) => "as there is no past one of the kind to learn from. Type a number if you know better.",
        }
    }
}

fn estimated(estimate: &Estimate) -> Markup {
    html! {
        "estimated from " (if estimate.entries == 1 { "1 past entry".to_owned() } else { format!("{} past entries", estimate.entries) }) "."
        @match estimate.held_out {
            None => " One alone cannot be checked.",
            Some(held) if held.helps() => " Foretelling each from the others did better than expecting the usual.",
            Some(_) => " Foretelling each from the others did no better than expecting the usual, so be careful.",
        }
    }
}

fn came(one: &ExpectedEntry) -> Markup {
    html! {
        @match one.came {
            Some(came) => {
                "Came: " strong { "× " (about(came.observed / came.usual.max(1e-9))) } ", " (about(came.observed))
                " stories against " (about(came.usual)) " usual."
            },
            None => "Nothing was watched then, so it teaches nothing.",
        }
        @if let Some(typed) = one.entry.multiplier { " Expected: × " (about(typed)) ", as typed." }
    }
}

/// "× 1.7 (1.4 to 2.1)": two times in three it is within.
fn level_words(level: Level) -> String {
    let Level { multiplier, uncertainty } = level;
    if level == Level::USUAL {
        return "as usual".to_owned();
    }
    if uncertainty <= 0.0 {
        return format!("× {}", about(multiplier));
    }
    let factor = uncertainty.exp();
    format!("× {} ({} to {})", about(multiplier), about(multiplier / factor), about(multiplier * factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_told_with_their_range() {
        let level = |multiplier, uncertainty| level_words(Level { multiplier, uncertainty });
        assert_eq!(level(1.7, 0.2), "× 1.7 (1.4 to 2.1)");
        assert_eq!(level(3.0, 0.0), "× 3");
        assert_eq!(level(1.0, 0.0), "as usual");
    }
}
