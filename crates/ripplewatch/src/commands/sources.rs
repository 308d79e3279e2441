//! `sources`: watch something.

mod transfer;

use crate::cli::Sources;
use crate::config::Config;
use crate::console;
use crate::context::{address, find_source, idle_engine, open_store};
use crate::exit::bad_input;
use crate::words::{maybe_when, when};
use anyhow::Context;
use fetch::gate::Gate;
use jiff::Timestamp;
use model::{Outcome, PlannedVisit, Source};
use std::time::Duration;
use store::{NewSource, SourceEdit, SourceFilter, Store};
use url::Url;

pub(crate) async fn run(mut config: Config, command: Sources, json: bool) -> anyhow::Result<()> {
    match command {
        Sources::Add { urls, title, selector, interval, allow } => {
            config.allow(&allow);
            let store = open_store(&config)?;
            add(&config, &store, &urls, title, selector, interval, json).await
        }
        Sources::Preview { url, selector, links, allow } => {
            config.allow(&allow);
            preview(&config, &url, selector.as_deref(), links, json).await
        }
        Sources::List { search, failing, limit } => {
            let filter = SourceFilter { search, failing, limit, ..SourceFilter::default() };
            list(&open_store(&config)?, filter, json).await
        }
        Sources::Show { source } => {
            let store = open_store(&config)?;
            let source = find_source(&store, &source).await?;
            show(&store, source, json).await
        }
        Sources::Edit { source, title, selector, interval, pause, resume } => {
            let store = open_store(&config)?;
            let id = find_source(&store, &source).await?.id;
            check_selector(selector.as_deref())?;
            let paused = (pause || resume).then_some(pause);
            let edit = SourceEdit { title, selector, interval: interval.map(|wanted| wanted.0), paused };
            let source = store.edit_source(id, edit, Timestamp::now()).await?;
            show(&store, source, json).await
        }
        Sources::Remove { sources } => {
            let store = open_store(&config)?;
            // All are looked up before the first is removed: a typo removes nothing.
            let mut found = Vec::new();
            for source in &sources {
                found.push(find_source(&store, source).await?);
            }
            for source in found {
                store.remove_source(source.id).await?;
                console::note(&format!(
                    "source {} ({}) is no longer watched; its articles stay",
                    source.id, source.url
                ));
            }
            Ok(())
        }
        Sources::Import { file, allow } => {
            config.allow(&allow);
            let gate = Gate::new(config.fetch.allow.clone());
            transfer::import(&open_store(&config)?, &gate, &file, json).await
        }
        Sources::Export { file, list } => transfer::export(&open_store(&config)?, file, list).await,
    }
}

