//! This process among the others that work on the same data: it says that it is present, hears who else is, and knows its share.
//!
//! Where the data are in a file there is nobody else, and the share is everything.

mod figures;

use crate::worker::Worker;
use figures::Pace;
use model::CrawlId;
use scheduling::Share;
use scheduling::market::Demand;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::{ASKS_FOR, Roles, StoreError, WorkerInfo};
use tokio::sync::Notify;

/// Several times within the time after which others take us for gone.
const RENEW_EVERY: Duration = Duration::from_secs(2);

/// A database that is away holds up no stop.
const SIGN_OFF_WITHIN: Duration = Duration::from_secs(2);
/// Many changes one after the other are heard as one.
const HEAR_AGAIN: Duration = Duration::from_millis(250);
/// While the database is away: work goes on as soon as it is back.
const TRY_EVERY: Duration = Duration::from_millis(250);

/// This process among the others.
pub(crate) struct Fleet {
    /// One name for each start of a process.
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) roles: Roles,
    /// Others may be there: presence counts.
    joined: AtomicBool,
    /// How often we were taken for gone: what was held before is others' by now.
    lost: AtomicU64,
    renewed: Mutex<Instant>,
    standing: Mutex<Standing>,
    /// Somebody is gone.
    gone: Notify,
}

/// What is ours.
#[derive(Debug, Clone, PartialEq)]
struct Standing {
    visits: Share,
    crawls: Share,
    /// We do what one of all must do.
    keeper: bool,
    demands: Vec<Demand>,
}

/// Under which presence something was leased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pass(u64);

impl Fleet {
    pub(crate) fn new(name: String, label: String, roles: Roles) -> Self {
        let alone =
            Standing { visits: Share::all(), crawls: Share::all(), keeper: true, demands: Vec::new() };
        Self {
            name,
            label,
            roles,
            joined: AtomicBool::new(false),
            lost: AtomicU64::new(0),
            renewed: Mutex::new(Instant::now()),
            standing: Mutex::new(alone),
            gone: Notify::new(),
        }
    }

    /// To be taken before anything is leased.
    pub(crate) fn pass(&self) -> Pass {
        Pass(self.lost.load(Ordering::SeqCst))
    }

    /// Whether what was leased under this pass may still be used: nobody has taken us for gone since, or will before a request
    /// that is sent now is over.
    pub(crate) fn allows(&self, pass: Pass) -> bool {
        !self.joined.load(Ordering::SeqCst)
            || (pass == self.pass() && lock(&self.renewed).elapsed() < ASKS_FOR)
    }

    /// The hosts that are ours to visit.
    pub(crate) fn visits(&self) -> Share {
        lock(&self.standing).visits.clone()
    }

    /// Whether a crawl that nobody runs is ours to run.
    pub(crate) fn runs(&self, crawl: CrawlId) -> bool {
        lock(&self.standing).crawls.holds(crawl.0)
    }

    /// Whether we do what one of all must do: closing windows, forgetting the old, telling what is late.
    pub(crate) fn is_keeper(&self) -> bool {
        lock(&self.standing).keeper
    }

    /// What each worker that visits asks for at which price.
    pub(crate) fn demands(&self) -> Vec<Demand> {
        lock(&self.standing).demands.clone()
    }

    pub(crate) fn is_joined(&self) -> bool {
        self.joined.load(Ordering::SeqCst)
    }

