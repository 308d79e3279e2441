//! Our part of the budget, at the price that all workers share.

use super::lock;
use crate::worker::Worker;
use scheduling::market;
use std::time::{Duration, Instant};
use store::StoreError;

/// How often it is worked out anew what our sources ask for at which price.
const DEMAND_EVERY: Duration = Duration::from_mins(5);

/// Visits a day for each of our sources, where all sources together have `per_source` each.
pub(super) fn our_part(worker: &Worker, per_source: f64) -> f64 {
    match worker.planning.demand() {
        Some(own) => market::budget(&own, &worker.fleet.demands(), per_source),
        None => per_source,
    }
}

/// Works out what our sources ask for, where others share the budget: now and then, and when they are others.
pub(super) async fn renew_demand(worker: &Worker) -> Result<(), StoreError> {
    let planning = &worker.planning;
    let fresh = lock(&planning.demand).as_ref().is_some_and(|(at, _)| at.elapsed() < DEMAND_EVERY);
    if fresh || !worker.fleet.is_joined() {
        return Ok(());
    }
    let policy = planning.policy.clone();
    let demand = tokio::task::spawn_blocking(move || lock(&policy).demand()).await;
    let demand = demand.map_err(|_| StoreError::Panicked)?;
    *lock(&planning.demand) = Some((Instant::now(), demand));
    Ok(())
}
