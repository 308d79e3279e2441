//! The right to ask one host one thing.

use super::Host;
use crate::politeness;
use jiff::Timestamp;
use model::Clock;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedMutexGuard;

/// The right to ask one host one thing. While it is held, nobody else asks that host; when it is dropped, for
/// whatever reason, the delay begins.
pub(crate) struct Turn {
    host: Arc<Host>,
    _held: OwnedMutexGuard<()>,
    clock: Arc<dyn Clock>,
}

impl Turn {
    pub(super) fn new(host: Arc<Host>, held: OwnedMutexGuard<()>, clock: Arc<dyn Clock>) -> Self {
        Self { host, _held: held, clock }
    }

    /// The host answered.
    pub(crate) fn success(&self) {
        let mut memory = self.host.memory();
        memory.stumbles = memory.stumbles.saturating_sub(1);
        politeness::after_success(&mut memory.manners, self.clock.now());
    }

    /// One thing failed. That alone says little about the host; several in a row are trouble. Returns when it may be
    /// asked again, if it is to rest.
    pub(crate) fn stumble(&self, weight: u32) -> Option<Timestamp> {
        let stumbles = {
            let mut memory = self.host.memory();
            memory.stumbles = politeness::stumbles_after(memory.stumbles, weight);
            memory.stumbles
        };
        (stumbles >= politeness::ENOUGH_STUMBLES).then(|| self.trouble(None))
    }

    /// The host asks to be left in peace, or has failed again and again. Returns when it may be asked again.
    pub(crate) fn trouble(&self, retry_after: Option<Duration>) -> Timestamp {
        let now = self.clock.now();
        politeness::after_trouble(&mut self.host.memory().manners, now, retry_after, chance())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // Before the lock is released: fields are dropped after this.
        self.host.memory().ended = self.clock.now();
    }
}

/// A number from 0 to 1. Without randomness, the middle is as good as any.
fn chance() -> f64 {
    getrandom::u32().map_or(0.5, |number| f64::from(number) / f64::from(u32::MAX))
}
