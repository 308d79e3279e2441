//! Deeds done to a topic: undo a lesson, export, remove.

use super::topic_path;
use crate::access::csrf::Fields;
use crate::problem::Problem;
use crate::topics;
use crate::ui::links::after;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use maud::html;

pub(crate) async fn act(
    visitor: Visitor,
    Path(name): Path<String>,
    sent: Fields,
) -> Result<Response, Trouble> {
    match sent.text("deed") {
        "undo" => {
            let lesson = sent.text("lesson").parse().map_err(|_| Problem::bad_request("which lesson?"))?;
            topics::undo(&visitor.app, lesson).await?;
            Ok(Redirect::to(&after(&topic_path(&name), "lesson_undone", None)).into_response())
        }
        "undo_all" => {
            let crawl = sent.text("crawl").parse().map_err(|_| Problem::bad_request("which crawl?"))?;
            topics::undo_all(&visitor.app, &name, crawl).await?;
            Ok(Redirect::to(&after(&topic_path(&name), "lesson_undone", None)).into_response())
        }
        "remove" => Ok(confirm(&visitor, &name)),
        "remove_confirmed" => {
            topics::remove(&visitor.app, &name).await?;
            Ok(Redirect::to(&after("/topics", "topic_removed", None)).into_response())
        }
        _ => Err(Problem::bad_request("there is no such deed").into()),
    }
}

fn confirm(visitor: &Visitor, name: &str) -> Response {
    let content = html! {
        section .card.narrow {
            h1 { "Remove this topic?" }
            p dir="auto" { (name) }
            p { "What it learned is forgotten. Crawls keep their own copy and their pages. This cannot be undone." }
            form .actions method="post" action=(topic_path(name)) {
                (visitor.hidden())
                button .button.danger name="deed" value="remove_confirmed" { "Remove it" }
                a .button href=(topic_path(name)) { "Keep it" }
            }
        }
    };
    visitor.page(Tab::Discover, "Remove a topic", &content)
}

/// The topic as a Turtle file.
pub(crate) async fn export(visitor: Visitor, Path(name): Path<String>) -> Result<Response, Trouble> {
    let text = topics::turtle(&visitor.app, &name).await?;
    let file = name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let headers = [
        (CONTENT_TYPE, "text/turtle; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{file}.ttl\"")),
    ];
    Ok((headers, text).into_response())
}
