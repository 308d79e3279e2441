//! What all tasks of the engine share.

use crate::crawl::Crawls;
use crate::fleet::Fleet;
use crate::hand::Hand;
use crate::planning::{self, JournalFile, Planning};
use crate::readers::Readers;
use crate::settings::EngineSettings;
use crate::status::Counters;
use fetch::{Accept, Fetcher, Reply, Request};
use jiff::{SignedDuration, Timestamp};
use model::{Clock, EventId, Manners, PlannedVisit};
use scheduling::PolicyName;
use std::sync::Arc;
use std::time::Duration;
use store::{LeaseRequest, Roles, Secret, Store, StoreError};
use tokio::sync::{Notify, Semaphore, watch};
use tokio_util::sync::CancellationToken;
use url::Url;

/// What an engine is made of.
pub struct Parts {
    /// The data.
    pub store: Store,
    /// The way out.
    pub fetcher: Fetcher,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Who decides when to visit, unless the user chose another.
    pub policy: PolicyName,
    /// How often sources are visited on average, unless the user set a budget.
    pub interval: Duration,
    /// Where every decision of the policy is written down, if anywhere.
    pub journal: Option<JournalFile>,
    /// The pause between requests to a host without a delay of its own; the same the fetcher was told.
    pub default_delay: Duration,
    /// What people call this process.
    pub label: String,
    /// What it does.
    pub roles: Roles,
    /// Everything else.
    pub settings: EngineSettings,
}

pub(crate) struct Worker {
    pub(crate) store: Store,
    pub(crate) fetcher: Fetcher,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) settings: EngineSettings,
    pub(crate) counters: Counters,
    pub(crate) stop: CancellationToken,
    pub(crate) wake: Notify,
    /// The knowledge changed.
    pub(crate) refile: Notify,
    /// A message was written.
    pub(crate) tell: Notify,
    pub(crate) changes: watch::Sender<u64>,
    /// Places for requests under way.
    pub(crate) requests: Semaphore,
    pub(crate) planning: Planning,
    /// The crawls that run here.
    pub(crate) crawls: Crawls,
    /// Parse: as many as cores, so that they never crowd out the network.
    readers: Readers,
    pub(crate) default_delay: Duration,
    /// This process among the others.
    pub(crate) fleet: Fleet,
    /// The hosts that are being asked here.
    pub(crate) hand: Hand,
}

impl Worker {
    pub(crate) fn new(parts: Parts) -> Result<Self, StoreError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let readers = Readers::start(cores)
            .map_err(|source| StoreError::Io { what: "starting the reading threads".into(), source })?;
        Ok(Self {
            requests: Semaphore::new(parts.settings.requests_at_once),
            planning: Planning::new(parts.policy, parts.interval, parts.journal),
            crawls: Crawls::default(),
            hand: Hand::default(),
            readers,
            fleet: Fleet::new(Secret::new("worker-")?.reveal()[..23].to_owned(), parts.label, parts.roles),
            store: parts.store,
            fetcher: parts.fetcher,
            clock: parts.clock,
            settings: parts.settings,
            default_delay: parts.default_delay,
            counters: Counters::default(),
            stop: CancellationToken::new(),
            wake: Notify::new(),
            refile: Notify::new(),
            tell: Notify::new(),
            changes: watch::Sender::new(0),
        })
    }

    /// Runs work that burns CPU, off the async threads, at most one piece a core. `None` if it panicked.
    pub(crate) async fn on_cpu<T, F>(&self, work: F) -> Option<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        self.readers.run(work).await
    }

    /// Asks for a page that a person wants to look at, outside of any turn, as soon as manners allow.
    pub(crate) async fn ask_once(&self, url: &Url) -> Reply {
        let request = Request {
            url,
            validators: None,
            accept: Accept::Feed,
            headers: &[],
            patience: self.on_clock(self.settings.patience).max(self.default_delay * 3 / 2),
        };
        self.fetcher.session().get(&request).await
    }

    /// A new source is visited at once, whatever the policy: whoever adds it wants to see what it brings.
    pub(crate) fn first_visit(&self) -> PlannedVisit {
        PlannedVisit { at: self.clock.now(), reason: "first visit".into() }
    }

    pub(crate) fn lease_request(&self, hosts: usize, slow_hosts: usize) -> LeaseRequest {
        LeaseRequest {
            owner: self.fleet.name.clone(),
            share: self.fleet.visits(),
            now: self.clock.now(),
            lease_until: self.clock.after(self.settings.lease_for),
            hosts,
            slow_hosts,
            work_per_host: self.settings.work_per_turn,
            default_delay: self.default_delay,
        }
    }

    /// Manners towards a host by now. The pause after the last request is part of them: the host is not due
    /// before it is over.
    pub(crate) fn manners(&self, host: &str) -> Manners {
        let mut manners = self.fetcher.manners(host).unwrap_or_default();
        let at = self.fetcher.earliest(host);
        if at > self.clock.now() {
            manners.not_before = manners.not_before.max(Some(at));
        }
        manners
    }

    /// The moment before which a planned visit counts as late.
    pub(crate) fn late_before(&self) -> Timestamp {
        let grace =
            SignedDuration::try_from(self.on_clock(self.settings.late_after)).unwrap_or(SignedDuration::MAX);
        self.clock.now().checked_sub(grace).unwrap_or(Timestamp::MIN)
    }

    /// How much the monitor's clock advances in this much real time.
    pub(crate) fn on_clock(&self, real: Duration) -> Duration {
        self.clock.after(real).duration_since(self.clock.now()).try_into().unwrap_or(real)
    }

    /// Waits on the monitor's clock; false if it is time to stop.
    pub(crate) async fn sleep_until(&self, at: Timestamp) -> bool {
        let wait = self.clock.wait_until(at);
        tokio::select! {
            () = self.stop.cancelled() => false,
            () = tokio::time::sleep(wait), if !wait.is_zero() => true,
            () = std::future::ready(()), if wait.is_zero() => true,
        }
    }

    pub(crate) fn announce(&self) {
        self.changes.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// A deed has shown events: whoever may have more of them is visited at once.
    pub(crate) async fn react(&self, events: &[EventId], triggered: usize) {
        if triggered > 0 {
            self.wake.notify_one();
        }
        for event in events {
            tracing::info!(%event, visits = triggered, "an event opened");
        }
        Counters::add(&self.counters.events, events.len() as u64);
        Counters::add(&self.counters.triggered, triggered as u64);
        if let Err(error) = planning::signal(self).await {
            self.store_trouble("planning for events", &error);
        }
    }

    /// The store refused a deed: said once, here.
    pub(crate) fn store_trouble(&self, what: &str, error: &StoreError) {
        tracing::error!(%error, "{what}");
        self.counters.trouble(self.clock.now(), &format!("{what}: {error}"));
    }
}
