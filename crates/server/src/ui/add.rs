//! Adding sources: where it begins, and where one is added.

use super::links::after;
use super::shell::Tab;
use super::source::interval;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::access::csrf::Fields;
use crate::app::App;
use crate::watching::{self, Wish};
use axum::extract::State;
use axum::response::{Redirect, Response};
use maud::{Markup, html};

pub(crate) async fn form(visitor: Visitor) -> Response {
    let content = html! {
        section .card.narrow {
            h1 { "Add a source" }
            p { "Paste the address of a news page, a feed or a sitemap. You see what was understood before anything is kept." }
            (address_form(&visitor, "", None))
        }
        section .card.narrow {
            h2 { "Many at once" }
            form method="post" action="/sources/preview" {
                (visitor.hidden())
                label .field {
                    span { "Addresses, one a line, or the text of an OPML file" }
                    textarea name="many" rows="6" required spellcheck="false"
                        placeholder="https://news.example/world\nhttps://blog.example/feed.xml" {}
                }
                p .actions { button .button { "Check the list" } }
            }
        }
    };
    visitor.page(Tab::Add, "Add a source", &content)
}

/// The form for one address; `error` says what was wrong with the last one.
pub(crate) fn address_form(visitor: &Visitor, typed: &str, error: Option<&str>) -> Markup {
    html! {
        form method="post" action="/sources/preview" {
            (visitor.hidden())
            label .field {
                span { "Address" }
                input type="text" inputmode="url" name="url" value=(typed) required autofocus maxlength="4000"
                    placeholder="https://news.example/world" spellcheck="false" autocapitalize="off"
                    autocomplete="url" aria-invalid=[error.map(|_| "true")];
            }
            @if let Some(error) = error {
                p .error role="alert" { (error) }
            }
            p .actions { button .button.primary { "Look at it" } }
        }
    }
}

/// A preview is asked for by a form; whoever opens its address by hand begins with that form.
pub(crate) async fn begin_again() -> Redirect {
    Redirect::to("/sources/add")
}

/// "Watch this".
pub(crate) async fn add(State(app): State<App>, fields: Fields) -> Result<Redirect, Trouble> {
    let wish = Wish {
        url: fields.text("url"),
        title: fields.filled("title"),
        selector: fields.filled("selector"),
        interval: interval(&fields)?,
    };
    let id = watching::add(&app, &wish).await?;
    Ok(Redirect::to(&after(&format!("/sources/{id}"), "added", None)))
}
