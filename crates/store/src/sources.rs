//! Sources: add, edit, remove, list.

use crate::database::{Connection, OptionalExtension, params};
use crate::hosts::{bring_forward, host_id, refresh_due};
use crate::rows::{ms, source, span_ms};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{HostId, PlannedVisit, Source, SourceId};
use std::time::Duration;
use url::Url;

/// A source to be added.
#[derive(Debug, Clone)]
pub struct NewSource {
    /// Where it is, normalised.
    pub url: Url,
    /// What the user calls it; `None` takes the page's own title.
    pub title: Option<String>,
    /// CSS selector for list pages.
    pub selector: Option<String>,
    /// The user's own interval.
    pub interval: Option<Duration>,
    /// The first visit.
    pub first_visit: PlannedVisit,
}

/// A change to a source; `None` leaves a field as it is.
#[derive(Debug, Clone, Default)]
pub struct SourceEdit {
    /// The new title; empty returns to the page's own.
    pub title: Option<String>,
    /// The new selector; empty removes it.
    pub selector: Option<String>,
    /// The new interval; `Some(None)` leaves it to the policy.
    pub interval: Option<Option<Duration>>,
    /// Pause or resume.
    pub paused: Option<bool>,
}

/// Which sources to list.
#[derive(Debug, Clone, Default)]
pub struct SourceFilter {
    /// Only those whose title or URL contains this.
    pub search: Option<String>,
    /// Only those whose last visit failed.
    pub failing: bool,
    /// In which order.
    pub order: SourceOrder,
    /// Skip this many.
    pub offset: usize,
    /// At most this many.
    pub limit: usize,
}

/// Orders of the source list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SourceOrder {
    /// By name.
    #[default]
    Title,
    /// The next visit first.
    NextVisit,
    /// The newest article first.
    LastNew,
}

/// One page of sources.
#[derive(Debug)]
pub struct SourcesPage {
    /// The sources.
    pub sources: Vec<Source>,
    /// How many there are in all.
    pub total: u64,
}

impl Store {
    /// Adds sources, all or none. The first duplicate is named.
    pub async fn add_sources(
        &self,
        sources: Vec<NewSource>,
        now: Timestamp,
    ) -> Result<Vec<SourceId>, StoreError> {
        self.write(move |connection| sources.iter().map(|new| add_source(connection, new, now)).collect())
            .await
    }

    /// One source.
    pub async fn source(&self, id: SourceId) -> Result<Source, StoreError> {
        self.read(move |connection| get_source(connection, id)).await
    }

    /// The source that watches this URL, if any.
    pub async fn source_by_url(&self, url: Url) -> Result<Option<Source>, StoreError> {
        self.read(move |connection| {
            Ok(connection
                .prepare_cached("SELECT * FROM source WHERE url = ?1")?
                .query_row([url.as_str()], source)
                .optional()?)
        })
        .await
    }

    /// One page of the sources that match.
    pub async fn sources_page(&self, filter: SourceFilter) -> Result<SourcesPage, StoreError> {
        self.read(move |connection| sources_page(connection, &filter)).await
    }

    /// The sources with a coming visit, the earliest first.
    pub async fn plan(&self, limit: usize) -> Result<Vec<Source>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection
                .prepare_cached("SELECT * FROM source WHERE next_at IS NOT NULL ORDER BY next_at LIMIT ?1")?;
            let rows = statement.query_map([limit as i64], source)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Changes a source. A new selector makes the next visit read the page afresh.
    pub async fn edit_source(
        &self,
        id: SourceId,
        edit: SourceEdit,
        now: Timestamp,
    ) -> Result<Source, StoreError> {
        self.write(move |connection| edit_source(connection, id, &edit, now)).await
    }

    /// Plans a visit as soon as manners allow.
    pub async fn visit_soon(&self, id: SourceId, planned: PlannedVisit) -> Result<(), StoreError> {
        self.write(move |connection| {
            let source = get_source(connection, id)?;
            plan_visit(connection, id, source.host_id, Some(&planned))
        })
        .await
    }

    /// Removes a source and its visits. Its articles stay.
    pub async fn remove_source(&self, id: SourceId) -> Result<Source, StoreError> {
        let removed = self
            .watch_write(move |connection, loaded| {
                let source = get_source(connection, id)?;
                connection.execute("DELETE FROM source WHERE id = ?1", [id.0])?;
                refresh_due(connection, source.host_id)?;
                loaded.forget_source(id);
                // Other processes hear of it.
                crate::watch::count_up(connection)?;
                Ok(Some(source))
            })
            .await?;
        removed.ok_or(StoreError::Closed)
    }
}

