//! Why an event is one.

use crate::app::App;
use crate::ui::icons::{Icon, icon};
use crate::watching::name_of;
use crate::words::{about, capitalised};
use detection::{DetectorName, Score};
use maud::{Markup, html};
use model::SourceId;
use std::collections::HashMap;
use store::{Event, EventDetail, StoreError};

/// What the sources are called that contribute.
pub(super) async fn names(app: &App, detail: &EventDetail) -> Result<HashMap<SourceId, String>, StoreError> {
    let mut names: HashMap<_, _> =
        detail.followers.iter().map(|follower| (follower.source, follower.title.clone())).collect();
    let event = &detail.event;
    for part in event.opening.contributions.iter().chain(&event.peak.contributions) {
        if names.contains_key(&part.source) {
            continue;
        }
        match app.store().source(part.source).await {
            Ok(source) => names.insert(part.source, name_of(&source).to_owned()),
            Err(StoreError::NotFound { .. }) => None,
            Err(error) => return Err(error),
        };
    }
    Ok(names)
}

pub(super) fn explain(event: &Event, names: &HashMap<SourceId, String>) -> Markup {
    let grown = event.peak != event.opening;
    html! {
        section .card {
            h2 { "Why it was told" }
            p { (sentence(&event.opening)) }
            @if grown { p { "In its most unusual window: " (event.peak.reason) "." } }
            (contributions(&event.peak, names))
            p .small-print {
                "Detector “" (event.detector) "”" (by(&event.detector)) ". Its score was " (about(event.opening.score))
                " where it alarms from " (about(event.opening.threshold)) " on"
                @if grown { "; at most " (about(event.peak.score)) }
                ". " a href="/events/settings" { "How folders are watched" }
            }
        }
    }
}

fn sentence(score: &Score) -> Markup {
    html! {
        (capitalised(&score.reason)) ". Up to " (about(score.high)) " would not have been told."
    }
}

/// Where a detector is from.
fn by(word: &str) -> &'static str {
    match word.parse() {
        Ok(DetectorName::DayHour) => ", after Kim, Kang, Kang and Compton 2009",
        Ok(DetectorName::Dc1) => " of the DC-1 thesis, 2010",
        _ => "",
    }
}

fn contributions(score: &Score, names: &HashMap<SourceId, String>) -> Markup {
    let most = score.contributions.iter().map(|part| part.observed.max(part.expected)).fold(1.0, f64::max);
    html! {
        @if !score.contributions.is_empty() {
            h3 { "What each source added" }
            table .contributions {
                thead { tr { th { "Source" } th .number { "Stories" } th .number { "Expected" } th .wide-only {} } }
                tbody {
                    @for part in &score.contributions {
                        tr {
                            td .name {
                                @match names.get(&part.source) {
                                    Some(name) => a href={ "/sources/" (part.source) } dir="auto" { (name) },
                                    None => span .quiet { "Source " (part.source) ", no longer watched" },
                                }
                                @if part.unusual {
                                    span .unusual { (icon(Icon::Warning)) "unusual by itself" }
                                }
                            }
                            td .number { (about(part.observed)) }
                            td .number { (about(part.expected)) }
                            td .wide-only .bars { (bars(part.observed / most, part.expected / most, part.unusual)) }
                        }
                    }
                }
            }
        }
    }
}

/// The two numbers beside it, as lengths.
fn bars(observed: f64, expected: f64, unusual: bool) -> Markup {
    let length = |share: f64| (share.clamp(0.0, 1.0) * 1000.0).round() / 10.0;
    html! {
        svg .pair viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect .bar.alarming[unusual] x="0" y="0" height="6" width=(length(observed)) {}
            rect .was x="0" y="7.500" height="2.500" width=(length(expected)) {}
        }
    }
}
