//! What all handlers share.

use crate::access::csrf::FormKey;
use crate::access::limit::LoginLimit;
use crate::reviewing::Reviewing;
use crate::settings::{Login, ServerSettings};
use crate::watches::Previews;
use crate::what_if::WhatIf;
use engine::EngineHandle;
use jiff::{SignedDuration, Timestamp};
use std::io;
use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::{Health, Store, StoreError};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The numbers in the header are at most this old, unless this process itself changed something. Less than the 300 ms after
/// which a page that follows along asks again: what was counted before a change is not shown after it.
const COUNTS_FOR: Duration = Duration::from_millis(250);

/// A handle on what all handlers share. Cheap to clone.
#[derive(Clone)]
pub(crate) struct App {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) engine: EngineHandle,
    pub(crate) settings: ServerSettings,
    /// Where we listen.
    pub(crate) bound: SocketAddr,
    pub(crate) form_key: FormKey,
    pub(crate) login_limit: LoginLimit,
    /// One password is hashed at a time: each takes 19 MiB and a core.
    pub(crate) hashing: Semaphore,
    /// Ends live streams.
    pub(crate) stopped: CancellationToken,
    counts: Mutex<Option<(Instant, Counts)>>,
    pub(crate) reviewing: Reviewing,
    pub(crate) what_if: WhatIf,
    pub(crate) previews: Previews,
}

/// The numbers in the header of every page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) unread: u64,
    pub(crate) sources: u64,
    /// Events that go on.
    pub(crate) events: u64,
    pub(crate) failing: u64,
    pub(crate) late: u64,
}

impl App {
    pub(crate) fn new(engine: EngineHandle, settings: ServerSettings, bound: SocketAddr) -> io::Result<Self> {
        let shared = Shared {
            engine,
            settings,
            bound,
            form_key: FormKey::random()?,
            login_limit: LoginLimit::default(),
            hashing: Semaphore::new(1),
            stopped: CancellationToken::new(),
            counts: Mutex::default(),
            reviewing: Reviewing::default(),
            what_if: WhatIf::default(),
            previews: Previews::default(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    pub(crate) fn store(&self) -> &Store {
        self.engine.store()
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.engine.now()
    }

    pub(crate) fn needs_login(&self) -> bool {
        matches!(self.settings.login, Login::Required { .. })
    }

    /// Something visible was changed by a person: pages that follow along, and the next page, show it.
    pub(crate) fn changed(&self) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.engine.announce();
    }

    /// A planned visit before this moment is late.
    pub(crate) fn late_before(&self) -> Timestamp {
        self.engine.late_before()
    }

    /// How many seconds the monitor's clock shows for a real one.
    pub(crate) fn clock_speed(&self) -> f64 {
        let now = self.now();
        self.engine.clock().after(Duration::from_secs(1)).duration_since(now).as_secs_f64()
    }

    /// Everything about how it goes; counts a whole day's visits.
    pub(crate) async fn health(&self) -> Result<Health, StoreError> {
        let since = self.now().checked_sub(SignedDuration::from_hours(24)).unwrap_or(Timestamp::MIN);
        self.store().health(since, self.late_before()).await
    }

    pub(crate) async fn counts(&self) -> Result<Counts, StoreError> {
        let cached = *self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, counts)) = cached
            && at.elapsed() < COUNTS_FOR
        {
            return Ok(counts);
        }
        // Bounds that match no visit and no late source: only the cheap counts are made.
        let health = self.store().health(Timestamp::MAX, Timestamp::MIN).await?;
        let counts = Counts {
            unread: health.unread,
            sources: health.sources,
            events: self.store().count_open_events().await?,
            failing: health.failing,
            late: self.engine.status().late,
        };
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), counts));
        Ok(counts)
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}
