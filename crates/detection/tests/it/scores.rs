//! What a score says.

use crate::made::{Dice, Watch, habit, hour, part, window};
use detection::{Detector, DetectorName, Level, Part, train};
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use model::SourceId;

const WITH_BASELINE: [DetectorName; 3] =
    [DetectorName::Default, DetectorName::NegativeBinomial, DetectorName::Cusum];

fn taught(name: DetectorName, weeks: i64) -> Watch {
    let mut watch = Watch::new(name);
    let mut dice = Dice::new(11);
    for at in 0..weeks * 84 {
        let mut window = window(at);
        let mean = 2.0 * habit(hour(&window, &TimeZone::UTC));
        for source in 1..=3 {
            window.parts.push(part(&window, source, dice.poisson(mean * f64::from(source as i32))));
        }
        watch.detector.learn(&window, true, &watch.settings);
    }
    watch
}

#[test]
fn the_range_ends_where_alarms_begin() {
    for name in WITH_BASELINE {
        let watch = taught(name, 5);
        let mut window = window(5 * 84 + 6);
        let mut alarmed = None;
        for count in 0..300 {
            window.parts = vec![part(&window, 1, count), part(&window, 2, 0), part(&window, 3, 0)];
            let score = watch.detector.score(&window, &watch.settings);
            assert_eq!(score.alarm, f64::from(count) > score.high, "{name} {count} {score:?}");
            assert!(score.low <= score.high);
            alarmed = alarmed.or(score.alarm.then_some(count));
        }
        assert!(alarmed.is_some_and(|count| count > 20), "{name} {alarmed:?}");
    }
}

#[test]
fn the_reason_says_who_and_how_seldom() {
    let watch = taught(DetectorName::Default, 5);
    let mut window = window(5 * 84 + 6);
    window.parts = vec![part(&window, 1, 50), part(&window, 2, 7), part(&window, 3, 10)];
    let score = watch.detector.score(&window, &watch.settings);
    assert!(score.alarm);
    assert!(score.reason.starts_with("67 against 2"), "{}", score.reason);
    assert!(score.reason.contains("by chance"), "{}", score.reason);
    let first = score.contributions[0];
    assert_eq!((first.source, first.unusual), (SourceId(1), true));
    assert!(score.contributions.iter().skip(1).all(|one| !one.unusual), "{:?}", score.contributions);
    assert_eq!(score.outputs.len(), watch.detector.weights().len());
}

#[test]
fn missing_is_not_zero() {
    for name in WITH_BASELINE {
        let watch = taught(name, 5);
        let mut window = window(5 * 84 + 6);
        window.parts = vec![part(&window, 1, 3), part(&window, 2, 6), part(&window, 3, 9)];
        let all = watch.detector.score(&window, &watch.settings);
        window.parts.truncate(1);
        let one = watch.detector.score(&window, &watch.settings);
        let share = one.expected / all.expected;
        assert!((share - 1.0 / 6.0).abs() < 0.03, "{name}: the first source brings a sixth, not {share}");
        // Seen for three windows at once, it is expected to have brought about three times as much.
        window.parts[0].since = window.from - SignedDuration::from_hours(4);
        let long = watch.detector.score(&window, &watch.settings);
        assert!(
            (1.8..3.5).contains(&(long.expected / one.expected)),
            "{name} {} {}",
            long.expected,
            one.expected
        );
    }
}

#[test]
fn an_open_window_is_measured_by_the_whole() {
    for name in WITH_BASELINE {
        let watch = taught(name, 5);
        let mut window = window(5 * 84 + 6);
        window.parts = vec![part(&window, 1, 3), part(&window, 2, 6), part(&window, 3, 9)];
        let whole = watch.detector.score(&window, &watch.settings);
        window.open = true;
        window.parts =
            vec![Part { until: window.from + SignedDuration::from_mins(5), ..part(&window, 3, 5) }];
        let open = watch.detector.score(&window, &watch.settings);
        assert!(open.expected > 0.95 * whole.expected, "{name}: {} {}", open.expected, whole.expected);
        assert!(!open.alarm);
    }
}

