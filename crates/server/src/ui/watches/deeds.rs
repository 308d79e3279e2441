//! Deeds done to one watch: change, pause, resume, remove.

use super::form::Typed;
use super::one;
use crate::access::csrf::Fields;
use crate::problem::Problem;
use crate::ui::links::after;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::{Number, Visitor};
use crate::watches;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use model::WatchId;

pub(crate) async fn act(visitor: Visitor, Number(id): Number, sent: Fields) -> Result<Response, Trouble> {
    let (app, id) = (&visitor.app, WatchId(id));
    let here = format!("/watches/{id}");
    let done = match sent.text("deed") {
        "edit" => return edit(&visitor, id, &sent).await,
        "remove" => return confirm(&visitor, id).await,
        "pause" => {
            watches::pause(app, id, true).await?;
            "watch_paused"
        }
        "resume" => {
            watches::pause(app, id, false).await?;
            "watch_resumed"
        }
        "remove_confirmed" => {
            watches::remove(app, id).await?;
            return Ok(Redirect::to(&after("/watches", "watch_removed", None)).into_response());
        }
        _ => return Err(Problem::bad_request("there is no such deed").into()),
    };
    Ok(Redirect::to(&after(&here, done, None)).into_response())
}

async fn edit(visitor: &Visitor, id: WatchId, sent: &Fields) -> Result<Response, Trouble> {
    let typed = Typed::read(sent);
    match watches::change(&visitor.app, id, &typed.wish()).await {
        Ok(_) => Ok(Redirect::to(&after(&format!("/watches/{id}"), "edited", None)).into_response()),
        Err(problem) if problem.status.is_client_error() => {
            one::page(visitor, id, Some((&typed, &problem))).await
        }
        Err(problem) => Err(problem.into()),
    }
}

async fn confirm(visitor: &Visitor, id: WatchId) -> Result<Response, Trouble> {
    let watch = visitor.app.store().watch(id).await?;
    let content = html! {
        section .card.narrow {
            h1 { "Remove this watch?" }
            p dir="auto" { (watch.name) }
            p { "What it saw is forgotten. Its source stays. This cannot be undone." }
            form .actions method="post" action={ "/watches/" (id) } {
                (visitor.hidden())
                button .button.danger name="deed" value="remove_confirmed" { "Remove it" }
                a .button href={ "/watches/" (id) } { "Keep it" }
            }
        }
    };
    Ok(visitor.page(Tab::Sources, "Remove a watch", &content))
}
