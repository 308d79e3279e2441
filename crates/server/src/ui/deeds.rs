//! Deeds done to ticked sources: visit, pause, resume, remove.

use super::links::{after, local};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::access::csrf::Fields;
use crate::app::App;
use crate::problem::Problem;
use crate::watching::{self, name_of};
use crate::words::plural;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use model::{Source, SourceId};
use store::{SourceEdit, StoreError};

/// More names than this are counted, not listed.
const NAMED: usize = 20;

pub(crate) async fn run(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    let ids: Vec<SourceId> = fields.all("id");
    let back = local(fields.text("back"));
    if ids.is_empty() {
        return Ok(Redirect::to(&after(back, "nothing", None)).into_response());
    }
    let app = &visitor.app;
    let (done, n) = match fields.text("deed") {
        "visit" => ("visiting", visit(app, &ids).await?),
        "pause" => ("paused", pause(app, &ids, true).await?),
        "resume" => ("resumed", pause(app, &ids, false).await?),
        "remove" => return confirm(&visitor, &ids, back).await,
        "remove_confirmed" => ("removed", remove(app, &ids).await?),
        _ => return Err(Problem::bad_request("there is no such deed").into()),
    };
    // The page of a removed source is gone.
    let back = if done == "removed" { "/sources" } else { back };
    Ok(Redirect::to(&after(back, done, Some(n))).into_response())
}

async fn visit(app: &App, ids: &[SourceId]) -> Result<usize, Problem> {
    let mut n = 0;
    for id in ids {
        n += counted(watching::visit_soon(app, *id).await)?;
    }
    Ok(n)
}

async fn pause(app: &App, ids: &[SourceId], paused: bool) -> Result<usize, Problem> {
    let mut n = 0;
    for id in ids {
        let source = match app.store().source(*id).await {
            Ok(source) => source,
            Err(StoreError::NotFound { .. }) => continue,
            Err(error) => return Err(error.into()),
        };
        // Resuming what is not paused would plan a visit nobody asked for.
        if source.paused != paused {
            let edit = SourceEdit { paused: Some(paused), ..SourceEdit::default() };
            n += counted(watching::edit(app, *id, edit).await)?;
        }
    }
    Ok(n)
}

async fn remove(app: &App, ids: &[SourceId]) -> Result<usize, Problem> {
    let mut n = 0;
    for id in ids {
        n += counted(watching::remove(app, *id).await)?;
    }
    Ok(n)
}

/// A source that is gone meanwhile is no reason to stop.
fn counted<T>(done: Result<T, Problem>) -> Result<usize, Problem> {
    match done {
        Ok(_) => Ok(1),
        Err(problem) if problem.status == http::StatusCode::NOT_FOUND => Ok(0),
        Err(problem) => Err(problem),
    }
}

async fn confirm(visitor: &Visitor, ids: &[SourceId], back: &str) -> Result<Response, Trouble> {
    let mut sources: Vec<Source> = Vec::new();
    for id in ids.iter().take(NAMED) {
        sources.extend(visitor.app.store().source(*id).await.ok());
    }
    let what = plural(ids.len() as u64, "source");
    let content = html! {
        section .card.narrow {
            h1 { "Remove " (what) "?" }
            p { "Their visits are forgotten. Articles stay. This cannot be undone." }
            ul { @for source in &sources { li { (name_of(source)) } } }
            @if ids.len() > NAMED { p .quiet { "and " (ids.len() - NAMED) " more" } }
            form .actions method="post" action="/sources/deeds" {
                (visitor.hidden())
                @for id in ids { input type="hidden" name="id" value=(id); }
                button .button.danger name="deed" value="remove_confirmed" { "Remove " (what) }
                a .button href=(back) { "Keep" @if ids.len() > 1 { " them" } @else { " it" } }
            }
        }
    };
    Ok(visitor.page(Tab::Sources, "Remove sources", &content))
}
