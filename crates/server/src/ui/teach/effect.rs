//! What would change among the stored articles, and the stopping rules made for those that do not belong.

use super::conflicts::title;
use super::live::condition;
use super::state::State;
use crate::teaching::{Hit, Preview, ShownEffect};
use crate::ui::icons::{Icon, icon};
use crate::words::{number, plural};
use maud::{Markup, html};

pub(super) fn section(preview: &Preview, state: &State) -> Markup {
    let effect = &preview.effect;
    html! {
        section .card.effect aria-labelledby="effect" {
            h2 #effect { (headline(effect)) }
            (list("gain", &effect.gained, gains(effect), effect))
            (list("lose", &effect.lost, losses(effect), effect))
            @if effect.at_least { p .hint { "The phrase was looked for in the newest texts only: there may be more." } }
            @if !state.unwanted.is_empty() {
                div .actions {
                    span .quiet { (plural(state.unwanted.len() as u64, "article")) " ticked:" }
                    button .button name="deed" value="refine" { "Refine the rule" }
                    button .button name="deed" value="stops" { "Stop them" }
                }
            }
        }
    }
}

/// "41 articles change: 38 gain Sport, 3 lose Politics".
fn headline(effect: &ShownEffect) -> Markup {
    let mut parts = Vec::new();
    for (folder, gain, lose) in &effect.folders {
        if *gain > 0 {
            parts.push(format!("{} gain {folder}", number(*gain)));
        }
        if *lose > 0 {
            parts.push(format!("{} lose {folder}", number(*lose)));
        }
    }
    html! {
        @if effect.changed == 0 { "No stored article changes" }
        @else { (plural(effect.changed, "stored article")) @if effect.changed == 1 { " changes: " } @else { " change: " } (parts.join(", ")) }
    }
}

fn gains(effect: &ShownEffect) -> u64 {
    effect.folders.iter().map(|(_, gain, _)| gain).sum()
}

fn losses(effect: &ShownEffect) -> u64 {
    effect.folders.iter().map(|(_, _, lose)| lose).sum()
}

fn list(kind: &str, hits: &[Hit], total: u64, effect: &ShownEffect) -> Markup {
    let several = effect.folders.len() > 1;
    html! {
        @if !hits.is_empty() {
            details .hits id={ "hits-" (kind) } open[total <= 10] {
                summary { (number(total)) @if kind == "gain" { " gained" } @else { " lost" } }
                p .hint { "Tick what does not belong." }
                ul .decisions {
                    @for hit in hits {
                        li .decision {
                            @if !hit.own {
                                label .tick-label {
                                    input type="checkbox" name="unwanted" value=(hit.article) checked[hit.unwanted] data-ask;
                                    span .visually-hidden { "does not belong" }
                                }
                            }
                            div {
                                (title(&hit.title)) " "
                                @if hit.own { span .tag { "this article" } }
                                @else { a .open href={ "/articles/" (hit.article) } target="_blank" rel="noopener" aria-label="Open the article" { (icon(Icon::Leave)) } }
                                @if several { p .why dir="auto" { (hit.folder) } }
                            }
                        }
                    }
                }
                @if total > hits.len() as u64 { p .quiet { "and " (number(total - hits.len() as u64)) " older ones" } }
            }
        }
    }
}

/// The generated stopping rules; unticking one leaves it out.
pub(super) fn stops(state: &State, preview: &Preview) -> Markup {
    html! {
        @if !preview.stops.is_empty() {
            section .card.stops aria-labelledby="stops" {
                h2 #stops { (plural(preview.stops.len() as u64, "stopping rule")) " under it" }
                p .hint { "Made for what you ticked. Untick one to leave it out." }
                ul .plain {
                    @for (stop, written) in preview.stops.iter().zip(&state.stops) {
                        li {
                            label .tick-label {
                                input type="checkbox" name="stop" value=(serde_json::to_string(written).unwrap_or_default()) checked data-ask;
                                span dir="auto" { "If the " (condition(stop, preview)) " → stop" }
                            }
                        }
                    }
                }
            }
        }
    }
}
