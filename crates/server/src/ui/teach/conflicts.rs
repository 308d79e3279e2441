//! Earlier decisions that the rule would change, and words that tell them apart.

use super::live::condition;
use super::state::{BATCH, State};
use crate::teaching::{Pick, Preview, ShownConflict, TitlePiece, field_words};
use crate::ui::icons::{Icon, icon};
use crate::words::{number, plural};
use knowledge::{Attribute, Polarity, Suggestion};
use maud::{Markup, html};

pub(super) fn section(preview: &Preview, state: &State) -> Markup {
    let total = preview.conflicting.len();
    let accepted = total - preview.open;
    let ticked = !state.unwanted.is_empty();
    html! {
        section .card.conflicts.clear[preview.open == 0] aria-labelledby="conflicts" {
            h2 #conflicts {
                @if total == 0 { (icon(Icon::Check)) "No earlier decision changes" }
                @else if preview.open == 0 { (icon(Icon::Check)) (plural(accepted as u64, "change")) " accepted" }
                @else { (icon(Icon::Warning)) (plural(preview.open as u64, "earlier decision")) " would change" }
            }
            @if preview.open > 0 {
                p .hint { "These articles were filed by a person before. Pick a word that sets this article apart, or accept the change." }
            }
            @if preview.open > 0 || ticked { (difference(preview, ticked)) }
            @if let Some(fix) = &preview.fix { (proposal(preview, fix)) }
            @if total > 0 {
                ul .decisions { @for conflict in &preview.conflicts { (decision(conflict)) } }
                div .actions {
                    @if total > preview.conflicts.len() {
                        input type="hidden" name="shown" value=(state.shown);
                        button .button name="deed" value="more" { "Show " (number((total - preview.conflicts.len()).min(BATCH) as u64)) " more" }
                    }
                    @if preview.open > 1 { button .button name="deed" value="accept_all" { "Accept all " (number(total as u64)) } }
                }
                @for id in preview.conflicting.iter().skip(preview.conflicts.len()).filter(|id| state.accepted.contains(id)) {
                    input type="hidden" name="accept" value=(id);
                }
            }
        }
    }
}

fn difference(preview: &Preview, ticked: bool) -> Markup {
    html! {
        div .difference {
            @if preview.has.is_empty() && preview.lacks.is_empty() {
                p .note {
                    "No word tells them apart: they say the same. Decide which verdict stands: accept the change, or take this rule back."
                }
            } @else {
                (chips("This article has", &preview.has))
                (chips("This article lacks", &preview.lacks))
                div .actions {
                    @if ticked { button .button name="deed" value="refine" { "Refine the rule for me" } }
                    @else { button .button name="deed" value="fix" { "Fix it for me" } }
                }
            }
        }
    }
}

fn chips(name: &str, suggestions: &[Suggestion]) -> Markup {
    html! {
        @if !suggestions.is_empty() {
            p .chip-row {
                span .quiet { (name) }
                @for suggestion in suggestions { (chip(suggestion)) }
            }
        }
    }
}

fn chip(suggestion: &Suggestion) -> Markup {
    let Attribute::Term(term) = &suggestion.literal.attribute else { return html! {} };
    let lacks = suggestion.literal.polarity == Polarity::Lacks;
    let title = format!(
        "{} {} {term}: sets apart {} of them",
        field_words(term.field()),
        suggestion.literal.polarity.word(),
        suggestion.excludes
    );
    html! {
        button .chip.difference-word.lacks[lacks] type="button" title=(title) aria-label=(title) data-pick
            data-field=(term.field().word()) data-polarity=(suggestion.literal.polarity.word())
            data-mode=(term.mode().word()) data-w=(term.text()) {
            span dir="auto" { (term.text()) }
            @if term.field() != knowledge::Field::Body { small { (field_words(term.field())) } }
            span .count { "−" (number(suggestion.excludes)) }
        }
    }
}

fn proposal(preview: &Preview, fix: &[knowledge::Literal]) -> Markup {
    html! {
        div .proposal {
            @if fix.is_empty() {
                p { "No word helps." }
            } @else {
                p { "Add: " strong dir="auto" { (condition(fix, preview)) } "." }
            }
            @if preview.contradictions > 0 {
                p { (plural(preview.contradictions as u64, "article")) " would still change: no word tells them from this one. Which verdict stands? Accept theirs below, or take this rule back." }
            }
            @if preview.inseparable > 0 {
                p { (plural(preview.inseparable as u64, "ticked article")) " cannot be told apart by a word." }
            }
            @if !fix.is_empty() {
                @for literal in fix {
                    input type="hidden" name="proposed" value=(serde_json::to_string(&Pick::of(literal, &preview.folders)).unwrap_or_default());
                }
                button .button.primary name="deed" value="use_fix" { "Use " @if fix.len() == 1 { "it" } @else { "them" } }
            }
        }
    }
}

fn decision(conflict: &ShownConflict) -> Markup {
    html! {
        li .decision {
            div {
                (title(&conflict.title))
                @if let Some(article) = conflict.article {
                    " " a .open href={ "/articles/" (article) } target="_blank" rel="noopener" aria-label="Open the article" { (icon(Icon::Leave)) }
                }
                p .why {
                    (folders(&conflict.before, &conflict.after)) " → " (folders(&conflict.after, &conflict.before))
                }
                @if conflict.same_text { p .why.same { "Says the same, word for word. Which verdict stands?" } }
            }
            label .tick-label {
                input type="checkbox" name="accept" value=(conflict.cornerstone) checked[conflict.accepted] data-ask;
                span { @if conflict.same_text { "the new one" } @else { "accept" } }
            }
        }
    }
}

/// Folders in a line; those that are not among the others stand out.
fn folders(folders: &[String], others: &[String]) -> Markup {
    html! {
        @if folders.is_empty() { "no folder" }
        @for (at, folder) in folders.iter().enumerate() {
            @if at > 0 { ", " }
            @if others.contains(folder) { span dir="auto" { (folder) } }
            @else { strong dir="auto" { (folder) } }
        }
    }
}

/// Another article's title; words that ours lacks can be clicked.
pub(super) fn title(pieces: &[TitlePiece]) -> Markup {
    html! {
        span .other-title dir="auto" {
            @for piece in pieces {
                @match &piece.lacked {
                    Some(word) => span .o title="click: the title lacks it" data-pick data-field="title"
                        data-polarity="lacks" data-mode="exact" data-w=(word) { (piece.text) },
                    None => (piece.text),
                }
            }
        }
    }
}
