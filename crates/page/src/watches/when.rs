//! When a look counts.

use super::WatchError;
use super::typed::typed;
use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, SpanRelativeTo, Timestamp};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// When a look counts. What is seen in between waits for the next one that does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum When {
    /// Whenever its page is visited.
    #[default]
    Visit,
    /// At most this often; and the page is visited no later than that.
    Every(Duration),
    /// At these times of these days; the page is visited then.
    At {
        /// The times, in order, each once.
        times: Vec<Time>,
        /// The days.
        days: Days,
    },
}

typed!(When);

/// Days of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days([bool; 7]);

const NAMES: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const SHORTEST: Duration = Duration::from_mins(1);
const LONGEST: Duration = Duration::from_hours(366 * 24);
const MOST_TIMES: usize = 24;

impl When {
    /// Whether a look at this time counts, the last that did having been at `last`.
    pub fn is_due(&self, last: Option<Timestamp>, at: Timestamp, zone: &TimeZone) -> bool {
        let Some(last) = last else {
            return true;
        };
        match self {
            Self::Visit => true,
            Self::Every(_) | Self::At { .. } => self.next(last, zone).is_some_and(|next| next <= at),
        }
    }

    /// When the look after one at `last` is to be; `None`: whenever the page is visited.
    pub fn next(&self, last: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        match self {
            Self::Visit => None,
            Self::Every(span) => Some(last.checked_add(*span).unwrap_or(Timestamp::MAX)),
            Self::At { times, days } => {
                let mut date = last.to_zoned(zone.clone()).date();
                // A week and a day: the same weekday again, for a time that has passed today.
                for _ in 0..=8 {
                    if days.has(date.weekday())
                        && let Some(at) = first_after(last, date, times, zone)
                    {
                        return Some(at);
                    }
                    date = date.tomorrow().ok()?;
                }
                None
            }
        }
    }
}

/// The first of these times on a day that is after `last`. A time that a change of clocks skips is the moment after it.
fn first_after(last: Timestamp, date: Date, times: &[Time], zone: &TimeZone) -> Option<Timestamp> {
    let moments = times.iter().filter_map(|time| zone.to_timestamp(date.to_datetime(*time)).ok());
    moments.filter(|at| *at > last).min()
}

impl Days {
    /// Every day.
    pub const ALL: Self = Self([true; 7]);

    fn has(self, day: Weekday) -> bool {
        self.0[day.to_monday_zero_offset() as usize % 7]
    }

    fn read(text: &str) -> Option<Self> {
        let mut days = [false; 7];
        let day =
            |name: &str| NAMES.iter().position(|known| name.trim().to_lowercase().get(..3) == Some(known));
        for piece in text.split([',', ' ']).filter(|piece| !piece.trim().is_empty()) {
            let (from, to) = piece.split_once(['-', '–']).unwrap_or((piece, piece));
            let (from, to) = (day(from)?, day(to)?);
            // sat-mon goes over the weekend.
            for offset in 0..=(to + 7 - from) % 7 {
                days[(from + offset) % 7] = true;
            }
        }
        days.contains(&true).then_some(Self(days))
    }
}

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chosen: Vec<usize> = (0..7).filter(|day| self.0[*day]).collect();
        match chosen.as_slice() {
            [first, .., last] if last - first + 1 == chosen.len() && chosen.len() > 2 => {
                write!(f, "{}-{}", NAMES[*first], NAMES[*last])
            }
            _ => {
                let names: Vec<&str> = chosen.iter().map(|day| NAMES[*day]).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Visit => f.write_str("every visit"),
            Self::Every(span) => {
                let seconds = span.as_secs();
                let units = [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];
                let (name, size) =
                    units.into_iter().find(|(_, size)| seconds % size == 0).unwrap_or(units[3]);
                let many = seconds / size;
                write!(f, "every {many} {name}{}", if many == 1 { "" } else { "s" })
            }
            Self::At { times, days } => {
                let times: Vec<String> =
                    times.iter().map(|time| time.strftime("%H:%M").to_string()).collect();
                write!(f, "at {}", times.join(", "))?;
                if *days == Days::ALL { Ok(()) } else { write!(f, " on {days}") }
            }
        }
    }
}

impl FromStr for When {
    type Err = WatchError;

    /// `every visit`, `every 30 minutes`, `at 09:00, 17:30 on mon-fri`.
    fn from_str(text: &str) -> Result<Self, WatchError> {
        let wrong = || WatchError::When(text.trim().to_owned());
        let lower = text.trim().to_lowercase();
        if lower == "every visit" || lower.is_empty() {
            return Ok(Self::Visit);
        }
        if let Some(span) = lower.strip_prefix("every ") {
            return every(span.trim()).ok_or_else(wrong)?;
        }
        let at = lower.strip_prefix("at ").ok_or_else(wrong)?;
        let (times, days) = match at.split_once(" on ") {
            Some((times, days)) => (times, Days::read(days).ok_or_else(wrong)?),
            None => (at, Days::ALL),
        };
        let times = times.split([',', ' ']).map(str::trim).filter(|time| !time.is_empty());
        let mut times: Vec<Time> = times.map(time).collect::<Option<_>>().ok_or_else(wrong)?;
        times.sort_unstable();
        times.dedup();
        if times.is_empty() || times.len() > MOST_TIMES {
            return Err(wrong());
        }
        Ok(Self::At { times, days })
    }
}

