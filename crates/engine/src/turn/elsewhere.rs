//! Hosts that redirects and sitemaps lead to. In one process its pacer keeps the pauses; where other workers visit as well, such
//! a host is leased before it is asked, and given back when the turn is over.

use crate::hand::Held;
use crate::worker::Worker;
use fetch::Entry;
use jiff::{SignedDuration, Timestamp};
use std::sync::{Arc, Mutex, PoisonError};
use store::{Entered, Lease};

/// A host that another worker holds is not asked for so long at least.
const HELD: SignedDuration = SignedDuration::from_secs(2);

/// The hosts that one turn has entered.
#[derive(Clone, Default)]
pub(super) struct Elsewhere(Arc<Mutex<Vec<Host>>>);

struct Host {
    name: String,
    lease: Lease,
    _held: Held,
}

impl Elsewhere {
    /// What a session asks before it asks a host. `own` is the turn's.
    pub(super) fn entry(&self, worker: &Arc<Worker>, own: &str) -> Option<Entry> {
        if !worker.fleet.is_joined() {
            return None;
        }
        let (entered, worker, own) = (self.clone(), worker.clone(), own.to_owned());
        Some(Arc::new(move |host: String| {
            let (entered, worker, is_own) = (entered.clone(), worker.clone(), host == own);
            Box::pin(async move { if is_own { Ok(()) } else { entered.enter(&worker, host).await } })
        }))
    }

    async fn enter(&self, worker: &Worker, host: String) -> Result<(), Timestamp> {
        let later = worker.clock.now().checked_add(HELD).unwrap_or(Timestamp::MAX);
        match worker.store.enter_host(host.clone(), worker.lease_request(1, 0)).await {
            Ok(Entered::Leased(work)) => {
                worker.fetcher.restore(&host, work.manners);
                for record in work.robots {
                    worker.fetcher.restore_robots(record);
                }
                self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Host {
                    name: host,
                    _held: worker.hand.hold(work.lease.host_id),
                    lease: work.lease,
                });
                Ok(())
            }
            // Another turn of this process has it: the pacer keeps them apart.
            Ok(Entered::Ours) => Ok(()),
            Ok(Entered::Held) => Err(later),
            Err(error) => {
                worker.store_trouble("leasing a host that a redirect leads to", &error);
                Err(later)
            }
        }
    }

    /// Gives them back, with what was learned about how to treat them.
    pub(super) async fn give_back(&self, worker: &Worker) {
        let entered = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for host in entered {
            let manners = worker.manners(&host.name);
            if let Err(error) = worker.store.release_host(host.lease, manners, false).await {
                // Somebody else has it by now, or it runs out.
                tracing::debug!(%error, host = host.name, "a host that a redirect led to could not be given back");
            }
        }
    }
}
