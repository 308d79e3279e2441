//! Pieces several pages share.

use super::icons::{Icon, icon};
use super::visitor::Visitor;
use crate::problem::Problem;
use crate::watching::Standing;
use crate::words::{capitalised, exact, relative};
use jiff::Timestamp;
use maud::{Markup, html};
use url::Url;

/// A time in words, with the exact one behind it; the script keeps the words true.
pub(crate) fn when(at: Timestamp, now: Timestamp) -> Markup {
    html! {
        time datetime=(at) title=(exact(at)) { (relative(at, now)) }
    }
}

/// The same, or a word for "never".
pub(crate) fn maybe_when(at: Option<Timestamp>, now: Timestamp, never: &str) -> Markup {
    html! {
        @match at {
            Some(at) => (when(at, now)),
            None => span .quiet { (never) },
        }
    }
}

/// How a source is doing: a drawing and a word, never colour alone.
pub(crate) fn standing(standing: Standing) -> Markup {
    let (drawing, words) = match standing {
        Standing::New => (Icon::Dot, "New"),
        Standing::Fine => (Icon::Check, "OK"),
        Standing::Failing => (Icon::Warning, "Failing"),
        Standing::Late => (Icon::Clock, "Late"),
        Standing::Paused => (Icon::Pause, "Paused"),
    };
    html! {
        span class={ "standing " (standing.word()) } { (icon(drawing)) (words) }
    }
}

/// A link out of here: only to the web, and without telling where it came from.
pub(crate) fn outward(url: &Url, content: &Markup) -> Markup {
    html! {
        @if matches!(url.scheme(), "http" | "https") {
            a href=(url) target="_blank" rel="noopener noreferrer" { (content) }
        } @else {
            span { (content) }
        }
    }
}

/// What to do on a page with nothing on it.
pub(crate) fn empty(title: &str, text: &str, action: &Markup) -> Markup {
    html! {
        div .empty {
            svg .ripple viewBox="0 0 96 96" aria-hidden="true" {
                circle cx="48" cy="48" r="6" {}
                circle cx="48" cy="48" r="20" {}
                circle cx="48" cy="48" r="34" {}
                circle cx="48" cy="48" r="46" {}
            }
            h2 { (title) }
            p { (text) }
            p .actions { (action) }
        }
    }
}

/// A form with one button that does a deed to one source.
pub(crate) fn deed(
    visitor: &Visitor,
    source: model::SourceId,
    deed: &str,
    words: &str,
    class: &str,
) -> Markup {
    html! {
        form method="post" action="/sources/deeds" {
            (visitor.hidden())
            input type="hidden" name="id" value=(source);
            button class={ "button " (class) } name="deed" value=(deed) { (words) }
        }
    }
}

/// Ways to set an interval; one that is none of these stays among them.
pub(crate) fn interval_choice(current: Option<std::time::Duration>) -> Markup {
    const USUAL: [u64; 7] = [300, 900, 1_800, 3_600, 21_600, 43_200, 86_400];
    let current = current.map(|interval| interval.as_secs());
    let mut choices = USUAL.to_vec();
    choices.extend(current);
    choices.sort_unstable();
    choices.dedup();
    html! {
        select name="interval" {
            option value="" selected[current.is_none()] { "Let Ripplewatch decide" }
            @for seconds in choices {
                option value=(seconds) selected[current == Some(seconds)] {
                    "Every " (crate::words::span_words(std::time::Duration::from_secs(seconds)))
                }
            }
        }
    }
}

/// What was wrong with a form, beside it.
pub(crate) fn refusal(problem: &Problem) -> Markup {
    html! {
        p .error role="alert" {
            (capitalised(&problem.error)) "."
            @if let Some(hint) = &problem.hint { " " (capitalised(hint)) "." }
        }
    }
}
