//! One source's table of hours of the week, kept sparse: a quiet source needs a few dozen bytes, not 168 means.

use crate::local::{DAY, HOUR, WEEK, cell, hours, hours_of};
use serde::{Deserialize, Serialize};

/// What a visit after more than a week brings is what the page still shows, not what appeared: it teaches nothing.
const LONGEST: i64 = WEEK;
/// A machine's clock that jumped back by more than this was wrong before: what was learned then has no place in time.
const BACK: i64 = DAY;
/// A mean over less than a quarter of an hour is none.
const LEAST: f64 = 0.25;

/// Stories and watched hours for each hour of the week. Which hours were watched follows from the first and the last
/// moment and from the gaps between, so that nothing is kept for the usual case of a source that is always watched.
/// Moments are local seconds; the hour that a change of the clock skips or doubles is not told apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Table {
    begin: i64,
    last: i64,
    /// Stories.
    counts: Sparse,
    /// Hours between `begin` and `last` that were not watched.
    missed: Sparse,
}

/// Amounts by hour of the week and, where old weeks are to be forgotten, by week; in that order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Sparse {
    amounts: Vec<(u8, u16, f32)>,
}

impl Table {
    /// Watched from now on.
    pub(super) fn new(begin: i64) -> Self {
        Self { begin, last: begin, counts: Sparse::default(), missed: Sparse::default() }
    }

    pub(super) fn last(&self) -> i64 {
        self.last
    }

    /// Stories usual between two moments; nothing if an hour between was never watched.
    pub(super) fn expected(&self, since: i64, until: i64) -> Option<f64> {
        if since >= until || self.last <= self.begin {
            return None;
        }
        if self.counts.amounts.is_empty() && self.is_always_watched() {
            return Some(0.0);
        }
        let mut sum = Some(0.0);
        hours(since, until, |cell, share| {
            sum = sum.and_then(|sum| Some(sum + self.mean(cell)? * share));
        });
        sum
    }

    /// Each hour of the week was watched, which is the usual case and quickly told.
    fn is_always_watched(&self) -> bool {
        self.missed.amounts.is_empty() && self.last - self.begin >= WEEK
    }

    /// Stories an hour; nothing if that hour was never watched.
    pub(super) fn mean(&self, cell: u8) -> Option<f64> {
        let count = self.counts.of(cell);
        if count <= 0.0 && self.is_always_watched() {
            return Some(0.0);
        }
        let watched = hours_of(cell, self.begin, self.last) - self.missed.of(cell);
        (watched >= LEAST).then(|| count / watched)
    }

    /// Takes in what appeared between two moments, spread evenly over the time between.
    pub(super) fn learn(&mut self, since: i64, until: i64, count: u32, weeks: Option<u16>) {
        if until < self.last - BACK {
            *self = Self::new(since);
        }
        // What lies before the last moment is counted already: where the clock goes back an hour, one is left out.
        let since = since.max(self.last);
        if until <= since {
            return;
        }
        let span = weeks.map(|weeks| i64::from(weeks.max(1)) * WEEK);
        let teaches = until - since <= LONGEST;
        let watched_from = if teaches { since } else { until };
        if span.is_some_and(|span| watched_from - self.last >= span) {
            *self = Self::new(watched_from);
        }
        self.missed.spread(self.last, watched_from, None, weeks.is_some());
        if teaches {
            self.counts.spread(since, until, Some(count), weeks.is_some());
        }
        self.last = until;
        if let Some(span) = span {
            self.forget((until - span).div_euclid(HOUR) * HOUR);
        }
    }

    fn forget(&mut self, before: i64) {
        if before > self.begin {
            self.begin = before;
            self.counts.forget(before);
            self.missed.forget(before);
        }
    }
}

impl Sparse {
    fn of(&self, cell: u8) -> f64 {
        let first = self.amounts.partition_point(|(at, ..)| *at < cell);
        let rest = self.amounts.get(first..).unwrap_or_default();
        rest.iter().take_while(|(at, ..)| *at == cell).map(|(.., amount)| f64::from(*amount)).sum()
    }

    /// Adds the hours between two moments, or a count spread over them.
    fn spread(&mut self, since: i64, until: i64, count: Option<u32>, by_week: bool) {
        let length = (until - since) as f64 / 3600.0;
        let amount = match count {
            Some(0) => return,
            _ if length <= 0.0 => return,
            Some(count) => f64::from(count) / length,
            None => 1.0,
        };
        if !by_week {
            hours(since, until, |cell, share| self.add(cell, 0, amount * share));
            return;
        }
        // Week by week, for each is forgotten on its own.
        let mut at = since;
        while at < until {
            let next = ((at.div_euclid(WEEK) + 1) * WEEK).min(until);
            let week = at.div_euclid(WEEK).clamp(0, i64::from(u16::MAX)) as u16;
            hours(at, next, |cell, share| self.add(cell, week, amount * share));
            at = next;
        }
    }

    fn add(&mut self, cell: u8, week: u16, amount: f64) {
        match self.amounts.binary_search_by_key(&(cell, week), |(cell, week, _)| (*cell, *week)) {
            Ok(place) => {
                if let Some((.., old)) = self.amounts.get_mut(place) {
                    *old += amount as f32;
                }
            }
            Err(place) => self.amounts.insert(place, (cell, week, amount as f32)),
        }
    }

    /// Drops the hours that began before a moment.
    fn forget(&mut self, before: i64) {
        let week = before.div_euclid(WEEK);
        self.amounts.retain(|(at, of, _)| (i64::from(*of), *at) >= (week, cell(before)));
    }
}
