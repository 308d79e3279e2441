use super::*;
use crate::window::Part;
use jiff::{SignedDuration, Timestamp};
use model::SourceId;
use proptest::prelude::*;

/// Monday, 5 January 2026.
const START: i64 = 1_767_571_200;
const TWO_HOURS: i64 = 7200;

/// The n-th window of two hours, with counts of sites 1, 2, …; nothing for a site that was not seen.
fn window(n: i64, counts: &[Option<u32>]) -> Window {
    let at = |n: i64| Timestamp::from_second(START + n * TWO_HOURS).unwrap();
    let part = |(site, count): (usize, &Option<u32>)| {
        Some(Part { source: SourceId(site as i64 + 1), since: at(n), until: at(n + 1), count: (*count)? })
    };
    let parts = counts.iter().enumerate().filter_map(part).collect();
    Window { from: at(n), to: at(n + 1), open: false, level: Level::USUAL, parts }
}

fn faithful() -> Settings {
    Settings { dc1: Dc1Settings { mode: Mode::Faithful, ..Dc1Settings::default() }, ..Settings::default() }
}

/// Ten days on which each window has what `counts` says for its day.
fn taught(settings: &Settings, counts: impl Fn(i64) -> Vec<Option<u32>>) -> Dc1 {
    let mut dc1 = Dc1::default();
    for n in 0..120 {
        dc1.learn(&window(n, &counts(n / 12)), true, settings);
    }
    dc1
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-4, "{a} is not {b}");
}

#[test]
fn the_papers_example_with_ten_stories_and_a_deviation_of_three() {
    // Nine normal days at 7, 10 and 13 have mean 10 and sample deviation √6.75 = 2.598; with 22, (22 − 10) / 2.598.
    let settings = faithful();
    let mut dc1 = Dc1::default();
    for n in 0..108 {
        dc1.learn(&window(n, &[Some([7, 10, 13][(n / 12 % 3) as usize])]), true, &settings);
    }
    let score = dc1.score(&window(120, &[Some(22)]), &settings);
    close(score.expected, 10.0);
    close(score.outputs[0], 1.0);
    close(score.outputs[1], 12.0 / 6.75f64.sqrt());
    close(score.outputs[3], score.outputs[1]);
    assert!(score.alarm && score.contributions[0].unusual, "{}", score.reason);
    let quiet = dc1.score(&window(120, &[Some(7)]), &settings);
    assert!(!quiet.alarm);
    assert_eq!(quiet.outputs, [0.0; 6]);
}

#[test]
fn the_folders_threshold_is_a_sum_of_maxima_or_the_maximum_of_sums() {
    // Two sites take turns: 8 and 0, 0 and 8. The sums are always 8, the maxima add up to 16.
    let counts =
        |day: i64| vec![Some(if day % 2 == 0 { 8 } else { 0 }), Some(if day % 2 == 0 { 0 } else { 8 })];
    for (settings, at_12) in [(faithful(), 0.0), (Settings::default(), 1.0)] {
        let dc1 = taught(&settings, counts);
        close(dc1.score(&window(120, &[Some(6), Some(6)]), &settings).outputs[0], at_12);
        close(dc1.score(&window(120, &[Some(9), Some(8)]), &settings).outputs[0], 1.0);
        close(dc1.score(&window(120, &[Some(4), Some(4)]), &settings).outputs[0], 0.0);
    }
}

#[test]
fn a_perfectly_regular_site_alarms_in_the_papers_way_only() {
    let counts = |_| vec![Some(5)];
    let (paper, mended) = (faithful(), Settings::default());
    assert!(
        taught(&paper, counts).score(&window(120, &[Some(5)]), &paper).alarm,
        "the slip, kept: σ = 0 says R"
    );
    assert!(!taught(&mended, counts).score(&window(120, &[Some(5)]), &mended).alarm);
    assert!(!taught(&mended, counts).score(&window(120, &[Some(8)]), &mended).alarm);
    assert!(taught(&mended, counts).score(&window(120, &[Some(30)]), &mended).alarm);
}

#[test]
fn days_with_an_event_are_no_part_of_the_profile() {
    let settings = Settings::default();
    let mut dc1 = taught(&settings, |_| vec![Some(5)]);
    let before = dc1.clone();
    // The burst is noticed in the ninth window of the day; the day's earlier ones are forgotten with it.
    for n in 120..132 {
        dc1.learn(&window(n, &[Some(50)]), n != 128, &settings);
    }
    close(dc1.score(&window(132, &[Some(5)]), &settings).expected, 5.0);
    let kept = before.score(&window(132, &[Some(5)]), &settings);
    assert!(dc1.score(&window(132, &[Some(5)]), &settings).score <= kept.score + 1e-9);
    // What stays for three weeks is the new normal.
    for n in 132..132 + 12 * 40 {
        dc1.learn(&window(n, &[Some(50)]), false, &settings);
    }
    close(dc1.score(&window(700, &[Some(50)]), &settings).expected, 50.0);
}

