//! Filing stored articles anew after a lesson, beside the visits.

use crate::housekeeping::rest;
use crate::worker::Worker;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Another process may have taught: look now and then, even if nobody says so.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Between two batches visits get their turn at the writer.
const BREATHE: Duration = Duration::from_millis(5);
/// Pages that follow along see the progress this often.
const TELL_EVERY: Duration = Duration::from_millis(500);

pub(crate) async fn file_anew(worker: Arc<Worker>) {
    loop {
        let going_on = refile(&worker).await;
        if !going_on {
            return;
        }
        worker.store.forget_unused_archive();
        tokio::select! {
            () = worker.stop.cancelled() => return,
            () = worker.refile.notified() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

/// Files anew until all is filed; false if it is time to stop.
async fn refile(worker: &Worker) -> bool {
    let mut told = Instant::now();
    let mut began = false;
    loop {
        let refiling = match worker.store.refiling().await {
            Ok(refiling) if refiling.is_finished() || refiling.stopped => break,
            Ok(_) => worker.store.refile_some().await,
            Err(error) => Err(error),
        };
        match refiling {
            Ok(_) => began = true,
            Err(error) => {
                worker.store_trouble("filing articles anew", &error);
                break;
            }
        }
        if told.elapsed() > TELL_EVERY {
            told = Instant::now();
            worker.announce();
        }
        if !rest(worker, BREATHE).await {
            return false;
        }
    }
    // What folders' activity usually is follows their new history.
    if let Err(error) = worker.store.rebuild_stale_watches().await {
        worker.store_trouble("learning the history of folders anew", &error);
    }
    if began {
        worker.announce();
    }
    true
}
