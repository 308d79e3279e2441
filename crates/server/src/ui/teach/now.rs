//! Where the article is filed now and why, and what is wrong with that.

use super::Shown;
use super::state::{State, WrongKind};
use crate::teaching::{Reason, Step};
use crate::ui::icons::{Icon, icon};
use crate::ui::parts::when;
use jiff::Timestamp;
use maud::{Markup, html};
use std::collections::BTreeSet;

pub(super) fn filed_now(shown: &Shown) -> Markup {
    let (giving, stopping): (Vec<&Reason>, Vec<&Reason>) =
        shown.reasons.iter().partition(|reason| reason.folder.is_some());
    html! {
        section .card.filed-now aria-labelledby="filed-now" {
            h2 #filed-now { "Filed now" }
            @if giving.is_empty() {
                p .quiet {
                    @if stopping.is_empty() { "In no folder: no rule catches it." }
                    @else { "In no folder." }
                }
            }
            @for reason in giving {
                details .reason {
                    summary { span .folder-name dir="auto" { (reason.folder.as_deref().unwrap_or_default()) } span .why-link { "why" } }
                    (path(reason, shown.now))
                }
            }
            @for doubt in &shown.doubts {
                p .alarm {
                    (icon(Icon::Warning))
                    span {
                        "Look twice: " b dir="auto" { (doubt.words.join(", ")) } " speaks for another folder than "
                        span dir="auto" { (doubt.folder) } " and was never seen with rule " (doubt.rule) "."
                    }
                }
            }
            @for reason in stopping {
                details .reason {
                    summary { span .quiet { "kept out by rule " (reason.path.last().map_or(0, |step| step.rule.0)) } span .why-link { "why" } }
                    (path(reason, shown.now))
                }
            }
        }
    }
}

fn path(reason: &Reason, now: Timestamp) -> Markup {
    html! {
        ol .rule-path {
            @for step in &reason.path { li { (step_line(step)) (origin(step, now)) } }
        }
    }
}

/// A rule in a line.
pub(super) fn step_line(step: &Step) -> Markup {
    html! {
        span .rule-line {
            a .rule-id href={ "/rules/" (step.rule) } { "Rule " (step.rule) } ": "
            @if step.condition.is_empty() { "always" }
            @for (at, literal) in step.condition.iter().enumerate() {
                @if at > 0 { " and " }
                span dir="auto" { (literal) }
            }
            " → "
            @match &step.folder {
                Some(folder) => strong dir="auto" { (folder) },
                None => strong { "stop" },
            }
        }
    }
}

fn origin(step: &Step, now: Timestamp) -> Markup {
    html! {
        span .why {
            @match &step.author { Some(author) => { "by " (author) }, None => "author unknown" }
            @if let Some(at) = step.at { ", " (when(at, now)) }
            @if let Some(article) = step.prompted_by { ", for " a href={ "/articles/" (article) } { "article " (article) } }
            @if let Some(note) = &step.note { br; "“" (note) "”" }
        }
    }
}

pub(super) fn what_is_wrong(shown: &Shown, state: &State) -> Markup {
    let given: BTreeSet<&String> = shown.reasons.iter().filter_map(|reason| reason.folder.as_ref()).collect();
    let choice = |kind: WrongKind, words: Markup| {
        html! {
            label .choice {
                input type="radio" name="wrong" value=(kind.value()) checked[state.wrong == kind]
                    data-target=(u8::from(!matches!(kind, WrongKind::Remove(_))));
                span { (words) }
            }
        }
    };
    html! {
        section .card.wrong aria-labelledby="wrong" {
            h2 #wrong { @if given.is_empty() { "Where does it belong?" } @else { "What is wrong?" } }
            div .choices.alone[given.is_empty()] role="radiogroup" aria-labelledby="wrong" {
                (choice(WrongKind::Add, html! { "Add a folder" }))
                @for folder in given {
                    (choice(WrongKind::Move(folder.clone()), html! { "Move from " b dir="auto" { (folder) } " to…" }))
                    (choice(WrongKind::Remove(folder.clone()), html! { "Remove from " b dir="auto" { (folder) } }))
                }
            }
            (folder_picker(shown, state))
        }
    }
}

fn folder_picker(shown: &Shown, state: &State) -> Markup {
    html! {
        div .picker #picker {
            label .visually-hidden for="to" { "Folder" }
            input #to type="search" name="to" value=(state.to) list="folder-paths" placeholder="Folder, e.g. Sports/Soccer"
                autocomplete="off" spellcheck="false" maxlength="500" dir="auto";
            datalist #folder-paths { @for path in &shown.paths { option value=(path) {} } }
            ul #folder-list role="listbox" aria-label="Folders" hidden {}
            @if shown.paths.is_empty() {
                p .hint { "There are no folders yet. Type a name to make one; a slash puts one inside another." }
            }
        }
    }
}
