//! Which part of a history is learned from, and which is tested on.

use super::error::ReplayError;
use super::trace::Trace;
use jiff::{SignedDuration, Timestamp};

/// How much of a history is learned from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Training {
    /// So many weeks; at least one is left to test on.
    Weeks(u32),
    /// This share of a history that may be short: three days are enough.
    Share(f64),
}

/// A history's parts: [`Self::from`] … [`Self::split`] is learned from, [`Self::split`] … [`Self::end`] is tested on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Midnight UTC before the first article, or with a share the first article itself.
    pub from: Timestamp,
    /// Where testing begins.
    pub split: Timestamp,
    /// Articles from here on are not counted: whoever visits a source once a day has not met them by the end. The same
    /// for all policies.
    pub counted: Timestamp,
    /// Midnight UTC after the last article, or with a share the last article itself.
    pub end: Timestamp,
}

const DAY: i64 = 86_400;
const WEEK: i64 = 7 * DAY;
/// As long as the longest time between two visits of a policy that keeps to the floor; a tenth of a short test.
const UNCOUNTED: SignedDuration = SignedDuration::from_hours(24);

/// Shorter histories say nothing.
const SHORTEST: i64 = 3 * DAY;

impl Span {
    /// The parts of a history.
    pub fn of(trace: &Trace, training: Training) -> Result<Self, ReplayError> {
        let (Some(first), Some(last)) = (trace.articles().first(), trace.articles().last()) else {
            return Err(ReplayError::Empty);
        };
        match training {
            Training::Weeks(weeks) => Self::by_weeks(first.at.as_second(), last.at.as_second(), weeks),
            Training::Share(share) => Self::by_share(first.at.as_second(), last.at.as_second() + 1, share),
        }
    }

    fn by_weeks(first: i64, last: i64, weeks: u32) -> Result<Self, ReplayError> {
        if weeks == 0 {
            return Err(ReplayError::NoTraining);
        }
        let from = first.div_euclid(DAY) * DAY;
        let end = (last.div_euclid(DAY) + 1) * DAY;
        let split = from.saturating_add(WEEK.saturating_mul(weeks.into()));
        let days = (end - from) as f64 / DAY as f64;
        if end - from < 2 * WEEK {
            return Err(ReplayError::TooShort { days });
        }
        if end.saturating_sub(split) < WEEK {
            let most = ((end - from - WEEK) / WEEK) as u32;
            return Err(ReplayError::Short { days, weeks, most });
        }
        Ok(Self::new(from, split, end, UNCOUNTED))
    }

    fn by_share(from: i64, end: i64, share: f64) -> Result<Self, ReplayError> {
        if end - from < SHORTEST {
            return Err(ReplayError::NotThreeDays { days: (end - from) as f64 / DAY as f64 });
        }
        if !(0.05..=0.95).contains(&share) {
            return Err(ReplayError::NoTraining);
        }
        let split = from + ((end - from) as f64 * share) as i64;
        let tenth = SignedDuration::from_secs((end - split) / 10);
        Ok(Self::new(from, split, end, UNCOUNTED.min(tenth)))
    }

    fn new(from: i64, split: i64, end: i64, uncounted: SignedDuration) -> Self {
        let time = |second: i64| Timestamp::from_second(second).unwrap_or(Timestamp::MAX);
        let end = time(end);
        Self { from: time(from), split: time(split), counted: end.checked_sub(uncounted).unwrap_or(end), end }
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
