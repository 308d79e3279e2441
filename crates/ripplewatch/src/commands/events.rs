//! `events`: what was unusually busy, why, and what came of it.

use super::folders;
use crate::cli::Events;
use crate::config::Config;
use crate::console;
use crate::context::open_store;
use crate::words::{span_in_words, when};
use jiff::Timestamp;
use model::EventId;
use store::{Event, EventDetail, EventFilter, Follower, Store, Verdict};

/// Stories and visits shown; `--json` has all.
const SHOWN: usize = 10;

pub(crate) async fn run(config: &Config, command: Events, json: bool) -> anyhow::Result<()> {
    let store = open_store(config)?;
    match command {
        Events::List { open, folder, limit } => list(&store, open, folder, limit, json).await,
        Events::Show { id } => show(&store, id, json).await,
        Events::Confirm { id } => judge(&store, id, Verdict::Confirmed, json).await,
        Events::Dismiss { id } => judge(&store, id, Verdict::Dismissed, json).await,
    }
}

async fn list(
    store: &Store,
    open: bool,
    folder: Option<String>,
    limit: usize,
    json: bool,
) -> anyhow::Result<()> {
    let folder = match folder {
        Some(path) => Some(folders::find(store, path).await?),
        None => None,
    };
    let filter = EventFilter { folder, open: open.then_some(true), limit, ..EventFilter::default() };
    let events = store.events(filter).await?;
    if json {
        return console::json(&events);
    }
    if events.is_empty() {
        console::hint(
            "no events: a folder must get clearly more stories than usual, which takes some days of history",
        );
        return Ok(());
    }
    let now = Timestamp::now();
    let row = |event: &Event| {
        vec![
            event.id.to_string(),
            when(event.opened_at, now),
            state(event).to_owned(),
            event.folder_name.clone(),
            against(event),
            event.source_title.clone().unwrap_or_default(),
        ]
    };
    let rows: Vec<_> = events.iter().map(row).collect();
    console::table(&["id", "noticed", "state", "folder", "stories", "shown by"], &rows);
    Ok(())
}

async fn show(store: &Store, id: EventId, json: bool) -> anyhow::Result<()> {
    let detail = store.event(id).await?;
    if json {
        return console::json(&detail);
    }
    let now = Timestamp::now();
    let event = &detail.event;
    console::line(&format!("{}: {}", event.folder_name, against(event)));
    console::line(&format!("noticed {}, {}", when(event.opened_at, now), state(event)));
    console::line(&format!("why: {} (detector {})", event.opening.reason, event.detector));
    if event.peak != event.opening {
        console::line(&format!("at its peak: {}", event.peak.reason));
    }
    told(&detail, now);
    Ok(())
}

fn told(detail: &EventDetail, now: Timestamp) {
    heading("who had it", detail.followers.is_empty());
    for follower in &detail.followers {
        console::line(&format!("  {}", lag(follower)));
    }
    heading("visits it caused", detail.visits.is_empty());
    for (visit, source) in detail.visits.iter().take(SHOWN) {
        console::line(&format!("  {source} {}: {}, {} new", when(visit.at, now), visit.outcome, visit.new));
    }
    heading("stories", detail.stories.is_empty());
    for story in detail.stories.iter().take(SHOWN) {
        let spread = if story.spread > 1 { format!(", on {} sources", story.spread) } else { String::new() };
        console::line(&format!("  {} {} ({}{spread})", story.article, story.title, story.source));
    }
    if detail.stories.len() > SHOWN || detail.visits.len() > SHOWN {
        console::note("there is more: --json has all of it");
    }
}

fn heading(what: &str, nothing: bool) {
    console::line(&format!("{what}:{}", if nothing { " none" } else { "" }));
}

fn lag(follower: &Follower) -> String {
    let articles = format!("{} article{}", follower.articles, if follower.articles == 1 { "" } else { "s" });
    if follower.after.is_zero() {
        return format!("{} first, {articles}", follower.title);
    }
    format!("{} {} later, {articles}", follower.title, span_in_words(follower.after))
}

async fn judge(store: &Store, id: EventId, verdict: Verdict, json: bool) -> anyhow::Result<()> {
    let event = store.judge_event(id, verdict, Timestamp::now()).await?;
    if json {
        return console::json(&event);
    }
    console::line(&format!("event {id}: {}", state(&event)));
    Ok(())
}

fn state(event: &Event) -> &'static str {
    match (event.verdict, event.ended_at) {
        (Some(verdict), _) => verdict.word(),
        (None, None) => "going on",
        (None, Some(_)) => "over",
    }
}

fn against(event: &Event) -> String {
    format!("{:.0} against {:.1} expected", event.peak.observed, event.peak.expected)
}
