//! Crawls, pages and candidates for people and machines.

use super::follow::in_words;
use crate::console;
use crate::exit::{Exit, Told};
use crate::words::when;
use discovery::crawl::comes_first;
use engine::{EngineHandle, UrlStory};
use jiff::{SignedDuration, Timestamp};
use model::CrawlId;
use store::{Candidate, CrawlInfo, CrawlPage, CrawlPhase, CrawlUrl, FoundWord};

/// A crawl that runs says something every second.
const SILENT: SignedDuration = SignedDuration::from_secs(10);

pub(super) fn all(crawls: &[CrawlInfo], json: bool) -> anyhow::Result<()> {
    if json {
        return console::json(&crawls);
    }
    let row = |info: &CrawlInfo| {
        vec![
            info.id.to_string(),
            info.topic.clone(),
            short(&phase(info)),
            format!("{} of {}", info.fetched, info.settings.pages),
            info.relevant.to_string(),
            format!("{:.0} %", 100.0 * info.harvest()),
            info.known.to_string(),
        ]
    };
    let rows: Vec<_> = crawls.iter().map(row).collect();
    console::table(&["crawl", "topic", "state", "pages", "relevant", "harvest", "known URLs"], &rows);
    Ok(())
}

/// What fits into a column; `crawl status ID` tells the rest.
fn short(text: &str) -> String {
    if text.chars().count() <= COLUMN {
        return text.to_owned();
    }
    text.chars().take(COLUMN - 1).chain(['…']).collect()
}

const COLUMN: usize = 48;

fn phase(info: &CrawlInfo) -> String {
    let silent = info.beat_at.is_none_or(|at| Timestamp::now().duration_since(at) > SILENT);
    match info.phase {
        CrawlPhase::Running if silent => "waits for `serve` or `crawl resume`".into(),
        phase if info.why.is_empty() => phase.word().into(),
        phase => format!("{}: {}", phase.word(), info.why),
    }
}

pub(super) async fn status(
    handle: &EngineHandle,
    id: CrawlId,
    frontier: bool,
    json: bool,
) -> anyhow::Result<()> {
    let status = handle.crawl_status(id).await?;
    let waiting = if frontier { handle.crawl_frontier(id, 20).await? } else { Vec::new() };
    let hosts = if frontier { handle.crawl_hosts(id, 20).await? } else { Vec::new() };
    if json {
        return console::json(&serde_json::json!({ "status": status, "frontier": waiting, "hosts": hosts }));
    }
    let info = &status.crawl;
    console::line(&format!("crawl {id} on “{}”: {}", info.topic, phase(info)));
    console::line(&in_words(info));
    console::line(&format!(
        "strategy {}, {} URLs known, {} gave no page, ran {:.0} s",
        info.settings.strategy, info.known, info.failed, info.ran_seconds
    ));
    if let Some(folder) = &info.output {
        console::line(&format!("files in {}", folder.display()));
    }
    for (reason, count) in info.progress.iter().flat_map(|progress| &progress.dropped) {
        console::line(&format!("{count} links not followed: {reason}"));
    }
    if frontier {
        let row = |entry: &engine::FrontierEntry| {
            vec![entry.worth(), entry.depth.to_string(), entry.url.to_string(), entry.anchor.clone()]
        };
        console::table(
            &["worth", "depth", "waits", "link text"],
            &waiting.iter().map(row).collect::<Vec<_>>(),
        );
        let now = Timestamp::now();
        let row = |host: &engine::CrawlHost| {
            vec![
                host.name.clone(),
                host.pages.to_string(),
                host.relevant.to_string(),
                host.waiting.to_string(),
                format!("{} s", host.delay_seconds),
                if host.next_at > now { when(host.next_at, now) } else { "now".into() },
            ]
        };
        let rows: Vec<_> = hosts.iter().map(row).collect();
        console::table(&["host", "pages", "relevant", "waiting", "pause", "may be asked"], &rows);
    }
    Ok(())
}

