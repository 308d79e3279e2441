//! What watching folders needs beside the visits: windows end though nobody visits, and what was learned is kept.

use crate::housekeeping::rest;
use crate::worker::Worker;
use std::sync::Arc;
use std::time::{Duration, Instant};

const TICK_EVERY: Duration = Duration::from_secs(1);
/// A start replays at most the visits of this time.
const KEEP_EVERY: Duration = Duration::from_mins(5);

pub(crate) async fn keep(worker: Arc<Worker>) {
    let mut kept = Instant::now();
    while rest(&worker, TICK_EVERY).await {
        if !worker.fleet.is_keeper() {
            continue;
        }
        match worker.store.tick_watch(worker.clock.now()).await {
            Ok(0) => {}
            Ok(_) => worker.announce(),
            Err(error) => worker.store_trouble("closing windows of folders", &error),
        }
        if kept.elapsed() > KEEP_EVERY {
            kept = Instant::now();
            save(&worker).await;
        }
    }
    if worker.fleet.is_keeper() {
        save(&worker).await;
    }
}

async fn save(worker: &Worker) {
    if let Err(error) = worker.store.save_watch().await {
        worker.store_trouble("keeping what is known of folders", &error);
    }
}
