//! Numbers, times and outcomes as people say them.

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
    fn numbers_are_grouped() {
        assert_eq!(number(7), "7");
        assert_eq!(number(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(plural(1, "source"), "1 source");
        assert_eq!(plural(2, "address"), "2 addresses");
        assert_eq!(bytes(1_500), "1 KB");
        assert_eq!(bytes(2_340_000), "2.3 MB");
    }
}
