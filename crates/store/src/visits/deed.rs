//! A visit on its way to the writer, who records those of a group together.

use super::record::{Plan, record_visits};
use super::{Recorded, SeenByVisit, VisitRecord};
use crate::StoreError;
use crate::database::Connection;
use crate::knowledge::Known;
use crate::watch::Watching;
use crate::writer::{Company, Together};
use model::PlannedVisit;
use std::sync::Arc;

/// A visit to be recorded.
pub(crate) struct VisitDeed {
    known: Arc<Known>,
    watching: Arc<Watching>,
    record: VisitRecord,
    plan: Box<Plan>,
}

impl VisitDeed {
    pub(super) fn new<P>(known: Arc<Known>, watching: Arc<Watching>, record: VisitRecord, plan: P) -> Self
    where
        P: FnOnce(&SeenByVisit) -> PlannedVisit + Send + 'static,
    {
        let (mut plan, mut decided) = (Some(plan), None);
        // Asked once: a policy that is told of a visit remembers it. Should the deed be done again, its word stands.
        let plan = move |seen: &SeenByVisit| {
            if let Some(plan) = plan.take() {
                decided = Some(plan(seen));
            }
            decided.clone().ok_or(StoreError::Panicked)
        };
        Self { known, watching, record, plan: Box::new(plan) }
    }
}

impl Together for VisitDeed {
    type Done = Recorded;
    /// It concerns articles that several sites list, and what is usual in folders.
    const COMPANY: Company = Company::Alone;

    fn run_together(
        connection: &Connection,
        deeds: &mut [&mut Self],
    ) -> Result<Vec<Result<Recorded, StoreError>>, StoreError> {
        let Some(first) = deeds.first() else { return Ok(Vec::new()) };
        let (known, watching) = (first.known.clone(), first.watching.clone());
        let mut visits: Vec<(&VisitRecord, &mut Plan)> =
            deeds.iter_mut().map(|deed| (&deed.record, &mut *deed.plan)).collect();
        record_visits(connection, &known, &watching, &mut visits)
    }
}
