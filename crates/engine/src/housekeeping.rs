//! What runs beside the visits: noticing what is late, forgetting what is old.

use crate::hand::give_back_forgotten;
use crate::worker::Worker;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use store::{LateSource, Message, Removed, StoreError};

const FORGET_EVERY: Duration = Duration::from_hours(1);
/// Whether it is ours to forget may change when workers come and go.
const KEEPER_EVERY: Duration = Duration::from_secs(30);
/// More late sources than this are one trouble, not many: naming the first ones is enough.
const MOST_MESSAGES: usize = 100;

/// Compares plan and deed: a source that was not visited on time never goes unnoticed.
pub(crate) async fn watch_for_late_sources(worker: Arc<Worker>) {
    while rest(&worker, worker.settings.look_for_late_every).await {
        if let Err(error) = look_for_late(&worker).await {
            worker.store_trouble("looking for late sources", &error);
        }
        if let Err(error) = give_back_forgotten(&worker).await {
            worker.store_trouble("giving back what was left behind", &error);
        }
    }
}

async fn look_for_late(worker: &Worker) -> Result<(), StoreError> {
    let count = worker.store.count_late(worker.late_before()).await?;
    let before = worker.counters.late.swap(count, Ordering::Relaxed);
    if count == 0 {
        return Ok(());
    }
    if before == 0 {
        tracing::warn!(sources = count, "sources are late; see the Health page");
    }
    if !worker.fleet.is_keeper() {
        return Ok(());
    }
    let late = worker.store.late_sources(worker.late_before(), MOST_MESSAGES).await?;
    let now = worker.clock.now();
    let messages = late.iter().map(|source| Message {
        // One message a delay: the plan it missed names it.
        key: format!("source_late:{}:{}", source.id, source.due_at.as_millisecond()),
        kind: "source_late".into(),
        payload: facts(source),
        created_at: now,
    });
    if worker.store.post_messages(messages.collect()).await? > 0 {
        worker.tell.notify_one();
    }
    Ok(())
}

fn facts(late: &LateSource) -> serde_json::Value {
    serde_json::json!({
        "source": late.id,
        "url": late.url,
        "title": late.title,
        "due_at": late.due_at,
        "host_not_before": late.host_not_before,
    })
}

/// Removes what is beyond the limits, in small deeds.
pub(crate) async fn forget_the_old(worker: Arc<Worker>) {
    loop {
        if !worker.fleet.is_keeper() {
            if rest(&worker, KEEPER_EVERY).await {
                continue;
            }
            return;
        }
        match worker.store.enforce_retention(worker.settings.retention, worker.clock.now()).await {
            Ok(removed) if removed != Removed::default() => {
                tracing::info!(?removed, "removed what is beyond the limits");
                worker.announce();
                // There may be more: go on soon, but let visits in between.
                if !rest(&worker, Duration::from_millis(200)).await {
                    return;
                }
                continue;
            }
            Ok(_) => {}
            Err(error) => worker.store_trouble("removing what is old", &error),
        }
        if !rest(&worker, FORGET_EVERY).await {
            return;
        }
    }
}

/// False if it is time to stop.
pub(crate) async fn rest(worker: &Worker, span: Duration) -> bool {
    tokio::select! {
        () = worker.stop.cancelled() => false,
        () = tokio::time::sleep(span) => true,
    }
}
