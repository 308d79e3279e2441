//! The part that answers every click: the rule so far, whom it would move, what stands against it.

use super::conflicts;
use super::effect;
use super::now::step_line;
use super::state::{State, WrongKind};
use crate::problem::Problem;
use crate::teaching::{Pick, Preview, field_words, in_words};
use crate::ui::icons::{Icon, icon};
use crate::words::{capitalised, plural};
use knowledge::{Correction, Field, Mode};
use maud::{Markup, html};

/// What is shown of a state.
pub(super) struct Live<'a> {
    pub(super) state: &'a State,
    pub(super) preview: Option<&'a Preview>,
    /// What is wrong with each row.
    pub(super) refused: Vec<Option<String>>,
    pub(super) problem: Option<&'a Problem>,
    /// Places of picked words, for the script.
    pub(super) marks: String,
}

pub(super) fn live(live: &Live<'_>) -> Markup {
    let broken = live.refused.iter().any(Option::is_some);
    html! {
        div #live data-marks=(live.marks) aria-live="polite" {
            (rule(live))
            @if let Some(problem) = live.problem { (trouble(problem)) }
            @match live.preview {
                Some(preview) if has_condition(preview) => {
                    (conflicts::section(preview, live.state))
                    (effect::section(preview, live.state))
                    (effect::stops(live.state, preview))
                    (commit(live.state, preview, broken))
                }
                _ => { (waiting(live)) }
            }
        }
    }
}

fn has_condition(preview: &Preview) -> bool {
    preview.condition.iter().any(|(_, refused)| refused.is_none())
}

fn trouble(problem: &Problem) -> Markup {
    html! {
        div .alarm role="alert" {
            (icon(Icon::Warning))
            span {
                (capitalised(&problem.error)) "."
                @if let Some(hint) = &problem.hint { " " (capitalised(hint)) "." }
            }
        }
    }
}

/// What to do next.
fn waiting(live: &Live<'_>) -> Markup {
    let needs_folder = !matches!(live.state.wrong, WrongKind::Remove(_)) && live.state.to.is_empty();
    html! {
        @if live.problem.is_none() {
            p .next-step {
                @if needs_folder { "Choose the folder above, then click the words that show it belongs there." }
                @else { "Click a word in the article that tells why. The effect on all stored articles appears here." }
            }
            // Without a script this is the way to see the effect.
            noscript { button .button.primary name="deed" value="preview" { "Show the effect" } }
        }
        input type="hidden" name="note" value=(live.state.note);
        (kept(live.state, live.preview))
    }
}

/// What was ticked before and is not shown now stays.
fn kept(state: &State, preview: Option<&Preview>) -> Markup {
    let hits = preview.map(|preview| preview.effect.gained.iter().chain(&preview.effect.lost));
    let shown: Vec<i64> = hits.into_iter().flatten().map(|hit| hit.article.0).collect();
    html! {
        @for article in state.unwanted.iter().filter(|id| !shown.contains(id)) {
            input type="hidden" name="unwanted" value=(article);
        }
    }
}

fn rule(live: &Live<'_>) -> Markup {
    html! {
        section .card.rule aria-labelledby="the-rule" {
            h2 #the-rule { "The rule" }
            p .sentence {
                @if live.state.literals.is_empty() { span .quiet { "If … (no word is picked yet)" } }
                @else { "If" }
            }
            ul #literals .literals {
                @for (at, pick) in live.state.literals.iter().enumerate() {
                    (row(Some(pick), live.refused.get(at).and_then(Option::as_deref)))
                }
                (row(None, None))
            }
            p .sentence { (conclusion(live)) }
            @if let Some(preview) = live.preview { (place(preview, live.state)) }
        }
        template #row { (row(Some(&Pick::default()), None)) }
    }
}

fn conclusion(live: &Live<'_>) -> Markup {
    let is_new = live.preview.is_some_and(|preview| preview.makes_folder);
    let to = html! {
        @if live.state.to.is_empty() { span .quiet { "…" } }
        @else { strong dir="auto" { (live.state.to) } @if is_new { " " span .tag { "new folder" } } }
    };
    html! {
        "→ "
        @match &live.state.wrong {
            WrongKind::Add => { "file into " (to) },
            WrongKind::Move(from) => { "file into " (to) ", not into " span dir="auto" { (from) } },
            WrongKind::Remove(from) => { "do not file into " strong dir="auto" { (from) } },
        }
    }
}

