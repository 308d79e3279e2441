//! `even`: the same interval for all sources, or the user's own for one, each at its own point of the
//! interval so that sources never move in step.

use crate::policy::{Observation, Policy, Watched};
use jiff::{SignedDuration, Timestamp};
use model::{Outcome, PlannedVisit, SourceId};
use std::time::Duration;

/// A server's hint holds visits back no longer than this: a feed that says "next year" is not believed.
const LONGEST_HINT: Duration = Duration::from_hours(24);
/// A failing source is tried at least this often.
const LONGEST_RETRY: Duration = Duration::from_hours(24);
/// Doubling the interval more often than this would pass a day for any sensible interval.
const DOUBLINGS: u32 = 5;

/// Even polling.
#[derive(Debug, Clone)]
pub struct Even {
    interval: Duration,
}

impl Even {
    /// Every source is visited once an `interval`, unless it has its own.
    pub fn new(interval: Duration) -> Self {
        Self { interval: interval.max(Duration::from_millis(1)) }
    }

    /// When even polling would have met an article that a source published at `at`: its next own point of the interval.
    pub fn meets(source: SourceId, at: Timestamp, interval: Duration) -> Timestamp {
        let interval = i64::try_from(interval.as_millis()).unwrap_or(i64::MAX).max(1);
        own_point(source, at.as_millisecond(), interval)
    }

    fn interval_of(&self, source: Watched) -> Duration {
        source.interval.unwrap_or(self.interval).max(Duration::from_millis(1))
    }
}

impl Policy for Even {
    fn name(&self) -> &'static str {
        "even"
    }

    fn begin(&mut self, _: Watched, now: Timestamp) -> PlannedVisit {
        // At once: whoever adds a source wants to see what it brings.
        PlannedVisit { at: now, reason: "first visit".into() }
    }

    fn observe(&mut self, visit: &Observation) -> PlannedVisit {
        let interval = self.interval_of(visit.source);
        let planned = match &visit.outcome {
            outcome if outcome.is_success() => {
                PlannedVisit { at: next_turn(visit.source.id, visit.at, interval), reason: every(interval) }
            }
            Outcome::Busy { until, .. } => PlannedVisit {
                at: (*until).max(next_turn(visit.source.id, visit.at, interval)),
                reason: "the host asked us to come back later".into(),
            },
            _ => retry(visit, interval),
        };
        hold_back(planned, visit)
    }

    fn set_budget(&mut self, visits_per_source_day: f64) {
        self.interval = mean_interval(visits_per_source_day);
    }
}

/// The interval that spends so many visits a day.
pub(crate) fn mean_interval(visits_per_source_day: f64) -> Duration {
    Duration::from_secs_f64(86_400.0 / visits_per_source_day.max(0.0).clamp(1e-3, 86_400_000.0))
}

/// The source's next own point of the interval, at least half an interval away.
fn next_turn(source: SourceId, now: Timestamp, interval: Duration) -> Timestamp {
    let interval = i64::try_from(interval.as_millis()).unwrap_or(i64::MAX).max(1);
    own_point(source, now.as_millisecond().saturating_add((interval / 2).max(1)), interval)
}

/// The source's first own point of the interval that is not before `earliest`.
fn own_point(source: SourceId, earliest: i64, interval: i64) -> Timestamp {
    let since_own_point = (earliest - phase(source, interval)).rem_euclid(interval);
    let wait = if since_own_point == 0 { 0 } else { interval - since_own_point };
    Timestamp::from_millisecond(earliest.saturating_add(wait)).unwrap_or(Timestamp::MAX)
}

fn phase(source: SourceId, interval: i64) -> i64 {
    ((u128::from(turn(source)) * u128::from(interval.unsigned_abs())) >> 64) as i64
}

/// Multiples of the golden ratio fill the circle more evenly than random points, whichever sources there are.
fn turn(source: SourceId) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    source.0.cast_unsigned().wrapping_mul(GOLDEN)
}

/// A source's own point of any interval, from 0 to below 1.
pub(crate) fn phase_share(source: SourceId) -> f64 {
    (turn(source) >> 11) as f64 / (1_u64 << 53) as f64
}

pub(crate) fn retry(visit: &Observation, interval: Duration) -> PlannedVisit {
    let doublings = visit.failures.saturating_sub(1).min(DOUBLINGS);
    let wait = interval.saturating_mul(1 << doublings).min(LONGEST_RETRY.max(interval));
    let times =
        if visit.failures <= 1 { "once".into() } else { format!("{} times in a row", visit.failures) };
    PlannedVisit {
        at: later(visit.at, wait),
        reason: format!("failed {times}: trying again after {}", in_words(wait)),
    }
}

pub(crate) fn hold_back(planned: PlannedVisit, visit: &Observation) -> PlannedVisit {
    let Some(earliest) = visit.earliest else {
        return planned;
    };
    let earliest = believed(earliest, visit);
    if earliest <= planned.at {
        return planned;
    }
    PlannedVisit { at: earliest, reason: format!("{}; the server asks not to come sooner", planned.reason) }
}

pub(crate) fn believed(hint: Timestamp, visit: &Observation) -> Timestamp {
    hint.min(later(visit.at, LONGEST_HINT))
}

