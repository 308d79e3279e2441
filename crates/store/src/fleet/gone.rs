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
    /// Frees what workers held that are gone; their labels. Nobody asks their hosts before a pause is over: a last request of
    /// theirs may have been just before.
    pub async fn free_gone(
        &self,
        now: Timestamp,
        default_delay: Duration,
    ) -> Result<Vec<String>, StoreError> {
        self.write_beside(move |connection| {
            let sql = format!(
                "DELETE FROM worker AS w WHERE {} RETURNING name, label",
                is_gone(connection.dialect())
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
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

fn free(
    connection: &Connection,
    owner: &str,
    now: Timestamp,
    default_delay: Duration,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "UPDATE host SET lease_owner = NULL, lease_until = NULL, epoch = epoch + 1,
             not_before = max(coalesce(not_before, 0), ?2 + max(coalesce(own_delay_ms, ?3), coalesce(crawl_delay_ms, 0)))
         WHERE lease_owner = ?1 AND lease_owner IS NOT NULL RETURNING id",
    )?;
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
