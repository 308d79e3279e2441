//! Watches and what they saw, for people and for machines.

use crate::console;
use crate::words::{maybe_when, when};
use jiff::Timestamp;
use model::WatchId;
use serde_json::{Value, json};
use store::{PartChange, Store, Watch};

pub(super) fn list(watches: &[Watch], json: bool) -> anyhow::Result<()> {
    if json {
        return console::json(&watches.iter().map(row).collect::<Vec<_>>());
    }
    if watches.is_empty() {
        console::hint("no watches: add one with `ripplewatch watches add URL 'css .price'`");
        return Ok(());
    }
    let now = Timestamp::now();
    let cells = |watch: &Watch| {
        vec![
            watch.id.to_string(),
            watch.standing().word().into(),
            watch.name.clone(),
            watch.terms.aim.what.to_string(),
            maybe_when(watch.course.looked_at, now),
            watch.course.tellings.to_string(),
            watch.source_title.clone(),
        ]
    };
    let rows: Vec<_> = watches.iter().map(cells).collect();
    console::table(&["id", "state", "name", "looks at", "last look", "told", "source"], &rows);
    Ok(())
}

pub(super) async fn one(store: &Store, id: WatchId, limit: usize, json: bool) -> anyhow::Result<()> {
    let watch = store.watch(id).await?;
    let changes = store.part_changes(id, None, limit).await?;
    if json {
        let changes: Vec<Value> = changes.iter().map(change).collect();
        return console::json(&json!({ "watch": row(&watch), "changes": changes }));
    }
    let now = Timestamp::now();
    let fact = |name: &str, value: &str| console::line(&format!("{name:<12}{value}"));
    fact("watch", &id.to_string());
    fact("name", &watch.name);
    fact("source", &format!("{} ({})", watch.source, watch.source_url));
    fact("looks at", &watch.terms.aim.what.to_string());
    if let Some(within) = &watch.terms.aim.within {
        fact("within", within);
    }
    if let Some(ignore) = &watch.terms.aim.ignore {
        fact("ignores", ignore);
    }
    fact("looks", &watch.terms.when.to_string());
    if let Some(moved) = &watch.terms.moved {
        fact("moved", &moved.to_string());
    }
    fact("tells", &watch.terms.notify.to_string());
    for stop in &watch.terms.stops {
        fact("ends", &stop.to_string());
    }
    let why = watch.why_quiet().map(|why| format!(": {why}")).unwrap_or_default();
    fact("state", &format!("{}{why}", watch.standing().word()));
    fact("last look", &maybe_when(watch.course.looked_at, now));
    fact("told", &watch.course.tellings.to_string());
    if let Some(seen) = watch.course.now.as_ref().filter(|seen| seen.gone.is_none()) {
        fact("sees", seen.part.lines.first().map_or("nothing", String::as_str));
    }
    for change in &changes {
        let told = if change.told { "told" } else { "not told" };
        console::line(&format!("\n{}: {told}, {}", when(change.at, now), change.why));
        if !change.diff.hunks.is_empty() {
            console::line(&indented(&change.diff.text()));
        }
    }
    Ok(())
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// A watch for machines.
pub(super) fn row(watch: &Watch) -> Value {
    let now = watch.course.now.as_ref().filter(|seen| seen.gone.is_none());
    json!({
        "id": watch.id,
        "source": watch.source,
        "source_url": watch.source_url,
        "name": watch.name,
        "what": watch.terms.aim.what,
        "within": watch.terms.aim.within,
        "ignore": watch.terms.aim.ignore,
        "when": watch.terms.when,
        "moved": watch.terms.moved,
        "stops": watch.terms.stops,
        "notify": watch.terms.notify,
        "zone": watch.terms.zone,
        "state": watch.standing(),
        "why": watch.why_quiet(),
        "looked_at": watch.course.looked_at,
        "told": watch.course.tellings,
        "text": now.map(|seen| seen.part.text()),
        "number": now.and_then(|seen| seen.part.number()),
        "ended_at": watch.ended.as_ref().map(|(at, _)| at),
    })
}

fn change(change: &PartChange) -> Value {
    json!({
        "id": change.id,
        "visit": change.visit,
        "at": change.at,
        "kind": change.kind,
        "told": change.told,
        "why": change.why,
        "since": change.since,
        "number_before": change.number_before,
        "number": change.number,
        "text": change.text,
        "diff": change.diff,
        "diff_text": change.diff.text(),
    })
}
