//! Beside a running monitor: crawls that are to run do, from the first second on and after a restart.

use super::{Run, run, run::shut_out};
use crate::worker::Worker;
use model::CrawlId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::{CrawlCurve, CrawlPhase};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The crawls that run in this process.
#[derive(Default)]
pub(crate) struct Crawls {
    running: Mutex<HashMap<CrawlId, Arc<Run>>>,
    /// Harvest curves that were looked at: looking again reads only what came since.
    curves: Mutex<HashMap<CrawlId, CrawlCurve>>,
    /// A crawl was started, stopped or resumed.
    pub(crate) wake: Notify,
}

impl Crawls {
    pub(super) fn enter(&self, run: Arc<Run>) {
        self.running().insert(run.id, run);
    }

    pub(super) fn leave(&self, id: CrawlId) {
        self.running().remove(&id);
    }

    pub(super) fn get(&self, id: CrawlId) -> Option<Arc<Run>> {
        self.running().get(&id).cloned()
    }

    /// A harvest curve as it was last looked at.
    pub(super) fn curve(&self, id: CrawlId) -> CrawlCurve {
        self.curves().get(&id).cloned().unwrap_or_default()
    }

    pub(super) fn keep_curve(&self, id: CrawlId, curve: CrawlCurve) {
        let mut curves = self.curves();
        if curves.len() >= CURVES {
            curves.clear();
        }
        curves.insert(id, curve);
    }

    fn curves(&self) -> MutexGuard<'_, HashMap<CrawlId, CrawlCurve>> {
        self.curves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, HashMap<CrawlId, Arc<Run>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Curves remembered at most; some kilobytes each.
const CURVES: usize = 100;

/// Other processes may start crawls: look at least this often.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A paused crawl is tried again this often: the disk may have room again.
const TRY_AGAIN: Duration = Duration::from_mins(1);

pub(crate) async fn keep(worker: Arc<Worker>) {
    let mut tasks: HashMap<CrawlId, (JoinHandle<()>, CancellationToken)> = HashMap::new();
    let mut tried: HashMap<CrawlId, Instant> = HashMap::new();
    while !worker.stop.is_cancelled() {
        tasks.retain(|_, (task, _)| !task.is_finished());
        let wanted = worker.store.crawls_to_run(&worker.fleet.name).await.unwrap_or_default();
        for (id, phase) in &wanted {
            let rests =
                *phase == CrawlPhase::Paused && tried.get(id).is_some_and(|at| at.elapsed() < TRY_AGAIN);
            if tasks.contains_key(id) || rests || !is_for_us(&worker, *id, *phase).await {
                continue;
            }
            tried.insert(*id, Instant::now());
            let stop = worker.stop.child_token();
            tasks.insert(*id, (tokio::spawn(one(worker.clone(), *id, stop.clone())), stop));
        }
        for (id, (_, stop)) in &tasks {
            // Stopped by a person: within this look instead of the run's own next one.
            if !wanted.iter().any(|(known, _)| known == id) {
                stop.cancel();
            }
        }
        tokio::select! {
            () = worker.stop.cancelled() => {}
            () = worker.crawls.wake.notified() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
    for (task, _) in tasks.into_values() {
        let _ = task.await;
    }
}

/// A crawl runs with the worker whose share it is in. One that waits goes to whoever may ask for its seeds: the first may not.
async fn is_for_us(worker: &Worker, id: CrawlId, phase: CrawlPhase) -> bool {
    if phase != CrawlPhase::Paused {
        return worker.fleet.runs(id);
    }
    worker.store.crawl(id).await.is_ok_and(|info| shut_out(worker, &info).is_none())
}

async fn one(worker: Arc<Worker>, id: CrawlId, stop: CancellationToken) {
    match run(&worker, id, stop, true).await {
        Ok(info) => tracing::info!(crawl = %id, phase = info.phase.word(), why = info.why, "a crawl rests"),
        Err(error) => worker.store_trouble("running a crawl", &error),
    }
}