#[test]
fn what_the_calendar_expects_does_not_alarm_and_is_not_learned_as_usual() {
    for name in WITH_BASELINE {
        let mut watch = taught(name, 5);
        let mut window = window(5 * 84 + 6);
        window.parts = vec![part(&window, 1, 20), part(&window, 2, 40), part(&window, 3, 60)];
        let surprising = watch.detector.score(&window, &watch.settings);
        window.level = Level { multiplier: 5.0, uncertainty: 0.0 };
        let sure = watch.detector.score(&window, &watch.settings);
        window.level.uncertainty = 0.5;
        let unsure = watch.detector.score(&window, &watch.settings);
        assert!(surprising.alarm && !sure.alarm && !unsure.alarm, "{name}");
        assert!((sure.expected / surprising.expected - 5.0).abs() < 0.01);
        assert!(unsure.high > sure.high, "{name}: what is not known well widens the range");
        let usual = crate::made::window(5 * 84 + 18);
        let with = |watch: &Watch| {
            let parts = (1..=3).map(|source| part(&usual, source, 1)).collect();
            watch.detector.score(&detection::Window { parts, ..usual.clone() }, &watch.settings).expected
        };
        let before = with(&watch);
        watch.detector.learn(&window, true, &watch.settings);
        let after = with(&watch);
        assert!((after / before - 1.0).abs() < 0.1, "{name}: {before} {after}");
    }
}

#[test]
fn dismissals_raise_what_is_needed() {
    let mut watch = taught(DetectorName::Default, 5);
    let mut window = window(5 * 84 + 6);
    window.parts = vec![part(&window, 1, 20), part(&window, 2, 26), part(&window, 3, 34)];
    let first = watch.detector.score(&window, &watch.settings);
    assert!(first.alarm, "{first:?}");
    let mut high = first.high;
    for _ in 0..8 {
        let weights = train(DetectorName::Default, &watch.detector.weights(), &first.outputs, false).unwrap();
        watch.detector.set_weights(&weights);
        let now = watch.detector.score(&window, &watch.settings);
        assert!(now.high >= high && now.score <= first.score);
        high = now.high;
    }
    assert!(high > first.high);
    let weights = train(DetectorName::Default, &watch.detector.weights(), &first.outputs, true).unwrap();
    watch.detector.set_weights(&weights);
    assert!(watch.detector.score(&window, &watch.settings).high <= high);
    watch.detector.set_weights(&[f64::NAN; 3]);
    assert_eq!(watch.detector.weights(), weights, "what does not fit is ignored");
}

#[test]
fn wild_input_stays_finite() {
    for name in DetectorName::ALL {
        let mut watch = taught(name, 1);
        let mut at = window(90);
        if WITH_BASELINE.contains(&name) {
            at.level = Level { multiplier: f64::NAN, uncertainty: f64::INFINITY };
        }
        // Ends before it begins, spans years, has four billion stories, names a source twice.
        let early = Part { until: at.from - SignedDuration::from_hours(3), ..part(&at, 1, 3) };
        let years = Part { since: at.from - SignedDuration::from_hours(50_000), ..part(&at, 2, 1000) };
        at.parts = vec![early, years, part(&at, 3, u32::MAX), part(&at, 3, u32::MAX), part(&at, 9, u32::MAX)];
        for open in [true, false] {
            at.open = open;
            let score = watch.detector.score(&at, &watch.settings);
            assert!(
                score.score.is_finite() && score.expected.is_finite() && !score.reason.contains("NaN"),
                "{name} {score:?}"
            );
        }
        watch.detector.learn(&at, true, &watch.settings);
        at.level = Level::USUAL;
        let score = watch.detector.score(&at, &watch.settings);
        assert!(score.score.is_finite() && score.expected.is_finite(), "{name} {score:?}");
    }
}
