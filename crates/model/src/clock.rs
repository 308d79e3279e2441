//! Time as an idea. Pure crates get a `Timestamp` as an argument; shell crates hold a `Clock`.

use jiff::Timestamp;
use std::time::Duration;

/// What time it is for Ripplewatch. The real one, or a faster one in the demo and the laboratory.
pub trait Clock: Send + Sync {
    /// The time now, on this clock.
    fn now(&self) -> Timestamp;

    /// How long to really wait until this clock shows `at`; zero if it already does.
    fn wait_until(&self, at: Timestamp) -> Duration;
}
