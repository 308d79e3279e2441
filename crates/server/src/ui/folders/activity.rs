//! What goes on in a folder: when articles come, what was unusual, who covers it.

use crate::ui::chart::{WindowChart, heat_map};
use crate::ui::events::{banner, watch};
use crate::ui::links::link;
use crate::ui::visitor::Visitor;
use crate::watching::name_of;
use crate::words::{number, plural};
use jiff::{SignedDuration, Timestamp};
use knowledge::Folders;
use maud::{Markup, html};
use model::{FolderId, SourceId};
use store::{Event, EventFilter, FolderWindow, HourOfWeek, Store, StoreError};

/// Two weeks show each hour of the week twice.
const TIMELINE: SignedDuration = SignedDuration::from_hours(14 * 24);
/// A mean week is made of so many at most.
const WEEKS: SignedDuration = SignedDuration::from_hours(8 * 7 * 24);
const SOURCES: usize = 12;
const EVENTS: usize = 50;

/// What goes on in a folder.
pub(super) async fn activity(
    visitor: &Visitor,
    id: FolderId,
    folders: &Folders,
) -> Result<Markup, StoreError> {
    let (store, now) = (visitor.app.store(), visitor.now);
    let (settings, zone) = watch(&visitor.app).await?;
    let week = store.folder_week(id, back(now, WEEKS), now, zone.clone()).await?;
    let windows = store.folder_windows(id, back(now, TIMELINE), now).await?;
    let events = events(store, id, &windows).await?;
    let open = events.iter().find(|event| event.ended_at.is_none());
    let covering = covering(store, id).await?;
    let chart = WindowChart {
        id: "timeline",
        title: &format!("Stories in {} over the last 14 days", folders.path(id)),
        windows: &windows,
        events: &events,
        links: true,
        zone: &zone,
        now,
    };
    Ok(html! {
        div #activity data-live {
            @if let Some(open) = open { (banner(visitor, open)) }
            @if covering.is_empty() && is_empty(&week) {
                (nothing(id, folders))
            } @else {
                section .card {
                    div .section-head {
                        h2 { "The last two weeks" }
                        a href=(link("/events", &[("folder", Some(id.to_string()))])) { "All its events" }
                    }
                    (chart.draw())
                }
                div .halves {
                    section .card { h2 { "When articles come" } (heat_map(&week, &settings.zone)) }
                    section .card { h2 { "Who covers it" } (who(&covering)) }
                }
            }
        }
    })
}

/// Folders are watched each for itself: what is in inner ones is told there.
fn nothing(id: FolderId, folders: &Folders) -> Markup {
    let mut inner = folders.children(Some(id)).peekable();
    html! {
        @if inner.peek().is_none() {
            p .note { "Nothing was filed here yet. When articles come, this page shows at which hours, from whom, and what was unusual." }
        } @else {
            p .note { "Nothing is filed in the folder itself. What goes on is told for each folder inside:" }
            p .chips { @for folder in inner { a .chip.filed href={ "/folders/" (folder.id) } dir="auto" { (folder.name) } } }
        }
    }
}

fn back(now: Timestamp, by: SignedDuration) -> Timestamp {
    now.checked_sub(by).unwrap_or(Timestamp::MIN)
}

/// Those that the timeline can show.
async fn events(store: &Store, id: FolderId, windows: &[FolderWindow]) -> Result<Vec<Event>, StoreError> {
    let filter = EventFilter { folder: Some(id), limit: EVENTS, ..EventFilter::default() };
    let mut events = store.events(filter).await?;
    let from = windows.first().map(|window| window.from);
    events.retain(|event| event.ended_at.is_none_or(|ended| from.is_some_and(|from| ended > from)));
    Ok(events)
}

/// A source that covers the folder.
struct Covers {
    id: SourceId,
    name: String,
    articles: u32,
    /// As active here as the most active one: from 0 to 1.
    similarity: f64,
}

async fn covering(store: &Store, id: FolderId) -> Result<Vec<Covers>, StoreError> {
    let all = store.covering(id, None).await?;
    // Compared with the most active one: who is like it is visited with it.
    let most = all.first().map(|first| first.source);
    let mut found = Vec::new();
    for one in store.covering(id, most).await?.into_iter().take(SOURCES) {
        let source = match store.source(one.source).await {
            Ok(source) => source,
            // Removed a moment ago.
            Err(StoreError::NotFound { .. }) => continue,
            Err(error) => return Err(error),
        };
        found.push(Covers {
            id: one.source,
            name: name_of(&source).to_owned(),
            articles: one.articles,
            similarity: one.similarity,
        });
    }
    Ok(found)
}

fn who(covering: &[Covers]) -> Markup {
    let first = covering.first().map(|first| first.name.as_str()).unwrap_or_default();
    html! {
        @if covering.is_empty() {
            p .note { "No source that is watched now has articles here." }
        } @else {
            ol .covering {
                @for one in covering {
                    li {
                        a href={ "/sources/" (one.id) } dir="auto" { (one.name) }
                        span .number { (number(u64::from(one.articles))) }
                        svg .pair viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" {
                            rect .was x="0" y="0" width="100" height="4" {}
                            rect .bar x="0" y="0" height="4" width=((one.similarity.clamp(0.0, 1.0) * 100.0).round()) {}
                        }
                    }
                }
            }
            @if covering.len() > 1 {
                p .small-print {
                    "Articles filed here. Bars: how like the most active one, " (first) ". When one of them shows an event, those "
                    "at least half as active as it are visited at once."
                }
            } @else {
                p .small-print { (plural(1, "source")) ": with a second one, each would be visited when the other shows an event." }
            }
        }
    }
}

fn is_empty(week: &HourOfWeek) -> bool {
    week.iter().flatten().all(|value| *value <= 0.0)
}