pub(crate) fn add_source(
    connection: &Connection,
    new: &NewSource,
    now: Timestamp,
) -> Result<SourceId, StoreError> {
    let known: Option<i64> = connection
        .prepare_cached("SELECT id FROM source WHERE url = ?1")?
        .query_row([new.url.as_str()], |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        return Err(StoreError::DuplicateSource { url: new.url.to_string(), id: SourceId(id) });
    }
    let name = model::host_name(&new.url).unwrap_or_default();
    let host = host_id(connection, &name)?;
    let id = connection
        .prepare_cached(
            "INSERT INTO source (url, host_id, title, selector, interval_ms, added_at, next_at, next_reason)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id",
        )?
        .query_row(
            params![
                new.url.as_str(),
                host.0,
                new.title,
                new.selector,
                new.interval.map(span_ms),
                ms(now),
                ms(new.first_visit.at),
                new.first_visit.reason
            ],
            |row| row.get(0),
        )?;
    bring_forward(connection, host, new.first_visit.at)?;
    connection.tell_everybody();
    Ok(SourceId(id))
}

pub(crate) fn get_source(connection: &Connection, id: SourceId) -> Result<Source, StoreError> {
    connection
        .prepare_cached("SELECT * FROM source WHERE id = ?1")?
        .query_row([id.0], source)
        .optional()?
        .ok_or_else(|| StoreError::not_found(format!("source {id}")))
}

fn sources_page(connection: &Connection, filter: &SourceFilter) -> Result<SourcesPage, StoreError> {
    let mut wanted = "TRUE".to_owned();
    if filter.search.is_some() {
        wanted += " AND (lower(title) LIKE lower(?1) ESCAPE '\\' OR lower(url) LIKE lower(?1) ESCAPE '\\')";
    } else {
        wanted += " AND CAST(?1 AS TEXT) IS NULL";
    }
    if filter.failing {
        wanted += " AND failures > 0";
    }
    let order = match filter.order {
        SourceOrder::Title => "lower(coalesce(title, url)), id",
        SourceOrder::NextVisit => "next_at IS NULL, next_at, id",
        SourceOrder::LastNew => "last_new_at DESC NULLS LAST, id",
    };
    let pattern = filter.search.as_ref().map(|text| like_pattern(text));
    let total: i64 = connection
        .prepare_cached(&format!("SELECT count(*) FROM source WHERE {wanted}"))?
        .query_row([&pattern], |row| row.get(0))?;
    let mut statement = connection.prepare_cached(&format!(
        "SELECT * FROM source WHERE {wanted} ORDER BY {order} LIMIT ?2 OFFSET ?3"
    ))?;
    let rows = statement.query_map(params![pattern, filter.limit as i64, filter.offset as i64], source)?;
    Ok(SourcesPage { sources: rows.collect::<Result<_, _>>()?, total: total.unsigned_abs() })
}

fn like_pattern(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

fn edit_source(
    connection: &Connection,
    id: SourceId,
    edit: &SourceEdit,
    now: Timestamp,
) -> Result<Source, StoreError> {
    let mut source = get_source(connection, id)?;
    let blank_is_none = |text: &String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if let Some(title) = &edit.title {
        source.title = blank_is_none(title);
    }
    if let Some(interval) = edit.interval {
        source.interval = interval;
    }
    if let Some(selector) = &edit.selector {
        source.selector = blank_is_none(selector);
        connection.execute(
            "UPDATE source SET etag = NULL, last_modified = NULL, content_hash = NULL WHERE id = ?1",
            [id.0],
        )?;
    }
    connection.execute(
        "UPDATE source SET title = ?2, selector = ?3, interval_ms = ?4 WHERE id = ?1",
        params![id.0, source.title, source.selector, source.interval.map(span_ms)],
    )?;
    if let Some(paused) = edit.paused {
        connection.execute("UPDATE source SET paused = ?2 WHERE id = ?1", params![id.0, paused])?;
        let resumed = PlannedVisit { at: now, reason: "resumed by you".into() };
        plan_visit(connection, id, source.host_id, (!paused).then_some(&resumed))?;
    } else if edit.interval.is_some() && !source.paused {
        let planned = PlannedVisit { at: now, reason: "its interval was changed".into() };
        plan_visit(connection, id, source.host_id, Some(&planned))?;
    }
    get_source(connection, id)
}

/// Sets a source's next visit; `None` while it is paused.
pub(crate) fn plan_visit(
    connection: &Connection,
    id: SourceId,
    host: HostId,
    planned: Option<&PlannedVisit>,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE source SET next_at = ?2, next_reason = ?3, event_id = NULL, base_at = NULL,
                 base_reason = NULL WHERE id = ?1",
        )?
        .execute(params![id.0, planned.map(|p| ms(p.at)), planned.map_or("paused by you", |p| &p.reason)])?;
    connection.tell_everybody();
    refresh_due(connection, host)
}
