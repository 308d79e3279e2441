//! Times and sizes in words.

use jiff::{SignedDuration, Timestamp};

/// "3 minutes ago", "in 2 hours".
pub(crate) fn when(at: Timestamp, now: Timestamp) -> String {
    let span = at.duration_since(now);
    let text = span_in_words(span.abs());
    match span.as_millis() {
        -1500..=1500 => "now".into(),
        ..-1500 => format!("{text} ago"),
        _ => format!("in {text}"),
    }
}

/// "never" where there is no time.
pub(crate) fn maybe_when(at: Option<Timestamp>, now: Timestamp) -> String {
    at.map_or_else(|| "never".into(), |at| when(at, now))
}

/// "3 minutes", "2 hours".
pub(crate) fn span_in_words(span: SignedDuration) -> String {
    let seconds = span.as_secs();
    let (count, unit) = match seconds {
        ..90 => (seconds, "second"),
        90..5400 => ((seconds + 30) / 60, "minute"),
        5400..129_600 => ((seconds + 1800) / 3600, "hour"),
        _ => ((seconds + 43_200) / 86_400, "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// "12.3 MB".
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_read_naturally() {
        let now = Timestamp::from_second(1_000_000).unwrap();
        let at = |seconds: i64| Timestamp::from_second(1_000_000 + seconds).unwrap();
        assert_eq!(when(at(0), now), "now");
        assert_eq!(when(at(-60), now), "60 seconds ago");
        assert_eq!(when(at(180), now), "in 3 minutes");
        assert_eq!(when(at(-7200), now), "2 hours ago");
        assert_eq!(when(at(-86_400 * 3), now), "3 days ago");
        assert_eq!(size(999), "999 B");
        assert_eq!(size(12_345_678), "12.3 MB");
    }
}
