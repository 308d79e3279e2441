//! Filing stored articles anew: how far it has come, to be stopped and resumed.

use super::links::after;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::access::csrf::Fields;
use crate::app::App;
use crate::problem::Problem;
use crate::words::{number, plural};
use axum::extract::State;
use axum::response::Redirect;
use maud::{Markup, html};
use store::StoreError;

/// A part of a page that shows the progress while there is some, and follows along.
pub(crate) async fn progress(visitor: &Visitor) -> Result<Markup, StoreError> {
    let refiling = visitor.app.store().refiling().await?;
    let total = refiling.done + refiling.left;
    Ok(html! {
        section #refiling data-live aria-label="Filing anew" {
            @if !refiling.is_finished() {
                form .refiling.card method="post" action="/refiling" {
                    (visitor.hidden())
                    div {
                        strong {
                            @if refiling.stopped { "Filing anew is stopped" } @else { "Filing stored articles anew" }
                        }
                        " "
                        span .quiet {
                            (number(refiling.done)) " of " (plural(total, "article")) ", "
                            (number(refiling.changed)) " changed"
                        }
                    }
                    progress max=(total) value=(refiling.done) aria-label="Articles filed anew" {}
                    @if refiling.stopped {
                        button .button.primary name="deed" value="resume" { "Resume" }
                    } @else {
                        button .button name="deed" value="stop" { "Stop" }
                    }
                }
            }
        }
    })
}

pub(crate) async fn steer(State(app): State<App>, fields: Fields) -> Result<Redirect, Trouble> {
    let (stop, done) = match fields.text("deed") {
        "stop" => (true, "refiling_stopped"),
        "resume" => (false, "refiling_resumed"),
        _ => return Err(Problem::bad_request("stop or resume?").into()),
    };
    app.store().stop_refiling(stop).await?;
    app.engine.knowledge_changed();
    Ok(Redirect::to(&after(fields.text("back"), done, None)))
}
