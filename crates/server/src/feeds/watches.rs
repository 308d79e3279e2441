//! What watches told as a feed: of all, or of one.

use super::{Entry, Feed, key};
use crate::app::App;
use crate::problem::Problem;
use jiff::tz::TimeZone;
use model::WatchId;
use page::watches::Kind;
use serde_json::json;
use store::{Message, ToldChange};

pub(super) async fn all(app: &App, limit: usize) -> Result<Feed, Problem> {
    feed(app, None, "watches", "Ripplewatch: watches".into(), "/watches", limit).await
}

pub(super) async fn of_one(app: &App, id: WatchId, limit: usize) -> Result<Feed, Problem> {
    let watch = app.store().watch(id).await?;
    let title = format!("Ripplewatch: {}", watch.name);
    feed(app, Some(id), &format!("watches/{id}"), title, &format!("/watches/{id}"), limit).await
}

async fn feed(
    app: &App,
    watch: Option<WatchId>,
    name: &str,
    title: String,
    page: &str,
    limit: usize,
) -> Result<Feed, Problem> {
    let told = app.store().told_changes(watch, limit).await?;
    let names = key::names(app).await?;
    let with_name = |told: ToldChange| entry(app, format!("{names}changes/{}", told.change.id), told);
    let entries = told.into_iter().map(with_name).collect();
    let page = app.engine.public_url().join(page).ok();
    Ok(Feed { id: format!("{names}{name}"), title, own: None, page, entries })
}

fn entry(app: &App, id: String, told: ToldChange) -> Entry {
    let change = told.change;
    let facts = json!({
        "watch": { "id": change.watch, "name": told.watch_name },
        "source": { "title": told.source_title, "url": told.source_url },
        "state": change.kind,
        "why": change.why,
        "since": change.since,
        "number_before": change.number_before,
        "number": change.number,
        "summary": change.diff.summary(),
        "diff": change.diff,
        "url": format!("/watches/{}#change-{}", change.watch, change.id),
    });
    let kind = if change.kind == Kind::Gone { "watch_gone" } else { "watch_changed" };
    let message = Message { key: id, kind: kind.into(), payload: facts, created_at: change.at };
    let story = app.engine.story(&message, &TimeZone::UTC);
    let mut text = story.paragraphs;
    text.extend(story.diff.map(|diff| diff.text()));
    Entry {
        id: message.key,
        title: story.title,
        url: story.link,
        published: change.at,
        updated: change.at,
        summary: Some(text.join("\n")),
        author: Some(told.source_title),
        categories: vec![told.watch_name],
    }
}
