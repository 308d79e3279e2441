//! Background tasks that end with their connection.

use std::future::Future;
use tokio::sync::watch;

/// Spawns the tasks of one connection. HTTP/2 spawns some of its own, hence an executor.
#[derive(Clone)]
pub(super) struct Tasks(watch::Receiver<()>);

/// As long as this is held, the tasks run. A peer that never closes cannot keep them alive.
pub(super) struct Stop(#[expect(dead_code, reason = "dropping it is the signal")] watch::Sender<()>);

/// A group of tasks, and what stops them.
pub(super) fn group() -> (Tasks, Stop) {
    let (stop, stopped) = watch::channel(());
    (Tasks(stopped), Stop(stop))
}

impl Tasks {
    /// Runs `work` in the background until it ends or the connection is dropped.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut stopped = self.0.clone();
        tokio::spawn(async move {
            tokio::select! {
                _ = stopped.changed() => {}
                () = work => {}
            }
        });
    }
}

impl<F> hyper::rt::Executor<F> for Tasks
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, work: F) {
        self.spawn(work);
    }
}