async fn add(
    config: &Config,
    store: &Store,
    addresses: &[String],
    title: Option<String>,
    selector: Option<String>,
    interval: Option<Duration>,
    json: bool,
) -> anyhow::Result<()> {
    if title.is_some() && addresses.len() > 1 {
        return Err(bad_input("--title names one source; add them one by one"));
    }
    check_selector(selector.as_deref())?;
    let urls = addresses.iter().map(|text| address(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let gate = Gate::new(config.fetch.allow.clone());
    for url in &urls {
        check_gate(&gate, url)?;
    }
    let new = urls.into_iter().map(|url| NewSource {
        url,
        title: title.clone(),
        selector: selector.clone(),
        interval,
        first_visit: first_visit(),
    });
    let ids = store.add_sources(new.collect(), Timestamp::now()).await?;
    if json {
        return console::json(&ids);
    }
    for (id, address) in ids.iter().zip(addresses) {
        console::line(&format!("source {id}: {address}"));
    }
    console::hint("it is visited as soon as `ripplewatch serve` runs, or now with `ripplewatch visit ID`");
    Ok(())
}

pub(super) fn first_visit() -> PlannedVisit {
    PlannedVisit { at: Timestamp::now(), reason: "first visit".into() }
}

/// Addresses the gate would refuse are refused before they are stored.
pub(super) fn check_gate(gate: &Gate, url: &Url) -> anyhow::Result<()> {
    gate.check_url(url).map_err(|refusal| {
        bad_input(format!(
            "{url}: {refusal}\nhint: if you mean it, allow the address with --allow NET, here and for `serve`"
        ))
    })
}

fn check_selector(selector: Option<&str>) -> anyhow::Result<()> {
    match selector.map(page::check_selector) {
        Some(Err(error)) => Err(bad_input(error.to_string())),
        _ => Ok(()),
    }
}

async fn preview(
    config: &Config,
    text: &str,
    selector: Option<&str>,
    links: bool,
    json: bool,
) -> anyhow::Result<()> {
    check_selector(selector)?;
    let url = address(text)?;
    // Looking stores nothing, so it needs no data folder of its own.
    let scratch = tempfile::tempdir().context("making a scratch folder")?;
    let engine = idle_engine(config, Store::open(scratch.path())?).await?;
    let preview = engine.preview(&url, selector).await;
    let Some(listing) = preview.listing else {
        anyhow::bail!("{url} cannot be watched now: {}{}", preview.outcome, gate_hint(&preview.outcome));
    };
    if json {
        return console::json(&serde_json::json!({
            "url": url, "final_url": preview.final_url, "kind": listing.kind, "format": listing.format,
            "title": listing.title, "articles": listing.articles, "notes": listing.notes,
            "feeds": listing.feeds.iter().map(|feed| &feed.url).collect::<Vec<_>>(),
            "links": links.then(|| preview.links.iter().map(|link| {
                serde_json::json!({ "url": link.url, "text": link.text, "path": link.path, "disowned": link.disowned })
            }).collect::<Vec<_>>()),
        }));
    }
    console::line(&format!("{} ({})", listing.kind, listing.format));
    if let Some(title) = &listing.title {
        console::line(&format!("title: {title}"));
    }
    console::line(&format!("{} articles", listing.articles.len()));
    for article in listing.articles.iter().take(20) {
        console::line(&format!("  {}\n    {}", article.title, article.url));
    }
    if links {
        let row = |link: &page::PageLink| vec![link.path.clone(), link.text.clone(), link.url.to_string()];
        console::table(&["place", "text", "link"], &preview.links.iter().map(row).collect::<Vec<_>>());
    }
    for feed in &listing.feeds {
        console::line(&format!("it offers the feed {}", feed.url));
    }
    for note in &listing.notes {
        console::note(note);
    }
    Ok(())
}

pub(super) fn gate_hint(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::RefusedByGate { .. } => "\nhint: if you mean it, allow the address with --allow NET",
        _ => "",
    }
}

async fn list(store: &Store, filter: SourceFilter, json: bool) -> anyhow::Result<()> {
    let page = store.sources_page(filter).await?;
    if json {
        return console::json(&page.sources);
    }
    if page.sources.is_empty() {
        console::hint("no sources: add one with `ripplewatch sources add URL`");
        return Ok(());
    }
    let now = Timestamp::now();
    let rows: Vec<_> = page.sources.iter().map(|source| row(source, now)).collect();
    console::table(&["id", "state", "kind", "articles", "last visit", "next visit", "source"], &rows);
    if page.total > page.sources.len() as u64 {
        console::note(&format!("{} of {}; more with --limit", page.sources.len(), page.total));
    }
    Ok(())
}

fn row(source: &Source, now: Timestamp) -> Vec<String> {
    let state = &source.state;
    vec![
        source.id.to_string(),
        state_in_words(source).into(),
        source.kind.map_or_else(|| "?".into(), |kind| kind.to_string()),
        state.articles.to_string(),
        maybe_when(state.last_visit_at, now),
        state.next_at.map_or_else(|| "-".into(), |at| when(at, now)),
        source
            .title
            .as_ref()
            .map_or_else(|| source.url.to_string(), |title| format!("{title} <{}>", source.url)),
    ]
}

fn state_in_words(source: &Source) -> &'static str {
    match (&source.state.last_outcome, source.paused) {
        (_, true) => "paused",
        (None, _) => "new",
        (Some(outcome), _) if outcome.is_success() => "ok",
        _ => "failing",
    }
}

async fn show(store: &Store, source: Source, json: bool) -> anyhow::Result<()> {
    let visits = store.visits_of(source.id, 10).await?;
    if json {
        return console::json(&serde_json::json!({ "source": source, "visits": visits }));
    }
    let now = Timestamp::now();
    let state = &source.state;
    let fact = |name: &str, value: &str| console::line(&format!("{name:<12}{value}"));
    fact("source", &source.id.to_string());
    fact("url", source.url.as_str());
    fact("title", source.title.as_deref().unwrap_or("-"));
    fact("kind", &source.kind.map_or_else(|| "not known yet".into(), |kind| kind.to_string()));
    fact("state", state_in_words(&source));
    fact("articles", &state.articles.to_string());
    if let Some(selector) = &source.selector {
        fact("selector", selector);
    }
    fact(
        "interval",
        &source.interval.map_or_else(|| "left to the policy".into(), |interval| format!("{interval:?}")),
    );
    fact("last visit", &maybe_when(state.last_visit_at, now));
    if let Some(outcome) = &state.last_outcome {
        fact("outcome", &outcome.to_string());
    }
    match state.next_at {
        Some(at) => fact("next visit", &format!("{} ({})", when(at, now), state.next_reason)),
        None => fact("next visit", &state.next_reason),
    }
    if !visits.is_empty() {
        console::line("");
        let rows: Vec<_> = visits
            .iter()
            .map(|visit| {
                vec![
                    when(visit.at, now),
                    visit.new.to_string(),
                    visit.reason.clone(),
                    visit.outcome.to_string(),
                ]
            })
            .collect();
        console::table(&["visit", "new", "why", "outcome"], &rows);
    }
    Ok(())
}
