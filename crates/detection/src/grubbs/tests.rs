use super::*;
use crate::Profile;
use crate::calendar::Level;
use crate::window::Part;
use jiff::Timestamp;
use model::SourceId;
use proptest::prelude::*;

/// The first window of the n-th day, of one source.
fn window(day: i64, count: u32) -> Window {
    let at = |second: i64| Timestamp::from_second(1_767_571_200 + day * 86_400 + second).unwrap();
    let parts = vec![Part { source: SourceId(1), since: at(0), until: at(7200), count }];
    Window { from: at(0), to: at(7200), open: false, level: Level::USUAL, parts }
}

fn taught(counts: &[u32], settings: &Settings) -> Grubbs {
    let mut grubbs = Grubbs::default();
    for (day, count) in counts.iter().enumerate() {
        grubbs.learn(&window(day as i64, *count), true, settings);
    }
    grubbs
}

fn published() -> Settings {
    let grubbs = GrubbsSettings { least_deviation: 0.0, ..GrubbsSettings::default() };
    Settings { grubbs, ..Settings::default() }
}

/// G as the test is published: the distance of the last from the mean of all, in their deviations.
fn statistic(values: &[f64]) -> f64 {
    let profile = Profile::of(values);
    (values.last().unwrap() - profile.mean) / profile.deviation
}

fn critical(alpha: f64, n: usize) -> f64 {
    let n = n as f64;
    let t = t_quantile(1.0 - alpha / n, n - 2.0);
    (n - 1.0) / n.sqrt() * (t * t / (n - 2.0 + t * t)).sqrt()
}

#[test]
fn critical_values_are_those_of_the_tables() {
    // From R: t <- qt(1 − 0.05/n, n − 2); as in any table of the one-sided test at 5 %.
    for (n, value) in [(3, 1.153_118), (5, 1.671_386), (10, 2.176_068), (15, 2.409_038), (30, 2.745_132)] {
        assert!((critical(0.05, n) - value).abs() < 1e-5, "{n}");
    }
}

#[test]
fn the_test_is_that_of_r() {
    // Of these ten counts R gives G = 2.179524 for the last, above 2.176068; as t, 3.368257.
    let counts = [3, 1, 2, 4, 2, 3, 1, 0, 2];
    let settings = published();
    let score = taught(&counts, &settings).score(&window(9, 9), &settings);
    assert!((score.score - 3.368_257).abs() < 1e-5 && score.alarm, "{score:?}");
    assert!(score.reason.contains("G = 2.18 of 10 counts (alarms above 2.18)"), "{}", score.reason);
    assert!((score.expected - 2.0).abs() < 1e-6);
    assert!(score.contributions[0].unusual);
    assert!(!taught(&counts, &settings).score(&window(9, 8), &settings).alarm);
    // With the deviation that chance alone makes it needs more.
    let floored = taught(&counts, &Settings::default()).score(&window(9, 9), &Settings::default());
    assert!((floored.score - 2.995_728).abs() < 1e-5 && !floored.alarm);
}

#[test]
fn a_regular_folder_and_a_new_one_do_not_alarm() {
    let settings = Settings::default();
    let regular = taught(&[5; 20], &settings);
    assert!(!regular.score(&window(20, 5), &settings).alarm);
    assert!(!regular.score(&window(20, 7), &settings).alarm);
    assert!(regular.score(&window(20, 30), &settings).alarm);
    assert!(!taught(&[0; 20], &settings).score(&window(20, 1), &settings).alarm);
    assert!(!taught(&[0; 3], &settings).score(&window(3, 90), &settings).alarm, "too few to say");
    assert!(!Grubbs::default().score(&window(0, 90), &settings).alarm);
}

#[test]
fn events_are_not_learned_and_the_calendar_is_heeded() {
    let settings = Settings::default();
    let mut grubbs = taught(&[5; 14], &settings);
    let before = grubbs.clone();
    grubbs.learn(&window(14, 90), false, &settings);
    assert_eq!(grubbs, before);
    let mut busy = window(14, 30);
    assert!(grubbs.score(&busy, &settings).alarm);
    busy.level = Level { multiplier: 5.0, uncertainty: 0.2 };
    assert!(!grubbs.score(&busy, &settings).alarm);
}

proptest! {
    #[test]
    fn the_t_form_rejects_exactly_where_g_does(counts in prop::collection::vec(0u32..30, 6..14), last in 0u32..60) {
        let settings = published();
        let values: Vec<f64> = counts.iter().chain([&last]).map(|count| transformed(f64::from(*count))).collect();
        let spread = counts.iter().any(|count| *count != counts[0]);
        prop_assume!(spread);
        let g = statistic(&values);
        let limit = critical(0.05, values.len());
        prop_assume!((g - limit).abs() > 1e-9);
        let score = taught(&counts, &settings).score(&window(counts.len() as i64, last), &settings);
        prop_assert_eq!(score.alarm, g > limit);
    }
}