    /// What is ours among those that are present; what was before, if that has changed.
    fn stand(&self, present: &[WorkerInfo]) -> Option<Standing> {
        let share = |has: fn(&Roles) -> bool| {
            let names: Vec<&str> =
                present.iter().filter(|one| has(&one.roles)).map(|one| one.name.as_str()).collect();
            Share::of(&self.name, &names)
        };
        let keeper = present.iter().find(|one| one.roles != Roles::NONE);
        let standing = Standing {
            visits: share(|roles| roles.visiting),
            crawls: share(|roles| roles.crawling),
            keeper: keeper.is_some_and(|one| one.name == self.name),
            demands: present.iter().filter_map(|one| one.demand.clone()).collect(),
        };
        let mut known = lock(&self.standing);
        let before = std::mem::replace(&mut *known, standing);
        (before != *known).then_some(before)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Joins the others, if there may be any.
pub(crate) async fn join(worker: &Arc<Worker>) -> Result<(), StoreError> {
    if !worker.store.is_shared() {
        return Ok(());
    }
    sign_on(worker).await?;
    worker.fleet.joined.store(true, Ordering::SeqCst);
    look(worker).await
}

async fn sign_on(worker: &Worker) -> Result<(), StoreError> {
    let (fleet, began) = (&worker.fleet, Instant::now());
    worker.store.sign_on(&fleet.name, &fleet.label, fleet.roles).await?;
    *lock(&fleet.renewed) = began;
    Ok(())
}

/// Leaves the others: what is still held is free at once.
pub(crate) async fn leave(worker: &Worker) {
    if !worker.fleet.joined.swap(false, Ordering::SeqCst) {
        return;
    }
    let (now, delay) = (worker.clock.now(), worker.default_delay);
    let signing_off = worker.store.sign_off(&worker.fleet.name, now, delay);
    if !matches!(tokio::time::timeout(SIGN_OFF_WITHIN, signing_off).await, Ok(Ok(()))) {
        tracing::warn!("could not sign off; the others notice within seconds");
    }
}

/// Stays present and keeps to the share that is ours, until it is time to stop.
pub(crate) async fn keep(worker: Arc<Worker>) {
    tokio::join!(stay_present(&worker), free_the_gone(&worker));
}

async fn stay_present(worker: &Worker) {
    let mut pace = Pace::default();
    let mut well = true;
    while crate::housekeeping::rest(worker, if well { RENEW_EVERY } else { TRY_EVERY }).await {
        let kept = match renew(worker, &mut pace).await {
            Ok(()) => look(worker).await,
            Err(error) => Err(error),
        };
        match kept {
            Ok(()) => well = true,
            // Said once: the writer tells what follows from it.
            Err(error) if well => {
                tracing::warn!(%error, "this worker cannot renew its presence; it asks nobody until it can");
                well = false;
            }
            Err(_) => {}
        }
    }
}

async fn renew(worker: &Worker, pace: &mut Pace) -> Result<(), StoreError> {
    let (fleet, began) = (&worker.fleet, Instant::now());
    let figures = pace.figures(worker);
    if worker.store.renew(&fleet.name, figures, worker.planning.demand()).await? {
        *lock(&fleet.renewed) = began;
        return Ok(());
    }
    tracing::warn!("the others took this worker for gone; it begins anew with nothing in hand");
    fleet.lost.fetch_add(1, Ordering::SeqCst);
    sign_on(worker).await
}

/// Whoever is gone gives free what it held. A task of its own: that is a deed and waits for other deeds, perhaps of somebody who
/// stands still, and nobody may be taken for gone because it waited.
async fn free_the_gone(worker: &Worker) {
    loop {
        tokio::select! {
            () = worker.stop.cancelled() => return,
            () = worker.fleet.gone.notified() => {}
        }
        let (now, delay) = (worker.clock.now(), worker.default_delay);
        match worker.store.free_gone(&worker.fleet.name, now, delay).await {
            Ok(gone) => {
                for label in gone {
                    tracing::warn!(worker = label, "a worker is gone; its hosts and crawls are free");
                }
            }
            Err(error) => worker.store_trouble("freeing what a worker held that is gone", &error),
        }
    }
}

/// Who is present, and what follows for us.
async fn look(worker: &Worker) -> Result<(), StoreError> {
    let (gone, present): (Vec<WorkerInfo>, Vec<WorkerInfo>) =
        worker.store.workers().await?.into_iter().partition(|one| one.gone);
    if !gone.is_empty() {
        worker.fleet.gone.notify_one();
    }
    if let Some(before) = worker.fleet.stand(&present) {
        let share = worker.fleet.visits();
        if share != before.visits {
            let visiting = present.iter().filter(|one| one.roles.visiting).count();
            tracing::info!(workers = visiting, part = share.part(), "our share of the hosts");
        }
        wake_all(worker);
    }
    Ok(())
}

/// Hears what other processes change and wakes up whoever it may concern.
pub(crate) async fn hear(worker: Arc<Worker>) {
    let mut changes = worker.store.changes();
    loop {
        tokio::select! {
            () = worker.stop.cancelled() => return,
            heard = changes.changed() => if heard.is_err() { return },
        }
        wake_all(&worker);
        worker.announce();
        tokio::time::sleep(HEAR_AGAIN).await;
    }
}

fn wake_all(worker: &Worker) {
    worker.wake.notify_one();
    worker.planning.wake.notify_one();
    worker.refile.notify_one();
    worker.tell.notify_one();
    worker.crawls.wake.notify_one();
}
