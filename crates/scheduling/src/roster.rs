//! The sources a policy plans for, and what their budget is.

use crate::bounds;
use crate::even::phase_share;
use crate::policy::{Observation, Watched};
use crate::settings::PlanSettings;
use jiff::Timestamp;
use model::SourceId;
use std::collections::BTreeMap;

/// All watched sources, in the order of their ids: whoever walks through them does so the same way each time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Roster {
    sources: BTreeMap<SourceId, Standing>,
    in_budget: usize,
}

/// One source's part in the plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    pub(crate) source: Watched,
    /// The next visit, as last said.
    pub(crate) planned: Timestamp,
    /// The server asked not to come before.
    pub(crate) earliest: Timestamp,
    /// The last visit failed: it is tried again when that was planned, not by the policy.
    pub(crate) held: bool,
    /// It has not been visited yet.
    pub(crate) fresh: bool,
}

impl Roster {
    /// Takes up a source, or what changed of it.
    pub(crate) fn add(&mut self, source: Watched, now: Timestamp) {
        if self.sources.get(&source.id).is_some_and(|standing| standing.source == source) {
            return;
        }
        let standing = Standing { source, planned: now, earliest: Timestamp::MIN, held: false, fresh: true };
        if let Some(before) = self.sources.insert(source.id, standing) {
            self.in_budget -= usize::from(before.source.interval.is_none());
        }
        self.in_budget += usize::from(source.interval.is_none());
    }

    pub(crate) fn remove(&mut self, source: SourceId) {
        if let Some(before) = self.sources.remove(&source) {
            self.in_budget -= usize::from(before.source.interval.is_none());
        }
    }

    pub(crate) fn get(&self, source: SourceId) -> Option<&Standing> {
        self.sources.get(&source)
    }

    /// The share of its first interval that a source waits: each its own, or sources added together would go together for ever.
    pub(crate) fn first_share(&self, source: SourceId) -> f64 {
        let fresh = self.sources.get(&source).is_some_and(|standing| standing.fresh);
        if fresh { phase_share(source).max(0.01) } else { 1.0 }
    }

    /// Keeps the plan for a source.
    pub(crate) fn plan(&mut self, source: SourceId, at: Timestamp) {
        if let Some(standing) = self.sources.get_mut(&source) {
            standing.planned = at;
        }
    }

    /// Keeps what was planned after a visit.
    pub(crate) fn note(&mut self, visit: &Observation, planned: Timestamp) {
        if let Some(standing) = self.sources.get_mut(&visit.source.id) {
            standing.planned = planned;
            standing.earliest = bounds::earliest(visit);
            standing.fresh = false;
            standing.held = !visit.outcome.is_success();
        }
    }

    /// Sources without an interval of their own.
    pub(crate) fn in_budget(&self) -> usize {
        self.in_budget
    }

    /// Visits a day that all of them may have together.
    pub(crate) fn a_day(&self, settings: &PlanSettings) -> f64 {
        settings.visits_per_source_day.max(1e-6) * self.in_budget.max(1) as f64
    }

    /// The sources without an interval of their own, by id.
    pub(crate) fn budgeted(&self) -> impl Iterator<Item = SourceId> {
        self.sources.iter().filter(|(_, standing)| standing.source.interval.is_none()).map(|(id, _)| *id)
    }
}
