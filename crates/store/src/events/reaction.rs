//! Visits that events cause: brought forward when an event opens, and again while they bring something.

use super::Event;
use super::apply::Seen;
use crate::StoreError;
use crate::database::{self, Connection, OptionalExtension, Row, params};
use crate::hosts::bring_forward;
use crate::rows::{maybe_time, ms};
use crate::visits::{SeenByVisit, VisitRecord};
use crate::watch::{Loaded, WatchSettings};
use detection::Score;
use jiff::Timestamp;
use model::{EventId, HostId, PlannedVisit, SourceId};
use scheduling::{Trigger, Triggered};

const DAY_MS: i64 = 24 * 3_600_000;
/// Events may always cause so many visits a day: a monitor that has just begun has planned hardly any.
const ALWAYS_ALLOWED: u32 = 12;

/// Visits the sources that may have more of an event at once; how many were brought forward.
pub(super) fn react(
    connection: &Connection,
    loaded: &Loaded,
    seen: &Seen,
    event: &Event,
    score: &Score,
) -> Result<usize, StoreError> {
    let Some(shown_by) = shown_by(seen, score) else { return Ok(0) };
    let unusual: Vec<SourceId> =
        score.contributions.iter().filter(|part| part.unusual).map(|part| part.source).collect();
    let trigger = Trigger {
        event: event.id,
        folder: &event.folder_name,
        at: seen.at,
        shown_by,
        unusual: &unusual,
        observed: score.observed,
        expected: score.expected,
    };
    let covering = loaded.watcher.covering(event.folder, Some(shown_by));
    let allowed = allowance(connection, seen.at)?;
    let mut visits = 0;
    for triggered in loaded.settings.reaction.react(&trigger, &covering) {
        if visits == allowed {
            break;
        }
        let budget = loaded.settings.visits_per_host_and_hour;
        visits += usize::from(bring(connection, event.id, &triggered, budget)?);
    }
    Ok(visits)
}

/// The source that showed an event: the one visited, if it brought some of it. A window that alarms only when it is complete is
/// closed by whoever comes next: then it is the source that stands out most.
pub(super) fn shown_by(seen: &Seen, score: &Score) -> Option<SourceId> {
    let brought = |source: &SourceId| score.contributions.iter().any(|part| part.source == *source);
    seen.source.filter(brought).or(score.contributions.first().map(|part| part.source)).or(seen.source)
}

/// Brings one visit forward, unless it comes as soon anyway, the source is paused or its host has had enough of them.
fn bring(
    connection: &Connection,
    event: EventId,
    triggered: &Triggered,
    budget: u32,
) -> Result<bool, StoreError> {
    let host: Option<i64> = connection
        .prepare_cached("SELECT host_id FROM source WHERE id = ?1 AND paused = 0")?
        .query_row([triggered.source.0], |row| row.get(0))
        .optional()?;
    let Some(host) = host else { return Ok(false) };
    if spent(connection, host, triggered.at)? >= budget {
        return Ok(false);
    }
    let brought = connection
        .prepare_cached(
            "UPDATE source SET event_id = ?2, base_at = coalesce(base_at, next_at),
                 base_reason = coalesce(base_reason, next_reason), next_at = ?3, next_reason = ?4
             WHERE id = ?1 AND (next_at IS NULL OR next_at > ?3)",
        )?
        .execute(params![triggered.source.0, event.0, ms(triggered.at), triggered.reason])?;
    if brought > 0 {
        connection.tell_everybody();
        bring_forward(connection, HostId(host), triggered.at)?;
    }
    Ok(brought > 0)
}

/// How many more visits events may cause at present. In a day never more than were planned: what a user allows is then exceeded
/// by little, and not for long, however small it is and however much happens.
fn allowance(connection: &Connection, now: Timestamp) -> Result<usize, StoreError> {
    let (planned, caused): (u32, u32) = connection
        .prepare_cached(
            "SELECT count(*) - count(event_id),
                 count(event_id) + (SELECT count(*) FROM source WHERE event_id IS NOT NULL)
             FROM visit WHERE at > ?1",
        )?
        .query_row([ms(now).saturating_sub(DAY_MS)], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(planned.max(ALWAYS_ALLOWED).saturating_sub(caused) as usize)
}

/// Visits that events caused on a host within the last hour, or are about to.
fn spent(connection: &Connection, host: i64, now: Timestamp) -> Result<u32, StoreError> {
    Ok(connection
        .prepare_cached(
            "SELECT (SELECT count(*) FROM source s JOIN visit v ON v.source_id = s.id
                     WHERE s.host_id = ?1 AND v.at > ?2 AND v.event_id IS NOT NULL)
                  + (SELECT count(*) FROM source WHERE host_id = ?1 AND event_id IS NOT NULL)",
        )?
        .query_row(params![host, ms(now).saturating_sub(3_600_000)], |row| row.get(0))?)
}