pub(super) fn ended(info: &CrawlInfo, json: bool) -> anyhow::Result<()> {
    if json {
        console::json(info)?;
    } else {
        // What ends with an error says there why.
        let failed = info.phase == CrawlPhase::Paused || info.fetched == 0;
        let state = if failed { info.phase.word().to_owned() } else { phase(info) };
        console::line(&format!("crawl {} is {state}", info.id));
        console::line(&in_words(info));
        if let Some(folder) = &info.output {
            console::line(&format!("files in {}", folder.display()));
        }
    }
    let message = match info.phase {
        CrawlPhase::Finished if info.fetched == 0 => info.why.clone(),
        CrawlPhase::Paused if info.why.contains("crawl resume") => format!("paused: {}", info.why),
        CrawlPhase::Paused => {
            format!("paused: {}. Nothing is lost: `ripplewatch crawl resume {}` goes on", info.why, info.id)
        }
        _ => return Ok(()),
    };
    Err(Told { exit: Exit::Failed, message }.into())
}

pub(super) fn pages(pages: &[CrawlPage], json: bool) -> anyhow::Result<()> {
    if json {
        return console::json(&pages);
    }
    if pages.is_empty() {
        console::note(
            "no such page. Those on the topic are listed, --all lists the others, too; --search looks only at those on the topic",
        );
    }
    for page in pages {
        console::line(&format!("{:.3}  {}", page.score, page.title.as_deref().unwrap_or("(no title)")));
        console::line(&format!("       {}", page.url));
        console::line(&format!("       {}", evidence(&page.evidence)));
    }
    Ok(())
}

fn evidence(found: &[FoundWord]) -> String {
    let words: Vec<String> = found
        .iter()
        .take(6)
        .map(|found| format!("{} × {} ({})", found.count, found.word, found.class))
        .collect();
    if words.is_empty() { "no word of the topic".into() } else { words.join(", ") }
}

/// The link that led to a URL; nothing for a seed.
fn by_link(url: &CrawlUrl) -> String {
    match (url.parent, url.anchor.trim()) {
        (None, _) => String::new(),
        (Some(_), "") => ", by a link without a text".to_owned(),
        (Some(_), text) => format!(", by the link “{text}”"),
    }
}

pub(super) fn story(story: &UrlStory, json: bool) -> anyhow::Result<()> {
    if json {
        return console::json(story);
    }
    let url = &story.url;
    console::line(url.url.as_str());
    for step in &story.way {
        // The text of a link is kept with the URL it leads to.
        console::line(&format!("  from {}{}", step.url, by_link(step)));
    }
    console::line(&format!("  {} links from a seed{}", url.depth, by_link(url)));
    if let Some(page) = &story.page {
        let verdict = if page.on_topic { "on the topic" } else { "off the topic" };
        let unkept = url.why.as_deref().map_or_else(String::new, |why| format!("; {why}"));
        console::line(&format!("  read: score {:.3}, {verdict}{unkept}", page.score));
        console::line(&format!("  {}", evidence(&page.evidence)));
    } else {
        let state = serde_json::to_value(url.state).ok();
        let state = state.as_ref().and_then(|state| state.as_str()).unwrap_or_default().to_owned();
        let why = url.why.as_deref().map_or_else(String::new, |why| format!(": {why}"));
        let worth = match url.parent {
            Some(_) if comes_first(url.priority) => ", to be asked at once".to_owned(),
            Some(_) => format!(", worth {:.3} when it was found", url.priority),
            None => ", a seed".to_owned(),
        };
        console::line(&format!("  {state}{why}{worth}"));
    }
    if let Some(why) = story.why.as_ref().filter(|why| !comes_first(why.priority)) {
        let parts: Vec<String> = why
            .parts
            .iter()
            .map(|part| format!("{} {:.3} × {:.3}", part.name, part.value, part.weight))
            .collect();
        console::line(&format!("  worth {:.3} now: {}", why.priority, parts.join(" + ")));
    }
    Ok(())
}

pub(super) fn candidates(candidates: &[Candidate], json: bool) -> anyhow::Result<()> {
    if json {
        return console::json(&candidates);
    }
    let row = |candidate: &Candidate| {
        vec![
            candidate.id.to_string(),
            candidate.kind.word().to_owned(),
            format!("{:.2}", candidate.expected),
            candidate.per_day.map_or_else(|| "?".into(), |rate| format!("{rate:.2}")),
            format!("{:.0} %", 100.0 * candidate.share),
            candidate.promoted_to.map_or_else(String::new, |source| format!("source {source}")),
            candidate.url.to_string(),
        ]
    };
    let rows: Vec<_> = candidates.iter().map(row).collect();
    console::table(&["no.", "kind", "relevant a day", "a day", "on topic", "watched", "URL"], &rows);
    Ok(())
}
