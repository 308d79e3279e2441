//! What a worker tells of itself.

use crate::worker::Worker;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use store::Figures;

const MINUTE: Duration = Duration::from_mins(1);

/// Visits made by some moments of the last minute.
#[derive(Default)]
pub(super) struct Pace(VecDeque<(Instant, u64)>);

impl Pace {
    pub(super) fn figures(&mut self, worker: &Worker) -> Figures {
        let counters = &worker.counters;
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let visits = count(&counters.visits);
        let share = worker.fleet.visits();
        Figures {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            visits,
            successes: count(&counters.successes),
            visits_a_minute: self.in_a_minute(Instant::now(), visits),
            new_articles: count(&counters.new_articles),
            bodies: count(&counters.bodies),
            requests: count(&counters.requests),
            bytes: count(&counters.bytes),
            crawled: count(&counters.crawled),
            turns: count(&counters.turns),
            hosts_at_once: worker.settings.hosts_at_once as u64,
            lag_s: count(&counters.lag_s),
            store_errors: count(&counters.store_errors),
            part: share.part(),
        }
    }

    /// How many came within the last minute.
    fn in_a_minute(&mut self, now: Instant, visits: u64) -> u64 {
        self.0.push_back((now, visits));
        while self.0.len() > 2 && self.0.front().is_some_and(|(at, _)| now.duration_since(*at) > MINUTE) {
            self.0.pop_front();
        }
        let (since, before) = self.0.front().copied().unwrap_or((now, visits));
        // What is shorter is not made longer: the first seconds would promise too much.
        let passed = now.duration_since(since).max(Duration::from_secs(20));
        ((visits - before) as f64 * MINUTE.as_secs_f64() / passed.as_secs_f64()).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_of_the_last_minute() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        let mut told = Vec::new();
        for second in (0..=180).step_by(2) {
            // Ten a second for a minute, then none.
            told.push(pace.in_a_minute(start + Duration::from_secs(second), 10 * second.min(60)));
        }
        assert_eq!((told[0], told[30], *told.last().unwrap()), (0, 600, 0), "{told:?}");
    }
}
