//! What is going on, counted without locks.

use crate::settings::EngineSettings;
use jiff::Timestamp;
use model::Clock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A dispatcher that has not looked for work this long is stuck.
const STUCK_AFTER: Duration = Duration::from_secs(30);

/// Counts since the start.
#[derive(Debug, Default)]
pub struct Counters {
    /// Visits made.
    pub visits: AtomicU64,
    /// Visits that saw their page.
    pub successes: AtomicU64,
    /// New articles.
    pub new_articles: AtomicU64,
    /// Article pages read.
    pub bodies: AtomicU64,
    /// Requests made, robots.txt and redirects included.
    pub requests: AtomicU64,
    /// Bytes received.
    pub bytes: AtomicU64,
    /// Deeds the store refused.
    pub store_errors: AtomicU64,
    /// Turns under way.
    pub turns: AtomicU64,
    /// Sources that are late, as of the last look.
    pub late: AtomicU64,
    /// Events that visits showed.
    pub events: AtomicU64,
    /// Visits that events brought forward.
    pub triggered: AtomicU64,
    /// Pages that crawls have read.
    pub crawled: AtomicU64,
    /// How long the most overdue of the hosts that are ours waits, in seconds of the monitor's clock.
    pub lag_s: AtomicU64,
    last_beat: Mutex<Option<Instant>>,
    last_trouble: Mutex<Option<(Timestamp, String)>>,
}

/// What is going on, for people and `/healthz`.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Status {
    /// The time on the monitor's clock.
    pub now: Timestamp,
    /// The loop is running and looking for work.
    pub alive: bool,
    /// Visits made since the start.
    pub visits: u64,
    /// Visits that saw their page.
    pub successes: u64,
    /// New articles since the start.
    pub new_articles: u64,
    /// Article pages read since the start.
    pub bodies: u64,
    /// Hosts having their turn now.
    pub turns: u64,
    /// Places for turns.
    pub hosts_at_once: usize,
    /// Sources that are late, as of the last look.
    pub late: u64,
    /// The store refused a deed then, has done none since, and this is what it said.
    pub trouble: Option<(Timestamp, String)>,
}

impl Counters {
    /// Adds to a count.
    pub(crate) fn add(counter: &AtomicU64, n: u64) {
        counter.fetch_add(n, Ordering::Relaxed);
    }

    /// The loop has looked for work.
    pub(crate) fn beat(&self) {
        if let Ok(mut beat) = self.last_beat.lock() {
            *beat = Some(Instant::now());
        }
    }

    /// The store refused something.
    pub(crate) fn trouble(&self, now: Timestamp, what: &str) {
        Self::add(&self.store_errors, 1);
        if let Ok(mut trouble) = self.last_trouble.lock() {
            *trouble = Some((now, what.to_owned()));
        }
    }

    /// The store has done something again.
    pub(crate) fn well(&self) {
        if let Ok(mut trouble) = self.last_trouble.lock() {
            *trouble = None;
        }
    }

    pub(crate) fn status(&self, settings: &EngineSettings, clock: &dyn Clock) -> Status {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let beat = self.last_beat.lock().ok().and_then(|beat| *beat);
        Status {
            now: clock.now(),
            alive: beat.is_some_and(|beat| beat.elapsed() < STUCK_AFTER),
            visits: get(&self.visits),
            successes: get(&self.successes),
            new_articles: get(&self.new_articles),
            bodies: get(&self.bodies),
            turns: get(&self.turns),
            hosts_at_once: settings.hosts_at_once,
            late: get(&self.late),
            trouble: self.last_trouble.lock().ok().and_then(|trouble| trouble.clone()),
        }
    }
}