fn time(text: &str) -> Option<Time> {
    let text = if text.split(':').next()?.len() == 1 { format!("0{text}") } else { text.to_owned() };
    text.parse().ok()
}

fn every(text: &str) -> Option<Result<When, WatchError>> {
    let alone = ["minute", "hour", "day", "week"].contains(&text);
    let span: Span = if alone { format!("1 {text}") } else { text.to_owned() }.parse().ok()?;
    let span = span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    let span = Duration::try_from(span).ok()?;
    let within = (SHORTEST..=LONGEST).contains(&span);
    Some(if within { Ok(When::Every(span)) } else { Err(WatchError::Interval(text.to_owned())) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn when(text: &str) -> When {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_typed_comes_back_in_one_spelling() {
        for (typed, shown) in [
            ("every visit", "every visit"),
            ("Every 30m", "every 30 minutes"),
            ("every 1 hour", "every 1 hour"),
            ("every day", "every 1 day"),
            ("every 90 minutes", "every 90 minutes"),
            ("at 9:00", "at 09:00"),
            ("at 17:30, 09:00, 09:00 on Monday-Friday", "at 09:00, 17:30 on mon-fri"),
            ("at 09:00 on sat, sun", "at 09:00 on sat,sun"),
            ("at 09:00 on sat-mon", "at 09:00 on mon,sat,sun"),
            ("at 09:00 on mon-sun", "at 09:00"),
        ] {
            assert_eq!(when(typed).to_string(), shown);
            assert_eq!(when(shown), when(typed));
        }
        for wrong in ["", "daily"].into_iter().skip(1).chain([
            "at",
            "at 25:00",
            "at 09:00 on someday",
            "every",
            "every x",
        ]) {
            assert!(wrong.parse::<When>().is_err(), "{wrong}");
        }
        assert!("every 5 seconds".parse::<When>().unwrap_err().to_string().contains("from 1 minute"));
        assert!("every -5 minutes".parse::<When>().is_err());
    }

    #[test]
    fn an_interval_counts_from_the_last_look() {
        let (zone, hour) = (TimeZone::UTC, when("every hour"));
        let last = at("2026-03-02T10:00:00Z");
        assert!(hour.is_due(None, last, &zone));
        assert!(!hour.is_due(Some(last), at("2026-03-02T10:59:59Z"), &zone));
        assert!(hour.is_due(Some(last), at("2026-03-02T11:00:00Z"), &zone));
    }

    #[test]
    fn calendar_times_are_the_zones_own() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let office = when("at 09:00, 17:30 on mon-fri");
        // Friday evening: the next is on Monday morning.
        let friday = at("2026-03-06T17:00:00Z");
        assert_eq!(office.next(friday, &zone), Some(at("2026-03-09T08:00:00Z")));
        assert!(!office.is_due(Some(friday), at("2026-03-08T12:00:00Z"), &zone));
        assert!(office.is_due(Some(friday), at("2026-03-09T08:00:00Z"), &zone));
        // The only day of the week, its time just passed: in a week.
        let weekly = when("at 09:00 on mon");
        assert_eq!(weekly.next(at("2026-03-09T08:00:00Z"), &zone), Some(at("2026-03-16T08:00:00Z")));
        // Clocks go forward at 02:00 on 29 March: 02:30 is the moment after.
        let night = when("at 02:30");
        assert_eq!(night.next(at("2026-03-28T12:00:00Z"), &zone), Some(at("2026-03-29T01:30:00Z")));
    }

    mod properties {
        use super::*;
        use jiff::SignedDuration;
        use proptest::prelude::*;

        /// Minute by minute until the clock on the wall shows one of the times on one of the days.
        fn naive(times: &[Time], days: Days, last: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
            let minute = SignedDuration::from_mins(1);
            let mut at = Timestamp::from_second(last.as_second().div_euclid(60) * 60).ok()?;
            for _ in 0..9 * 24 * 60 {
                at = at.checked_add(minute).ok()?;
                let wall = at.to_zoned(zone.clone());
                if times.contains(&wall.time()) && days.has(wall.weekday()) {
                    return Some(at);
                }
            }
            None
        }

        proptest! {
            #[test]
            fn the_next_time_is_the_first_the_wall_shows(
                last in 1_780_000_000_i64..1_790_000_000,
                times in proptest::collection::vec((0_i8..24, 0_i8..60), 1..4),
                days in proptest::array::uniform7(any::<bool>()),
                // No change of clocks here, so that every minute is shown once.
                zone in prop_oneof![Just("UTC"), Just("Asia/Tokyo"), Just("America/Bogota")],
            ) {
                prop_assume!(days.contains(&true));
                let times: Vec<Time> = times.into_iter().map(|(hour, minute)| jiff::civil::time(hour, minute, 0, 0)).collect();
                let (zone, last) = (TimeZone::get(zone).unwrap(), Timestamp::from_second(last).unwrap());
                let found = When::At { times: times.clone(), days: Days(days) }.next(last, &zone);
                prop_assert_eq!(found, naive(&times, Days(days), last, &zone));
            }
        }
    }
}
