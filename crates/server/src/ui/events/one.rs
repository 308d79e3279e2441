//! One event: what is unusual, why, where it began, who followed, what was done.

use super::explain::explain;
use super::parts::{folder_path, standing, verdict_form};
use super::spread::{caused, stories, who};
use super::watch;
use crate::access::csrf::Fields;
use crate::app::App;
use crate::ui::chart::WindowChart;
use crate::ui::filed;
use crate::ui::links::after;
use crate::ui::parts::when;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::{Number, Visitor};
use crate::words::{about, against, day_clock, lag, number, plural};
use axum::extract::State;
use axum::response::{Redirect, Response};
use jiff::tz::TimeZone;
use maud::{Markup, html};
use model::EventId;
use store::{Event, EventDetail, Verdict};

pub(crate) async fn show(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    let app = &visitor.app;
    let detail = app.store().event(EventId(id)).await?;
    let (settings, zone) = watch(app).await?;
    let event = &detail.event;
    let path = folder_path(&filed::folders(app).await?, event);
    let names = super::explain::names(app, &detail).await?;
    let shown = [event.clone()];
    let chart = WindowChart {
        id: "windows",
        title: &format!("Stories in {path}, window by window"),
        windows: &detail.windows,
        events: &shown,
        links: false,
        zone: &zone,
        now: visitor.now,
    };
    let content = html! {
        div #event .event-page data-live {
            (head(&visitor, event, &path))
            (facts(&visitor, &detail, &zone))
            section .card {
                h2 { "Stories against what is usual" }
                p .quiet { "Each bar is a window of " (super::settings::window_words(settings.window_minutes))
                    ". Times are those of " (settings.zone) "." }
                (chart.draw())
            }
            (explain(event, &names))
            (who(&visitor, &detail, &zone))
            (stories(&visitor, &detail))
            (caused(&visitor, &detail))
        }
    };
    let title = format!("{path}: {}", against(event.peak.observed, event.peak.expected));
    Ok(visitor.page(Tab::Events, &title, &content))
}

/// What a person says of an event.
pub(crate) async fn judge(
    State(app): State<App>,
    Number(id): Number,
    fields: Fields,
) -> Result<Redirect, Trouble> {
    let event = crate::events::judge(&app, EventId(id), fields.text("verdict")).await?;
    let back = fields.filled("back").map_or_else(|| format!("/events/{id}"), str::to_owned);
    let done = match event.verdict {
        Some(Verdict::Dismissed) => "event_dismissed",
        _ => "event_confirmed",
    };
    Ok(Redirect::to(&after(&back, done, None)))
}

fn head(visitor: &Visitor, event: &Event, path: &str) -> Markup {
    let is = if event.ended_at.is_none() { "is" } else { "was" };
    html! {
        header .head {
            p .quiet { a href="/events" { "Events" } " / " (event.id) }
            h1 { a .folder-link href={ "/folders/" (event.folder) } dir="auto" { (path) } " " (is) " unusually busy: "
                (against(event.peak.observed, event.peak.expected)) }
            div .actions {
                (standing(event))
                (verdict_form(visitor, event, true))
                a .button href={ "/?folder=" (event.folder) } { "Articles" }
            }
            p .hint { (consequence(event)) }
        }
    }
}

/// What a verdict does, or did.
fn consequence(event: &Event) -> &'static str {
    match (event.verdict, event.ended_at) {
        (None, None) => {
            "Confirm it if it was worth knowing: sources that show such bursts count for more. Dismiss it if not: it ends, \
             nothing more is done for it, and they count for less."
        }
        (None, Some(_)) => {
            "Was it worth knowing? The answer trains how much each part of the detector counts, so that the next event is \
             found sooner or left alone."
        }
        (Some(Verdict::Confirmed), _) => {
            "You confirmed it. Dismiss it if that was a mistake; the last word counts."
        }
        (Some(Verdict::Dismissed), _) => {
            "You dismissed it, so it ended. Confirm it if that was a mistake: the training follows, but an event that ended \
             stays ended."
        }
    }
}

fn facts(visitor: &Visitor, detail: &EventDetail, zone: &TimeZone) -> Markup {
    let event = &detail.event;
    let new: u64 = detail.visits.iter().map(|(visit, _)| u64::from(visit.new)).sum();
    html! {
        dl .tiles {
            div {
                dt { "Noticed" }
                dd { (when(event.opened_at, visitor.now)) span .why { (day_clock(event.opened_at, zone)) } }
            }
            div {
                dt { @if event.ended_at.is_some() { "Lasted" } @else { "Has lasted" } }
                dd {
                    (lag(event.ended_at.unwrap_or(visitor.now).duration_since(event.began_at)))
                    span .why { "since " (day_clock(event.began_at, zone)) }
                }
            }
            div {
                dt { "Articles" }
                dd {
                    (number(event.articles))
                    span .why { (plural(detail.followers.len() as u64, "source"))
                        @if event.peak.expected > 0.0 { ", peak " (about(event.peak.observed / event.peak.expected)) " × usual" } }
                }
            }
            div {
                dt { "Visits it caused" }
                dd { (number(event.visits)) span .why { (plural(new, "new article")) " by them" } }
            }
        }
    }
}
