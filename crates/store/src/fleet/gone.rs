//! What a worker held that is gone: hosts, crawls and channels are free again.

use super::GONE_AFTER;
use crate::database::{Connection, Dialect, params};
use crate::hosts::refresh_due;
use crate::rows::{ms, span_ms};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::HostId;
use std::time::Duration;

/// Whether a worker (`w`) is gone. After the database itself was away everybody gets the time to come back.
pub(super) fn is_gone(dialect: Dialect) -> String {
    let (now, up) = (dialect.now_ms(), dialect.up_since_ms());
    format!("max(w.seen_at, {up}) < {now} - {}", GONE_AFTER.as_millis())
}

impl Store {
    /// Frees what workers held that are gone; their labels. Whoever does so is not gone itself, even if it has just stood still.
    /// Nobody asks their hosts before a pause is over: a last request of theirs may have been just before.
    pub async fn free_gone(
        &self,
        name: &str,
        now: Timestamp,
        default_delay: Duration,
    ) -> Result<Vec<String>, StoreError> {
        let own = name.to_owned();
        self.write_beside(move |connection| {
            let sql = format!(
                "DELETE FROM worker AS w WHERE name <> ?1 AND {} RETURNING name, label",
                is_gone(connection.dialect())
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([&own], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let gone: Vec<(String, String)> = rows.collect::<Result<_, _>>()?;
            for (name, _) in &gone {
                free(connection, name, now, default_delay)?;
            }
            if !gone.is_empty() {
                connection.tell_everybody();
            }
            Ok(gone.into_iter().map(|(_, label)| label).collect())
        })
        .await
    }

    /// Frees hosts that a worker was given before the lease `leased_before` ends, and that are not among those it still holds; how
    /// many.
    pub async fn free_forgotten(
        &self,
        name: &str,
        held: Vec<HostId>,
        leased_before: Timestamp,
        now: Timestamp,
        default_delay: Duration,
    ) -> Result<usize, StoreError> {
        let name = name.to_owned();
        let owner = name.clone();
        let leased: Vec<i64> = self
            .read(move |connection| {
                let sql = "SELECT id FROM host WHERE lease_owner = ?1 AND lease_owner IS NOT NULL AND lease_until <= ?2";
                let mut statement = connection.prepare_cached(sql)?;
                let rows = statement.query_map(params![owner, ms(leased_before)], |row| row.get(0))?;
                Ok(rows.collect::<Result<_, _>>()?)
            })
            .await?;
        let forgotten: Vec<i64> = leased.into_iter().filter(|id| !held.contains(&HostId(*id))).collect();
        if forgotten.is_empty() {
            return Ok(0);
        }
        self.write_beside(move |connection| {
            let mut freed = 0;
            for host in &forgotten {
                freed += connection
                    .prepare_cached(&format!(
                        "{FREE} WHERE id = ?4 AND lease_owner = ?1 AND lease_until <= ?5"
                    ))?
                    .execute(params![name, ms(now), span_ms(default_delay), host, ms(leased_before)])?;
                refresh_due(connection, HostId(*host))?;
            }
            Ok(freed)
        })
        .await
    }

    /// A process stops: what it still holds is free, and its share goes to the others.
    pub async fn sign_off(
        &self,
        name: &str,
        now: Timestamp,
        default_delay: Duration,
    ) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.write_beside(move |connection| {
            connection.execute("DELETE FROM worker WHERE name = ?1", [&name])?;
            free(connection, &name, now, default_delay)?;
            connection.tell_everybody();
            Ok(())
        })
        .await
    }
}

/// Ends leases; the next holder keeps its distance from what may have been the last request.
const FREE: &str = "UPDATE host SET lease_owner = NULL, lease_until = NULL, epoch = epoch + 1,
     not_before = max(coalesce(not_before, 0), ?2 + max(coalesce(own_delay_ms, ?3), coalesce(crawl_delay_ms, 0)))";

fn free(
    connection: &Connection,
    owner: &str,
    now: Timestamp,
    default_delay: Duration,
) -> Result<(), StoreError> {
    let mut statement = connection
        .prepare_cached(&format!("{FREE} WHERE lease_owner = ?1 AND lease_owner IS NOT NULL RETURNING id"))?;
    let rows = statement.query_map(params![owner, ms(now), span_ms(default_delay)], |row| row.get(0))?;
    let hosts: Vec<i64> = rows.collect::<Result<_, _>>()?;
    for host in hosts {
        refresh_due(connection, HostId(host))?;
    }
    connection.execute("UPDATE crawl SET lease_owner = NULL WHERE lease_owner = ?1", [owner])?;
    connection.execute(
        "UPDATE channel SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = ?1",
        [owner],
    )?;
    Ok(())
}
