//! What an event makes likely at the sources that cover its folder.

use crate::calendar::ExpectedEntry;
use crate::database::{Connection, OptionalExtension, params};
use crate::rows::{json, ms};
use crate::{Store, StoreError};
use detection::Score;
use jiff::{SignedDuration, Timestamp};
use model::{EventId, SourceId};
use scheduling::Signal;

/// Sources beyond these have too little of the folder to be worth a thought.
const MOST: i64 = 100;
/// How much of a source is about the folder is seen from what it brought in this time.
const COVERED_IN: SignedDuration = SignedDuration::from_hours(4 * 7 * 24);
/// Even the greatest event does not multiply a folder by more, as far as plans go.
const MOST_TIMES: f64 = 5.0;

impl Store {
    /// The event that was seen last; zero if there was none yet.
    pub async fn newest_event(&self) -> Result<EventId, StoreError> {
        self.read(|connection| {
            let sql = "SELECT coalesce(max(id), 0) FROM event";
            Ok(EventId(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?))
        })
        .await
    }

    /// The events that were seen after this one, in that order.
    pub async fn events_after(&self, last: EventId) -> Result<Vec<EventId>, StoreError> {
        self.read(move |connection| {
            let sql = "SELECT id FROM event WHERE id > ?1 ORDER BY id";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([last.0], |row| Ok(EventId(row.get(0)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// How much more than usual each source that covers an event's folder may bring, now that it has opened.
    pub async fn event_signals(&self, event: EventId, now: Timestamp) -> Result<Vec<Signal>, StoreError> {
        self.read(move |connection| {
            let row = connection
                .prepare_cached(
                    "SELECT f.id, f.name, e.opening FROM event e JOIN folder f ON f.id = e.folder_id WHERE e.id = ?1",
                )?
                .query_row([event.0], |row| {
                    Ok((row.get(0)?, row.get::<_, String>(1)?, json::<Score>(row, "opening")?))
                })
                .optional()?;
            let Some((folder, name, opening)) = row else { return Ok(Vec::new()) };
            let times = (opening.observed / opening.expected.max(0.1)).clamp(1.0, MOST_TIMES);
            let signal = |(source, share): (SourceId, f64)| Signal {
                source,
                at: now,
                factor: 1.0 + share * (times - 1.0),
                reason: format!("event in {name}"),
            };
            Ok(shares(connection, folder, now)?.into_iter().map(signal).collect())
        })
        .await
    }
}

impl Store {
    /// How much more than usual each source may bring because of entries of the calendar that go on now, by entry; not of those
    /// that were told already.
    pub async fn calendar_signals(
        &self,
        now: Timestamp,
        told: Vec<i64>,
    ) -> Result<Vec<(i64, Vec<Signal>)>, StoreError> {
        let begun: Vec<i64> = self
            .read(move |connection| {
                let sql = "SELECT id FROM expected WHERE from_at <= ?1 AND to_at > ?1";
                let mut statement = connection.prepare_cached(sql)?;
                let rows = statement.query_map([ms(now)], |row| row.get(0))?;
                Ok(rows.collect::<Result<_, _>>()?)
            })
            .await?;
        let new: Vec<i64> = begun.into_iter().filter(|id| !told.contains(id)).collect();
        if new.is_empty() {
            return Ok(Vec::new());
        }
        let entries = self.expected(None, now).await?;
        self.read(move |connection| {
            let going_on = entries.iter().filter(|one| one.entry.id.is_some_and(|id| new.contains(&id)));
            let signals = |one: &ExpectedEntry| {
                let times = one.level.multiplier.clamp(1.0 / MOST_TIMES, MOST_TIMES);
                let reason = format!("{} is expected", one.entry.title);
                let signal = |(source, share): (SourceId, f64)| Signal {
                    source,
                    at: now,
                    factor: 1.0 + share * (times - 1.0),
                    reason: reason.clone(),
                };
                let shares = shares(connection, one.entry.folder.0, now)?;
                Ok((one.entry.id.unwrap_or(0), shares.into_iter().map(signal).collect()))
            };
            going_on.map(signals).collect()
        })
        .await
    }
}

/// The sources that cover a folder, with the part of their articles that it is.
fn shares(connection: &Connection, folder: i64, now: Timestamp) -> Result<Vec<(SourceId, f64)>, StoreError> {
    let since = now.checked_sub(COVERED_IN).unwrap_or(Timestamp::MIN);
    let first: Option<i64> = connection
        .prepare_cached(
            "SELECT id FROM article WHERE first_seen_at >= ?1 ORDER BY first_seen_at, id LIMIT 1",
        )?
        .query_row([ms(since)], |row| row.get(0))
        .optional()?;
    let mut statement = connection.prepare_cached(
        "WITH covering AS (
             SELECT l.source_id AS id, count(DISTINCT l.article_id) AS here
             FROM filing f JOIN listing l ON l.article_id = f.article_id
             WHERE f.folder_id = ?1 AND f.article_id >= ?2 GROUP BY l.source_id ORDER BY here DESC LIMIT ?3)
         SELECT id, here, (SELECT count(*) FROM listing l WHERE l.source_id = covering.id AND l.article_id >= ?2)
         FROM covering",
    )?;
    let rows = statement.query_map(params![folder, first.unwrap_or(i64::MAX), MOST], |row| {
        let (here, all): (f64, f64) = (row.get::<_, i64>(1)? as f64, row.get::<_, i64>(2)? as f64);
        Ok((SourceId(row.get(0)?), here / all.max(1.0)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
