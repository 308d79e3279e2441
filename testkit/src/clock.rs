//! Clocks for tests: one that runs fast, so that an hour's patience takes a moment, and one that is set by hand.

use jiff::{SignedDuration, Timestamp};
use model::Clock;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Starts now and runs `factor` times as fast as the real one. Waiting is as much shorter.
#[derive(Debug, Clone)]
pub struct Fast {
    factor: u32,
    start: Timestamp,
    began: Instant,
}

impl Fast {
    /// A clock that runs `factor` times as fast as the real one.
    pub fn new(factor: u32) -> Self {
        Self { factor, start: Timestamp::now(), began: Instant::now() }
    }
}

impl Clock for Fast {
    fn now(&self) -> Timestamp {
        self.start + SignedDuration::try_from(self.began.elapsed() * self.factor).unwrap()
    }

    fn wait_until(&self, at: Timestamp) -> Duration {
        let wait = Duration::try_from(at.duration_since(self.now())).unwrap_or_default();
        // A whisker more than the quotient, so that after waiting the time has come.
        if wait.is_zero() { wait } else { wait / self.factor + Duration::from_nanos(1) }
    }
}

/// Stands still until it is set.
#[derive(Debug)]
pub struct Manual(Mutex<Timestamp>);

impl Manual {
    /// A clock that shows this time.
    pub fn new(now: Timestamp) -> Self {
        Self(Mutex::new(now))
    }

    /// Sets it.
    pub fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap() = now;
    }

    /// Moves it forward.
    pub fn advance(&self, span: Duration) {
        let mut now = self.0.lock().unwrap();
        *now += SignedDuration::try_from(span).unwrap();
    }
}

impl Clock for Manual {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }

    /// Whoever waits looks again soon: it may have been set meanwhile.
    fn wait_until(&self, at: Timestamp) -> Duration {
        if at <= self.now() { Duration::ZERO } else { Duration::from_millis(10) }
    }
}
