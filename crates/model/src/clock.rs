//! Time as an idea. Pure crates get a `Timestamp` as an argument; shell crates hold a `Clock`.

use jiff::Timestamp;
use std::time::Duration;

/// What time it is for Ripplewatch. The real one, or a faster one in the demo and the laboratory.
pub trait Clock: Send + Sync {
    /// The time now, on this clock.
    fn now(&self) -> Timestamp;

    /// How long to really wait until this clock shows `at`; zero if it already does.
    fn wait_until(&self, at: Timestamp) -> Duration;

    /// What this clock will show after really waiting for `span`. Leases and "late" are about real time.
    fn after(&self, span: Duration) -> Timestamp {
        let span = jiff::SignedDuration::try_from(span).unwrap_or(jiff::SignedDuration::MAX);
        self.now().checked_add(span).unwrap_or(Timestamp::MAX)
    }
}
