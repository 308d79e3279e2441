use super::*;
use crate::calendar::Level;
use crate::window::Part;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

const HOUR: i64 = 3600;
/// Monday, 5 January 2026.
const START: i64 = 1_767_571_200;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(START + second).unwrap()
}

/// One source's count between two hours after the start.
fn window(from: i64, to: i64, source: i64, count: u32) -> Window {
    let (since, until) = (at(from * HOUR), at(to * HOUR));
    let parts = vec![Part { source: SourceId(source), since, until, count }];
    Window { from: since, to: until, open: false, level: Level::USUAL, parts }
}

/// Watched for four weeks with three stories in the first hour of each Monday.
fn taught(settings: &Settings) -> DayHour {
    let mut detector = DayHour::default();
    for hour in 0..4 * 168 {
        detector.learn(&window(hour, hour + 1, 1, if hour % 168 == 0 { 3 } else { 0 }), true, settings);
    }
    detector
}

#[test]
fn the_papers_vectors() {
    let settings = Settings::default();
    let detector = taught(&settings);
    assert_eq!(detector.mean(SourceId(1), 0), Some(3.0));
    assert_eq!(detector.mean(SourceId(1), 1), Some(0.0));
    let monday = 4 * 168;
    for (count, alarm) in [(7, true), (4, true), (3, false), (0, false)] {
        let score = detector.score(&window(monday, monday + 1, 1, count), &settings);
        assert_eq!((score.alarm, score.alarm), (alarm, score.score > score.threshold), "{count}");
        assert!((score.expected - 3.0).abs() < 1e-6 && (score.high - 3.6).abs() < 1e-6);
        assert_eq!(score.contributions.iter().any(|by| by.unusual), alarm);
    }
}

#[test]
fn theta_can_be_set_for_all_and_for_one_source() {
    let mut settings = Settings::default();
    let detector = taught(&settings);
    let monday = window(4 * 168, 4 * 168 + 1, 1, 4);
    settings.day_hour.theta = 0.5;
    assert!(!detector.score(&monday, &settings).alarm);
    settings.day_hour.theta_of.insert(SourceId(1), 0.1);
    let score = detector.score(&monday, &settings);
    assert!(
        !score.alarm && score.contributions[0].unusual,
        "the source by its own θ, the folder by the common one"
    );
}

#[test]
fn a_count_is_compared_with_the_hours_since_the_last_visit() {
    let settings = Settings::default();
    let detector = taught(&settings);
    let monday = 4 * 168;
    // Half of the busy hour and all of a quiet day.
    let mut late = window(monday + 10, monday + 24, 1, 2);
    late.parts[0].since = at(monday * HOUR + HOUR / 2);
    let score = detector.score(&late, &settings);
    assert!((score.expected - 1.5).abs() < 1e-6 && score.alarm);
    late.parts[0].count = 1;
    assert!(!detector.score(&late, &settings).alarm);
}

#[test]
fn a_source_that_is_new_takes_no_part() {
    let settings = Settings::default();
    let detector = taught(&settings);
    let mut both = window(4 * 168, 4 * 168 + 1, 1, 3);
    both.parts.extend(window(4 * 168, 4 * 168 + 1, 2, 50).parts);
    let score = detector.score(&both, &settings);
    assert!(!score.alarm && score.reason.contains("too new"), "{}", score.reason);
    assert!(!DayHour::default().score(&both, &settings).alarm);
}

#[test]
fn an_open_window_is_held_against_all_that_is_still_to_come() {
    let settings = Settings { window: SignedDuration::from_hours(2), ..Settings::default() };
    let mut detector = DayHour::default();
    for window_number in 0..4 * 84 {
        let mut both = window(2 * window_number, 2 * window_number + 2, 1, 4);
        both.parts.extend(window(2 * window_number, 2 * window_number + 2, 2, 6).parts);
        detector.learn(&both, true, &settings);
    }
    let from = 4 * 168;
    let mut open = window(from, from + 2, 1, 11);
    open.open = true;
    open.parts[0].until = at(from * HOUR + HOUR / 2);
    let score = detector.score(&open, &settings);
    assert!((score.expected - 10.0).abs() < 1e-3 && !score.alarm, "{score:?}");
    open.parts[0].count = 13;
    assert!(detector.score(&open, &settings).alarm);
    open.open = false;
    assert!((detector.score(&open, &settings).expected - 1.0).abs() < 1e-3, "half an hour of one source");
}