/// One literal: a sentence of small menus. An empty one is for typing.
fn row(pick: Option<&Pick>, refused: Option<&str>) -> Markup {
    let typed = pick.is_none();
    let default = Pick::default();
    let pick = pick.unwrap_or(&default);
    let lacks = pick.lacks.is_some();
    let mode = pick.mode.as_deref().unwrap_or_default();
    html! {
        li .literal.typed[typed].lacks[lacks].refused[refused.is_some()] {
            select name="field" aria-label="Part of the article" {
                @for field in Field::ALL {
                    option value=(field.word()) selected[pick.field == field.word()] { (field_words(field)) }
                }
                @if pick.field == "folder" { option value="folder" selected { "folder" } }
            }
            select name="polarity" aria-label="Has or lacks" {
                option value="has" { "has" }
                option value="lacks" selected[lacks] { "lacks" }
            }
            @if typed {
                input type="text" name="word" placeholder="or type…" aria-label="Word" maxlength="4000" autocomplete="off" spellcheck="false" dir="auto";
            } @else {
                input type="hidden" name="word" value=(pick.text());
                span .word dir="auto" { (pick.text()) }
            }
            select name="mode" aria-label="How it is compared" {
                @if typed { option value="" { "as typed" } }
                @for known in Mode::ALL {
                    @if fits(typed, known, pick.text()) {
                        option value=(known.word()) selected[mode == known.word()] { (mode_words(known)) }
                    }
                }
            }
            @if !typed {
                button .mark.take-back type="button" title="Take it back" aria-label={ "Take back " (pick.text()) } { (icon(Icon::Cross)) }
            }
            @if let Some(refused) = refused { span .row-error { (icon(Icon::Warning)) (capitalised(refused)) "." } }
        }
    }
}

/// Whether a mode makes sense for a word.
fn fits(typed: bool, mode: Mode, text: &str) -> bool {
    typed || text.is_empty() || (mode == Mode::Phrase) == text.contains(' ')
}

fn mode_words(mode: Mode) -> &'static str {
    match mode {
        Mode::Exact => "exactly",
        Mode::Stem => "any form",
        Mode::Phrase => "as a phrase",
        Mode::Prefix => "begins so",
    }
}

/// Where the rule will hang.
fn place(preview: &Preview, state: &State) -> Markup {
    html! {
        @if preview.possible.is_empty() && preview.under.is_empty() {
            p .place .quiet { "A rule of its own, at the root." }
        } @else if matches!(preview.correction, Correction::Add(_)) {
            label .place {
                span .quiet { "It hangs" }
                select name="place" data-ask {
                    option value="" { "at the root, on its own" }
                    @for step in &preview.possible {
                        option value=(step.rule) selected[state.place == Some(step.rule)] {
                            "under rule " (step.rule) ": " (step.condition.join(" and ")) " → " (step.folder.as_deref().unwrap_or("stop"))
                        }
                    }
                }
            }
            @if !preview.under.is_empty() {
                p .place .quiet { "Under a rule, it replaces what that rule says for the articles it catches." }
            }
        } @else {
            div .place .quiet {
                "An exception to"
                ul .plain { @for step in &preview.under { li { (step_line(step)) } } }
            }
        }
    }
}

fn commit(state: &State, preview: &Preview, broken: bool) -> Markup {
    let ready = preview.open == 0 && preview.ticked == 0 && !broken;
    html! {
        label .note-field {
            span .visually-hidden { "Note" }
            input type="text" name="note" value=(state.note) placeholder="Why? (optional note)" maxlength="2000" autocomplete="off" dir="auto";
        }
        // While something stands against it, what stands against it is to be seen, not the button.
        section .commit.ready[ready] aria-label="Commit" {
            p .expected {
                "This article will be in "
                @if preview.expected.is_empty() { strong { "no folder" } }
                @for (at, folder) in preview.expected.iter().enumerate() {
                    @if at > 0 { ", " } strong dir="auto" { (folder) }
                }
                "."
            }
            @if !ready {
                p .blocked {
                    (icon(Icon::Warning))
                    @if broken { "A word cannot be part of the rule: change it or take it back." }
                    @else if preview.open > 0 { (plural(preview.open as u64, "earlier decision")) " would change: add a word, or accept." }
                    @else { (plural(preview.ticked, "ticked article")) " would still change: refine the rule, stop them, or untick them." }
                }
            }
            div .actions {
                button .button.primary name="deed" value="commit" disabled[!ready] { "Commit" @if preview.rules > 1 { " " (preview.rules) " rules" } }
                button .button name="deed" value="commit_next" disabled[!ready] { "Commit and next unfiled" }
                noscript { button .button name="deed" value="preview" { "Show the effect" } }
            }
            (kept(state, Some(preview)))
        }
    }
}

/// A condition in words.
pub(super) fn condition(literals: &[knowledge::Literal], preview: &Preview) -> String {
    literals.iter().map(|literal| in_words(literal, &preview.folders)).collect::<Vec<_>>().join(" and ")
}
