//! The processes that work on the same data: who is present, what each of them does, and what becomes of what it held when it is
//! gone.
//!
//! Presence is told by the database's clock, whatever the machines' clocks say. A worker renews it every few seconds, over a
//! connection of its own, so that it does not wait behind deeds. One that could not for [`ASKS_FOR`] asks nobody any more; after
//! [`GONE_AFTER`] the others take over what it held. Between the two is room for a request that was just being sent.

mod gone;
mod line;
mod time;

pub(crate) use line::Line;
pub use time::{ClockRate, Reading};

use crate::database::{Connection, Row, params};
use crate::rows::{json, maybe_json, time, to_json};
use crate::{Store, StoreError, database};
use jiff::Timestamp;
use scheduling::market::Demand;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A worker that has not renewed its presence for this long asks nobody for anything.
pub const ASKS_FOR: Duration = Duration::from_secs(10);
/// A worker that has not renewed its presence for this long is gone.
pub const GONE_AFTER: Duration = Duration::from_secs(15);

/// What a worker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roles {
    /// It visits sources and plans the visits to them.
    pub visiting: bool,
    /// It runs crawls.
    pub crawling: bool,
    /// It files stored articles anew after a lesson.
    pub filing: bool,
}

impl Roles {
    /// Everything.
    pub const ALL: Self = Self { visiting: true, crawling: true, filing: true };
    /// Nothing.
    pub const NONE: Self = Self { visiting: false, crawling: false, filing: false };

    /// The roles as words.
    pub fn words(self) -> Vec<&'static str> {
        let named = [(self.visiting, "visiting"), (self.crawling, "crawling"), (self.filing, "filing")];
        named.into_iter().filter(|(has, _)| *has).map(|(_, word)| word).collect()
    }
}

/// What a worker tells of itself, for people and metrics.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Figures {
    /// The release it runs.
    pub version: String,
    /// Visits made since its start.
    pub visits: u64,
    /// Visits since its start that saw their page.
    pub successes: u64,
    /// Visits in its last minute.
    pub visits_a_minute: u64,
    /// New articles since its start.
    pub new_articles: u64,
    /// Article pages read since its start.
    pub bodies: u64,
    /// Requests made since its start.
    pub requests: u64,
    /// Bytes received since its start.
    pub bytes: u64,
    /// Pages its crawls have read since its start.
    pub crawled: u64,
    /// Hosts that have their turn now.
    pub turns: u64,
    /// Places for turns.
    pub hosts_at_once: u64,
    /// How long the most overdue of its hosts waits, in seconds.
    pub lag_s: u64,
    /// Deeds the store refused since its start.
    pub store_errors: u64,
    /// The part of all hosts that is its, from 0 to 1.
    pub part: f64,
}

/// A process that works on the data.
#[derive(Debug, Clone, Serialize)]
pub struct WorkerInfo {
    /// One name for each start of a process.
    pub name: String,
    /// What people call it: the machine and the process.
    pub label: String,
    /// What it does.
    pub roles: Roles,
    /// Since when, by the database's clock.
    pub started_at: Timestamp,
    /// When it last renewed its presence, by the database's clock.
    pub seen_at: Timestamp,
    /// It has not been heard of for so long that it is gone.
    pub gone: bool,
    /// What it tells of itself.
    pub figures: Figures,
    /// What its sources ask for at which price.
    #[serde(skip)]
    pub demand: Option<Demand>,
    /// Hosts that it holds now.
    pub hosts: u64,
    /// Crawls that it runs now.
    pub crawls: u64,
}

impl Store {
    /// Whether other processes may work on the same data.
    pub fn is_shared(&self) -> bool {
        self.file().is_none()
    }

    /// A process is present from now on.
    pub async fn sign_on(&self, name: &str, label: &str, roles: Roles) -> Result<(), StoreError> {
        let (name, label) = (name.to_owned(), label.to_owned());
        self.on_line(move |connection| {
            let now = connection.dialect().now_ms();
            let sql = format!(
                "INSERT INTO worker (name, label, roles, started_at, seen_at, figures)
                 VALUES (?1, ?2, ?3, {now}, {now}, '{{}}') ON CONFLICT (name) DO UPDATE SET seen_at = {now}"
            );
            connection.execute(&sql, params![name, label, to_json(&roles)?])?;
            Ok(())
        })
        .await
    }

    /// A process is still present. False if it was taken for gone: what it held is others' by now.
    pub async fn renew(
        &self,
        name: &str,
        figures: Figures,
        demand: Option<Demand>,
    ) -> Result<bool, StoreError> {
        let name = name.to_owned();
        self.on_line(move |connection| {
            let sql = format!(
                "UPDATE worker SET seen_at = {}, figures = ?2, demand = ?3 WHERE name = ?1",
                connection.dialect().now_ms()
            );
            let demand = demand.as_ref().map(to_json).transpose()?;
            Ok(connection.execute(&sql, params![name, to_json(&figures)?, demand])? > 0)
        })
        .await
    }

    /// Everybody who works on the data, the longest there first.
    pub async fn workers(&self) -> Result<Vec<WorkerInfo>, StoreError> {
        self.read(workers).await
    }
}

/// The labels of those who are present.
pub(crate) fn present(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let sql = format!(
        "SELECT label FROM worker w WHERE NOT ({}) ORDER BY label",
        gone::is_gone(connection.dialect())
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let labels = statement.query_map([], |row| row.get(0))?;
    Ok(labels.collect::<Result<_, _>>()?)
}

fn workers(connection: &Connection) -> Result<Vec<WorkerInfo>, StoreError> {
    let sql = format!(
        "SELECT w.*, {} AS gone, coalesce(h.held, 0) AS hosts, coalesce(c.held, 0) AS crawls FROM worker w
             LEFT JOIN (SELECT lease_owner, count(*) AS held FROM host WHERE lease_owner IS NOT NULL GROUP BY lease_owner) h
                 ON h.lease_owner = w.name
             LEFT JOIN (SELECT lease_owner, count(*) AS held FROM crawl WHERE lease_owner IS NOT NULL GROUP BY lease_owner) c
                 ON c.lease_owner = w.name
         ORDER BY w.started_at, w.name",
        gone::is_gone(connection.dialect()),
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([], worker)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn worker(row: &Row<'_>) -> database::Result<WorkerInfo> {
    Ok(WorkerInfo {
        name: row.get("name")?,
        label: row.get("label")?,
        roles: json(row, "roles")?,
        started_at: time(row, "started_at")?,
        seen_at: time(row, "seen_at")?,
        gone: row.get("gone")?,
        figures: json(row, "figures")?,
        demand: maybe_json(row, "demand")?,
        hosts: row.get::<_, i64>("hosts")?.unsigned_abs(),
        crawls: row.get::<_, i64>("crawls")?.unsigned_abs(),
    })
}
