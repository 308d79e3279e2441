//! Watches and their changes as rows.

use super::{PartChange, Watch};
use crate::database::{self, Row};
use crate::rows::{json, maybe_time, odd, time, url};
use model::{ChangeId, SourceId, VisitId, WatchId};

/// What [`watch`] reads.
pub(super) const WATCHES: &str = "SELECT w.*, coalesce(s.title, s.url) AS source_title, s.url AS source_url, \
    s.paused AS source_paused, (SELECT count(*) FROM part_change c WHERE c.watch_id = w.id) AS changes \
    FROM part_watch w JOIN source s ON s.id = w.source_id";

pub(super) fn watch(row: &Row<'_>) -> database::Result<Watch> {
    let why: Option<String> = row.get("ended_why")?;
    Ok(Watch {
        id: WatchId(row.get("id")?),
        source: SourceId(row.get("source_id")?),
        source_title: row.get("source_title")?,
        source_url: url(row, "source_url")?,
        source_paused: row.get("source_paused")?,
        name: row.get("name")?,
        terms: json(row, "terms")?,
        paused: row.get("paused")?,
        ended: maybe_time(row, "ended_at")?.map(|at| (at, why.unwrap_or_default())),
        created_at: time(row, "created_at")?,
        course: json(row, "course")?,
        changes: row.get::<_, i64>("changes")?.unsigned_abs(),
    })
}

pub(super) fn change(row: &Row<'_>) -> database::Result<PartChange> {
    let kind: String = row.get("kind")?;
    Ok(PartChange {
        id: ChangeId(row.get("id")?),
        watch: WatchId(row.get("watch_id")?),
        visit: VisitId(row.get("visit_id")?),
        at: time(row, "at")?,
        kind: serde_json::from_value(kind.into()).map_err(|error| odd("kind", error))?,
        told: row.get("told")?,
        why: row.get("why")?,
        since: maybe_time(row, "since_at")?,
        number_before: row.get("number_before")?,
        number: row.get("number")?,
        text: row.get("text")?,
        diff: json(row, "diff")?,
    })
}
