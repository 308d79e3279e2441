//! The list of events: what goes on first, then what is over, day by day.

mod explain;
mod gain;
mod one;
mod parts;
mod settings;
mod spread;

pub(crate) use one::{judge, show};
pub(crate) use parts::{Section, banner, sections};
pub(crate) use settings::{change as change_settings, show as show_settings, watch};

use super::chart::spark;
use super::filed;
use super::links::link;
use super::parts::{empty, when};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::access::csrf::Fields;
use crate::words::{against, day_words, lag, plural};
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use knowledge::Folders;
use maud::{Markup, html};
use model::{EventId, FolderId};
use parts::{standing, verdict_form};
use std::collections::HashMap;
use store::{Event, EventFilter, EventSketch, Verdict};

const PER_PAGE: usize = 30;
/// A folder has one open event at most; more are not read by anybody.
const MOST_OPEN: usize = 100;
/// A choice among more folders is no choice.
const MOST_CHOICES: usize = 300;
/// From so many days on every hour of the week was seen twice.
const RELIABLE_DAYS: i64 = 14;

/// Which events are shown, as the address says.
#[derive(Debug, Clone, Copy, Default)]
struct Shown {
    which: Which,
    folder: Option<FolderId>,
    before: Option<EventId>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Which {
    #[default]
    All,
    Open,
    Judged(Verdict),
}

impl Which {
    fn word(self) -> Option<&'static str> {
        match self {
            Self::All => None,
            Self::Open => Some("open"),
            Self::Judged(verdict) => Some(verdict.word()),
        }
    }
}

impl Shown {
    fn read(query: &Fields) -> Self {
        let which = match query.text("show") {
            "open" => Which::Open,
            word => Verdict::from_word(word).map_or(Which::All, Which::Judged),
        };
        Self { which, folder: query.text("folder").parse().ok(), before: query.text("before").parse().ok() }
    }

    fn link(self) -> String {
        let query = [
            ("show", self.which.word().map(str::to_owned)),
            ("folder", self.folder.map(|id| id.to_string())),
            ("before", self.before.map(|id| id.to_string())),
        ];
        link("/events", &query)
    }

    fn filter(self, open: bool) -> EventFilter {
        EventFilter {
            folder: self.folder,
            open: Some(open),
            verdict: if let Which::Judged(verdict) = self.which { Some(verdict) } else { None },
            before: if open { None } else { self.before },
            limit: if open { MOST_OPEN } else { PER_PAGE + 1 },
        }
    }
}

/// The events of a page with what is told about them.
struct Found {
    open: Vec<Event>,
    past: Vec<Event>,
    sketches: HashMap<EventId, EventSketch>,
    next: Option<EventId>,
    folders: Folders,
    zone: TimeZone,
}

impl Found {
    async fn load(visitor: &Visitor, shown: Shown) -> Result<Self, Trouble> {
        let store = visitor.app.store();
        let mut open = Vec::new();
        if shown.before.is_none() {
            open = store.events(shown.filter(true)).await?;
        }
        let mut past = Vec::new();
        if shown.which != Which::Open {
            past = store.events(shown.filter(false)).await?;
        }
        let more = past.len() > PER_PAGE;
        past.truncate(PER_PAGE);
        let next = past.last().filter(|_| more).map(|event| event.id);
        let all: Vec<Event> = open.iter().chain(&past).cloned().collect();
        let sketches = store.event_sketches(&all).await?;
        let folders = filed::folders(&visitor.app).await?;
        Ok(Self { open, past, sketches, next, folders, zone: watch(&visitor.app).await?.1 })
    }

    fn is_empty(&self) -> bool {
        self.open.is_empty() && self.past.is_empty()
    }
}

pub(crate) async fn list(visitor: Visitor) -> Result<Response, Trouble> {
    let shown = Shown::read(&visitor.query);
    let found = Found::load(&visitor, shown).await?;
    let nothing = if found.is_empty() { Some(nothing(&visitor, shown, &found).await?) } else { None };
    let content = html! {
        h1 .visually-hidden { "Events" }
        (sections(Section::Events))
        (toolbar(shown, &found.folders))
        p .news #news hidden { a .button href=(visitor.here) { "Show new events" } }
        // Older pages do not change under the reader's eyes.
        div #events data-live[shown.before.is_none()] {
            @match nothing {
                Some(nothing) => section .list { (nothing) },
                None => (groups(&visitor, &found)),
            }
        }
        div #gain data-live { @if shown.before.is_none() { (gain::gain(&visitor).await?) } }
        nav .pager aria-label="Pages" {
            @if shown.before.is_some() { a .button href=(Shown { before: None, ..shown }.link()) { "← Newest" } }
            span .spring {}
            @if let Some(next) = found.next {
                a .button rel="next" href=(Shown { before: Some(next), ..shown }.link()) { "Older events →" }
            }
        }
    };
    Ok(visitor.page(Tab::Events, "Events", &content))
}

