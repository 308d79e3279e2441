//! Planning beside the visits: which policy is in force, what it learns from at a start, and plans that change though
//! nobody visits.

use crate::worker::Worker;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use model::{EventId, FailureKind, Outcome, PlannedVisit, SourceId};
use scheduling::journal::{Entry, Journalled};
use scheduling::market::{self, Demand};
use scheduling::{Even, Observation, Outlook, Past, Plan, PlanSettings, Policy, PolicyName, Share, Signal};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::{Census, PlanChoice, SourcePast, StoreError};
use tokio::sync::Notify;

/// A change of the user's choice by another process is noticed within this time.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// What is older says little about now: policies learn from so much.
const LEARNED_FROM: SignedDuration = SignedDuration::from_hours(8 * 7 * 24);

/// What the calendar expects is told again after so long.
const EXPECTED_AGAIN: SignedDuration = SignedDuration::from_hours(6);

/// How often it is worked out anew what our sources ask for at which price.
const DEMAND_EVERY: Duration = Duration::from_mins(5);
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

impl Worker {
    fn learned_from(&self) -> Timestamp {
        self.clock.now().checked_sub(LEARNED_FROM).unwrap_or(Timestamp::MIN)
    }
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
    let per_source = settings.visits_per_source_day;
    let budget = match worker.planning.demand() {
        Some(own) => market::budget(&own, &worker.fleet.demands(), per_source),
        None => per_source,
    };
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

/// Sources came, went, were paused or resumed: the policy in force follows.
async fn follow(worker: &Worker, wanted: InForce) -> Result<(), StoreError> {
    let planning = &worker.planning;
    let awake = worker.store.awake_sources(&wanted.share).await?;
    let known = lock(&planning.known).clone();
    let back: BTreeSet<SourceId> = awake.difference(&known).copied().collect();
    let pasts = worker.store.pasts(worker.learned_from(), Some(back)).await?;
    let mut policy = lock(&planning.policy);
    for gone in known.difference(&awake) {
        policy.forget(*gone);
    }
    learn(&mut **policy, &pasts);
    policy.set_budget(wanted.budget);
    if *lock(&planning.known) != awake {
        *lock(&planning.demand) = None;
    }
    *lock(&planning.known) = awake;
    *lock(&planning.in_force) = Some(wanted);
    Ok(())
}

/// Puts a policy in force, after it has learned from what is stored; what it plans, and until when it knows the visits.
async fn take_up(worker: &Worker, wanted: InForce) -> Result<(Vec<Plan>, Timestamp), StoreError> {
    let now = worker.clock.now();
    let ours = match wanted.share.slots() {
        None => None,
        Some(_) => Some(worker.store.awake_sources(&wanted.share).await?),
    };
    let pasts = worker.store.pasts(worker.learned_from(), ours).await?;
    let planning = &worker.planning;
    let settings = PlanSettings { visits_per_source_day: wanted.budget, ..wanted.settings.clone() };
    let (mut policy, waiting) = planning.build(wanted.choice.policy, &settings);
    let learned = tokio::task::spawn_blocking(move || {
        let plans = learn(&mut *policy, &pasts);
        let known: BTreeSet<SourceId> = pasts.iter().map(|past| past.source.id).collect();
        (policy, plans, known)
    });
    let (policy, plans, known) = learned.await.map_err(|_| StoreError::Closed)?;
    let visits_per_source_day = wanted.budget;
    tracing::info!(policy = policy.name(), visits_per_source_day, "planning");
    planning.swap(policy, &waiting);
    *lock(&planning.known) = known;
    lock(&planning.expected).clear();
    *lock(&planning.demand) = None;
    *lock(&planning.in_force) = Some(wanted);
    let later = |(source, planned): Plan| (source, PlannedVisit { at: planned.at.max(now), ..planned });
    Ok((plans.into_iter().map(later).collect(), now))
}

/// Lets a policy learn from what sources brought and tells it when each was last seen; its plans for those that answered.
fn learn(policy: &mut dyn Policy, pasts: &[SourcePast]) -> Vec<Plan> {
    for past in pasts {
        // What came since nobody knows: that time is not silence.
        if let Some(to) = past.last_success_at.filter(|to| *to > past.from) {
            policy.learn(past.source, &Past { from: past.from, to, news: &past.news });
        }
    }
    let mut seen: Vec<(Timestamp, &SourcePast)> =
        pasts.iter().filter_map(|past| Some((past.last_success_at?, past))).collect();
    seen.sort_by_key(|(at, past)| (*at, past.source.id));
    let resume = |(at, past): (Timestamp, &SourcePast)| {
        let failed = Outcome::Failed { kind: FailureKind::Connect, detail: String::new() };
        let planned = policy.resume(&Observation {
            source: past.source,
            at,
            outcome: if past.failures == 0 { Outcome::NotModified } else { failed },
            news: Vec::new(),
            listed: 0,
            failures: past.failures,
            earliest: past.earliest,
        });
        (past.failures == 0).then_some((past.source.id, planned))
    };
    seen.into_iter().filter_map(resume).collect()
}

async fn take_over(worker: &Worker, plans: Vec<Plan>, known: Timestamp) -> Result<(), StoreError> {
    let rules = worker.planning.choice().rules();
    if !plans.is_empty() && worker.store.plan_visits(plans, known, rules).await? > 0 {
        worker.wake.notify_one();
    }
    Ok(())
}

/// What the calendar expects now makes more articles likely, told when it begins and again while it goes on.
async fn expect(worker: &Worker) -> Result<(), StoreError> {
    let now = worker.clock.now();
    let told = {
        let mut told = lock(&worker.planning.expected);
        told.retain(|_, at| now.duration_since(*at) < EXPECTED_AGAIN);
        told.keys().copied().collect()
    };
    for (entry, signals) in worker.store.calendar_signals(now, told).await? {
        lock(&worker.planning.expected).insert(entry, now);
        let plans = tell(worker, &signals);
        take_over(worker, plans, now).await?;
    }
    Ok(())
}

fn tell(worker: &Worker, signals: &[Signal]) -> Vec<Plan> {
    let mut policy = lock(&worker.planning.policy);
    signals.iter().filter_map(|signal| Some((signal.source, policy.signal(signal)?))).collect()
}

/// Events make more articles likely at whoever covers their folders, whichever worker saw them first.
pub(crate) async fn signal(worker: &Worker) -> Result<(), StoreError> {
    let mut signalled = worker.planning.signalled.lock().await;
    let Some(last) = *signalled else {
        *signalled = Some(worker.store.newest_event().await?);
        return Ok(());
    };
    for event in worker.store.events_after(last).await? {
        let now = worker.clock.now();
        let signals = worker.store.event_signals(event, now).await?;
        let plans = tell(worker, &signals);
        take_over(worker, plans, now).await?;
        *signalled = Some(event);
    }
    Ok(())
}

/// Works out what our sources ask for, where others share the budget: now and then, and when they are others.
async fn renew_demand(worker: &Worker) -> Result<(), StoreError> {
    let planning = &worker.planning;
    let fresh = lock(&planning.demand).as_ref().is_some_and(|(at, _)| at.elapsed() < DEMAND_EVERY);
    if fresh || !worker.fleet.is_joined() {
        return Ok(());
    }
    let policy = planning.policy.clone();
    let demand = tokio::task::spawn_blocking(move || lock(&policy).demand()).await;
    let demand = demand.map_err(|_| StoreError::Panicked)?;
    *lock(&planning.demand) = Some((Instant::now(), demand));
    Ok(())
}
