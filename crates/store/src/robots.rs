//! What robots.txt files said, kept with the deed of the visit that asked for them.

use crate::StoreError;
use crate::database::{Columns, Connection, Kind, Set, params};
use crate::hosts::host_id;
use crate::rows::{ms, time};
use model::{RobotsRecord, RobotsVerdict};
use std::collections::HashMap;
use url::Url;

/// What is known about hosts.
pub(crate) fn robots_of(
    connection: &Connection,
    hosts: &[i64],
) -> Result<HashMap<i64, Vec<RobotsRecord>>, StoreError> {
    const HOSTS: Columns = &[("host", Kind::Number)];
    let hosts = Set::of_numbers(HOSTS, hosts.iter().copied());
    let said = connection.ask_set("SELECT * FROM robots WHERE host_id = {host}", &hosts, |row| {
        let verdict: String = row.get("verdict")?;
        let body: String = row.get("body")?;
        let said = RobotsRecord {
            origin: row.get("origin")?,
            fetched_at: time(row, "fetched_at")?,
            expires_at: time(row, "expires_at")?,
            verdict: match verdict.as_str() {
                "rules" => RobotsVerdict::Rules(body),
                "allow_all" => RobotsVerdict::AllowAll,
                _ => RobotsVerdict::DisallowAll(body),
            },
        };
        Ok((row.get::<_, i64>("host_id")?, said))
    })?;
    let mut by_host: HashMap<i64, Vec<RobotsRecord>> = HashMap::new();
    for (host, said) in said {
        by_host.entry(host).or_default().push(said);
    }
    Ok(by_host)
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
