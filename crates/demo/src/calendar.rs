//! Days and hours of the week, counted in UTC from the epoch.

use crate::rhythm::WEEK_HOURS;
use jiff::Timestamp;

/// Seconds in a day.
pub(crate) const DAY_SECONDS: i64 = 86_400;

/// The day a moment falls on.
pub(crate) fn day_of(at: Timestamp) -> i64 {
    at.as_second().div_euclid(DAY_SECONDS)
}

/// The moment a second names; the last there is if it lies beyond time.
pub(crate) fn at_second(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap_or(Timestamp::MAX)
}

/// The local hour of the week, Monday 00:00 first, of the given UTC hour of a day.
pub(crate) fn hour_of_week(day: i64, hour: i64, utc_offset: i8) -> usize {
    // The epoch was a Thursday: three days into the week.
    (day * 24 + hour + i64::from(utc_offset) + 3 * 24).rem_euclid(WEEK_HOURS as i64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_start_is_monday_morning() {
        let start = crate::WorldSettings::default().start;
        assert_eq!(start.to_string(), "2026-03-02T06:00:00Z");
        assert_eq!(hour_of_week(day_of(start), 6, 0), 6);
        assert_eq!(hour_of_week(day_of(start), 0, -1), WEEK_HOURS - 1);
    }
}
