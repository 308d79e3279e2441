//! Hosts: manners towards them, and when their work is due.

use crate::database::{self, Connection, OptionalExtension, Row, params};
use crate::rows::{maybe_span, maybe_time, ms, span_ms};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{HostId, Manners};
use std::time::Duration;

/// A host as people see it.
#[derive(Debug, Clone, serde::Serialize)]
pub struct HostInfo {
    /// Its name.
    pub name: String,
    /// Sources on it.
    pub sources: u64,
    /// The delay the user set for it.
    pub own_delay: Option<Duration>,
    /// Not before this time.
    pub not_before: Option<Timestamp>,
    /// Troubles in a row.
    pub troubles: u32,
    /// When its next work is due.
    pub due_at: Option<Timestamp>,
    /// Held by a worker now.
    pub leased: bool,
}

impl Store {
    /// Remembers manners towards hosts that were met by a redirect, without holding their lease.
    pub async fn remember_manners(&self, hosts: Vec<(String, Manners)>) -> Result<(), StoreError> {
        self.write(move |connection| {
            for (name, manners) in &hosts {
                let id = host_id(connection, name)?;
                let known = connection
                    .prepare_cached("SELECT * FROM host WHERE id = ?1")?
                    .query_row([id.0], self::manners)?;
                save_manners(connection, id, &merged(&known, manners))?;
                refresh_due(connection, id)?;
            }
            Ok(())
        })
        .await
    }

    /// Hosts that want more than the usual pause, to be known from the start, whichever way they are met.
    pub async fn wary_hosts(&self, now: Timestamp) -> Result<Vec<(String, Manners)>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT * FROM host WHERE not_before > ?1 OR own_delay_ms IS NOT NULL OR crawl_delay_ms IS NOT NULL",
            )?;
            let rows = statement.query_map([ms(now)], |row| Ok((row.get("name")?, manners(row)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The name of a host.
    pub async fn host_name(&self, id: HostId) -> Result<String, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached("SELECT name FROM host WHERE id = ?1")?;
            Ok(statement.query_row([id.0], |row| row.get(0))?)
        })
        .await
    }

    /// Keeps what robots.txt files said, before anything they made possible.
    pub async fn save_crawl_robots(&self, records: Vec<model::RobotsRecord>) -> Result<(), StoreError> {
        self.write_beside(move |connection| crate::robots::save_robots(connection, &records)).await
    }

    /// All known hosts, those in trouble first.
    pub async fn hosts(&self, limit: usize) -> Result<Vec<HostInfo>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT h.*, (SELECT count(*) FROM source s WHERE s.host_id = h.id) AS sources FROM host h
                 ORDER BY h.troubles DESC, h.not_before DESC NULLS LAST, h.name LIMIT ?1",
            )?;
            let rows = statement.query_map([limit as i64], |row| {
                Ok(HostInfo {
                    name: row.get("name")?,
                    sources: row.get::<_, i64>("sources")?.unsigned_abs(),
                    own_delay: maybe_span(row, "own_delay_ms")?,
                    not_before: maybe_time(row, "not_before")?,
                    troubles: row.get("troubles")?,
                    due_at: maybe_time(row, "due_at")?,
                    leased: row.get::<_, Option<String>>("lease_owner")?.is_some(),
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Sets the user's own delay for a known host; `None` returns to the default. False if it is not known.
    pub async fn set_host_delay(&self, name: String, delay: Option<Duration>) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let changed = connection.execute(
                "UPDATE host SET own_delay_ms = ?2 WHERE name = ?1",
                params![name, delay.map(span_ms)],
            )?;
            Ok(changed > 0)
        })
        .await
    }
}

pub(crate) fn manners(row: &Row<'_>) -> database::Result<Manners> {
    Ok(Manners {
        own_delay: maybe_span(row, "own_delay_ms")?,
        crawl_delay: maybe_span(row, "crawl_delay_ms")?,
        not_before: maybe_time(row, "not_before")?,
        troubles: row.get("troubles")?,
        last_trouble: maybe_time(row, "last_trouble")?,
    })
}

/// What two memories of a host say together: the later pause, the newer trouble.
fn merged(known: &Manners, new: &Manners) -> Manners {
    let newer = if new.last_trouble >= known.last_trouble { new } else { known };
    Manners {
        own_delay: known.own_delay,
        crawl_delay: new.crawl_delay.or(known.crawl_delay),
        not_before: known.not_before.max(new.not_before),
        troubles: newer.troubles,
        last_trouble: newer.last_trouble,
    }
}

pub(crate) fn save_manners(
    connection: &Connection,
    host: HostId,
    manners: &Manners,
) -> Result<(), StoreError> {
    // The user's own delay is not touched: it may have been changed while the host was leased.
    connection
        .prepare_cached(
            "UPDATE host SET crawl_delay_ms = ?2, not_before = ?3, troubles = ?4, last_trouble = ?5 WHERE id = ?1",
        )?
        .send(params![
            host.0,
            manners.crawl_delay.map(span_ms),
            manners.not_before.map(ms),
            manners.troubles,
            manners.last_trouble.map(ms)
        ])?;
    Ok(())
}

/// The host of that name, made if new.
pub(crate) fn host_id(connection: &Connection, name: &str) -> Result<HostId, StoreError> {
    let known = || -> Result<Option<i64>, StoreError> {
        let mut statement = connection.prepare_cached("SELECT id FROM host WHERE name = ?1")?;
        Ok(statement.query_row([name], |row| row.get(0)).optional()?)
    };
    if let Some(id) = known()? {
        return Ok(HostId(id));
    }
    let new: Option<i64> = connection
        .prepare_cached("INSERT INTO host (name) VALUES (?1) ON CONFLICT (name) DO NOTHING RETURNING id")?
        .query_row([name], |row| row.get(0))
        .optional()?;
    // Made by another process at the same moment.
    let id = if new.is_some() { new } else { known()? };
    id.map(HostId).ok_or_else(|| StoreError::not_found(format!("host {name}")))
}

/// Brings `due_at` in line with the host's earliest work.
pub(crate) fn refresh_due(connection: &Connection, host: HostId) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE host SET due_at = (
                 SELECT CASE WHEN min(at) < host.not_before THEN host.not_before ELSE min(at) END FROM (
                     SELECT min(next_at) AS at FROM source WHERE host_id = ?1 AND next_at IS NOT NULL
                     UNION ALL
                     SELECT min(body_at) FROM article WHERE host_id = ?1 AND body_at IS NOT NULL) work)
             WHERE id = ?1",
        )?
        .send([host.0])?;
    Ok(())
}

/// Work has come up on a host, perhaps one that others hold: it is due no later than `at`.
pub(crate) fn bring_forward(connection: &Connection, host: HostId, at: Timestamp) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE host SET due_at = max(min(coalesce(due_at, ?2), ?2), coalesce(not_before, 0)) WHERE id = ?1",
        )?
        .send(params![host.0, ms(at)])?;
    Ok(())
}
