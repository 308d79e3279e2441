//! Hours of the week in a zone.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Hours of a week.
pub(crate) const HOURS: usize = 168;
const HOUR: f64 = 3600.0;
const WEEK: i64 = 168 * 3600;
/// 1 January 1970 was a Thursday.
const MONDAY_TO_EPOCH: i64 = 3 * 86_400;

/// Hours since Monday 00:00 in the zone, from 0 to below 168.
pub(crate) fn hour_of_week(zone: &TimeZone, at: Timestamp) -> f64 {
    let local = at.as_second().saturating_add(i64::from(zone.to_offset(at).seconds()));
    let second = (local.saturating_add(MONDAY_TO_EPOCH)).rem_euclid(WEEK);
    (second as f64 + f64::from(at.subsec_millisecond().max(0)) / 1000.0) / HOUR
}

/// The cell of an hour of the week, whatever week it lies in.
pub(crate) fn cell(hour: f64) -> usize {
    (hour.max(0.0) as usize) % HOURS
}

/// Hours from one time to another, negative backwards.
pub(crate) fn hours_between(from: Timestamp, to: Timestamp) -> f64 {
    (to.as_millisecond() - from.as_millisecond()) as f64 / 3_600_000.0
}

/// So many hours later.
pub(crate) fn after_hours(at: Timestamp, hours: f64) -> Timestamp {
    let wait = (hours * 3_600_000.0) as i64;
    Timestamp::from_millisecond(at.as_millisecond().saturating_add(wait)).unwrap_or(Timestamp::MAX)
}

/// "08:10" in the zone.
pub(crate) fn clock_time(zone: &TimeZone, at: Timestamp) -> String {
    let minute = (hour_of_week(zone, at) * 60.0 + 1e-6) as u64;
    format!("{:02}:{:02}", minute / 60 % 24, minute % 60)
}
