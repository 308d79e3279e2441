//! Planning beside the visits: which policy is in force, what it learns from at a start, and plans that change though
//! nobody visits.

mod budget;
mod guests;
mod learning;
mod signals;

pub(crate) use guests::outlook;
pub(crate) use signals::signal;

use crate::worker::Worker;
use budget::{our_part, renew_demand};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use learning::{follow, take_up};
use model::{EventId, PlannedVisit, SourceId};
use scheduling::journal::{Entry, Journalled};
use scheduling::market::Demand;
use scheduling::{Even, Observation, Outlook, Plan, PlanSettings, Policy, PolicyName, Share};
use signals::expect;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::{Census, PlanChoice, StoreError};
use tokio::sync::Notify;

/// A change of the user's choice by another process is noticed within this time.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Smaller changes of a worker's part of the budget change no plans.
const BUDGET_MOVES: f64 = 0.02;

/// Policies plan in slots of minutes; sources visited oftener than this are visited evenly.
const FINEST: Duration = Duration::from_mins(5);

/// Where a journal is written.
pub type JournalFile = Box<dyn Write + Send>;

/// The policy in force.
pub(crate) struct Planning {
    policy: Arc<Mutex<Box<dyn Policy>>>,
    in_force: Mutex<Option<InForce>>,
    /// What is planned by unless the user chose otherwise.
    usual: PlanChoice,
    interval: Duration,
    /// The sources it knows.
    known: Mutex<BTreeSet<SourceId>>,
    /// When each entry of the calendar was last told.
    expected: Mutex<BTreeMap<i64, Timestamp>>,
    journal: Option<Arc<Mutex<JournalFile>>>,
    /// What our sources ask for at which price, and when that was worked out.
    demand: Mutex<Option<(Instant, Option<Demand>)>>,
    /// The last event that the policy was told of.
    signalled: tokio::sync::Mutex<Option<EventId>>,
    pub(crate) wake: Notify,
}

#[derive(Debug, Clone, PartialEq)]
struct InForce {
    choice: PlanChoice,
    settings: PlanSettings,
    census: Census,
    /// The hosts whose sources we plan for.
    share: Share,
    /// Visits a day for each of these sources, at the price that all workers share.
    budget: f64,
}

impl Planning {
    pub(crate) fn new(policy: PolicyName, interval: Duration, journal: Option<JournalFile>) -> Self {
        Self {
            policy: Arc::new(Mutex::new(Box::new(Even::new(interval)))),
            in_force: Mutex::new(None),
            usual: PlanChoice { policy, ..PlanChoice::default() },
            interval,
            known: Mutex::default(),
            expected: Mutex::default(),
            journal: journal.map(|file| Arc::new(Mutex::new(file))),
            demand: Mutex::default(),
            signalled: tokio::sync::Mutex::default(),
            wake: Notify::new(),
        }
    }

    /// The planning of a visit, to be run inside its transaction.
    pub(crate) fn of_visit(&self) -> impl FnOnce(&Observation) -> PlannedVisit + Send + use<> {
        let policy = self.policy.clone();
        move |observation| lock(&policy).observe(observation)
    }

    /// The user's choice, or what stands in for it.
    pub(crate) fn choice(&self) -> PlanChoice {
        lock(&self.in_force).as_ref().map_or_else(|| self.usual.clone(), |in_force| in_force.choice.clone())
    }

    pub(crate) fn usual(&self) -> &PlanChoice {
        &self.usual
    }

    pub(crate) fn interval(&self) -> Duration {
        self.interval
    }

    pub(crate) fn outlook(&self, source: SourceId, now: Timestamp) -> Option<Outlook> {
        lock(&self.policy).outlook(source, now)
    }

    /// What our sources ask for at which price, to be told to the others.
    pub(crate) fn demand(&self) -> Option<Demand> {
        lock(&self.demand).as_ref().and_then(|(_, demand)| demand.clone())
    }

    /// A deed failed after the policy was told of its visit: it learns anew from what is stored.
    pub(crate) fn forget(&self) {
        *lock(&self.in_force) = None;
        self.wake.notify_one();
    }

    /// A policy, not yet in force. What its journal holds until then waits: the one in force still writes.
    fn build(&self, name: PolicyName, settings: &PlanSettings) -> (Box<dyn Policy>, Waiting) {
        // Whoever wants every source visited every few seconds leaves nothing to plan.
        let name = if settings.mean_interval() < FINEST { PolicyName::Even } else { name };
        let waiting: Waiting = Arc::new(Mutex::new(Some(Vec::new())));
        let policy: Box<dyn Policy> = match &self.journal {
            None => name.build(settings),
            Some(file) => {
                let (file, waiting) = (file.clone(), waiting.clone());
                Box::new(Journalled::new(name, settings, move |entry| match &mut *lock(&waiting) {
                    Some(entries) => entries.push(entry),
                    None => write(&file, &entry),
                }))
            }
        };
        (policy, waiting)
    }

