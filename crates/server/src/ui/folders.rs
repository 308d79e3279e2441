//! The folders: all of them as a tree with counts.

mod activity;
mod edit;

pub(crate) use edit::{change, show};

use super::links::after;
use super::parts::{empty, refusal};
use super::refiling;
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::access::csrf::Fields;
use crate::problem::Problem;
use crate::words::{number, plural};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use knowledge::Folders;
use maud::{Markup, html};
use model::FolderId;
use std::collections::HashMap;
use store::{FolderCount, StoreError};

/// A tree of more folders than this begins folded.
const OPEN_UP_TO: usize = 60;

/// The folders with all that is counted about them.
struct Counted {
    folders: Folders,
    counts: HashMap<FolderId, FolderCount>,
    unfiled: FolderCount,
    /// Rules that file into each folder.
    rules: HashMap<FolderId, u64>,
}

impl Counted {
    async fn load(visitor: &Visitor) -> Result<Self, StoreError> {
        let store = visitor.app.store();
        let (counts, unfiled) = store.folder_counts().await?;
        let (folders, rules) = store
            .knowledge(|base| {
                let mut rules: HashMap<FolderId, u64> = HashMap::new();
                for folder in base.tree().rules().iter().filter_map(|rule| rule.conclusion.folder()) {
                    *rules.entry(folder).or_default() += 1;
                }
                (base.folders().clone(), rules)
            })
            .await?;
        Ok(Self { folders, counts, unfiled, rules })
    }

    fn count(&self, folder: FolderId) -> FolderCount {
        self.counts.get(&folder).copied().unwrap_or_default()
    }

    fn rules(&self, folder: FolderId) -> u64 {
        self.rules.get(&folder).copied().unwrap_or(0)
    }
}

pub(crate) async fn list(visitor: Visitor) -> Result<Response, Trouble> {
    page(&visitor, None).await
}

/// Makes a folder with all above it.
pub(crate) async fn create(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    let path = fields.raw("path").to_owned();
    match visitor.app.store().create_folder(path.clone()).await.map_err(Problem::from) {
        Ok(_) => {
            visitor.app.engine.knowledge_changed();
            Ok(Redirect::to(&after("/folders", "folder_created", None)).into_response())
        }
        Err(problem) if problem.status.is_client_error() => page(&visitor, Some((problem, path))).await,
        Err(problem) => Err(problem.into()),
    }
}

async fn page(visitor: &Visitor, refused: Option<(Problem, String)>) -> Result<Response, Trouble> {
    let counted = Counted::load(visitor).await?;
    let (problem, typed) = refused.unzip();
    let content = html! {
        div .section-head {
            h1 { "Folders" }
            (form(visitor, problem.as_ref(), typed.as_deref()))
        }
        (refiling::progress(visitor).await?)
        section #folders .card.flush data-live aria-label="Folders" {
            @if counted.folders.is_empty() { (nothing()) } @else { (tree(&counted)) }
        }
    };
    let mut response = visitor.page(Tab::Folders, "Folders", &content);
    *response.status_mut() = problem.map_or(StatusCode::OK, |problem| problem.status);
    Ok(response)
}

fn form(visitor: &Visitor, problem: Option<&Problem>, typed: Option<&str>) -> Markup {
    html! {
        form .create method="post" action="/folders" {
            (visitor.hidden())
            div .actions {
                input type="text" name="path" value=[typed] placeholder="Sports/Soccer" required maxlength="2000" dir="auto"
                    aria-label="Path of the new folder" aria-invalid=[problem.map(|_| "true")] autocomplete="off";
                button .button.primary { "Create folder" }
            }
            @if let Some(problem) = problem { (refusal(problem)) }
        }
    }
}

fn tree(counted: &Counted) -> Markup {
    let open = counted.folders.list().len() <= OPEN_UP_TO;
    let unfiled = counted.unfiled;
    html! {
        ul .tree.folders {
            li .tree-head {
                div .row {
                    span .name { "Folder" } span .number { "Unread" } span .number { "Articles" }
                    span .number.wide-only { "Rules" } span .end {}
                }
            }
            @for folder in counted.folders.children(None) { (branch(counted, folder.id, open)) }
            li {
                div .row {
                    a .name.quiet href="/?folder=unfiled" { "Unfiled" }
                    span .number { (unread(unfiled.unread)) }
                    span .number { (number(unfiled.articles)) }
                    span .number.wide-only {} span .end {}
                }
            }
        }
    }
}

fn branch(counted: &Counted, id: FolderId, open: bool) -> Markup {
    let inner: Vec<FolderId> = counted.folders.children(Some(id)).map(|folder| folder.id).collect();
    html! {
        li {
            @if inner.is_empty() {
                div .row { (row(counted, id)) }
            } @else {
                details id={ "folder-" (id) } open[open] {
                    summary .row { (row(counted, id)) }
                    ul { @for folder in inner { (branch(counted, folder, open)) } }
                }
            }
        }
    }
}

fn row(counted: &Counted, id: FolderId) -> Markup {
    let count = counted.count(id);
    let rules = counted.rules(id);
    let name = counted.folders.get(id).map_or("", |folder| &folder.name);
    let own = (count.articles != count.articles_within)
        .then(|| format!("{} in the folder itself", plural(count.articles, "article")));
    html! {
        a .name href={ "/?folder=" (id) } dir="auto" { (name) }
        span .number { (unread(count.unread_within)) }
        span .number title=[own] {
            (number(count.articles_within))
            @if count.articles != count.articles_within { " " span .quiet { "(" (number(count.articles)) ")" } }
        }
        span .number.wide-only { @if rules > 0 { a href={ "/rules?folder=" (id) } { (number(rules)) } } }
        span .end { a href={ "/folders/" (id) } aria-label={ "Activity of " (name) } { "Activity" } }
    }
}

fn unread(n: u64) -> Markup {
    html! { @if n > 0 { span .count title={ (n) " unread" } { (number(n)) } } }
}

fn nothing() -> Markup {
    let action = html! {
        a .button.primary href="/" { "Choose an article" }
        a .button href="/?folder=unfiled" { "Unfiled articles" }
    };
    html! {
        (empty(
            "No folders yet: open an article and file it",
            "Say where an article belongs and click the words that say so. Every article like it follows.",
            &action,
        ))
        p .note.aside {
            "You have rules already? Import them: " code { "ripplewatch rules import FILE" } "."
        }
    }
}
