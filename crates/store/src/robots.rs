//! What robots.txt files said, kept with the deed of the visit that asked for them.

use crate::StoreError;
use crate::database::{Connection, params};
use crate::hosts::host_id;
use crate::rows::{ms, time};
use model::{RobotsRecord, RobotsVerdict};
use url::Url;

/// What is known about a host.
pub(crate) fn robots_of(connection: &Connection, host: i64) -> Result<Vec<RobotsRecord>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT * FROM robots WHERE host_id = ?1")?;
    let rows = statement.query_map([host], |row| {
        let verdict: String = row.get("verdict")?;
        let body: String = row.get("body")?;
        Ok(RobotsRecord {
            origin: row.get("origin")?,
            fetched_at: time(row, "fetched_at")?,
            expires_at: time(row, "expires_at")?,
            verdict: match verdict.as_str() {
                "rules" => RobotsVerdict::Rules(body),
                "allow_all" => RobotsVerdict::AllowAll,
                _ => RobotsVerdict::DisallowAll(body),
            },
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Keeps what robots.txt said, in the deed of the visit that asked for it.
pub(crate) fn save_robots(connection: &Connection, records: &[RobotsRecord]) -> Result<(), StoreError> {
    for record in records {
        let Some(name) = Url::parse(&record.origin).ok().as_ref().and_then(model::host_name) else {
            continue;
        };
        let (verdict, body) = match &record.verdict {
            RobotsVerdict::Rules(body) => ("rules", body.as_str()),
            RobotsVerdict::AllowAll => ("allow_all", ""),
            RobotsVerdict::DisallowAll(why) => ("disallow_all", why.as_str()),
        };
        let host = host_id(connection, &name)?;
        connection
            .prepare_cached(
                "INSERT INTO robots (origin, host_id, fetched_at, expires_at, verdict, body)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (origin) DO UPDATE SET
                 fetched_at = excluded.fetched_at, expires_at = excluded.expires_at,
                 verdict = excluded.verdict, body = excluded.body",
            )?
            .send(params![
                record.origin,
                host.0,
                ms(record.fetched_at),
                ms(record.expires_at),
                verdict,
                body
            ])?;
    }
    Ok(())
}
