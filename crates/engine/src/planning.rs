//! Planning beside the visits: which policy is in force, what it learns from at a start, and plans that change though
//! nobody visits.

use crate::worker::Worker;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use model::{EventId, Outcome, PlannedVisit};
use scheduling::journal::{Entry, Journalled};
use scheduling::{Even, Observation, Outlook, Past, Plan, PlanSettings, Policy, PolicyName, Signal};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::{PlanChoice, SourcePast, StoreError};
use tokio::sync::Notify;

/// A change of the user's choice by another process is noticed within this time.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// What is older says little about now: policies learn from so much.
const LEARNED_FROM: SignedDuration = SignedDuration::from_hours(8 * 7 * 24);

/// What the calendar expects is told again after so long.
const EXPECTED_AGAIN: SignedDuration = SignedDuration::from_hours(6);

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
    /// When each entry of the calendar was last told.
    expected: Mutex<BTreeMap<i64, Timestamp>>,
    journal: Option<Arc<Mutex<JournalFile>>>,
    pub(crate) wake: Notify,
}

#[derive(Debug, Clone, PartialEq)]
struct InForce {
    choice: PlanChoice,
    settings: PlanSettings,
    sources: u64,
}

impl Planning {
    pub(crate) fn new(policy: PolicyName, interval: Duration, journal: Option<JournalFile>) -> Self {
        Self {
            policy: Arc::new(Mutex::new(Box::new(Even::new(interval)))),
            in_force: Mutex::new(None),
            usual: PlanChoice { policy, ..PlanChoice::default() },
            interval,
            expected: Mutex::default(),
            journal: journal.map(|file| Arc::new(Mutex::new(file))),
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

    pub(crate) fn outlook(&self, source: model::SourceId, now: Timestamp) -> Option<Outlook> {
        lock(&self.policy).outlook(source, now)
    }

    fn build(&self, name: PolicyName, settings: &PlanSettings) -> Box<dyn Policy> {
        // Whoever wants every source visited every few seconds leaves nothing to plan.
        let name = if settings.mean_interval() < FINEST { PolicyName::Even } else { name };
        match &self.journal {
            None => name.build(settings),
            Some(file) => {
                let file = file.clone();
                Box::new(Journalled::new(name, settings, move |entry| write(&file, &entry)))
            }
        }
    }
}

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
        let wanted = wanted(worker).await?;
        take_up(worker, wanted).await?;
    }
    Ok(())
}

/// Keeps the policy in force the one the user chose, and lets it plan when it wants to.
pub(crate) async fn keep(worker: Arc<Worker>) {
    while !worker.stop.is_cancelled() {
        if let Err(error) = look(&worker).await {
            worker.store_trouble("planning visits", &error);
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
    if before.as_ref() != Some(&wanted) {
        change(worker, before, wanted).await?;
    }
    expect(worker).await?;
    let now = worker.clock.now();
    let plans = {
        let mut policy = lock(&worker.planning.policy);
        if policy.next_round().is_some_and(|at| at <= now) { policy.round(now) } else { Vec::new() }
    };
    take_over(worker, plans).await
}

async fn wanted(worker: &Worker) -> Result<InForce, StoreError> {
    let choice = worker.store.plan_choice().await?.unwrap_or_else(|| worker.planning.usual.clone());
    let zone = worker.store.watch_settings().await?.unwrap_or_default().zone;
    let zone = TimeZone::get(&zone).unwrap_or(TimeZone::UTC);
    let sources = worker.store.planned_sources().await?;
    let interval = worker.planning.interval;
    let of = choice.clone();
    let settings =
        worker.store.knowledge(move |base| of.settings(interval, sources, zone, base.folders())).await?;
    Ok(InForce { choice, settings, sources })
}

async fn change(worker: &Worker, before: Option<InForce>, wanted: InForce) -> Result<(), StoreError> {
    let planning = &worker.planning;
    let visits_per_source_day = wanted.settings.visits_per_source_day;
    let grown = before.filter(|before| {
        let same = PlanSettings { visits_per_source_day, ..before.settings.clone() } == wanted.settings;
        same && before.choice == wanted.choice && before.sources < wanted.sources
    });
    if grown.is_some() {
        // New sources make themselves known by their first visit; the budget is shared by more.
        lock(&planning.policy).set_budget(visits_per_source_day);
        *lock(&planning.in_force) = Some(wanted);
        return Ok(());
    }
    let plans = take_up(worker, wanted).await?;
    take_over(worker, plans).await?;
    worker.announce();
    Ok(())
}

/// Puts a policy in force, after it has learned from what is stored; what it plans.
async fn take_up(worker: &Worker, wanted: InForce) -> Result<Vec<Plan>, StoreError> {
    let now = worker.clock.now();
    let since = now.checked_sub(LEARNED_FROM).unwrap_or(Timestamp::MIN);
    let pasts = worker.store.pasts(since).await?;
    let planning = &worker.planning;
    let settings = &wanted.settings;
    let mut policy = planning.build(wanted.choice.policy, settings);
    let mut plans = Vec::new();
    for past in &pasts {
        policy.learn(past.source, &Past { from: past.from.min(now), to: now, news: &past.news });
        if let Some(planned) = resume(&mut *policy, past) {
            let at = planned.at.max(now);
            plans.push((past.source.id, PlannedVisit { at, ..planned }));
        }
    }
    tracing::info!(
        policy = policy.name(),
        visits_per_source_day = settings.visits_per_source_day,
        "planning"
    );
    *lock(&planning.policy) = policy;
    *lock(&planning.in_force) = Some(wanted);
    Ok(plans)
}

/// Tells a policy when a source was last seen; what follows, unless the source fails and is being tried again.
fn resume(policy: &mut dyn Policy, past: &SourcePast) -> Option<PlannedVisit> {
    let planned = policy.observe(&Observation {
        source: past.source,
        at: past.last_success_at?,
        outcome: Outcome::NotModified,
        news: Vec::new(),
        listed: 0,
        failures: 0,
        earliest: None,
    });
    (past.failures == 0).then_some(planned)
}

async fn take_over(worker: &Worker, plans: Vec<Plan>) -> Result<(), StoreError> {
    if !plans.is_empty() && worker.store.plan_visits(plans).await? > 0 {
        worker.wake.notify_one();
    }
    Ok(())
}

/// What the calendar expects now makes more articles likely, told when it begins and again while it goes on.
async fn expect(worker: &Worker) -> Result<(), StoreError> {
    let now = worker.clock.now();
    for (entry, signals) in worker.store.calendar_signals(now).await? {
        let is_new = {
            let mut told = lock(&worker.planning.expected);
            told.retain(|_, at| now.duration_since(*at) < EXPECTED_AGAIN);
            told.insert(entry, now).is_none()
        };
        if is_new {
            let plans = tell(worker, &signals);
            take_over(worker, plans).await?;
        }
    }
    Ok(())
}

fn tell(worker: &Worker, signals: &[Signal]) -> Vec<Plan> {
    let mut policy = lock(&worker.planning.policy);
    signals.iter().filter_map(|signal| Some((signal.source, policy.signal(signal)?))).collect()
}

/// Events make more articles likely at whoever covers their folders.
pub(crate) async fn signal(worker: &Worker, events: &[EventId]) -> Result<(), StoreError> {
    for event in events {
        let signals = worker.store.event_signals(*event, worker.clock.now()).await?;
        let plans = tell(worker, &signals);
        take_over(worker, plans).await?;
    }
    Ok(())
}
