//! Which part of a history is learned from, and which is tested on.

use super::error::ReplayError;
use super::trace::Trace;
use jiff::{SignedDuration, Timestamp};

/// A history's parts: [`Self::from`] … [`Self::split`] is learned from, [`Self::split`] … [`Self::end`] is tested on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Midnight UTC before the first article.
    pub from: Timestamp,
    /// Where testing begins.
    pub split: Timestamp,
    /// Articles from here on are not counted: whoever visits a source once a day has not met them by the end. The same
    /// for all policies.
    pub counted: Timestamp,
    /// Midnight UTC after the last article.
    pub end: Timestamp,
}

const DAY: i64 = 86_400;
const WEEK: i64 = 7 * DAY;
/// As long as the longest time between two visits of a policy that keeps to the floor.
const UNCOUNTED: SignedDuration = SignedDuration::from_hours(24);

impl Span {
    /// So many weeks to learn, the rest to test.
    pub fn of(trace: &Trace, train_weeks: u32) -> Result<Self, ReplayError> {
        if train_weeks == 0 {
            return Err(ReplayError::NoTraining);
        }
        let (Some(first), Some(last)) = (trace.articles().first(), trace.articles().last()) else {
            return Err(ReplayError::Empty);
        };
        let from = first.at.as_second().div_euclid(DAY) * DAY;
        let end = (last.at.as_second().div_euclid(DAY) + 1) * DAY;
        let split = from.saturating_add(WEEK.saturating_mul(train_weeks.into()));
        let days = (end - from) as f64 / DAY as f64;
        if end - from < 2 * WEEK {
            return Err(ReplayError::TooShort { days });
        }
        if end.saturating_sub(split) < WEEK {
            let most = ((end - from - WEEK) / WEEK) as u32;
            return Err(ReplayError::Short { days, weeks: train_weeks, most });
        }
        let time = |second: i64| Timestamp::from_second(second).unwrap_or(Timestamp::MAX);
        let end = time(end);
        Ok(Self {
            from: time(from),
            split: time(split),
            counted: end.checked_sub(UNCOUNTED).unwrap_or(end),
            end,
        })
    }

    /// Days that are tested.
    pub fn days(&self) -> f64 {
        self.end.duration_since(self.split).as_secs_f64() / DAY as f64
    }

    /// The day of the test, from 0, that a moment lies in.
    pub(super) fn day(&self, at: Timestamp) -> usize {
        usize::try_from(at.duration_since(self.split).as_secs() / DAY).unwrap_or(0)
    }

    /// Whether an article published then counts.
    pub(super) fn counts(&self, at: Timestamp) -> bool {
        at >= self.split && at < self.counted
    }
}
