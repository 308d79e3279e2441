//! Watches on parts of pages: all of them, those of a source, and one by one.

mod add;
mod deeds;
mod diff;
mod form;
mod numbers;
mod one;

pub(crate) use add::{add, ask, preview};
pub(crate) use deeds::act;
pub(crate) use one::show;

use super::icons::{Icon, icon};
use super::parts::{empty, maybe_when};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::words::capitalised;
use axum::response::Response;
use maud::{Markup, html};
use model::SourceId;
use store::{Watch, WatchStanding};

/// Of what a watch sees, a list shows this much.
const EXCERPT: usize = 160;

/// Which of the pages about sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Sources,
    Watches,
}

/// The ways between the pages about sources.
pub(crate) fn sections(current: Section) -> Markup {
    let entry = |section: Section, href: &str, name: &str| {
        html! { a href=(href) aria-current=[(section == current).then_some("page")] { (name) } }
    };
    html! {
        nav .sections aria-label="About sources" {
            (entry(Section::Sources, "/sources", "Sources"))
            (entry(Section::Watches, "/watches", "Watches"))
            a .feed href="/feeds/watches.atom" { (icon(Icon::Feed)) "Feed" }
        }
    }
}

pub(crate) async fn list(visitor: Visitor) -> Result<Response, Trouble> {
    let watches = visitor.app.store().watches(None).await?;
    let content = html! {
        (sections(Section::Watches))
        div .head {
            h1 { "Watches" }
            p .quiet { "A watch looks at a part of a page – a price, a table, a list, a word – and tells you when it changes." }
            div .actions { a .button.primary href="/watches/add" { (icon(Icon::Plus)) span { "Add a watch" } } }
        }
        div #watches data-live {
            @if watches.is_empty() {
                section .list { (nothing()) }
            } @else {
                section .card { (table(&visitor, &watches, true)) }
            }
        }
    };
    Ok(visitor.page(Tab::Sources, "Watches", &content))
}

fn nothing() -> Markup {
    empty(
        "No watches yet",
        "Paste an address, say which part of the page matters, and see at once what would be watched.",
        &html! { a .button.primary href="/watches/add" { "Add a watch" } },
    )
}

/// The watches of a source, for its page.
pub(crate) async fn of_source(visitor: &Visitor, id: SourceId) -> Result<Markup, Trouble> {
    let watches = visitor.app.store().watches(Some(id)).await?;
    Ok(html! {
        section #watches .card {
            div .section-head {
                h2 { "Watches" }
                a .button href={ "/watches/add?source=" (id) } { (icon(Icon::Plus)) span { "Add a watch" } }
            }
            @if watches.is_empty() {
                p .quiet { "None. A watch looks at a part of this page – a price, a table, a word – and tells you when it changes." }
            } @else {
                (table(visitor, &watches, false))
            }
        }
    })
}

fn table(visitor: &Visitor, watches: &[Watch], with_source: bool) -> Markup {
    html! {
        table .cards.compact.watches {
            thead {
                tr {
                    th { "Watch" } th { "State" } th { "Sees now" } th { "Last look" } th .number { "Told" }
                }
            }
            tbody {
                @for watch in watches {
                    tr {
                        td .name {
                            a href={ "/watches/" (watch.id) } dir="auto" { (watch.name) }
                            span .why { code { (watch.terms.aim.what) } }
                            @if with_source { span .why { a href={ "/sources/" (watch.source) } dir="auto" { (watch.source_title) } } }
                        }
                        td data-label="State" { (standing(watch)) }
                        td data-label="Sees now" dir="auto" { (excerpt(watch)) }
                        td data-label="Last look" { (maybe_when(watch.course.looked_at, visitor.now, "Not yet")) }
                        td .number data-label="Told" { (watch.course.tellings) }
                    }
                }
            }
        }
    }
}

fn excerpt(watch: &Watch) -> Markup {
    let seen = watch.course.now.as_ref().filter(|seen| seen.gone.is_none());
    html! {
        @match seen {
            Some(seen) if seen.part.lines.is_empty() => span .quiet { "Nothing" },
            Some(seen) => {
                (shortened(&seen.part.lines.join(" · ")))
            },
            None => span .quiet { "–" },
        }
    }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(EXCERPT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// How a watch is doing: a drawing and a word, and why it is quiet if it is.
fn standing(watch: &Watch) -> Markup {
    let standing = watch.standing();
    let (drawing, class) = match standing {
        WatchStanding::New => (Icon::Dot, "new"),
        WatchStanding::Looking => (Icon::Check, "ok"),
        WatchStanding::Gone => (Icon::Warning, "failing"),
        WatchStanding::Flapping => (Icon::Warning, "late"),
        WatchStanding::Paused => (Icon::Pause, "paused"),
        WatchStanding::Ended => (Icon::Cross, "paused"),
    };
    html! {
        span class={ "standing " (class) } { (icon(drawing)) (capitalised(standing.word())) }
        @if let Some(why) = watch.why_quiet() { span .why { (capitalised(&why)) } }
    }
}