    /// Puts a policy in force.
    fn swap(&self, policy: Box<dyn Policy>, waiting: &Waiting) {
        let mut in_force = lock(&self.policy);
        *in_force = policy;
        let entries = lock(waiting).take().unwrap_or_default();
        if let Some(file) = &self.journal {
            for entry in &entries {
                write(file, entry);
            }
        }
    }
}

/// Entries of a journal that are not written yet; none once they are written as they come.
type Waiting = Arc<Mutex<Option<Vec<Entry>>>>;

/// A journal that cannot be written is said once a line and stops nothing.
fn write(file: &Mutex<JournalFile>, entry: &Entry) {
    let mut file = lock(file);
    let line = serde_json::to_string(entry).unwrap_or_default();
    if let Err(error) = writeln!(file, "{line}").and_then(|()| file.flush()) {
        tracing::warn!(%error, "the journal of decisions cannot be written");
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes sure that a policy is in force that has learned from what is stored.
pub(crate) async fn ready(worker: &Worker) -> Result<(), StoreError> {
    if lock(&worker.planning.in_force).is_none() {
        // What happened before is known from what is stored.
        signal(worker).await?;
        let wanted = wanted(worker).await?;
        take_up(worker, wanted).await?;
    }
    Ok(())
}

/// Keeps the policy in force the one the user chose, and lets it plan when it wants to.
pub(crate) async fn keep(worker: Arc<Worker>) {
    while !worker.stop.is_cancelled() {
        if !worker.fleet.roles.visiting {
            // Nobody looks for work here: this is what shows that the process is alive.
            worker.counters.beat();
        }
        match look(&worker).await {
            Err(error) => worker.store_trouble("planning visits", &error),
            // Where nobody visits, this is what shows that the store does its work again.
            Ok(()) if !worker.fleet.roles.visiting => worker.counters.well(),
            Ok(()) => {}
        }
        let next = lock(&worker.planning.policy).next_round();
        let pause = next.map_or(LOOK_EVERY, |at| worker.clock.wait_until(at).min(LOOK_EVERY));
        tokio::select! {
            () = worker.stop.cancelled() => {}
            () = worker.planning.wake.notified() => {}
            () = tokio::time::sleep(pause.max(Duration::from_millis(10))) => {}
        }
    }
}

async fn look(worker: &Worker) -> Result<(), StoreError> {
    let wanted = wanted(worker).await?;
    let before = lock(&worker.planning.in_force).clone();
    match before {
        Some(before) if before.is_like(&wanted) => {}
        Some(before) if before.settings_for(&wanted) == wanted.settings && before.choice == wanted.choice => {
            follow(worker, wanted).await?;
        }
        _ => {
            let (plans, known) = take_up(worker, wanted).await?;
            take_over(worker, plans, known).await?;
            worker.announce();
        }
    }
    renew_demand(worker).await?;
    expect(worker).await?;
    signal(worker).await?;
    let now = worker.clock.now();
    let plans = {
        let mut policy = lock(&worker.planning.policy);
        if policy.next_round().is_some_and(|at| at <= now) { policy.round(now) } else { Vec::new() }
    };
    take_over(worker, plans, now).await
}

async fn wanted(worker: &Worker) -> Result<InForce, StoreError> {
    let choice = worker.store.plan_choice().await?.unwrap_or_else(|| worker.planning.usual.clone());
    let zone = worker.store.watch_settings().await?.unwrap_or_default().zone;
    let zone = TimeZone::get(&zone).unwrap_or(TimeZone::UTC);
    let census = worker.store.census().await?;
    let interval = worker.planning.interval;
    let of = choice.clone();
    let settings = worker
        .store
        .knowledge(move |base| of.settings(interval, census.planned, zone, base.folders()))
        .await?;
    let share = worker.fleet.visits();
    let budget = our_part(worker, settings.visits_per_source_day);
    Ok(InForce { choice, settings, census, share, budget })
}

impl InForce {
    /// Whether nothing has changed that a policy should follow. Demands move all the time; plans need not.
    fn is_like(&self, other: &Self) -> bool {
        let budget =
            if (self.budget / other.budget - 1.0).abs() < BUDGET_MOVES { other.budget } else { self.budget };
        Self { budget, ..self.clone() } == *other
    }

    /// These settings with the budget of others: it is shared by as many sources as there are.
    fn settings_for(&self, others: &Self) -> PlanSettings {
        let visits_per_source_day = others.settings.visits_per_source_day;
        PlanSettings { visits_per_source_day, ..self.settings.clone() }
    }
}

async fn take_over(worker: &Worker, plans: Vec<Plan>, known: Timestamp) -> Result<(), StoreError> {
    let rules = worker.planning.choice().rules();
    if !plans.is_empty() && worker.store.plan_visits(plans, known, rules).await? > 0 {
        worker.wake.notify_one();
    }
    Ok(())
}
