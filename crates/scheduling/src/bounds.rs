//! What holds for every policy: the user's own interval, failures, busy hosts, hints of the server, the longest and the shortest gap.

use crate::even::{Even, believed, hold_back, later, retry};
use crate::policy::{Observation, Policy};
use crate::settings::PlanSettings;
use jiff::Timestamp;
use model::{Outcome, PlannedVisit};

/// The next visit after `visit`, where `plan` says when it would be for a source that answered.
pub(crate) fn next_visit(
    visit: &Observation,
    settings: &PlanSettings,
    plan: impl FnOnce() -> PlannedVisit,
) -> PlannedVisit {
    if let Some(interval) = visit.source.interval {
        return Even::new(interval).observe(visit);
    }
    let planned = match &visit.outcome {
        outcome if outcome.is_success() => within(visit, settings, plan()),
        Outcome::Busy { until, .. } => {
            let planned = within(visit, settings, plan());
            if *until <= planned.at {
                planned
            } else {
                PlannedVisit { at: *until, reason: "the host asked us to come back later".into() }
            }
        }
        _ => retry(visit, settings.mean_interval()),
    };
    hold_back(planned, visit)
}

fn within(visit: &Observation, settings: &PlanSettings, planned: PlannedVisit) -> PlannedVisit {
    let soonest = later(visit.at, settings.shortest_gap.max(std::time::Duration::from_millis(1)));
    let latest = later(visit.at, settings.longest()).max(soonest);
    PlannedVisit { at: planned.at.clamp(soonest, latest), reason: planned.reason }
}

/// Before this nobody comes, whatever happens: what the server asked for, as far as it is believed.
pub(crate) fn earliest(visit: &Observation) -> Timestamp {
    let busy = match &visit.outcome {
        Outcome::Busy { until, .. } => *until,
        _ => visit.at,
    };
    let hint = visit.earliest.map_or(visit.at, |earliest| believed(earliest, visit));
    busy.max(hint)
}
