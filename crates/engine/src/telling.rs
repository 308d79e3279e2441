//! Telling people: what the outbox holds is delivered through each channel on its own. One that is dead or hangs
//! holds up neither the others nor anything else.

mod check;
mod letter;
mod patience;
mod send;
mod story;
mod webhook;
mod wish;

pub use check::ChannelError;
pub use story::{Story, StoryArticle};
pub use webhook::signature;
pub use wish::{ChannelWish, default_zone};
pub(crate) use wish::{add, change};

use crate::worker::Worker;
use model::ChannelId;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use store::{DeliveryInfo, Dispatch, StoreError};
use tokio::task::{Id, JoinSet};

/// How often to look for what has become due, unless somebody says that it has. Another process may write, too.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Channels served at the same time.
const AT_ONCE: usize = 16;
/// How many of these may be failing ones: each may hang until its time limit.
const FAILING_AT_ONCE: usize = 8;
/// What is under way when it is time to stop gets this long; the rest is sent again after the next start.
const STOP_WITHIN: Duration = Duration::from_secs(1);
/// A channel is ours for this long from each message on: longer than any try takes.
const SERVED_FOR: Duration = Duration::from_mins(2);
/// A test that nobody has finished after this time is taken over by the loop: longer than any try takes.
const TEST_WITHIN: Duration = Duration::from_mins(2);

/// Delivers until it is time to stop.
pub(crate) async fn run(worker: Arc<Worker>) {
    let mut under_way = UnderWay::default();
    loop {
        if let Err(error) = under_way.begin_what_is_due(&worker).await {
            worker.store_trouble("looking for messages to deliver", &error);
        }
        tokio::select! {
            () = worker.stop.cancelled() => break,
            () = under_way.next_end() => {}
            () = worker.tell.notified() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
    let _ = tokio::time::timeout(STOP_WITHIN, under_way.all_ended()).await;
}

/// Sends a test through a channel here and now, and says how it ended.
pub(crate) async fn test(worker: &Worker, channel: ChannelId) -> Result<DeliveryInfo, StoreError> {
    let now = worker.clock.now();
    let id = worker.store.post_test(channel, now, worker.clock.after(TEST_WITHIN)).await?;
    if let Some(dispatch) = worker.store.dispatch_of(id).await? {
        deliver(worker, &dispatch).await?;
    }
    worker.store.delivery(id).await
}

/// One try, written down as soon as it is over.
async fn deliver(worker: &Worker, dispatch: &Dispatch) -> Result<(), StoreError> {
    let sent = send::send(worker, dispatch).await;
    let now = worker.clock.now();
    let tried = patience::judge(dispatch, sent, now);
    worker.store.record_try(dispatch, tried, now).await?;
    worker.announce();
    Ok(())
}

/// The channels that are being served; each is served by one task at a time.
#[derive(Default)]
struct UnderWay {
    tasks: JoinSet<()>,
    channels: HashMap<Id, (ChannelId, bool)>,
}

impl UnderWay {
    async fn begin_what_is_due(&mut self, worker: &Arc<Worker>) -> Result<(), StoreError> {
        for (channel, failing) in worker.store.due_channels(&worker.fleet.name, worker.clock.now()).await? {
            let busy = self.channels.values().any(|(other, _)| *other == channel);
            let failing_ones = self.channels.values().filter(|(_, failing)| *failing).count();
            let crowded = self.channels.len() >= AT_ONCE || failing && failing_ones >= FAILING_AT_ONCE;
            if busy || crowded {
                continue;
            }
            let worker = worker.clone();
            let task = self.tasks.spawn(async move { serve(&worker, channel).await });
            self.channels.insert(task.id(), (channel, failing));
        }
        Ok(())
    }

    /// Waits until one ends; for ever if there is none.
    async fn next_end(&mut self) {
        let id = match self.tasks.join_next_with_id().await {
            None => return std::future::pending().await,
            Some(Ok((id, ()))) => id,
            Some(Err(error)) => error.id(),
        };
        self.channels.remove(&id);
    }

    async fn all_ended(&mut self) {
        while self.tasks.join_next().await.is_some() {}
    }
}

/// Delivers what is due through one channel, until nothing is or a try fails.
async fn serve(worker: &Worker, channel: ChannelId) {
    while !worker.stop.is_cancelled() {
        let (name, until) = (&worker.fleet.name, worker.clock.after(SERVED_FOR));
        let served = match worker.store.next_dispatch(channel, name, worker.clock.now(), until).await {
            Ok(Some(dispatch)) => deliver(worker, &dispatch).await,
            // Nothing more, or the channel was removed meanwhile.
            Ok(None) | Err(StoreError::NotFound { .. }) => break,
            Err(error) => Err(error),
        };
        if let Err(error) = served {
            worker.store_trouble("delivering a message", &error);
            // Not at once again: the disk may be full.
            tokio::time::sleep(Duration::from_secs(1)).await;
            break;
        }
    }
    // Should this fail, the others serve it when our time is over.
    if worker.fleet.is_joined() {
        let _ = worker.store.leave_channel(channel, &worker.fleet.name).await;
    }
}
