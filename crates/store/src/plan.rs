//! How visits are planned: the user's choice, what a policy learns from, and plans that change without a visit.

mod choice;
mod history;
mod past;
mod signals;
mod spent;

pub use choice::{Budget, PlanChoice};
pub use history::Dated;
pub use past::SourcePast;
pub use spent::HourSpent;

use crate::hosts::refresh_due;
use crate::rows::ms;
use crate::watches::no_later_than_watches;
use crate::{Store, StoreError};
use jiff::{SignedDuration, Timestamp};
use model::{HostId, PlannedVisit};
use rusqlite::{Connection, OptionalExtension, params};
use scheduling::Plan;
use std::collections::BTreeSet;

impl Store {
    /// Takes over plans that changed without a visit; how many. A visit that an event or a person brought forward stays:
    /// the plan is what follows it.
    pub async fn plan_visits(&self, plans: Vec<Plan>) -> Result<usize, StoreError> {
        self.write(move |connection| {
            let (mut hosts, mut changed) = (BTreeSet::new(), 0);
            for (source, planned) in plans {
                let planned = no_later_than_watches(connection, source, planned)?;
                let host: Option<i64> = connection
                    .prepare_cached(
                        "UPDATE source SET
                             base_at = CASE WHEN event_id IS NULL THEN NULL ELSE ?2 END,
                             base_reason = CASE WHEN event_id IS NULL THEN NULL ELSE ?3 END,
                             next_at = CASE WHEN event_id IS NULL THEN ?2 ELSE next_at END,
                             next_reason = CASE WHEN event_id IS NULL THEN ?3 ELSE next_reason END
                         WHERE id = ?1 AND paused = 0 AND last_visit_at IS NOT NULL RETURNING host_id",
                    )?
                    .query_row(params![source.0, ms(planned.at), planned.reason], |row| row.get(0))
                    .optional()?;
                changed += usize::from(host.is_some());
                hosts.extend(host);
            }
            for host in hosts {
                refresh_due(connection, HostId(host))?;
            }
            Ok(changed)
        })
        .await
    }
}

/// Holds a visit back until the host's own budget of visits a day allows it, shared by the sources on it.
pub(crate) fn within_host_budget(
    connection: &Connection,
    host: HostId,
    visits_per_day: Option<u32>,
    at: Timestamp,
    planned: PlannedVisit,
) -> Result<PlannedVisit, StoreError> {
    let Some(visits) = visits_per_day else { return Ok(planned) };
    let sources: i64 = connection
        .prepare_cached("SELECT count(*) FROM source WHERE host_id = ?1 AND paused = 0")?
        .query_row([host.0], |row| row.get(0))?;
    let gap = SignedDuration::from_secs(86_400).saturating_mul(sources.clamp(1, 100_000) as i32);
    let earliest = at.checked_add(gap / visits.clamp(1, 1_000_000) as i32).unwrap_or(Timestamp::MAX);
    if planned.at >= earliest {
        return Ok(planned);
    }
    let reason = format!("{}; the host's budget of {visits} visits a day allows no sooner", planned.reason);
    Ok(PlannedVisit { at: earliest, reason })
}
