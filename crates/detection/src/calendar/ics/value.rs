//! Values in an iCalendar file: texts, dates, times, durations.

use super::lines::Property;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// A date, or a time of a day in a zone.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moment {
    pub(super) at: DateTime,
    pub(super) zone: TimeZone,
    /// The whole day.
    pub(super) is_date: bool,
}

impl Moment {
    pub(super) fn timestamp(&self) -> Option<Timestamp> {
        self.zone.to_ambiguous_zoned(self.at).compatible().ok().map(|zoned| zoned.timestamp())
    }

    /// The same time on another day.
    pub(super) fn on(&self, date: Date) -> Self {
        Self { at: date.to_datetime(self.at.time()), zone: self.zone.clone(), is_date: self.is_date }
    }
}

/// The moments of DTSTART, DTEND, EXDATE and the like, and what was odd about them.
pub(super) fn moments(property: &Property<'_>, own: &TimeZone) -> (Vec<Moment>, Vec<String>) {
    let mut problems = Vec::new();
    let zone = match property.parameter("TZID") {
        None => own.clone(),
        Some(name) => zone(name).unwrap_or_else(|| {
            problems.push(format!("the time zone “{}” is not known; yours was taken", short(name)));
            own.clone()
        }),
    };
    let mut moments = Vec::new();
    for text in property.value.split(',') {
        match moment(text.trim(), &zone) {
            Some(moment) => moments.push(moment),
            None => problems
                .push(format!("“{}” is no date or time; write 20260131 or 20260131T180000Z", short(text))),
        }
    }
    (moments, problems)
}

/// Names of zones as the database has them; some programs write them as a path.
fn zone(name: &str) -> Option<TimeZone> {
    let name = name.trim();
    // A name is not a way to some other file.
    let is_name = |name: &str| {
        !name.is_empty()
            && name.len() < 64
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "_+-/".contains(c))
    };
    let last_two = || {
        let mut pieces = name.rsplit('/');
        let (city, area) = (pieces.next()?, pieces.next()?);
        Some(format!("{area}/{city}"))
    };
    let known = |name: &str| if is_name(name) { TimeZone::get(name).ok() } else { None };
    known(name.trim_start_matches('/')).or_else(|| known(&last_two()?))
}

/// 20260131, 20260131T180000 or 20260131T180000Z.
pub(super) fn moment(text: &str, zone: &TimeZone) -> Option<Moment> {
    let (date, time) = match text.split_once(['T', 't']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let date = Date::new(number(date, 0, 4)?, number(date, 4, 2)?, number(date, 6, 2)?).ok();
    let date = date.filter(|_| text.split(['T', 't']).next().is_some_and(|date| date.len() == 8))?;
    let Some(time) = time else {
        return Some(Moment { at: date.to_datetime(Time::midnight()), zone: zone.clone(), is_date: true });
    };
    let (clock, is_utc) = match time.strip_suffix(['Z', 'z']) {
        Some(clock) => (clock, true),
        None => (time, false),
    };
    if clock.len() != 6 {
        return None;
    }
    // A leap second is the second before it.
    let second = number::<i8>(clock, 4, 2)?.min(59);
    let time = Time::new(number(clock, 0, 2)?, number(clock, 2, 2)?, second, 0).ok()?;
    let zone = if is_utc { TimeZone::UTC } else { zone.clone() };
    Some(Moment { at: date.to_datetime(time), zone, is_date: false })
}

fn number<T: std::str::FromStr>(text: &str, from: usize, length: usize) -> Option<T> {
    let digits = text.get(from..from + length)?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// P1W, P1DT2H, PT90M; nothing for one that goes back.
pub(super) fn duration(text: &str) -> Option<SignedDuration> {
    let text = text.trim();
    let text = text.strip_prefix('+').unwrap_or(text).strip_prefix('P')?;
    let (mut seconds, mut digits, mut any) = (0_i64, String::new(), false);
    for c in text.chars() {
        if c.is_ascii_digit() && digits.len() < 9 {
            digits.push(c);
            continue;
        }
        let unit = match c {
            'T' if digits.is_empty() => continue,
            'W' => 7 * 86_400,
            'D' => 86_400,
            'H' => 3600,
            'M' => 60,
            'S' => 1,
            _ => return None,
        };
        seconds = seconds.checked_add(digits.parse::<i64>().ok()?.checked_mul(unit)?)?;
        digits.clear();
        any = true;
    }
    (any && digits.is_empty()).then(|| SignedDuration::from_secs(seconds))
}

/// A text without its escapes, on one line.
pub(super) fn text(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n' | 'N') => text.push(' '),
                Some(other) => text.push(other),
                None => {}
            },
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(200).collect()
}

/// The first of the values that commas part; an escaped comma does not.
pub(super) fn first(value: &str) -> &str {
    let mut escaped = false;
    let end = value.char_indices().find(|(_, c)| {
        let parts = *c == ',' && !escaped;
        escaped = *c == '\\' && !escaped;
        parts
    });
    end.and_then(|(end, _)| value.get(..end)).unwrap_or(value)
}

/// As much of a foreign text as a message needs.
pub(super) fn short(text: &str) -> String {
    text.trim().chars().filter(|c| !c.is_control()).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_texts() {
        let hours = |text| duration(text).map(|span| span.as_secs_f64() / 3600.0);
        assert_eq!(hours("PT90M"), Some(1.5));
        assert_eq!(hours("P1DT2H"), Some(26.0));
        assert_eq!(hours("+P2W"), Some(336.0));
        for broken in ["", "P", "PT", "P5", "-PT5M", "P5X", "PT99999999999H", "P999999999W999999999W9X"] {
            assert_eq!(duration(broken), None, "{broken}");
        }
        assert_eq!(text("a\\, b\\;\\nc \\\\ d\\"), "a, b; c \\ d");
        assert_eq!(first("Sport\\, indoors,News"), "Sport\\, indoors");
    }

    #[test]
    fn dates_and_times() {
        let utc = TimeZone::UTC;
        assert!(moment("20260131", &utc).unwrap().is_date);
        assert_eq!(moment("20260131T180000Z", &utc).unwrap().at.to_string(), "2026-01-31T18:00:00");
        for broken in [
            "",
            "2026",
            "20260230",
            "20260131T",
            "20260131T2500",
            "20260131T250000",
            "2026-01-31",
            "２０２６０１３１",
            "202601311",
        ] {
            assert_eq!(moment(broken, &utc), None, "{broken}");
        }
        assert!(zone("Europe/Berlin").is_some());
        assert!(zone("/example.org/20050809_1/Europe/Berlin").is_some());
        assert!(zone("../../etc/passwd").is_none() && zone("").is_none());
    }
}
