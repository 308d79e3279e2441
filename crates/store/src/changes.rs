//! Hearing that somebody changed something that concerns everybody: knowledge, settings, plans, crawls, messages. It only
//! wakes up; what changed is in the data. Who hears nothing looks by itself, a little later.

use crate::Store;
use crate::database::Server;
use crate::place::Place;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::watch;

/// After a server went away, before it is asked again.
const PAUSE: Duration = Duration::from_millis(500);

/// A count of what was heard. The sender is shared with the writer, which counts this process's own changes.
#[derive(Clone)]
pub(crate) struct Changes {
    heard: Arc<watch::Sender<u64>>,
    listening: Arc<OnceLock<()>>,
}

impl Changes {
    pub(crate) fn new() -> Self {
        Self { heard: Arc::new(watch::Sender::new(0)), listening: Arc::default() }
    }

    /// Something changed.
    pub(crate) fn count(&self) {
        self.heard.send_modify(|count| *count += 1);
    }

    fn listen(&self, server: Arc<Server>) {
        let heard = Arc::downgrade(&self.heard);
        let listener = move || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
                return;
            };
            runtime.block_on(async {
                // The store is gone when its sender is.
                while heard.upgrade().is_some() {
                    let count = || {
                        if let Some(heard) = heard.upgrade() {
                            heard.send_modify(|count| *count += 1);
                        }
                    };
                    if let Err(error) = server.listen(&count, &|| heard.upgrade().is_some()).await {
                        tracing::debug!(error, "changes of other processes are not heard for now");
                    }
                    tokio::time::sleep(PAUSE).await;
                }
            });
        };
        if let Err(error) = std::thread::Builder::new().name("store-listener".into()).spawn(listener) {
            tracing::warn!(%error, "changes of other processes are not heard");
        }
    }
}

impl Store {
    /// Counts up, soon after somebody changed something that concerns everybody: this process, or on PostgreSQL any. One
    /// change may be counted more than once.
    pub fn changes(&self) -> watch::Receiver<u64> {
        let changes = &self.inner.changes;
        if let Place::Server(server) = &self.inner.place {
            changes.listening.get_or_init(|| changes.listen(server.clone()));
        }
        changes.heard.subscribe()
    }
}
