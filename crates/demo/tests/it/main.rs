//! The demo web, seen from outside.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests are tests too: a failed unwrap is a failed test"
)]

mod client;
mod delivery;
mod pages;
mod starter;
mod truth;
mod world;

use demo::{Web, World, WorldSettings};
use jiff::{SignedDuration, Timestamp};
use model::Clock;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A clock that shows what it is told.
struct SetClock(Mutex<Timestamp>);

impl SetClock {
    fn at(now: Timestamp) -> Arc<Self> {
        Arc::new(Self(Mutex::new(now)))
    }

    fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap() = now;
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }

    fn wait_until(&self, _: Timestamp) -> Duration {
        Duration::ZERO
    }
}

fn world() -> Arc<World> {
    Arc::new(World::new(WorldSettings::default()))
}

/// The default world, served a day and a half after its start.
async fn web() -> (Web, Arc<SetClock>, Timestamp) {
    let world = world();
    let now = world.settings().start + SignedDuration::from_hours(36);
    let clock = SetClock::at(now);
    let web = Web::start(world, clock.clone()).await.unwrap();
    (web, clock, now)
}
