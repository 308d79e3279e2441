//! What is expected of a source that another worker plans for, for people who look at it here.

use super::{learning, lock};
use crate::worker::Worker;
use model::SourceId;
use scheduling::Outlook;
use std::collections::BTreeSet;
use store::StoreError;

/// What the policy expects of a source. One that another worker has is learned for the moment: the price is the same everywhere.
pub(crate) async fn outlook(worker: &Worker, source: SourceId) -> Result<Option<Outlook>, StoreError> {
    let (planning, now) = (&worker.planning, worker.clock.now());
    let own = planning.outlook(source, now);
    // Whoever plans for nobody has no price.
    if own.is_some() || !worker.fleet.is_joined() || lock(&planning.known).is_empty() {
        return Ok(own);
    }
    let pasts = worker.store.pasts(worker.learned_from(), Some(BTreeSet::from([source]))).await?;
    if lock(&planning.known).contains(&source) {
        return Ok(planning.outlook(source, now));
    }
    let mut policy = lock(&planning.policy);
    learning::learn(&mut **policy, &pasts);
    let outlook = policy.outlook(source, now);
    policy.forget(source);
    Ok(outlook)
}
