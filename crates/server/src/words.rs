//! Numbers, times and outcomes as people say them.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use model::{BodyState, Outcome};
use std::time::Duration;

/// "3 minutes ago", "in 2 hours", "just now".
pub(crate) fn relative(at: Timestamp, now: Timestamp) -> String {
    let span = at.duration_since(now);
    let words = span_words(span.unsigned_abs());
    match span {
        span if span.abs() < SignedDuration::from_secs(5) => "just now".into(),
        span if span.is_negative() => format!("{words} ago"),
        _ => format!("in {words}"),
    }
}

/// The largest unit that fits: "3 minutes", "1 hour", "12 days".
pub(crate) fn span_words(span: Duration) -> String {
    let seconds = span.as_secs();
    let (n, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        86_400..2_592_000 => (seconds / 86_400, "day"),
        2_592_000..31_536_000 => (seconds / 2_592_000, "month"),
        _ => (seconds / 31_536_000, "year"),
    };
    plural(n, unit)
}

/// "1 source", "2 sources", "no sources" is left to the caller.
pub(crate) fn plural(n: u64, noun: &str) -> String {
    let ending = match noun {
        _ if n == 1 => "",
        noun if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {noun}{ending}", number(n))
}

/// Digits in groups of three, with a narrow space between.
pub(crate) fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    grouped
}

/// The exact time: `2026-07-28 12:34:56 UTC`.
pub(crate) fn exact(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// "14:05", in a zone.
pub(crate) fn clock(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%H:%M").to_string()
}

/// "Mon 6 Jul".
pub(crate) fn day_month(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%a %-d %b").to_string()
}

/// "Mon 6 Jul 14:05".
pub(crate) fn day_clock(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%a %-d %b %H:%M").to_string()
}

/// "Today", "Yesterday", "Monday 6 July", with the year where it is another one.
pub(crate) fn day_words(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let (day, today) = (at.to_zoned(zone.clone()).date(), now.to_zoned(zone.clone()).date());
    match day {
        day if day == today => "Today".into(),
        day if day.tomorrow().is_ok_and(|next| next == today) => "Yesterday".into(),
        day if day.year() == today.year() => day.strftime("%A %-d %B").to_string(),
        day => day.strftime("%A %-d %B %Y").to_string(),
    }
}

/// Two units where one says too little: "45 s", "14 min", "1 h 20 min", "2 d 3 h".
pub(crate) fn lag(span: SignedDuration) -> String {
    let seconds = span.as_secs().unsigned_abs();
    let two = |large: u64, a: &str, small: u64, b: &str| {
        if small == 0 { format!("{large} {a}") } else { format!("{large} {a} {small} {b}") }
    };
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => two(seconds / 3600, "h", seconds % 3600 / 60, "min"),
        _ => two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h"),
    }
}

/// A count that may be a mean: "9", "2.1", "0.04", "134".
pub(crate) fn about(value: f64) -> String {
    match value {
        value if !value.is_finite() => "?".into(),
        value if value.fract() == 0.0 => number(value.abs() as u64),
        value if value.abs() < 0.1 => format!("{value:.2}"),
        value if value.abs() < 9.95 => format!("{value:.1}"),
        value => number(value.round().abs() as u64),
    }
}

/// "9 stories against 2.1 expected".
pub(crate) fn against(observed: f64, expected: f64) -> String {
    let noun = if about(observed) == "1" { "story" } else { "stories" };
    format!("{} {noun} against {} expected", about(observed), about(expected))
}

