//! Threads that parse and score: as many as there are cores, and always the same ones.
//!
//! Not the runtime's blocking pool: it wakes whichever of its many threads has slept longest, so that each of them comes to hold
//! an allocator's heap as large as a page's work. Two threads that stay keep a crawl's memory and its caches small.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use tokio::sync::oneshot;

type Work = Box<dyn FnOnce() + Send>;

pub(crate) struct Readers {
    queue: mpsc::Sender<Work>,
}

impl Readers {
    /// Starts them; they end with what is queued when this is dropped.
    pub(crate) fn start(count: usize) -> std::io::Result<Self> {
        let (queue, works) = mpsc::channel::<Work>();
        let works = Arc::new(Mutex::new(works));
        for number in 1..=count {
            let works = works.clone();
            thread::Builder::new().name(format!("reader-{number}")).spawn(move || work_off(&works))?;
        }
        Ok(Self { queue })
    }

    /// Does a piece of work; `None` if it panicked.
    pub(crate) async fn run<T, F>(&self, work: F) -> Option<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let work = move || {
            if let Ok(done) = catch_unwind(AssertUnwindSafe(work)) {
                // Nobody waiting any more is fine.
                let _ = reply.send(done);
            }
        };
        self.queue.send(Box::new(work)).ok()?;
        answer.await.ok()
    }
}

fn work_off(works: &Mutex<mpsc::Receiver<Work>>) {
    loop {
        let next = works.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match next {
            Ok(work) => work(),
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_done_and_a_panic_ends_only_itself() {
        let readers = Arc::new(Readers::start(2).unwrap());
        assert_eq!(readers.run(|| -> u32 { panic!("on purpose") }).await, None);
        let mut all = tokio::task::JoinSet::new();
        for number in 0..50_u32 {
            let readers = readers.clone();
            all.spawn(async move { readers.run(move || number * 2).await });
        }
        let mut done: Vec<Option<u32>> = all.join_all().await;
        done.sort_unstable();
        assert_eq!(done, (0..50).map(|number| Some(number * 2)).collect::<Vec<_>>());
    }
}
