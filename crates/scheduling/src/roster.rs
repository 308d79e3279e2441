//! The sources a policy plans for, and what their budget is.

use crate::policy::Watched;
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
}

impl Roster {
    /// Takes up a source, or what changed of it.
    pub(crate) fn add(&mut self, source: Watched, now: Timestamp) {
        if self.sources.get(&source.id).is_some_and(|standing| standing.source == source) {
            return;
        }
        let standing = Standing { source, planned: now, earliest: Timestamp::MIN };
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

    pub(crate) fn get_mut(&mut self, source: SourceId) -> Option<&mut Standing> {
        self.sources.get_mut(&source)
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
