//! How visits are planned: the user's choice, what a policy learns from, and plans that change without a visit.

mod choice;
mod history;
mod past;
mod signals;
mod spent;

pub use choice::{Budget, PlanChoice};
pub use history::Dated;
pub use past::{Census, SourcePast};
pub use spent::HourSpent;

use crate::database::{Connection, OptionalExtension, params};
use crate::hosts::refresh_due;
use crate::rows::{maybe_time, ms, time};
use crate::watches::no_later_than_watches;
use crate::{Store, StoreError};
use jiff::{SignedDuration, Timestamp};
use model::{HostId, PlannedVisit, SourceId};
use scheduling::Plan;
use std::collections::BTreeSet;

/// What the user's plan asks of a visit's deed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlanRules {
    /// At most so many planned visits a day to a host.
    pub visits_per_host_and_day: Option<u32>,
    /// After a visit that an event caused the old plan goes on, as in the papers.
    pub keeps_timers: bool,
}

impl Store {
    /// Takes over plans that were made without a visit, knowing the visits before `known`; how many. Whoever was visited
    /// since, is due, is being tried again or is wanted by an event keeps what is planned; for the last the plan is what
    /// follows it.
    pub async fn plan_visits(
        &self,
        plans: Vec<Plan>,
        known: Timestamp,
        rules: PlanRules,
    ) -> Result<usize, StoreError> {
        self.write(move |connection| {
            let (mut hosts, mut changed) = (BTreeSet::new(), 0);
            for (source, planned) in &plans {
                let (source, planned) = (*source, planned.clone());
                let Some(standing) = Standing::of(connection, source, known)? else { continue };
                let planned = no_later_than_watches(connection, source, planned)?;
                let planned = not_before(standing.earliest, planned);
                let visits = rules.visits_per_host_and_day;
                let planned =
                    within_host_budget(connection, standing.host, visits, standing.last_visit, planned)?;
                changed += connection
                    .prepare_cached(
                        "UPDATE source SET
                             base_at = CASE WHEN event_id IS NULL THEN NULL ELSE CAST(?2 AS BIGINT) END,
                             base_reason = CASE WHEN event_id IS NULL THEN NULL ELSE ?3 END,
                             next_at = CASE WHEN event_id IS NULL THEN ?2 ELSE next_at END,
                             next_reason = CASE WHEN event_id IS NULL THEN ?3 ELSE next_reason END
                         WHERE id = ?1",
                    )?
                    .execute(params![source.0, ms(planned.at), planned.reason])?;
                hosts.insert(standing.host.0);
            }
            for host in hosts {
                refresh_due(connection, HostId(host))?;
            }
            Ok(changed)
        })
        .await
    }
}

/// A source whose plan may change without a visit.
struct Standing {
    host: HostId,
    last_visit: Timestamp,
    earliest: Option<Timestamp>,
}

impl Standing {
    fn of(connection: &Connection, source: SourceId, known: Timestamp) -> Result<Option<Self>, StoreError> {
        Ok(connection
            .prepare_cached(
                "SELECT host_id, last_visit_at, earliest_at FROM source
                 WHERE id = ?1 AND paused = 0 AND failures = 0 AND last_visit_at <= ?2 AND next_at > ?2",
            )?
            .query_row(params![source.0, ms(known)], |row| {
                Ok(Self {
                    host: HostId(row.get("host_id")?),
                    last_visit: time(row, "last_visit_at")?,
                    earliest: maybe_time(row, "earliest_at")?,
                })
            })
            .optional()?)
    }
}

/// Holds a visit back until the server wants it.
pub(crate) fn not_before(earliest: Option<Timestamp>, planned: PlannedVisit) -> PlannedVisit {
    match earliest.filter(|earliest| *earliest > planned.at) {
        None => planned,
        Some(at) => {
            let reason = format!("{}; the server asks not to come sooner", planned.reason);
            PlannedVisit { at, reason }
        }
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