#[test]
fn a_site_that_is_missing_or_new_takes_no_part() {
    let settings = Settings::default();
    let dc1 = taught(&settings, |_| vec![Some(5), Some(20)]);
    let one = dc1.score(&window(120, &[Some(5), None]), &settings);
    close(one.expected, 5.0);
    let new = dc1.score(&window(120, &[Some(5), Some(20), Some(90)]), &settings);
    close(new.expected, 25.0);
    assert!(!new.alarm);
    assert!(!Dc1::default().score(&window(0, &[Some(90)]), &settings).alarm);
}

#[test]
fn an_open_window_is_held_against_all_sites_that_are_awaited() {
    let settings = Settings::default();
    let dc1 = taught(&settings, |_| vec![Some(5), Some(20)]);
    let mut open = window(120, &[Some(18), None]);
    open.open = true;
    let score = dc1.score(&open, &settings);
    close(score.expected, 25.0);
    close(score.outputs[0] + score.outputs[1], 0.0);
}

#[test]
fn a_month_without_visits_ends_without_an_event() {
    let settings = Settings::default();
    let dc1 = taught(&settings, |_| vec![Some(5)]);
    let mut back = window(120 + 360, &[Some(300)]);
    back.parts[0].since -= SignedDuration::from_hours(720);
    assert!(!dc1.score(&back, &settings).alarm);
}

#[test]
fn above_an_expected_event() {
    // 100 usual, the calendar expects 170 %, 180 % are seen.
    let mut eventful = window(120, &[Some(180)]);
    eventful.level = Level { multiplier: 1.7, uncertainty: 0.0 };
    let (paper, mended) = (faithful(), Settings::default());
    let counts = |day| vec![Some(if day % 2 == 0 { 95 } else { 105 })];
    assert!(taught(&paper, counts).score(&eventful, &paper).alarm);
    let score = taught(&mended, counts).score(&eventful, &mended);
    assert!(!score.alarm && score.reason.contains("170 %"), "{}", score.reason);
    assert!(score.reason.contains("0.77 deviations above that"), "{}", score.reason);
}

#[test]
fn weights_are_taken_over_and_survive_a_restart() {
    let settings = Settings::default();
    let mut dc1 = taught(&settings, |_| vec![Some(5), None, Some(0)]);
    assert_eq!(dc1.weights(), Unit::ROBUST.weights);
    dc1.set_weights(&[0.5; 6]);
    dc1.set_weights(&[0.1]);
    assert_eq!(dc1.weights(), [0.5; 6]);
    let text = serde_json::to_string(&dc1).unwrap();
    assert_eq!(serde_json::from_str::<Dc1>(&text).unwrap(), dc1);
}

proptest! {
    /// Against the list of all windows, newest days first.
    #[test]
    fn profiles_are_those_of_the_last_normal_days(
        days in prop::collection::vec((prop::option::of(0u32..9), prop::option::of(0u32..9), prop::bool::weighted(0.8)), 1..40),
    ) {
        let settings = Settings::default();
        let mut dc1 = Dc1::default();
        let mut normal: Vec<(Option<u32>, Option<u32>)> = Vec::new();
        for (day, (a, b, usual)) in days.iter().enumerate() {
            dc1.learn(&window(day as i64 * 12, &[*a, *b]), *usual, &settings);
            if *usual {
                normal.push((*a, *b));
            }
        }
        let last: Vec<_> = normal.iter().rev().take(10).collect();
        let seen: Vec<f64> = last.iter().filter_map(|(a, _)| a.map(f64::from)).collect();
        let score = dc1.score(&window(days.len() as i64 * 12, &[Some(4)]), &settings);
        if seen.len() >= 3 {
            let profile = Profile::of(&seen);
            prop_assert!((score.expected - profile.mean).abs() < 1e-4);
            let output = robust(4.0, profile.mean, profile.deviation).min(6.0);
            prop_assert!((score.outputs[3] - output).abs() < 1e-4, "{} {}", score.outputs[3], output);
        } else {
            prop_assert_eq!(score.outputs, vec![0.0; 6]);
        }
    }
}
