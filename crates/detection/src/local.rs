//! Local time for many spans at once: the zone is asked once a window, not once a part.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

pub(crate) const HOUR: i64 = 3600;
pub(crate) const DAY: i64 = 24 * HOUR;
pub(crate) const WEEK: i64 = 7 * DAY;
/// Cells of a table of hours of the week.
pub(crate) const CELLS: u8 = 168;
/// 1970 began on a Thursday: local seconds are counted from the Monday before.
const MONDAY: i64 = 3 * DAY;
/// Changes of the clock that are looked for in one stretch of time; there are two a year.
const CHANGES: usize = 64;

/// The offsets from UTC that hold in a stretch of time.
#[derive(Debug)]
pub(crate) struct Local {
    /// From which moment on which offset holds, in seconds; the first holds before, too.
    offsets: Vec<(i64, i64)>,
}

impl Local {
    pub(crate) fn new(zone: &TimeZone, from: Timestamp, to: Timestamp) -> Self {
        let mut offsets = vec![(i64::MIN, i64::from(zone.to_offset(from).seconds()))];
        let changes = zone.following(from).take(CHANGES).take_while(|change| change.timestamp() < to);
        offsets.extend(
            changes.map(|change| (change.timestamp().as_second(), i64::from(change.offset().seconds()))),
        );
        Self { offsets }
    }

    /// For all spans of a window.
    pub(crate) fn of(zone: &TimeZone, window: &crate::Window) -> Self {
        let since = window.parts.iter().map(|part| part.since).min().unwrap_or(window.from);
        let until = window.parts.iter().map(|part| part.until).max().unwrap_or(window.to);
        Self::new(zone, since.min(window.from), until.max(window.to))
    }

    /// Local seconds since a Monday.
    pub(crate) fn second(&self, at: Timestamp) -> i64 {
        let at = at.as_second();
        let held = self.offsets.iter().rev().find(|(from, _)| *from <= at);
        at + held.map_or(0, |(_, offset)| *offset) + MONDAY
    }

    /// The local day and the number of the slot in it that begins at this moment.
    pub(crate) fn slot(&self, at: Timestamp, length: SignedDuration) -> (i32, u16) {
        let second = self.second(at);
        let length = length.as_secs().clamp(1, DAY);
        (second.div_euclid(DAY) as i32, (second.rem_euclid(DAY) / length) as u16)
    }
}

/// The hours of the week that a span of local seconds touches, with the share of an hour it covers of each. Spans
/// of more than a week name each hour once for all their whole weeks.
pub(crate) fn hours(since: i64, until: i64, mut each: impl FnMut(u8, f64)) {
    let length = until.saturating_sub(since);
    let weeks = length.div_euclid(WEEK);
    if weeks > 0 {
        (0..CELLS).for_each(|cell| each(cell, weeks as f64));
    }
    let mut at = since.saturating_add(weeks.max(0) * WEEK);
    while at < until {
        let next = (at.div_euclid(HOUR) + 1) * HOUR;
        each(cell(at), (next.min(until) - at) as f64 / HOUR as f64);
        at = next;
    }
}

/// The hour of the week of a local second: 0 is Monday's first.
pub(crate) fn cell(second: i64) -> u8 {
    (second.rem_euclid(WEEK) / HOUR) as u8
}

/// How much of one hour of the week lies in a span of local seconds, in hours.
pub(crate) fn hours_of(cell: u8, since: i64, until: i64) -> f64 {
    let before = |second: i64| {
        let inside = (second.rem_euclid(WEEK) - i64::from(cell) * HOUR).clamp(0, HOUR);
        second.div_euclid(WEEK) * HOUR + inside
    };
    (before(until) - before(since)).max(0) as f64 / HOUR as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn local_hours_follow_the_clock_on_the_wall() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        // Clocks went forward on Sunday, 29 March 2026, at 01:00 UTC.
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let local = Local::new(&zone, at("2026-03-28T00:00:00Z"), at("2026-03-31T00:00:00Z"));
        assert_eq!(cell(local.second(at("2026-03-29T00:30:00Z"))), 6 * 24 + 1);
        assert_eq!(cell(local.second(at("2026-03-29T01:30:00Z"))), 6 * 24 + 3);
        assert_eq!(cell(local.second(at("2026-03-29T22:00:00Z"))), 0, "Monday begins");
        let two_hours = SignedDuration::from_hours(2);
        assert_eq!(local.slot(at("2026-03-29T22:00:00Z"), two_hours).1, 0);
        assert_eq!(local.slot(at("2026-03-28T21:00:00Z"), two_hours).1, 11);
    }

    proptest! {
        #[test]
        fn the_hours_of_a_span_add_up(since in -2_000_000i64..2_000_000, length in 0i64..3_000_000) {
            let mut table = vec![0.0; usize::from(CELLS)];
            hours(since, since + length, |cell, share| table[usize::from(cell)] += share);
            prop_assert!((table.iter().sum::<f64>() - length as f64 / 3600.0).abs() < 1e-6);
            for (cell, share) in table.iter().enumerate() {
                prop_assert!((hours_of(cell as u8, since, since + length) - share).abs() < 1e-6);
            }
        }
    }
}
