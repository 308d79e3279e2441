//! `calendar`: what is expected.

use super::folders::find;
use crate::cli::{Calendar, EntryOptions};
use crate::commands::rules::{file_name, read_file};
use crate::config::Config;
use crate::console;
use crate::context::open_store;
use crate::exit::bad_input;
use anyhow::Context;
use detection::{Entry, read_ics};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use model::FolderId;
use std::io::Read;
use std::path::Path;
use store::{ExpectedEntry, Imported, Store};

/// A little more than is read, so that too much is told from enough.
const MOST_BYTES: u64 = 6 << 20;
/// Problems shown to people at once.
const SHOWN: usize = 10;

pub(crate) async fn run(config: &Config, command: Calendar, json: bool) -> anyhow::Result<()> {
    let store = open_store(config)?;
    match command {
        Calendar::List { folder } => list(&store, folder, json).await,
        Calendar::Add { title, from, to, options } => {
            let zone = zone(&store).await?;
            let from = moment(&from, &zone, Edge::Begin)?;
            let to = moment(&to, &zone, Edge::End)?;
            let folder = find(&store, options.folder.clone()).await?;
            let kind = options.kind.clone().unwrap_or_default();
            let entry =
                Entry { id: None, folder, kind, title, from, to, multiplier: None, uncertainty: None };
            told(store.add_expected(vec![typed(entry, &options)?]).await?, &[], json)
        }
        Calendar::Import { file, skip, options } => import(&store, &file, skip, &options, json).await,
        Calendar::Remove { ids } => remove(&store, ids).await,
    }
}

async fn list(store: &Store, folder: Option<String>, json: bool) -> anyhow::Result<()> {
    let folder = match folder {
        Some(path) => Some(find(store, path).await?),
        None => None,
    };
    let entries = store.expected(folder, Timestamp::now()).await?;
    if json {
        return console::json(&entries);
    }
    if entries.is_empty() {
        console::hint(
            "the calendar is empty: add a date with `ripplewatch calendar add`, or import an .ics file",
        );
        return Ok(());
    }
    let zone = zone(store).await?;
    let folders = store.knowledge(|base| base.folders().clone()).await?;
    let rows: Vec<_> =
        entries.iter().map(|entry| row(entry, &folders.path(entry.entry.folder), &zone)).collect();
    console::table(&["id", "folder", "from", "to", "expected", "came", "kind", "title"], &rows);
    Ok(())
}

fn row(expected: &ExpectedEntry, folder: &str, zone: &TimeZone) -> Vec<String> {
    let ExpectedEntry { entry, level, came, .. } = expected;
    let time = |at: Timestamp| at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
    let source = if entry.multiplier.is_some() { "" } else { " (estimated)" };
    let came = came.map(|came| format!("{:.0} %", came.observed / came.usual * 100.0));
    vec![
        entry.id.map(|id| id.to_string()).unwrap_or_default(),
        folder.to_owned(),
        time(entry.from),
        time(entry.to),
        format!("{:.0} %{source}", level.multiplier * 100.0),
        came.unwrap_or_else(|| "-".into()),
        entry.kind.clone(),
        entry.title.clone(),
    ]
}

async fn import(
    store: &Store,
    file: &Path,
    skip: bool,
    options: &EntryOptions,
    json: bool,
) -> anyhow::Result<()> {
    let folder: FolderId = find(store, options.folder.clone()).await?;
    let name = file_name(file);
    let mut bytes = Vec::new();
    let read = read_file(file)?.take(MOST_BYTES).read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {name}"))?;
    let nothing = |reason: String| bad_input(format!("{name}: {reason}\nNothing was imported"));
    let text =
        String::from_utf8(bytes).map_err(|_| nothing("this is not UTF-8; save the file as UTF-8".into()))?;
    let zone = zone(store).await?;
    let read =
        read_ics(&text, folder, &zone, Timestamp::now()).map_err(|error| nothing(error.to_string()))?;
    let problems: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
    if !skip && !problems.is_empty() {
        let shown = problems.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("\n");
        let more = problems.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
        return Err(nothing(format!("{shown}{more}\nhint: --skip imports the rest as it was read")));
    }
    if read.entries.is_empty() {
        return Err(nothing("there is no date in it that could be expected".into()));
    }
    let entries: anyhow::Result<Vec<Entry>> =
        read.entries.into_iter().map(|entry| typed(entry, options)).collect();
    told(store.add_expected(entries?).await?, &problems, json)
}

/// All or none: an id that is not there is told before anything is gone.
async fn remove(store: &Store, ids: Vec<i64>) -> anyhow::Result<()> {
    let there = store.expected(None, Timestamp::now()).await?;
    let is_there = |id: i64| there.iter().any(|expected| expected.entry.id == Some(id));
    let (known, unknown): (Vec<i64>, Vec<i64>) = ids.into_iter().partition(|id| is_there(*id));
    for id in unknown.into_iter().chain(known) {
        store.remove_expected(id).await?;
    }
    console::note("removed");
    Ok(())
}

/// An entry with what was typed for it, if it makes sense.
fn typed(entry: Entry, options: &EntryOptions) -> anyhow::Result<Entry> {
    let kind = options.kind.clone().unwrap_or_else(|| entry.kind.clone());
    let entry = Entry { kind, multiplier: options.multiplier, uncertainty: options.uncertainty, ..entry };
    let title = entry.title.clone();
    entry.checked().map_err(|error| bad_input(format!("“{title}”: {error}")))
}

fn told(imported: Imported, problems: &[String], json: bool) -> anyhow::Result<()> {
    let Imported { added, updated } = imported;
    if json {
        let said = serde_json::json!({ "added": added, "updated": updated, "problems": problems });
        return console::json(&said);
    }
    for problem in problems {
        console::note(problem);
    }
    console::note(&format!("{added} added, {updated} brought up to date"));
    Ok(())
}

/// The zone in which hours are meant.
async fn zone(store: &Store) -> anyhow::Result<TimeZone> {
    let settings = store.watch_settings().await?.unwrap_or_default();
    Ok(TimeZone::get(&settings.zone).unwrap_or(TimeZone::UTC))
}

/// Which end of an entry a time is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Begin,
    End,
}

/// A time as people type it: with an offset, or a date or a time of day in the zone of the folders' hours.
fn moment(text: &str, zone: &TimeZone, edge: Edge) -> anyhow::Result<Timestamp> {
    let text = text.trim();
    let bad = || {
        bad_input(format!("“{text}” is no time; write 2026-06-11T20:00, 2026-06-11T20:00:00Z or 2026-06-11"))
    };
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    let is_date = text.len() == "2026-06-11".len();
    let local = match text.parse::<Date>() {
        Ok(date) if is_date && edge == Edge::End => date.tomorrow().map_err(|_| bad())?.into(),
        Ok(date) if is_date => DateTime::from(date),
        _ => text.parse::<DateTime>().map_err(|_| bad())?,
    };
    Ok(zone.to_ambiguous_zoned(local).compatible().map_err(|_| bad())?.timestamp())
}
