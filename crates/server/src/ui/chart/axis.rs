//! Where things stand on the axes of a chart. Across, in per cent: a drawing then fits any screen and its words stay
//! as large as all others.

use crate::words::{clock, day_month};
use jiff::Timestamp;
use jiff::civil::time;
use jiff::tz::TimeZone;

/// More words do not fit side by side on a desk's screen.
const MOST_WORDS: i64 = 8;
/// Hours between two marks; a day and more begin at midnight.
const STEPS: [i64; 8] = [1, 3, 6, 12, 24, 48, 96, 168];

/// A span of time, from left to right.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Across {
    from: i64,
    to: i64,
}

/// A mark on the time axis.
#[derive(Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: Timestamp,
    pub(crate) words: String,
    /// Left out where there is little room.
    pub(crate) spare: bool,
}

impl Across {
    pub(crate) fn new(from: Timestamp, to: Timestamp) -> Self {
        let from = from.as_millisecond();
        Self { from, to: to.as_millisecond().max(from.saturating_add(1)) }
    }

    /// How far along a moment is, from 0 to 100.
    pub(crate) fn share(self, at: Timestamp) -> f64 {
        let along = at.as_millisecond().saturating_sub(self.from) as f64;
        (along / self.to.saturating_sub(self.from).max(1) as f64 * 100.0).clamp(0.0, 100.0)
    }

    pub(crate) fn percent(self, at: Timestamp) -> String {
        percent(self.share(at))
    }

    /// Hours or days, as many as there is room for.
    pub(crate) fn ticks(self, zone: &TimeZone) -> Vec<Tick> {
        let hours = self.to.saturating_sub(self.from) / 3_600_000;
        let step = STEPS.into_iter().find(|step| hours / step <= MOST_WORDS).unwrap_or(168 * 4);
        let (Ok(from), Ok(to)) =
            (Timestamp::from_millisecond(self.from), Timestamp::from_millisecond(self.to))
        else {
            return Vec::new();
        };
        let mut day = from.to_zoned(zone.clone()).date();
        let last = to.to_zoned(zone.clone()).date();
        let mut ticks: Vec<Tick> = Vec::new();
        while day <= last {
            for hour in (0..24_i8).step_by(usize::try_from(step.min(24)).unwrap_or(24)) {
                let Ok(at) = day.to_datetime(time(hour, 0, 0, 0)).to_zoned(zone.clone()) else { continue };
                let at = at.timestamp();
                let words = if hour == 0 { day_month(at, zone) } else { clock(at, zone) };
                if (from..=to).contains(&at) {
                    let spare = ticks.len() % 2 == 1;
                    ticks.push(Tick { at, words, spare });
                }
            }
            match day.checked_add(jiff::Span::new().days((step / 24).max(1))) {
                Ok(next) => day = next,
                Err(_) => break,
            }
        }
        ticks
    }
}

pub(crate) fn percent(share: f64) -> String {
    format!("{share:.2}%")
}

/// The upper end of a scale that holds `most`: 1, 2 or 5 times a power of ten, and at least 2 to have a middle.
pub(crate) fn round_up(most: f64) -> f64 {
    let most = if most.is_finite() { most.max(2.0) } else { 2.0 };
    let power = 10_f64.powf(most.log10().floor());
    let steps = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|end| *end >= most).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn days_begin_at_midnight_of_the_zone() {
        let across = Across::new(at("2026-07-05T21:00:00Z"), at("2026-07-09T22:00:00Z"));
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let words: Vec<_> = across.ticks(&berlin).into_iter().map(|tick| (tick.at, tick.words)).collect();
        assert_eq!(words[0], (at("2026-07-05T22:00:00Z"), "Mon 6 Jul".into()));
        assert!(words.len() <= 9, "{words:?}");
        assert!((across.share(at("2026-07-07T21:30:00Z")) - 50.0).abs() < 0.1);
        assert_eq!(across.percent(at("2030-01-01T00:00:00Z")), "100.00%");
    }

    #[test]
    fn a_short_span_has_hours() {
        let across = Across::new(at("2026-07-05T21:30:00Z"), at("2026-07-06T04:00:00Z"));
        let words: Vec<_> = across.ticks(&TimeZone::UTC).into_iter().map(|tick| tick.words).collect();
        assert_eq!(words, ["22:00", "23:00", "Mon 6 Jul", "01:00", "02:00", "03:00", "04:00"]);
    }

    #[test]
    fn scales_end_on_round_numbers() {
        let ends = [0.0, 2.0, 2.1, 9.0, 11.0, 61.0, f64::NAN].map(|most| round_up(most).to_string());
        assert_eq!(ends, ["2", "2", "4", "10", "20", "80", "2"]);
    }
}
