//! What makes more articles likely is told to the policy: events, whichever worker saw them, and the calendar.

use super::{lock, take_over};
use crate::worker::Worker;
use jiff::SignedDuration;
use scheduling::{Plan, Signal};
use store::StoreError;

/// What the calendar expects is told again after so long.
const EXPECTED_AGAIN: SignedDuration = SignedDuration::from_hours(6);

/// What the calendar expects now makes more articles likely, told when it begins and again while it goes on.
pub(super) async fn expect(worker: &Worker) -> Result<(), StoreError> {
    let now = worker.clock.now();
    let told = {
        let mut told = lock(&worker.planning.expected);
        told.retain(|_, at| now.duration_since(*at) < EXPECTED_AGAIN);
        told.keys().copied().collect()
    };
    for (entry, signals) in worker.store.calendar_signals(now, told).await? {
        lock(&worker.planning.expected).insert(entry, now);
        let plans = tell(worker, &signals);
        take_over(worker, plans, now).await?;
    }
    Ok(())
}

fn tell(worker: &Worker, signals: &[Signal]) -> Vec<Plan> {
    let mut policy = lock(&worker.planning.policy);
    signals.iter().filter_map(|signal| Some((signal.source, policy.signal(signal)?))).collect()
}

/// Events make more articles likely at whoever covers their folders, whichever worker saw them first.
pub(crate) async fn signal(worker: &Worker) -> Result<(), StoreError> {
    let mut signalled = worker.planning.signalled.lock().await;
    let Some(last) = *signalled else {
        *signalled = Some(worker.store.newest_event().await?);
        return Ok(());
    };
    for event in worker.store.events_after(last).await? {
        let now = worker.clock.now();
        let signals = worker.store.event_signals(event, now).await?;
        let plans = tell(worker, &signals);
        take_over(worker, plans, now).await?;
        *signalled = Some(event);
    }
    Ok(())
}
