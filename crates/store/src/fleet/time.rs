//! The database's clock: the one that all machines share.

use crate::{Store, StoreError};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// What the database's clock showed.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// Its time.
    pub at: Timestamp,
    /// When it was read: in the middle of asking.
    pub taken: Instant,
    /// By how much either may be off at most.
    pub within: Duration,
}

/// A clock that is faster than the database's, for demonstrations: it showed `start` when the database's showed `base`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClockRate {
    /// The database's time then.
    pub base: Timestamp,
    /// What the clock showed then.
    pub start: Timestamp,
    /// How many times as fast it is.
    pub speed: f64,
}

/// The best of so many readings counts.
const READINGS: usize = 4;

impl Store {
    /// What time it is by the database's clock.
    pub async fn database_time(&self) -> Result<Reading, StoreError> {
        self.on_line(|connection| {
            let sql = format!("SELECT {}", connection.dialect().now_us());
            let read = || -> Result<Reading, StoreError> {
                let began = Instant::now();
                let at: i64 = connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))?;
                let within = began.elapsed() / 2;
                let at = Timestamp::from_microsecond(at)
                    .map_err(|_| StoreError::Unreadable("the database's clock".into()))?;
                Ok(Reading { at, taken: began + within, within })
            };
            let mut best = read()?;
            for _ in 1..READINGS {
                let next = read()?;
                if next.within < best.within {
                    best = next;
                }
            }
            Ok(best)
        })
        .await
    }
}
