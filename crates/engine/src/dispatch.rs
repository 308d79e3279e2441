//! Looks for hosts whose work is due and gives each a turn.

use crate::status::Counters;
use crate::turn;
use crate::worker::Worker;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use store::StoreError;
use tokio::task::JoinSet;

/// Other processes (commands, more workers) may add work: look at least this often.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Between two looks while work goes on. Hosts that become due meanwhile are leased together, their visits end
/// together and are committed together: several times less CPU a visit than looking whenever a turn ends.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

pub(crate) async fn run(worker: Arc<Worker>) {
    let mut turns = Turns::default();
    while !worker.stop.is_cancelled() {
        worker.counters.beat();
        let pause = match give_turns(&worker, &mut turns).await {
            Ok(pause) => pause,
            Err(error) => {
                worker.store_trouble("looking for work", &error);
                LOOK_EVERY
            }
        };
        tokio::select! {
            () = worker.stop.cancelled() => {}
            () = worker.wake.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
        turns.take_ended();
        worker.counters.turns.store(turns.running.len() as u64, Ordering::Relaxed);
    }
    while turns.running.join_next().await.is_some() {}
}

/// Leases what is due and begins the turns; how long to pause before the next look.
async fn give_turns(worker: &Arc<Worker>, turns: &mut Turns) -> Result<Duration, StoreError> {
    let free = worker.settings.hosts_at_once.saturating_sub(turns.running.len());
    // Taken first: what is leased from here on ends when the others take us for gone.
    let pass = worker.fleet.pass();
    let next = worker.store.next_due(&worker.fleet.visits()).await?;
    let lag = next.map_or(0, |due| worker.clock.now().duration_since(due).as_secs().max(0).unsigned_abs());
    worker.counters.lag_s.store(lag, Ordering::Relaxed);
    let Some(due) = next else {
        return Ok(LOOK_EVERY);
    };
    let wait = worker.clock.wait_until(due);
    if due > worker.clock.now() {
        return Ok(wait.clamp(LOOK_AGAIN, LOOK_EVERY));
    }
    if free == 0 || !worker.fleet.allows(pass) {
        return Ok(LOOK_AGAIN);
    }
    let slow_free = worker.settings.slow_hosts_at_once.saturating_sub(turns.slow).min(free);
    let leased = worker.store.lease_due_hosts(worker.lease_request(free, slow_free)).await?;
    Counters::add(&worker.counters.turns, leased.len() as u64);
    for work in leased {
        turns.begin(work.slow, turn::run(worker.clone(), work, pass));
    }
    Ok(LOOK_AGAIN)
}

/// The turns under way.
#[derive(Default)]
struct Turns {
    running: JoinSet<bool>,
    slow: usize,
}

impl Turns {
    fn begin(&mut self, slow: bool, turn: impl Future<Output = ()> + Send + 'static) {
        self.slow += usize::from(slow);
        self.running.spawn(async move {
            turn.await;
            slow
        });
    }

    fn take_ended(&mut self) {
        while let Some(ended) = self.running.try_join_next() {
            match ended {
                Ok(slow) => self.slow -= usize::from(slow),
                // When the program stops: that some did not end in time is said there.
                Err(error) if error.is_cancelled() => {}
                // Its lease runs out and the work is done again. Which kind it was is not known any more.
                Err(error) => tracing::error!(%error, "a turn broke off"),
            }
        }
        if self.running.is_empty() {
            self.slow = 0;
        }
    }
}
