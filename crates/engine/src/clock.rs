//! The clocks there are. Only shell crates may look at one.

use jiff::{SignedDuration, Timestamp};
use model::Clock;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use store::{ClockRate, Reading, Store, StoreError};

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

/// The database's clock, which all machines share: whatever their own say, leases and plans mean the same time to all.
///
/// Between two readings it runs with this machine's steady clock.
pub struct FleetClock {
    anchor: Mutex<(Instant, Timestamp)>,
    rate: Option<ClockRate>,
}

/// How often the database's clock is read again.
const READ_EVERY: Duration = Duration::from_secs(10);
/// Small differences are made good in steps that no pause between requests notices.
const STEP: SignedDuration = SignedDuration::from_millis(5);
/// Whoever is further off than this was set anew.
const JUMP: SignedDuration = SignedDuration::from_secs(1);

impl FleetClock {
    /// Reads the clock, and reads it again for as long as somebody uses it.
    pub async fn start(store: &Store, rate: Option<ClockRate>) -> Result<Arc<Self>, StoreError> {
        let reading = store.database_time().await?;
        let clock = Arc::new(Self { anchor: Mutex::new((reading.taken, reading.at)), rate });
        let own = Timestamp::now().duration_since(clock.database_now());
        if own.abs() > JUMP {
            tracing::warn!(
                off_by = format!("{own:#}"),
                "this machine's clock differs from the database's, which counts"
            );
        }
        let (following, store) = (Arc::downgrade(&clock), store.clone());
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(READ_EVERY).await;
                let Some(clock) = following.upgrade() else { return };
                if let Ok(reading) = store.database_time().await {
                    clock.follow(reading);
                }
            }
        });
        Ok(clock)
    }

    /// The time by the database's clock.
    fn database_now(&self) -> Timestamp {
        let (taken, at) = *self.anchor();
        at.checked_add(SignedDuration::try_from(taken.elapsed()).unwrap_or_default()).unwrap_or(at)
    }

    fn follow(&self, reading: Reading) {
        let mut anchor = self.anchor();
        let (taken, at) = *anchor;
        let passed =
            SignedDuration::try_from(reading.taken.saturating_duration_since(taken)).unwrap_or_default();
        let expected = at.checked_add(passed).unwrap_or(at);
        let off = reading.at.duration_since(expected);
        let within = SignedDuration::try_from(reading.within).unwrap_or_default();
        let change = if off.abs() > JUMP {
            off
        } else if off.abs() <= within {
            SignedDuration::ZERO
        } else {
            off.clamp(-STEP, STEP)
        };
        *anchor = (reading.taken, expected.checked_add(change).unwrap_or(expected));
    }

    fn anchor(&self) -> std::sync::MutexGuard<'_, (Instant, Timestamp)> {
        self.anchor.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn shown(&self, database: Timestamp) -> Timestamp {
        let Some(rate) = self.rate else { return database };
        let passed = database.duration_since(rate.base).as_secs_f64() * rate.speed;
        rate.start.checked_add(SignedDuration::from_secs_f64(passed)).unwrap_or(Timestamp::MAX)
    }
}

impl Clock for FleetClock {
    fn now(&self) -> Timestamp {
        self.shown(self.database_now())
    }

    fn wait_until(&self, at: Timestamp) -> Duration {
        let speed = self.rate.map_or(1.0, |rate| rate.speed);
        real(at.duration_since(self.now())).div_f64(speed) + Duration::from_micros(50)
    }

    fn after(&self, span: Duration) -> Timestamp {
        let span = SignedDuration::try_from(span).unwrap_or(SignedDuration::MAX);
        self.shown(self.database_now().checked_add(span).unwrap_or(Timestamp::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(at: i64) -> (FleetClock, Instant) {
        let taken = Instant::now();
        let anchor = (taken, Timestamp::from_millisecond(at).unwrap());
        (FleetClock { anchor: Mutex::new(anchor), rate: None }, taken)
    }

    fn reading(taken: Instant, at: i64) -> Reading {
        let within = Duration::from_millis(1);
        Reading { at: Timestamp::from_millisecond(at).unwrap(), taken, within }
    }

    #[test]
    fn a_small_difference_is_made_good_slowly_and_a_large_one_at_once() {
        let (clock, taken) = clock(1_000_000);
        let later = taken + Duration::from_secs(10);
        clock.follow(reading(later, 1_010_300));
        assert_eq!(clock.anchor().1.as_millisecond(), 1_010_005);
        clock.follow(reading(later, 1_010_000));
        assert_eq!(clock.anchor().1.as_millisecond(), 1_010_000);
        clock.follow(reading(later, 1_010_001));
        assert_eq!(clock.anchor().1.as_millisecond(), 1_010_000, "within what reading may be off");
        clock.follow(reading(later, 1_310_000));
        assert_eq!(clock.anchor().1.as_millisecond(), 1_310_000, "the database's clock was set anew");
    }

    #[test]
    fn a_faster_clock_shows_the_same_on_every_machine() {
        let (mut clock, _) = clock(1_000_000);
        let base = Timestamp::from_millisecond(999_000).unwrap();
        let start = Timestamp::from_second(50_000).unwrap();
        clock.rate = Some(ClockRate { base, start, speed: 600.0 });
        let shown = clock.now().duration_since(start).as_secs_f64();
        assert!((600.0..660.0).contains(&shown), "{shown}");
        let wait = clock.wait_until(clock.now().checked_add(SignedDuration::from_mins(10)).unwrap());
        assert!(wait <= Duration::from_millis(1_010), "{wait:?}");
    }
}
