//! One watch: how it does, what it sees, what changed.

use super::add::lines;
use super::diff::diff;
use super::form::{Typed, fields};
use super::numbers::numbers;
use super::{Section, sections, standing};
use crate::problem::Problem;
use crate::ui::icons::{Icon, icon};
use crate::ui::links::link;
use crate::ui::parts::{maybe_when, outward, refusal, when};
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::{Number, Visitor};
use crate::words::{capitalised, plural};
use axum::response::Response;
use http::StatusCode;
use maud::{Markup, html};
use model::{ChangeId, WatchId};
use page::watches::Kind;
use store::{PartChange, Watch};

const CHANGES: usize = 20;
/// As many as are kept.
const CHARTED: usize = 200;

pub(crate) async fn show(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    page(&visitor, WatchId(id), None).await
}

pub(super) async fn page(
    visitor: &Visitor,
    id: WatchId,
    refused: Option<(&Typed, &Problem)>,
) -> Result<Response, Trouble> {
    let store = visitor.app.store();
    let watch = store.watch(id).await?;
    let before = visitor.query.filled("before").and_then(|text| text.parse().ok()).map(ChangeId);
    let charted = store.part_changes(id, None, CHARTED).await?;
    let mut changes = store.part_changes(id, before, CHANGES + 1).await?;
    let more = changes.len() > CHANGES;
    changes.truncate(CHANGES);
    let older = changes
        .last()
        .filter(|_| more)
        .map(|last| link(&format!("/watches/{id}"), &[("before", Some(last.id.to_string()))]));
    let content = html! {
        (sections(Section::Watches))
        header .head {
            h1 dir="auto" { (watch.name) }
            p .address {
                a href={ "/sources/" (watch.source) } dir="auto" { (watch.source_title) } " · "
                (outward(&watch.source_url, &html! { (watch.source_url) (icon(Icon::Leave)) }))
            }
            div .actions {
                @if watch.ended.is_none() {
                    @if watch.paused { (deed(visitor, id, "resume", "Resume", "primary")) }
                    @else { (deed(visitor, id, "pause", "Pause", "")) }
                }
                a .button href="#edit" { "Edit" }
                a .button href={ "/feeds/watches/" (id) ".atom" } { (icon(Icon::Feed)) span { "Feed" } }
                (deed(visitor, id, "remove", "Remove…", "danger"))
            }
        }
        div #watch data-live {
            (facts(visitor, &watch))
            section .card {
                h2 { "What it sees now" }
                (now(&watch))
            }
            section .card {
                h2 { "Changes" }
                (numbers(&charted))
                @if changes.is_empty() { p .note { "None yet. The first look is on its way." } }
                @for change in &changes { (entry(visitor, change)) }
                @if let Some(older) = older { p { a .button href=(older) { "Older changes" } } }
            }
        }
        (edit_form(visitor, &watch, refused))
    };
    let mut response = visitor.page(Tab::Sources, &watch.name, &content);
    *response.status_mut() = refused.map_or(StatusCode::OK, |(_, problem)| problem.status);
    Ok(response)
}

fn deed(visitor: &Visitor, id: WatchId, deed: &str, words: &str, class: &str) -> Markup {
    html! {
        form method="post" action={ "/watches/" (id) } {
            (visitor.hidden())
            button class={ "button " (class) } name="deed" value=(deed) { (words) }
        }
    }
}

fn facts(visitor: &Visitor, watch: &Watch) -> Markup {
    let (terms, course) = (&watch.terms, &watch.course);
    let next = course.looked_at.and_then(|last| terms.next_look(last)).filter(|_| watch.ended.is_none());
    html! {
        dl .tiles {
            div { dt { "State" } dd { (standing(watch)) } }
            div {
                dt { "Looks at" }
                dd {
                    code { (terms.aim.what) }
                    @if let Some(within) = &terms.aim.within { span .why { "only inside " code { (within) } } }
                    @if let Some(ignore) = &terms.aim.ignore { span .why { "without lines that match " code { (ignore) } } }
                }
            }
            div {
                dt { "Last look" }
                dd {
                    (maybe_when(course.looked_at, visitor.now, "Not yet"))
                    span .why { (plural(course.looks, "look")) }
                }
            }
            div {
                dt { "Looks" }
                dd {
                    (capitalised(&terms.when.to_string()))
                    @if let Some(next) = next { span .why { "next " (when(next, visitor.now)) } }
                }
            }
            div {
                dt { "Tells" }
                dd {
                    @if let Some(moved) = terms.moved { "When it moves " (moved) } @else { "Any change" }
                    span .why { (capitalised(&terms.notify.to_string())) }
                }
            }
            div { dt { "Told" } dd { (plural(u64::from(course.tellings), "time")) } }
            div {
                dt { "Ends" }
                dd {
                    @if terms.stops.is_empty() { span .quiet { "Never" } }
                    @for stop in &terms.stops { div { (capitalised(&stop.to_string())) } }
                }
            }
            div { dt { "Made" } dd { (when(watch.created_at, visitor.now)) } }
        }
    }
}

fn now(watch: &Watch) -> Markup {
    html! {
        @match &watch.course.now {
            None => p .quiet { "It has not seen its page yet." },
            Some(seen) => {
                @if let Some(why) = &seen.gone {
                    p .alarm { (icon(Icon::Warning)) span { strong { "The part is gone." } " " (capitalised(why)) "." } }
                    @if !seen.part.lines.is_empty() { p .quiet { "What it was last:" } }
                }
                @if seen.gone.is_none() || !seen.part.lines.is_empty() { (lines(&seen.part)) }
            },
        }
    }
}

fn entry(visitor: &Visitor, change: &PartChange) -> Markup {
    let numbers =
        change.number_before.zip(change.number).filter(|(before, now)| before.total_cmp(now).is_ne());
    html! {
        article .change id={ "change-" (change.id) } {
            p .meta {
                span .from { (title(change.kind)) }
                span { (when(change.at, visitor.now)) }
                span .told[change.told] { @if change.told { "told" } @else { "not told" } }
                @if let Some((before, now)) = numbers { span { (before) " → " (now) } }
                @if !change.diff.hunks.is_empty() { span { (change.diff.summary()) } }
            }
            @if change.kind != Kind::First || !change.why.starts_with("the first") {
                p .why { (capitalised(&change.why)) "." @if let Some(since) = change.since { " Compared with " (when(since, visitor.now)) "." } }
            }
            @if !change.diff.hunks.is_empty() { (diff(&change.diff)) }
        }
    }
}

fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::First => "First look",
        Kind::Changed => "Changed",
        Kind::Gone => "Gone from the page",
        Kind::Back => "On the page",
        Kind::Flapping => "Changes to and fro",
        Kind::Settled => "Came to rest",
    }
}

fn edit_form(visitor: &Visitor, watch: &Watch, refused: Option<(&Typed, &Problem)>) -> Markup {
    let stored = Typed::of(&watch.name, &watch.terms);
    let typed = refused.map_or(&stored, |(typed, _)| typed);
    html! {
        section #edit .card {
            h2 { "Edit" }
            @if watch.ended.is_some() { p .note { "It has ended. Saving lets it begin anew." } }
            @if let Some((_, problem)) = refused { (refusal(problem)) }
            form method="post" action={ "/watches/" (watch.id) } {
                (visitor.hidden())
                (fields(typed))
                div .actions { button .button.primary name="deed" value="edit" { "Save" } }
            }
        }
    }
}
