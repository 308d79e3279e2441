//! A clock that runs fast, so that a test of an hour's patience takes a moment.

use jiff::{SignedDuration, Timestamp};
use model::Clock;
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