/// "12 KB", "3.4 MB".
pub(crate) fn bytes(n: u64) -> String {
    match n {
        0..1_000 => plural(n, "byte"),
        1_000..1_000_000 => format!("{} KB", n / 1_000),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}

/// "85 ms", "1.2 s".
pub(crate) fn took(span: Duration) -> String {
    if span < Duration::from_secs(1) {
        format!("{} ms", span.as_millis())
    } else {
        format!("{:.1} s", span.as_secs_f64())
    }
}

/// An outcome's word as counted, for people.
pub(crate) fn outcome_word(word: &str) -> &str {
    match word {
        "new_content" => "New content",
        "not_modified" => "Not modified",
        "gone" => "Gone",
        "refused_by_robots" => "Refused by robots.txt",
        "refused_by_gate" => "Refused by the gate",
        "busy" => "Busy",
        "failed" => "Failed",
        "truncated" => "Truncated",
        other => other,
    }
}

/// What to do about an outcome that is not a success.
pub(crate) fn advice(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::NewContent | Outcome::NotModified => "Nothing to do.",
        Outcome::Gone { .. } => {
            "The page is not there. Open the address in your browser and look for its new place."
        }
        Outcome::RefusedByRobots { rule } if rule.contains("could not be read") => {
            "Until the site's robots.txt can be read, nothing else is asked there. It is tried again by itself."
        }
        Outcome::RefusedByRobots { .. } => {
            "The site does not want programs there. Try its feed or sitemap instead."
        }
        Outcome::RefusedByGate { .. } => {
            "Ripplewatch does not visit private or local addresses. If it is yours, allow it by name in the configuration."
        }
        Outcome::Busy { .. } => "The site asks us to wait. Try again later.",
        Outcome::Failed { .. } => {
            "Check the address in your browser. If it opens there, try again in a minute."
        }
        Outcome::Truncated { .. } => {
            "The page is larger than the limit. Look for a feed or a smaller section of the site."
        }
    }
}

/// Whether an article's page was read, in words.
pub(crate) fn body_state(state: BodyState) -> &'static str {
    match state {
        BodyState::Waiting => "Its page is waiting to be read.",
        BodyState::Read => "Its page was read, but held no text.",
        BodyState::Missing => "Its page could not be read; what is missing is missing, not empty.",
    }
}

/// A text with its first letter upper case, unless it begins with something that is spelled exactly: `ftp:`.
pub(crate) fn capitalised(text: &str) -> String {
    if text.split(' ').next().is_some_and(|word| word.ends_with(':')) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_people_do() {
        let now = Timestamp::from_second(1_000_000_000).unwrap();
        let told = |seconds| relative(now + SignedDuration::from_secs(seconds), now);
        assert_eq!(told(-2), "just now");
        assert_eq!(told(-59), "59 seconds ago");
        assert_eq!(told(-60), "1 minute ago");
        assert_eq!(told(-7_199), "1 hour ago");
        assert_eq!(told(90_000), "in 1 day");
        assert_eq!(told(-63_072_000), "2 years ago");
        assert_eq!(exact(now), "2001-09-09 01:46:40 UTC");
    }

    #[test]
    fn days_and_lags_are_told_as_people_do() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (now, zone) = (at("2026-07-06T10:00:00Z"), TimeZone::UTC);
        let days =
            ["2026-07-06T00:00:00Z", "2026-07-05T23:00:00Z", "2026-07-01T00:00:00Z", "2025-12-31T00:00:00Z"];
        let told = days.map(|day| day_words(at(day), now, &zone));
        assert_eq!(told, ["Today", "Yesterday", "Wednesday 1 July", "Wednesday 31 December 2025"]);
        let lags = [45, 840, 4_800, 7_200, 183_600].map(|seconds| lag(SignedDuration::from_secs(seconds)));
        assert_eq!(lags, ["45 s", "14 min", "1 h 20 min", "2 h", "2 d 3 h"]);
        assert_eq!([9.0, 2.14, 0.04, 133.6, f64::NAN].map(about), ["9", "2.1", "0.04", "134", "?"]);
        assert_eq!(against(1.0, 0.3), "1 story against 0.3 expected");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(number(7), "7");
        assert_eq!(number(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(plural(1, "source"), "1 source");
        assert_eq!(plural(2, "address"), "2 addresses");
        assert_eq!(bytes(1_500), "1 KB");
        assert_eq!(bytes(2_340_000), "2.3 MB");
    }
}
