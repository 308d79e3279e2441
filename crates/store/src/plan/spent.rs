//! What was spent: visits an hour.

use crate::database::params;
use crate::rows::{ms, time};
use crate::{Store, StoreError};
use jiff::Timestamp;

/// The visits of one hour.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct HourSpent {
    /// When it began.
    pub from: Timestamp,
    /// All visits.
    pub visits: u32,
    /// Those that an event caused.
    pub by_events: u32,
    /// Articles they found.
    pub new: u32,
}

impl Store {
    /// Visits of each hour since `since`; hours without any are left out.
    pub async fn hours_spent(&self, since: Timestamp) -> Result<Vec<HourSpent>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT at / 3600000 * 3600000 AS hour, count(*) AS visits, count(event_id) AS by_events, CAST(sum(new) AS BIGINT) AS new
                 FROM visit v WHERE at >= ?1
                     AND NOT EXISTS (SELECT 1 FROM source s WHERE s.id = v.source_id AND s.interval_ms IS NOT NULL)
                 GROUP BY hour ORDER BY hour",
            )?;
            let rows = statement.query_map(params![ms(since)], |row| {
                Ok(HourSpent {
                    from: time(row, "hour")?,
                    visits: row.get("visits")?,
                    by_events: row.get("by_events")?,
                    new: row.get("new")?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Visits since `since` that the budget pays for: sources with an interval of their own are not in it.
    pub async fn visits_since(&self, since: Timestamp) -> Result<u64, StoreError> {
        self.read(move |connection| {
            let sql = "SELECT count(*) FROM visit v WHERE at >= ?1
                AND NOT EXISTS (SELECT 1 FROM source s WHERE s.id = v.source_id AND s.interval_ms IS NOT NULL)";
            Ok(connection
                .prepare_cached(sql)?
                .query_row([ms(since)], |row| row.get::<_, i64>(0))?
                .unsigned_abs())
        })
        .await
    }
}
