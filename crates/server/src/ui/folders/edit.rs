//! One folder: what goes on in it; rename, move, merge, delete.

use super::Counted;
use super::activity::activity;
use crate::access::csrf::Fields;
use crate::app::App;
use crate::problem::Problem;
use crate::ui::links::after;
use crate::ui::parts::refusal;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::{Number, Visitor};
use crate::words::plural;
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use maud::{Markup, html};
use model::FolderId;
use store::StoreError;

pub(crate) async fn show(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    page(&visitor, FolderId(id), None).await
}

/// Does what one of the page's forms asks for.
pub(crate) async fn change(
    visitor: Visitor,
    Number(id): Number,
    fields: Fields,
) -> Result<Response, Trouble> {
    let id = FolderId(id);
    match do_it(&visitor.app, id, &fields).await {
        Ok(place) => {
            visitor.app.engine.knowledge_changed();
            Ok(Redirect::to(&place).into_response())
        }
        Err(problem) if problem.status.is_client_error() => {
            let deed = fields.text("deed").to_owned();
            page(&visitor, id, Some((problem, deed))).await
        }
        Err(problem) => Err(problem.into()),
    }
}

/// Where to go then.
async fn do_it(app: &App, id: FolderId, fields: &Fields) -> Result<String, Problem> {
    let store = app.store();
    let here = format!("/folders/{id}");
    Ok(match fields.text("deed") {
        "rename" => {
            store.rename_folder(id, fields.raw("name").to_owned()).await?;
            after(&here, "folder_renamed", None)
        }
        "move" => {
            let parent = match fields.text("parent") {
                "" => None,
                chosen => Some(number(chosen)?),
            };
            store.move_folder(id, parent).await?;
            after(&here, "folder_moved", None)
        }
        "merge" => {
            let into = number(fields.text("into"))?;
            if into == id {
                return Err(Problem::invalid("a folder cannot be merged into itself"));
            }
            store.merge_folders(id, into).await?;
            after(&format!("/folders/{into}"), "folder_merged", None)
        }
        "delete" => {
            store.remove_folder(id).await?;
            after("/folders", "folder_removed", None)
        }
        _ => return Err(Problem::bad_request("there is no such deed")),
    })
}

fn number(chosen: &str) -> Result<FolderId, Problem> {
    chosen.parse().map_err(|_| Problem::invalid("choose a folder first"))
}

async fn page(
    visitor: &Visitor,
    id: FolderId,
    refused: Option<(Problem, String)>,
) -> Result<Response, Trouble> {
    let counted = Counted::load(visitor).await?;
    if counted.folders.get(id).is_none() {
        return Err(StoreError::NotFound { what: format!("folder {id}") }.into());
    }
    let path = counted.folders.path(id);
    let alarm = |deed: &str| match &refused {
        Some((problem, asked)) if asked == deed => refusal(problem),
        _ => html! {},
    };
    let content = html! {
        (head(&counted, id, &path))
        @if let Some((problem, asked)) = &refused && !["rename", "move", "merge", "delete"].contains(&asked.as_str()) {
            (refusal(problem))
        }
        (activity(visitor, id, &counted.folders).await?)
        h2 .apart { "Change the folder" }
        div .forms {
            (rename(visitor, &counted, id, &alarm("rename")))
            (move_it(visitor, &counted, id, &alarm("move")))
            (merge(visitor, &counted, id, &alarm("merge")))
            (delete(visitor, &counted, id, &alarm("delete")))
        }
    };
    let mut response = visitor.page(Tab::Folders, &path, &content);
    *response.status_mut() = refused.map_or(StatusCode::OK, |(problem, _)| problem.status);
    Ok(response)
}

fn head(counted: &Counted, id: FolderId, path: &str) -> Markup {
    let count = counted.count(id);
    let rules = counted.rules(id);
    html! {
        div .head {
            p .quiet { a href="/folders" { "Folders" } }
            h1 dir="auto" { (path) }
            p .actions {
                a .button href={ "/?folder=" (id) } { (plural(count.articles_within, "article")) }
                a .button href={ "/rules?folder=" (id) } { (plural(rules, "rule")) }
                a .button href={ "/feeds/folders/" (id) ".atom" } { "Feed" }
            }
        }
    }
}

fn rename(visitor: &Visitor, counted: &Counted, id: FolderId, alarm: &Markup) -> Markup {
    let name = counted.folders.get(id).map(|folder| folder.name.as_str());
    html! {
        form .card method="post" action={ "/folders/" (id) } {
            (visitor.hidden())
            h2 { "Rename" }
            label .field {
                span { "Name" }
                input type="text" name="name" value=[name] required maxlength="400" dir="auto" autocomplete="off";
            }
            (alarm)
            button .button name="deed" value="rename" { "Rename" }
        }
    }
}

fn move_it(visitor: &Visitor, counted: &Counted, id: FolderId, alarm: &Markup) -> Markup {
    let parent = counted.folders.get(id).and_then(|folder| folder.parent);
    let inside = counted.folders.within(id);
    html! {
        form .card method="post" action={ "/folders/" (id) } {
            (visitor.hidden())
            h2 { "Move" }
            label .field {
                span { "Into" }
                select name="parent" {
                    option value="" selected[parent.is_none()] { "The top" }
                    @for (path, folder) in counted.folders.list() {
                        @if !inside.contains(&folder.id) {
                            option value=(folder.id) selected[parent == Some(folder.id)] { (path) }
                        }
                    }
                }
            }
            (alarm)
            button .button name="deed" value="move" { "Move" }
        }
    }
}

fn merge(visitor: &Visitor, counted: &Counted, id: FolderId, alarm: &Markup) -> Markup {
    html! {
        form .card method="post" action={ "/folders/" (id) } {
            (visitor.hidden())
            h2 { "Merge" }
            p .quiet { "Its articles, rules and inner folders go to another folder, and it is gone. This cannot be undone." }
            label .field {
                span { "Into" }
                select name="into" required {
                    option value="" { "Choose a folder" }
                    @for (path, folder) in counted.folders.list() {
                        @if folder.id != id { option value=(folder.id) { (path) } }
                    }
                }
            }
            (alarm)
            button .button.danger name="deed" value="merge" { "Merge" }
        }
    }
}

fn delete(visitor: &Visitor, counted: &Counted, id: FolderId, alarm: &Markup) -> Markup {
    let holds_folders = counted.folders.children(Some(id)).next().is_some();
    let used = holds_folders || counted.count(id).articles > 0 || counted.rules(id) > 0;
    html! {
        form .card method="post" action={ "/folders/" (id) } {
            (visitor.hidden())
            h2 { "Delete" }
            @if used {
                p .quiet { "It holds articles, rules or folders. Merge it into another folder instead." }
            } @else {
                p .quiet { "It is empty, and no rule files into it." }
            }
            (alarm)
            button .button.danger name="deed" value="delete" disabled[used] { "Delete" }
        }
    }
}
