//! The addresses of the feeds, with the key where one is needed.

use crate::feeds;
use crate::problem::Problem;
use crate::ui::links::link;
use crate::ui::visitor::Visitor;
use knowledge::Folders;
use maud::{Markup, html};

/// More folders than this begin folded.
const FOLDED_FROM: usize = 8;

pub(super) async fn section(visitor: &Visitor, folders: &Folders) -> Result<Markup, Problem> {
    let key = feeds::current_key(&visitor.app).await?;
    let locked = visitor.app.needs_login();
    let whole = [("Events", "events"), ("All articles", "articles"), ("Watches", "watches")]
        .map(|(title, name)| (title.to_owned(), name.to_owned()));
    let of_folders: Vec<_> =
        folders.list().into_iter().map(|(path, folder)| (path, format!("folders/{}", folder.id))).collect();
    let address = |name: &str, format: &str| {
        link(&format!("/feeds/{name}.{format}"), &[("key", key.clone().filter(|_| locked))])
    };
    let table = |feeds: &[(String, String)]| {
        html! {
            table .cards.compact {
                thead { tr { th { "Feed" } th { "Atom" } th { "RSS" } } }
                tbody {
                    @for (title, name) in feeds {
                        tr {
                            td .name dir="auto" { (title) }
                            td data-label="Atom" { a href=(address(name, "atom")) { "Atom" } }
                            td data-label="RSS" { a href=(address(name, "rss")) { "RSS" } }
                        }
                    }
                }
            }
        }
    };
    Ok(html! {
        section #feeds .card {
            h2 { "Feeds" }
            p { "For feed readers; no account with anyone needed." }
            @if locked && key.is_none() {
                p .note { "Feed readers cannot log in. Make a key: it opens the feeds and nothing else." }
            } @else {
                (table(&whole))
                @if !of_folders.is_empty() {
                    details open[of_folders.len() <= FOLDED_FROM] {
                        summary { "Of each folder" }
                        (table(&of_folders))
                    }
                }
            }
            @if locked {
                form .actions method="post" action="/notifications/feed-key" {
                    (visitor.hidden())
                    @if key.is_some() {
                        button .button name="deed" value="renew" { "Make a new key" }
                        button .button.danger name="deed" value="revoke" { "Take the key back" }
                        span .quiet { "The old addresses stop working." }
                    } @else {
                        button .button.primary name="deed" value="renew" { "Make a key" }
                    }
                }
            }
        }
    })
}