fn toolbar(shown: Shown, folders: &Folders) -> Markup {
    let tab = |name: &str, which: Which| {
        let there = Shown { which, before: None, ..shown };
        html! { a href=(there.link()) aria-current=[(shown.which == which).then_some("true")] { (name) } }
    };
    let list = folders.list();
    html! {
        div .toolbar {
            nav .tabs aria-label="Which events" {
                (tab("All", Which::All)) (tab("Open", Which::Open))
                (tab("Confirmed", Which::Judged(Verdict::Confirmed))) (tab("Dismissed", Which::Judged(Verdict::Dismissed)))
            }
            @if !list.is_empty() && list.len() <= MOST_CHOICES {
                form .search method="get" action="/events" {
                    @if let Some(word) = shown.which.word() { input type="hidden" name="show" value=(word); }
                    select name="folder" aria-label="Folder" data-submit {
                        option value="" { "All folders" }
                        @for (path, folder) in list {
                            option value=(folder.id) selected[shown.folder == Some(folder.id)] { (path) }
                        }
                    }
                    noscript { button .button { "Show" } }
                }
            } @else if shown.folder.is_some() {
                a .chip href=(Shown { folder: None, before: None, ..shown }.link()) { "all folders" }
            }
        }
    }
}

fn groups(visitor: &Visitor, found: &Found) -> Markup {
    let day = |event: &Event| day_words(event.opened_at, visitor.now, &found.zone);
    html! {
        @if !found.open.is_empty() {
            section .group {
                h2 { "Going on now" }
                div .list { @for event in &found.open { (row(visitor, found, event)) } }
            }
        }
        @for events in found.past.chunk_by(|a, b| day(a) == day(b)) {
            section .group {
                h2 { @if let Some(first) = events.first() { (day(first)) } }
                div .list { @for event in events { (row(visitor, found, event)) } }
            }
        }
    }
}

fn row(visitor: &Visitor, found: &Found, event: &Event) -> Markup {
    let none = EventSketch::default();
    let sketch = found.sketches.get(&event.id).unwrap_or(&none);
    let began = sketch.first.as_deref().or(event.source_title.as_deref());
    let followed = u64::from(sketch.sources.saturating_sub(1));
    html! {
        article .item.event.open[event.ended_at.is_none()] id={ "e" (event.id) } data-id=(event.id) {
            (spark(event, &sketch.windows))
            div .says {
                h2 {
                    a .title href={ "/events/" (event.id) } {
                        strong dir="auto" { (parts::folder_path(&found.folders, event)) } ": "
                        (against(event.peak.observed, event.peak.expected))
                    }
                }
                p .meta {
                    @if let Some(began) = began { span { "began at " span .from dir="auto" { (began) } } }
                    @if followed > 0 { span { (plural(followed, "source")) " followed" } }
                    @else if began.is_some() { span { "nobody followed yet" } }
                    span { "noticed " (when(event.opened_at, visitor.now)) }
                    @if let Some(ended) = event.ended_at { span { "lasted " (lag(lasted(event, ended))) } }
                    @if event.visits > 0 { span { (plural(event.visits, "visit")) " made for it" } }
                }
            }
            @match event.verdict {
                Some(_) => (standing(event)),
                None => (verdict_form(visitor, event, false)),
            }
        }
    }
}

fn lasted(event: &Event, ended: Timestamp) -> jiff::SignedDuration {
    ended.duration_since(event.began_at)
}

async fn nothing(visitor: &Visitor, shown: Shown, found: &Found) -> Result<Markup, Trouble> {
    const WHAT: &str = "An event is a time at which a folder gets clearly more stories than is usual for that hour of \
        the week. It is told here, and the sources that cover the folder are visited at once.";
    let all = html! { a .button href="/events" { "Show all events" } };
    let folders = html! { a .button.primary href="/folders" { "To the folders" } };
    let watching = html! { a .button href="/events/settings" { "How folders are watched" } };
    if shown.which != Which::All || shown.folder.is_some() || shown.before.is_some() {
        return Ok(empty("No such event", "None of the events is of that kind.", &all));
    }
    if found.folders.is_empty() {
        return Ok(empty("No folders, no events", WHAT, &folders));
    }
    let since = visitor.app.store().watched_since().await?;
    let days = since.map_or(0, |since| visitor.now.duration_since(since).as_hours() / 24);
    let known = match since {
        None => format!("{WHAT} Add sources: there is no history to learn from yet."),
        Some(_) if days < RELIABLE_DAYS => {
            let so_far =
                if days == 0 { "less than a day".into() } else { plural(days.unsigned_abs(), "day") };
            format!(
                "{WHAT} History so far: {so_far}. Strong bursts are noticed from the first day on; what is usual at each \
                 hour of the week is known after {RELIABLE_DAYS} days."
            )
        }
        Some(_) => format!("{WHAT} Nothing unusual so far."),
    };
    Ok(empty("No events yet", &known, &watching))
}
