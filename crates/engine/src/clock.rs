//! The clocks there are. Only shell crates may look at one.

use jiff::{SignedDuration, Timestamp};
use model::Clock;
use std::time::{Duration, Instant};

/// The real time.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn wait_until(&self, at: Timestamp) -> Duration {
        real(at.duration_since(self.now()))
    }
}

/// A clock that starts at a chosen time and runs `speed` times as fast as the real one.
#[derive(Debug, Clone, Copy)]
pub struct FastClock {
    start: Timestamp,
    began: Instant,
    speed: f64,
}

impl FastClock {
    /// Shows `start` now. `speed` is at least 1.
    pub fn new(start: Timestamp, speed: f64) -> Self {
        Self { start, began: Instant::now(), speed: speed.max(1.0) }
    }

    fn shown_after(&self, elapsed: Duration) -> Timestamp {
        let shown = SignedDuration::from_secs_f64(elapsed.as_secs_f64() * self.speed);
        self.start.checked_add(shown).unwrap_or(Timestamp::MAX)
    }
}

impl Clock for FastClock {
    fn now(&self) -> Timestamp {
        self.shown_after(self.began.elapsed())
    }

    fn wait_until(&self, at: Timestamp) -> Duration {
        // Rounded up: waking a hair early would only mean waiting again.
        real(at.duration_since(self.now())).div_f64(self.speed) + Duration::from_micros(50)
    }

    fn after(&self, span: Duration) -> Timestamp {
        self.shown_after(self.began.elapsed() + span)
    }
}

/// Negative means "already past".
fn real(span: SignedDuration) -> Duration {
    span.try_into().unwrap_or(Duration::ZERO)
}
