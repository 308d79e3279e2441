//! When a channel may speak: at once or gathered, and never in quiet hours.

use super::ChannelSettings;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp, Unit, Zoned};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// At once, or gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rhythm", rename_all = "snake_case")]
pub enum Rhythm {
    /// Each message as it comes.
    AtOnce,
    /// What came, at every full hour.
    Hourly,
    /// What came, once a day.
    Daily {
        /// When, in the channel's time zone.
        at: Time,
    },
}

/// Hours of the day without messages; over midnight if `to` is before `from`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quiet {
    /// From this time on.
    pub from: Time,
    /// Until this time.
    pub to: Time,
}

impl fmt::Display for Rhythm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtOnce => f.write_str("at_once"),
            Self::Hourly => f.write_str("hourly"),
            Self::Daily { at } => write!(f, "daily {}", at.strftime("%H:%M")),
        }
    }
}

impl FromStr for Rhythm {
    type Err = String;

    /// `at_once`, `hourly` or `daily 08:00`.
    fn from_str(text: &str) -> Result<Self, String> {
        let daily = text.strip_prefix("daily").map(|at| at.trim().parse());
        match (text, daily) {
            ("at_once", _) => Ok(Self::AtOnce),
            ("hourly", _) => Ok(Self::Hourly),
            (_, Some(Ok(at))) => Ok(Self::Daily { at }),
            _ => Err(format!("“{text}” is no rhythm; write at_once, hourly or daily 08:00")),
        }
    }
}

impl fmt::Display for Quiet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from.strftime("%H:%M"), self.to.strftime("%H:%M"))
    }
}

impl FromStr for Quiet {
    type Err = String;

    /// `22:00-07:00`.
    fn from_str(text: &str) -> Result<Self, String> {
        let times = text.split_once('-').map(|(from, to)| (from.trim().parse(), to.trim().parse()));
        match times {
            Some((Ok(from), Ok(to))) => Ok(Self { from, to }),
            _ => Err(format!("“{text}” are no hours; write for example 22:00-07:00")),
        }
    }
}

impl ChannelSettings {
    /// When a message written now is due, and whether it goes together with others.
    pub fn due(&self, now: Timestamp) -> (Timestamp, bool) {
        let zone = self.time_zone();
        let planned = match self.rhythm {
            Rhythm::AtOnce => now,
            Rhythm::Hourly => next_hour(now, &zone),
            Rhythm::Daily { at } => next(now, at, &zone),
        };
        let due = self.after_quiet(planned);
        (due, self.rhythm != Rhythm::AtOnce || due != planned)
    }

    /// This moment, or the end of the quiet hours it lies in.
    pub fn after_quiet(&self, at: Timestamp) -> Timestamp {
        let zone = self.time_zone();
        match self.quiet {
            Some(quiet) if quiet.contains(at.to_zoned(zone.clone()).time()) => next(at, quiet.to, &zone),
            _ => at,
        }
    }

    /// The zone; UTC if its name is not known any more.
    pub fn time_zone(&self) -> TimeZone {
        TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC)
    }
}

impl Quiet {
    fn contains(self, time: Time) -> bool {
        if self.from <= self.to {
            (self.from..self.to).contains(&time)
        } else {
            time >= self.from || time < self.to
        }
    }
}

/// The next time after `now` that clocks show `time`. Where a clock change skips it, the moment after the change.
fn next(now: Timestamp, time: Time, zone: &TimeZone) -> Timestamp {
    let mut date = now.to_zoned(zone.clone()).date();
    // Today, tomorrow, or the day after where a change of clocks hides tomorrow's.
    for _ in 0..3 {
        match date.to_datetime(time).to_zoned(zone.clone()) {
            Ok(found) if found.timestamp() > now => return found.timestamp(),
            _ => {}
        }
        let Ok(tomorrow) = date.tomorrow() else { break };
        date = tomorrow;
    }
    in_an_hour(now)
}

fn next_hour(now: Timestamp, zone: &TimeZone) -> Timestamp {
    let next = |now: &Zoned| {
        let later = now.checked_add(Span::new().hours(1)).ok()?;
        let round = jiff::ZonedRound::new().smallest(Unit::Hour).mode(jiff::RoundMode::Trunc);
        later.round(round).ok()
    };
    next(&now.to_zoned(zone.clone())).map_or_else(|| in_an_hour(now), |at| at.timestamp())
}

