//! Events as a feed: one entry an event, brought up to date when it is over.

use super::{Entry, Feed, key};
use crate::app::App;
use crate::problem::Problem;
use jiff::tz::TimeZone;
use serde_json::json;
use store::{Event, EventFilter, Message};

pub(super) async fn all(app: &App, limit: usize) -> Result<Feed, Problem> {
    let events = app.store().events(EventFilter { limit, ..EventFilter::default() }).await?;
    let names = key::names(app).await?;
    let with_name = |event: Event| entry(app, format!("{names}events/{}", event.id), event);
    let entries = events.into_iter().map(with_name).collect();
    Ok(Feed {
        id: format!("{names}events"),
        title: "Ripplewatch: events".into(),
        own: None,
        page: app.engine.public_url().join("/events").ok(),
        entries,
    })
}

fn entry(app: &App, id: String, event: Event) -> Entry {
    let state = if event.ended_at.is_some() { "ended" } else { "opened" };
    let facts = json!({
        "folder": { "id": event.folder, "name": event.folder_name },
        "state": state,
        "observed": event.peak.observed,
        "expected": event.peak.expected,
        "low": event.peak.low,
        "high": event.peak.high,
        "reason": event.peak.reason,
        "began_at": event.began_at,
        "began_in": event.source_title,
        "opened_at": event.opened_at,
        "ended_at": event.ended_at,
        "url": format!("/events/{}", event.id),
    });
    let message =
        Message { key: id, kind: format!("event_{state}"), payload: facts, created_at: event.opened_at };
    let story = app.engine.story(&message, &TimeZone::UTC);
    Entry {
        id: message.key,
        title: story.title,
        url: story.link,
        published: event.opened_at,
        updated: event.ended_at.unwrap_or(event.opened_at),
        summary: Some(story.paragraphs.join("\n")),
        author: event.source_title,
        categories: vec![event.folder_name],
    }
}