pub(crate) fn later(at: Timestamp, wait: Duration) -> Timestamp {
    SignedDuration::try_from(wait).ok().and_then(|wait| at.checked_add(wait).ok()).unwrap_or(Timestamp::MAX)
}

pub(crate) fn in_words(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0 => format!("{} ms", span.as_millis()),
        _ if seconds.is_multiple_of(86_400) => plural(seconds / 86_400, "day"),
        _ if seconds.is_multiple_of(3600) => plural(seconds / 3600, "hour"),
        1..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

fn plural(count: u64, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// "every hour", "every 30 min".
pub(crate) fn every(interval: Duration) -> String {
    match in_words(interval).as_str() {
        "1 hour" => "every hour".into(),
        "1 day" => "every day".into(),
        words => format!("every {words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::FailureKind;
    use proptest::prelude::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_millisecond(ms).unwrap()
    }

    fn seen(id: i64, now: i64, outcome: Outcome, failures: u32) -> Observation {
        let source = Watched { id: SourceId(id), interval: None };
        Observation { source, at: at(now), outcome, news: Vec::new(), listed: 0, failures, earliest: None }
    }

    fn failed() -> Outcome {
        Outcome::Failed { kind: FailureKind::Connect, detail: String::new() }
    }

    #[test]
    fn says_when_it_would_have_met_an_article() {
        let interval = Duration::from_mins(10);
        let planned = Even::new(interval).observe(&seen(3, 12_345, Outcome::NewContent, 0)).at;
        let before = planned.as_millisecond() - 1;
        assert_eq!(Even::meets(SourceId(3), at(before), interval), planned);
        assert_eq!(Even::meets(SourceId(3), planned, interval), planned);
        assert_eq!(
            Even::meets(SourceId(3), at(planned.as_millisecond() + 1), interval).as_millisecond(),
            planned.as_millisecond() + 600_000
        );
    }

    #[test]
    fn settles_into_exactly_one_visit_an_interval() {
        let mut policy = Even::new(Duration::from_mins(10));
        let mut now = 12_345;
        let mut gaps = Vec::new();
        for _ in 0..5 {
            let next = policy.observe(&seen(7, now, Outcome::NotModified, 0)).at.as_millisecond();
            gaps.push(next - now);
            now = next;
        }
        assert!(gaps[0] >= 300_000 && gaps[0] < 900_000, "{gaps:?}");
        assert_eq!(gaps[1..], [600_000; 4]);
    }

    #[test]
    fn ten_thousand_sources_added_at_once_do_not_stampede() {
        let mut policy = Even::new(Duration::from_secs(1000));
        let mut per_second = vec![0; 1500];
        for id in 1..=10_000 {
            let next = policy.observe(&seen(id, 0, Outcome::NewContent, 0)).at.as_millisecond();
            per_second[usize::try_from(next / 1000).unwrap()] += 1;
        }
        let busiest = per_second.iter().max().unwrap();
        assert!(*busiest <= 15, "10 a second would be perfectly even, the busiest second has {busiest}");
    }

    #[test]
    fn failures_are_retried_ever_more_rarely_but_at_least_daily() {
        let mut policy = Even::new(Duration::from_hours(1));
        let waits: Vec<i64> = (1..=7)
            .map(|failures| policy.observe(&seen(1, 0, failed(), failures)).at.as_second() / 3600)
            .collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 24, 24]);
        assert_eq!(policy.observe(&seen(1, 0, Outcome::NewContent, 0)).reason, "every hour");
        let reason = policy.observe(&seen(1, 0, failed(), 3)).reason;
        assert_eq!(reason, "failed 3 times in a row: trying again after 4 hours");
    }

    #[test]
    fn hints_and_busy_hosts_hold_a_visit_back() {
        let mut policy = Even::new(Duration::from_mins(1));
        let busy = Outcome::Busy { status: 429, until: at(500_000) };
        assert_eq!(policy.observe(&seen(1, 0, busy, 1)).at, at(500_000));

        let mut hinted = seen(1, 0, Outcome::NewContent, 0);
        hinted.earliest = Some(at(7_200_000));
        let planned = policy.observe(&hinted);
        assert_eq!(planned.at, at(7_200_000));
        assert_eq!(planned.reason, "every 60 s; the server asks not to come sooner");
        hinted.earliest = Some(Timestamp::MAX);
        assert_eq!(policy.observe(&hinted).at, at(24 * 3_600_000), "no longer than a day");
    }

    proptest! {
        #[test]
        fn never_plans_into_the_past_nor_beyond_reason(
            id in any::<i64>(), now in 0..4_000_000_000_000_i64, interval in 1..10_000_000_u64, failures in 0..50_u32, ok in any::<bool>()
        ) {
            let mut policy = Even::new(Duration::from_secs(interval));
            let outcome = if ok { Outcome::NewContent } else { failed() };
            let next = policy.observe(&seen(id, now, outcome, failures)).at.as_millisecond();
            let interval = i64::try_from(interval).unwrap() * 1000;
            prop_assert!(next > now);
            prop_assert!(next <= now + (interval * 32).max(interval + interval / 2));
        }
    }
}
