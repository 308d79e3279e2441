//! The hosts that this process has in hand. A lease that is ours in the data and in nobody's hand was left behind: what should
//! have given it back failed, because the database was away or its disk was full.

use crate::worker::Worker;
use model::HostId;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::StoreError;

/// What was leased a moment ago may not be in hand yet.
const A_MOMENT: Duration = Duration::from_secs(20);

/// The hosts that are in hand.
#[derive(Clone, Default)]
pub(crate) struct Hand(Arc<Mutex<Vec<HostId>>>);

/// A host that is in hand, until this is dropped.
pub(crate) struct Held {
    hand: Hand,
    host: HostId,
}

impl Hand {
    pub(crate) fn hold(&self, host: HostId) -> Held {
        self.hosts().push(host);
        Held { hand: self.clone(), host }
    }

    fn hosts(&self) -> MutexGuard<'_, Vec<HostId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut hosts = self.hand.hosts();
        if let Some(place) = hosts.iter().position(|host| *host == self.host) {
            hosts.swap_remove(place);
        }
    }
}

/// Gives back what was left behind.
pub(crate) async fn give_back_forgotten(worker: &Worker) -> Result<(), StoreError> {
    let leased_before = worker.clock.after(worker.settings.lease_for.saturating_sub(A_MOMENT));
    let held = worker.hand.hosts().clone();
    let (name, now) = (&worker.fleet.name, worker.clock.now());
    let freed = worker.store.free_forgotten(name, held, leased_before, now, worker.default_delay).await?;
    if freed > 0 {
        tracing::info!(hosts = freed, "gave back hosts that nobody had in hand any more");
        worker.wake.notify_one();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_in_hand_as_long_as_somebody_holds_it() {
        let hand = Hand::default();
        let (first, second) = (hand.hold(HostId(7)), hand.hold(HostId(7)));
        drop(first);
        assert_eq!(*hand.hosts(), [HostId(7)]);
        drop(second);
        assert!(hand.hosts().is_empty());
    }
}
