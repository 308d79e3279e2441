//! Hosts: manners towards them, and when their work is due.

use crate::database::{self, Columns, Connection, Kind, OptionalExtension, Row, Set, ToValue, params};
use crate::rows::{maybe_span, maybe_time, ms, span_ms};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{HostId, Manners};
use std::collections::HashMap;
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

/// Manners as they are stored.
pub(crate) struct Stored {
    crawl_delay: Option<i64>,
    not_before: Option<i64>,
    troubles: u32,
    last_trouble: Option<i64>,
}

impl Stored {
    pub(crate) fn of(manners: &Manners) -> Self {
        Self {
            crawl_delay: manners.crawl_delay.map(span_ms),
            not_before: manners.not_before.map(ms),
            troubles: manners.troubles,
            last_trouble: manners.last_trouble.map(ms),
        }
    }
}

/// What [`manners_row`] holds.
pub(crate) const KEPT: Columns = &[
    ("host_id", Kind::Number),
    ("crawl_delay", Kind::Number),
    ("not_before", Kind::Number),
    ("troubles", Kind::Number),
    ("last_trouble", Kind::Number),
];

pub(crate) fn manners_row<'a>(host: &'a i64, manners: &'a Stored) -> [&'a dyn ToValue; 5] {
    [host, &manners.crawl_delay, &manners.not_before, &manners.troubles, &manners.last_trouble]
}

/// Stores manners towards hosts.
pub(crate) fn save_manners_of(connection: &Connection, hosts: Set) -> Result<(), StoreError> {
    // The user's own delay is not touched: it may have been changed while the host was leased.
    connection.send_set(
        "UPDATE host SET crawl_delay_ms = {crawl_delay}, not_before = {not_before}, troubles = {troubles},
             last_trouble = {last_trouble} {rows} WHERE id = {host_id}",
        hosts,
    )?;
    Ok(())
}

fn save_manners(connection: &Connection, host: HostId, manners: &Manners) -> Result<(), StoreError> {
    let mut hosts = Set::new(KEPT);
    hosts.push(&manners_row(&host.0, &Stored::of(manners)));
    save_manners_of(connection, hosts)
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

/// Those of the hosts that are known, by name.
pub(crate) fn known_hosts<'a>(
    connection: &Connection,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<HashMap<String, HostId>, StoreError> {
    const NAMES: Columns = &[("host_name", Kind::Text)];
    let mut set = Set::new(NAMES);
    for name in names {
        set.push(params![name]);
    }
    let known = connection.ask_set("SELECT name, id FROM host WHERE name = {host_name}", &set, |row| {
        Ok((row.get(0)?, HostId(row.get(1)?)))
    })?;
    Ok(known.into_iter().collect())
}

/// When the earliest work on a host is due, and not before the host may be asked.
pub(crate) fn due_of(host: &str, not_before: &str) -> String {
    format!(
        "SELECT CASE WHEN min(at) < {not_before} THEN {not_before} ELSE min(at) END FROM (
             SELECT min(next_at) AS at FROM source WHERE source.host_id = {host} AND next_at IS NOT NULL
             UNION ALL
             SELECT min(body_at) FROM article WHERE article.host_id = {host} AND body_at IS NOT NULL) work"
    )
}

/// Brings `due_at` in line with the host's earliest work.
pub(crate) fn refresh_due(connection: &Connection, host: HostId) -> Result<(), StoreError> {
    connection
        .prepare_cached(&format!(
            "UPDATE host SET due_at = ({}) WHERE id = ?1",
            due_of("?1", "host.not_before")
        ))?
        .send([host.0])?;
    Ok(())
}

/// Work has come up on a host, perhaps one that others hold: it is due no later than `at`.
pub(crate) fn bring_forward(connection: &Connection, host: HostId, at: Timestamp) -> Result<(), StoreError> {
    bring_all_forward(connection, [(host, at)])
}

/// The same for several hosts, each once.
pub(crate) fn bring_all_forward(
    connection: &Connection,
    hosts: impl IntoIterator<Item = (HostId, Timestamp)>,
) -> Result<(), StoreError> {
    const DUE: Columns = &[("host_id", Kind::Number), ("until", Kind::Number)];
    let mut due = Set::new(DUE);
    for (host, at) in hosts {
        due.push(params![host.0, ms(at)]);
    }
    connection.send_set(
        "UPDATE host SET due_at = max(min(coalesce(due_at, {until}), {until}), coalesce(not_before, 0))
         {rows} WHERE id = {host_id}",
        due,
    )?;
    Ok(())
}
