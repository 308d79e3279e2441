//! What a policy learns from when it begins, and when sources come, go or change hands.

use super::{InForce, lock};
use crate::worker::Worker;
use jiff::{SignedDuration, Timestamp};
use model::{FailureKind, Outcome, PlannedVisit, SourceId};
use scheduling::{Observation, Past, Plan, PlanSettings, Policy};
use std::collections::BTreeSet;
use store::{SourcePast, StoreError};

/// What is older says little about now: policies learn from so much.
const LEARNED_FROM: SignedDuration = SignedDuration::from_hours(8 * 7 * 24);

impl Worker {
    pub(super) fn learned_from(&self) -> Timestamp {
        self.clock.now().checked_sub(LEARNED_FROM).unwrap_or(Timestamp::MIN)
    }
}

/// Sources came, went, were paused or resumed: the policy in force follows.
pub(super) async fn follow(worker: &Worker, wanted: InForce) -> Result<(), StoreError> {
    let planning = &worker.planning;
    let awake = worker.store.awake_sources(&wanted.share).await?;
    let known = lock(&planning.known).clone();
    let back: BTreeSet<SourceId> = awake.difference(&known).copied().collect();
    let pasts = worker.store.pasts(worker.learned_from(), Some(back)).await?;
    let mut policy = lock(&planning.policy);
    for gone in known.difference(&awake) {
        policy.forget(*gone);
    }
    learn(&mut **policy, &pasts);
    policy.set_budget(wanted.budget);
    if *lock(&planning.known) != awake {
        *lock(&planning.demand) = None;
    }
    *lock(&planning.known) = awake;
    *lock(&planning.in_force) = Some(wanted);
    Ok(())
}

/// Puts a policy in force, after it has learned from what is stored; what it plans, and until when it knows the visits.
pub(super) async fn take_up(worker: &Worker, wanted: InForce) -> Result<(Vec<Plan>, Timestamp), StoreError> {
    let now = worker.clock.now();
    let ours = match wanted.share.slots() {
        None => None,
        Some(_) => Some(worker.store.awake_sources(&wanted.share).await?),
    };
    let pasts = worker.store.pasts(worker.learned_from(), ours).await?;
    let planning = &worker.planning;
    let settings = PlanSettings { visits_per_source_day: wanted.budget, ..wanted.settings.clone() };
    let (mut policy, waiting) = planning.build(wanted.choice.policy, &settings);
    let learned = tokio::task::spawn_blocking(move || {
        let plans = learn(&mut *policy, &pasts);
        let known: BTreeSet<SourceId> = pasts.iter().map(|past| past.source.id).collect();
        (policy, plans, known)
    });
    let (policy, plans, known) = learned.await.map_err(|_| StoreError::Closed)?;
    let visits_per_source_day = wanted.budget;
    tracing::info!(policy = policy.name(), visits_per_source_day, "planning");
    planning.swap(policy, &waiting);
    *lock(&planning.known) = known;
    lock(&planning.expected).clear();
    *lock(&planning.demand) = None;
    *lock(&planning.in_force) = Some(wanted);
    let later = |(source, planned): Plan| (source, PlannedVisit { at: planned.at.max(now), ..planned });
    Ok((plans.into_iter().map(later).collect(), now))
}

/// Lets a policy learn from what sources brought and tells it when each was last seen; its plans for those that answered.
pub(super) fn learn(policy: &mut dyn Policy, pasts: &[SourcePast]) -> Vec<Plan> {
    for past in pasts {
        // What came since nobody knows: that time is not silence.
        if let Some(to) = past.last_success_at.filter(|to| *to > past.from) {
            policy.learn(past.source, &Past { from: past.from, to, news: &past.news });
        }
    }
    let mut seen: Vec<(Timestamp, &SourcePast)> =
        pasts.iter().filter_map(|past| Some((past.last_success_at?, past))).collect();
    seen.sort_by_key(|(at, past)| (*at, past.source.id));
    let resume = |(at, past): (Timestamp, &SourcePast)| {
        let failed = Outcome::Failed { kind: FailureKind::Connect, detail: String::new() };
        let planned = policy.resume(&Observation {
            source: past.source,
            at,
            outcome: if past.failures == 0 { Outcome::NotModified } else { failed },
            news: Vec::new(),
            listed: 0,
            failures: past.failures,
            earliest: past.earliest,
        });
        (past.failures == 0).then_some((past.source.id, planned))
    };
    seen.into_iter().filter_map(resume).collect()
}