/// What was pending for a source when it was visited.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pending {
    /// The event that caused the visit.
    pub(crate) event: Option<EventId>,
    /// What the policy had planned before.
    pub(crate) base: Option<PlannedVisit>,
}

impl Pending {
    /// Reads it from the row of a source.
    pub(crate) fn read(row: &Row<'_>) -> database::Result<Self> {
        let (at, reason) = (maybe_time(row, "base_at")?, row.get::<_, Option<String>>("base_reason")?);
        Ok(Self {
            event: row.get::<_, Option<i64>>("event_id")?.map(EventId),
            base: at.map(|at| PlannedVisit { at, reason: reason.unwrap_or_default() }),
        })
    }
}

/// After a visit that an event caused: the plan goes on as if it had not been, or the event causes another one.
/// Returns the next visit, and what is pending with it.
pub(crate) fn after_triggered(
    connection: &Connection,
    settings: &WatchSettings,
    pending: Pending,
    planned: PlannedVisit,
    seen: &SeenByVisit,
    record: &VisitRecord,
) -> Result<(PlannedVisit, Pending), StoreError> {
    let Some(event) = pending.event else { return Ok((planned, Pending::default())) };
    let at = record.at;
    // Own timers are unchanged, say the papers: what was planned before stays planned. A planner plans anew instead.
    let kept = pending.base.filter(|base| record.rules.keeps_timers && base.at > at);
    let base = kept.unwrap_or(planned);
    let visits: u32 = connection
        .prepare_cached("SELECT count(*) FROM visit WHERE event_id = ?1 AND source_id = ?2")?
        .query_row([event.0, seen.source.id.0], |row| row.get(0))?;
    let is_open: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM event WHERE id = ?1 AND ended_at IS NULL)")?
        .query_row([event.0], |row| row.get(0))?;
    // The source itself is among what is spent, and about to be visited no more.
    let has_budget = spent(connection, seen.source.host_id.0, at)? <= settings.visits_per_host_and_hour
        && allowance(connection, at)? > 0;
    let new = seen.news.len() as u32;
    let again = settings.reaction.again(visits, new, at);
    let again = again.filter(|again| is_open && has_budget && *again < base.at);
    Ok(match again {
        None => (base, Pending::default()),
        Some(again) => {
            let reason = format!("event {event}: the last visit brought {new} new, so once more");
            let next = PlannedVisit { at: again, reason };
            (next, Pending { event: Some(event), base: Some(base) })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many visits events may cause if so many were planned and caused in the last hour.
    fn allowed(planned: u32, caused: u32) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let connection = crate::schema::open(&folder.path().join("ripplewatch.db")).unwrap();
        connection.pragma_update(None, "foreign_keys", false).unwrap();
        let connection = Connection::from(connection);
        for visit in 0..planned + caused {
            let event = (visit >= planned).then_some(1);
            connection
                .execute(
                    "INSERT INTO visit (source_id, at, took_ms, reason, word, outcome, bytes, listed, new, notes, event_id)
                     VALUES (1, ?1, 0, '', '', '{}', 0, 0, 0, '[]', ?2)",
                    params![DAY_MS - i64::from(visit), event],
                )
                .unwrap();
        }
        allowance(&connection, Timestamp::from_millisecond(DAY_MS + 3_600_000).unwrap()).unwrap()
    }

    #[test]
    fn events_cause_no_more_visits_in_a_day_than_were_planned() {
        assert_eq!((allowed(100, 0), allowed(100, 60), allowed(100, 130)), (100, 40, 0));
        assert_eq!(
            (allowed(0, 0), allowed(0, 12), allowed(3, 9)),
            (12, 0, 3),
            "a monitor that has just begun"
        );
    }
}