fn in_an_hour(now: Timestamp) -> Timestamp {
    now.checked_add(SignedDuration::from_hours(1)).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::{Hidden, Target};

    fn settings(rhythm: Rhythm, quiet: Option<(&str, &str)>) -> ChannelSettings {
        ChannelSettings {
            name: "test".into(),
            target: Target::Webhook {
                url: "https://a.example/".parse().unwrap(),
                secret: Hidden::new("secret"),
            },
            wants: Vec::new(),
            folders: Vec::new(),
            rhythm,
            quiet: quiet.map(|(from, to)| Quiet { from: from.parse().unwrap(), to: to.parse().unwrap() }),
            zone: "Europe/Berlin".into(),
            enabled: true,
        }
    }

    fn due(settings: &ChannelSettings, now: &str) -> (String, bool) {
        let (at, gathered) = settings.due(now.parse().unwrap());
        (at.to_string(), gathered)
    }

    #[test]
    fn at_once_is_at_once_outside_quiet_hours() {
        let day = settings(Rhythm::AtOnce, Some(("22:00", "07:00")));
        assert_eq!(due(&day, "2026-01-15T12:00:00Z"), ("2026-01-15T12:00:00Z".into(), false));
        // 21:00 UTC is 22:00 in Berlin in winter, 23:00 in summer.
        assert_eq!(due(&day, "2026-01-15T20:59:59Z"), ("2026-01-15T20:59:59Z".into(), false));
        assert_eq!(due(&day, "2026-01-15T21:00:00Z"), ("2026-01-16T06:00:00Z".into(), true));
        assert_eq!(due(&day, "2026-07-15T20:30:00Z"), ("2026-07-16T05:00:00Z".into(), true));
        assert_eq!(due(&day, "2026-01-16T05:59:00Z"), ("2026-01-16T06:00:00Z".into(), true));
        assert_eq!(due(&day, "2026-01-16T06:00:00Z"), ("2026-01-16T06:00:00Z".into(), false));
        let nap = settings(Rhythm::AtOnce, Some(("12:00", "14:00")));
        assert_eq!(due(&nap, "2026-01-15T12:00:00Z"), ("2026-01-15T13:00:00Z".into(), true));
        assert!(!due(&settings(Rhythm::AtOnce, Some(("12:00", "12:00"))), "2026-01-15T11:00:00Z").1);
    }

    #[test]
    fn rhythms_and_hours_are_read_as_written() {
        for text in ["at_once", "hourly", "daily 08:30"] {
            assert_eq!(text.parse::<Rhythm>().unwrap().to_string(), text);
        }
        assert_eq!("22:00-07:00".parse::<Quiet>().unwrap().to_string(), "22:00-07:00");
        for odd in ["", "weekly", "daily", "daily 25:00", "daily noon"] {
            assert!(odd.parse::<Rhythm>().unwrap_err().contains("daily 08:00"), "{odd}");
        }
        for odd in ["", "22-7", "22:00", "22:00-24:30"] {
            assert!(odd.parse::<Quiet>().is_err(), "{odd}");
        }
    }

    #[test]
    fn digests_come_at_their_time() {
        assert_eq!(
            due(&settings(Rhythm::Hourly, None), "2026-01-15T12:00:00Z"),
            ("2026-01-15T13:00:00Z".into(), true)
        );
        assert_eq!(due(&settings(Rhythm::Hourly, None), "2026-01-15T12:59:59Z").0, "2026-01-15T13:00:00Z");
        let daily = settings(Rhythm::Daily { at: "08:30".parse().unwrap() }, None);
        assert_eq!(due(&daily, "2026-01-15T07:29:00Z").0, "2026-01-15T07:30:00Z");
        assert_eq!(due(&daily, "2026-01-15T07:30:00Z").0, "2026-01-16T07:30:00Z");
        let in_quiet = settings(Rhythm::Daily { at: "06:00".parse().unwrap() }, Some(("22:00", "07:00")));
        assert_eq!(due(&in_quiet, "2026-01-15T12:00:00Z").0, "2026-01-16T06:00:00Z", "07:00 in Berlin");
    }

    #[test]
    fn changes_of_clocks_neither_lose_nor_stop_a_digest() {
        let daily = settings(Rhythm::Daily { at: "02:30".parse().unwrap() }, None);
        // On 29 March 2026 there is no 02:30 in Berlin: 03:30 it is.
        assert_eq!(due(&daily, "2026-03-28T12:00:00Z").0, "2026-03-29T01:30:00Z");
        // On 25 October there are two; the first counts, and only one.
        assert_eq!(due(&daily, "2026-10-24T12:00:00Z").0, "2026-10-25T00:30:00Z");
        assert_eq!(due(&daily, "2026-10-25T00:30:00Z").0, "2026-10-26T01:30:00Z");
        for hour in 0..72 {
            let now = "2026-10-24T00:15:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_hours(hour);
            let (at, _) = settings(Rhythm::Hourly, None).due(now);
            assert!(at > now && at.duration_since(now) <= SignedDuration::from_hours(1), "{now} {at}");
        }
    }
}
