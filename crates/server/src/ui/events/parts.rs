//! Pieces of the pages about events.

use crate::ui::icons::{Icon, icon};
use crate::ui::parts::when;
use crate::ui::visitor::Visitor;
use crate::words::against;
use knowledge::Folders;
use maud::{Markup, html};
use store::{Event, Verdict};

/// The pages about events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Events,
    Calendar,
    Notifications,
    Watching,
}

/// The way between them.
pub(crate) fn sections(current: Section) -> Markup {
    let entry = |section: Section, href: &str, name: &str| {
        html! { a href=(href) aria-current=[(section == current).then_some("page")] { (name) } }
    };
    html! {
        nav .sections aria-label="About events" {
            (entry(Section::Events, "/events", "Events"))
            (entry(Section::Calendar, "/calendar", "Calendar"))
            (entry(Section::Notifications, "/notifications", "Notifications"))
            (entry(Section::Watching, "/events/settings", "Watching"))
            a .feed href="/feeds/events.atom" { (icon(Icon::Feed)) "Feed" }
        }
    }
}

/// A folder's path; its own name once it is gone.
pub(crate) fn folder_path(folders: &Folders, event: &Event) -> String {
    folders.get(event.folder).map_or_else(|| event.folder_name.clone(), |folder| folders.path(folder.id))
}

/// How it stands with an event: a drawing and a word.
pub(crate) fn standing(event: &Event) -> Markup {
    let (drawing, class, words) = match (event.verdict, event.ended_at) {
        (Some(Verdict::Confirmed), _) => (Icon::Check, "ok", "Confirmed"),
        (Some(Verdict::Dismissed), _) => (Icon::Cross, "paused", "Dismissed"),
        (None, None) => (Icon::Dot, "late", "Going on"),
        (None, Some(_)) => (Icon::Dot, "new", "Over"),
    };
    html! { span class={ "standing " (class) } { (icon(drawing)) (words) } }
}

/// Two buttons. Keys work on the event's own page, and on the chosen one of a list.
pub(crate) fn verdict_form(visitor: &Visitor, event: &Event, hints: bool) -> Markup {
    let button = |verdict: Verdict, words: &str, key: &str, drawing: Icon| {
        let pressed = event.verdict == Some(verdict);
        html! {
            button .button.judgement name="verdict" value=(verdict.word()) data-key=(key) aria-pressed=(pressed)
                disabled[pressed] {
                (icon(drawing)) (words) @if hints { " " kbd .wide-only { (key) } }
            }
        }
    };
    html! {
        form .verdicts method="post" action={ "/events/" (event.id) "/verdict" } {
            (visitor.hidden())
            (button(Verdict::Confirmed, "Confirm", "c", Icon::Check))
            (button(Verdict::Dismissed, "Dismiss", "d", Icon::Cross))
        }
    }
}

/// An open event, at the top of other pages.
pub(crate) fn banner(visitor: &Visitor, event: &Event) -> Markup {
    html! {
        p .alarm.event-banner {
            (icon(Icon::Warning))
            span {
                strong { "Unusually busy: " (against(event.peak.observed, event.peak.expected)) "." } " "
                "Noticed " (when(event.opened_at, visitor.now)) ". "
                a href={ "/events/" (event.id) } { "See the event" }
            }
        }
    }
}