#[test]
fn the_calendar_raises_what_is_usual() {
    let settings = Settings::default();
    let detector = taught(&settings);
    let mut busy = window(4 * 168, 4 * 168 + 1, 1, 6);
    assert!(detector.score(&busy, &settings).alarm);
    busy.level = Level { multiplier: 2.0, uncertainty: 0.0 };
    let score = detector.score(&busy, &settings);
    assert!(!score.alarm && score.reason.contains("expects 200 %"), "{}", score.reason);
}

#[test]
fn a_month_without_visits_and_a_clock_that_jumps_back_do_no_harm() {
    for weeks in [None, Some(5)] {
        let mut settings = Settings::default();
        settings.day_hour.weeks = weeks;
        let mut detector = taught(&settings);
        // The visit that ends the silence finds what the page still shows.
        let back = window(4 * 168, 9 * 168, 1, 17);
        assert!(!detector.score(&back, &settings).alarm, "three a week for five weeks");
        detector.learn(&back, true, &settings);
        let mean = detector.mean(SourceId(1), 0);
        assert!(mean.is_none_or(|mean| (mean - 3.0).abs() < 1e-6), "{weeks:?}: {mean:?}");
        detector.learn(&window(-999, -998, 1, 5), true, &settings);
        detector.learn(&window(-998, -997, 1, 5), true, &settings);
        assert!(!detector.score(&window(9 * 168, 9 * 168 + 1, 1, 0), &settings).alarm);
    }
}

#[test]
fn only_the_last_weeks_count_where_that_is_asked_for() {
    let mut settings = Settings::default();
    settings.day_hour.weeks = Some(2);
    let mut detector = taught(&settings);
    for hour in 4 * 168..6 * 168 {
        detector.learn(&window(hour, hour + 1, 1, if hour % 168 == 0 { 9 } else { 0 }), true, &settings);
    }
    assert_eq!(detector.mean(SourceId(1), 0), Some(9.0));
}

#[test]
fn state_is_small_and_survives_a_restart() {
    let settings = Settings::default();
    let detector = taught(&settings);
    let text = serde_json::to_string(&detector).unwrap();
    assert!(text.len() < 150, "{text}");
    assert_eq!(serde_json::from_str::<DayHour>(&text).unwrap(), detector);
}

proptest! {
    /// Against sums over every hour that was ever watched.
    #[test]
    fn means_are_those_of_a_naive_table(
        steps in prop::collection::vec((0i64..30, 1i64..12, 0u32..9), 1..80),
        weeks in prop::option::of(1u16..4),
    ) {
        let mut settings = Settings::default();
        settings.day_hour.weeks = weeks;
        let mut detector = DayHour::default();
        let mut naive: Vec<(i64, f64)> = Vec::new();
        let mut now = 0;
        for (gap, length, count) in steps {
            let since = now + gap;
            now = since + length;
            detector.learn(&window(since, now, 1, count), true, &settings);
            naive.extend((since..now).map(|hour| (hour, f64::from(count) / length as f64)));
        }
        let oldest = weeks.map_or(i64::MIN, |weeks| now - i64::from(weeks) * 168);
        naive.retain(|(hour, _)| *hour >= oldest);
        for cell in 0..168u8 {
            let here = || naive.iter().filter(|(hour, _)| hour.rem_euclid(168) == i64::from(cell));
            let expected = (here().count() > 0)
                .then(|| here().map(|(_, count)| count).sum::<f64>() / here().count() as f64);
            match (detector.mean(SourceId(1), cell), expected) {
                (Some(mean), Some(expected)) => prop_assert!((mean - expected).abs() < 1e-3, "{cell}: {mean} {expected}"),
                (mean, expected) => prop_assert_eq!(mean, expected),
            }
        }
    }
}
