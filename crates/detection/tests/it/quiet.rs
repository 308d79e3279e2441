//! What is no event must raise none.

use crate::made::{Dice, Even, Watch, habit, hour, part, window};
use detection::{AnyDetector, Detector, DetectorName, Part};
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use model::SourceId;

const JUDGES: [DetectorName; 2] = [DetectorName::Default, DetectorName::NegativeBinomial];
const WEEK: i64 = 84;

/// Shows a series to each judge and wants no alarm.
fn quiet(series: impl Fn(&mut Watch)) {
    for name in JUDGES {
        let mut watch = Watch::new(name);
        series(&mut watch);
        assert!(watch.alarms.is_empty(), "{name}: {:?}", watch.alarms);
    }
}

#[test]
fn a_perfectly_regular_site() {
    for count in [0, 1, 5, 40] {
        quiet(|watch| {
            for at in 0..8 * WEEK {
                let mut window = window(at);
                window.parts.push(part(&window, 1, count));
                watch.show(&window);
            }
        });
    }
}

#[test]
fn a_site_that_publishes_every_morning() {
    quiet(|watch| {
        for at in 0..8 * WEEK {
            let mut window = window(at);
            let count = if at % 12 == 4 { 20 } else { 0 };
            // The first mornings nobody can know what is coming: the site was never seen to do it.
            window.parts.push(part(&window, 1, count));
            watch.show(&window);
        }
    });
}

#[test]
fn a_site_that_falls_silent() {
    quiet(|watch| {
        let mut even: [Even; 3] = Default::default();
        for at in 0..12 * WEEK {
            let mut window = window(at);
            let mean = 4.0 * habit(hour(&window, &TimeZone::UTC));
            for (source, even) in (1..).zip(&mut even) {
                let silent = source == 1 && at > 4 * WEEK;
                let count = if silent { 0 } else { even.count(mean) };
                window.parts.push(part(&window, source, count));
            }
            watch.show(&window);
        }
    });
}

#[test]
fn a_whole_folder_that_falls_silent() {
    quiet(|watch| {
        for at in 0..10 * WEEK {
            let mut window = window(at);
            window.parts.push(part(&window, 1, if at < 4 * WEEK { 6 } else { 0 }));
            watch.show(&window);
        }
    });
}

#[test]
fn a_site_that_was_away_for_a_month() {
    // It comes back with one part over all the time, or without a part for it; with as much as before, or four times.
    for (is_long, more) in [(false, 1.0), (true, 1.0), (false, 4.0), (true, 4.0)] {
        quiet(|watch| {
            let (mut one, mut two) = (Even::default(), Even::default());
            for at in 0..12 * WEEK {
                let mut window = window(at);
                let mean = 3.0 * habit(hour(&window, &TimeZone::UTC));
                window.parts.push(part(&window, 1, one.count(mean)));
                let (left, back) = (4 * WEEK, 8 * WEEK + 5);
                if at < left || at > back {
                    let mean = if at > back { more * mean } else { mean };
                    window.parts.push(part(&window, 2, two.count(mean)));
                } else if at == back && is_long {
                    let since = window.to - SignedDuration::from_hours(2 * (back - left));
                    window.parts.push(Part { source: SourceId(2), since, until: window.to, count: 60 });
                }
                watch.show(&window);
            }
        });
    }
}

#[test]
fn a_site_that_is_visited_once_a_week() {
    quiet(|watch| {
        let (mut one, mut two) = (Even::default(), Even::default());
        for at in 0..20 * WEEK {
            let mut window = window(at);
            window.parts.push(part(&window, 1, one.count(3.0 * habit(hour(&window, &TimeZone::UTC)))));
            if at % WEEK == 40 {
                let since = window.to - SignedDuration::from_hours(2 * WEEK);
                window.parts.push(Part {
                    source: SourceId(2),
                    since,
                    until: window.to,
                    count: two.count(80.0),
                });
            }
            let score = watch.show(&window);
            if at == 19 * WEEK + 40 {
                assert!(score.expected > 60.0, "{score:?}");
            }
        }
    });
}

#[test]
fn a_new_site() {
    // As large as all others together, or ten times as large.
    for size in [1.0, 10.0] {
        quiet(|watch| {
            let mut even: [Even; 4] = Default::default();
            for at in 0..10 * WEEK {
                let mut window = window(at);
                let mean = 2.0 * habit(hour(&window, &TimeZone::UTC));
                for (source, even) in (1..).zip(&mut even) {
                    let mean = if source == 4 { 3.0 * size * mean } else { mean };
                    if source < 4 || at >= 4 * WEEK {
                        window.parts.push(part(&window, source, even.count(mean)));
                    }
                }
                watch.show(&window);
            }
        });
    }
}

#[test]
fn a_new_folder() {
    // Begins at any hour of the day.
    for first in 0..12 {
        quiet(|watch| {
            let mut even = Even::default();
            for at in first..first + 2 * WEEK {
                let mut window = window(at);
                let mean = 5.0 * habit(hour(&window, &TimeZone::UTC));
                window.parts.push(part(&window, 1, even.count(mean)));
                watch.show(&window);
            }
        });
    }
}

#[test]
fn clocks_change_in_spring_and_autumn() {
    // Habits follow local time: Berlin changes on 29 March and 25 October 2026.
    quiet(|watch| {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        watch.settings.zone = zone.clone();
        let mut even = Even::default();
        for at in 0..46 * WEEK {
            let mut window = window(at);
            // Ten times as much from nine to eleven: who gets the hour wrong sees it.
            let rate = |hour: f64| if (9.0..11.0).contains(&hour) { 15.0 } else { 1.5 };
            let second = hour(&window, &zone);
            let mean = rate((second + 23.0) % 24.0) + rate(second);
            window.parts.push(part(&window, 1, even.count(mean)));
            watch.show(&window);
        }
    });
}

#[test]
fn about_as_few_false_alarms_as_promised() {
    // Ten folders of Poisson counts for twelve weeks: one in four weeks and folder are 30; 42 would be two deviations more.
    for name in JUDGES {
        let mut alarms = 0;
        for folder in 0..10 {
            let mut watch = Watch::new(name);
            let mut dice = Dice::new(1000 + folder);
            for at in 0..12 * WEEK {
                let mut window = window(at);
                let mean = (1.0 + folder as f64) * 0.3 * habit(hour(&window, &TimeZone::UTC));
                for source in 1..=3 {
                    window.parts.push(part(&window, source, dice.poisson(mean)));
                }
                watch.show(&window);
            }
            alarms += watch.alarms.len();
        }
        assert!(alarms <= 42, "{name}: {alarms} alarms in 120 folder weeks");
    }
}

#[test]
fn a_real_burst_is_seen_by_both() {
    for name in JUDGES {
        let mut watch = Watch::new(name);
        let mut dice = Dice::new(6);
        for at in 0..6 * WEEK {
            let mut window = window(at);
            let mean = 2.0 * habit(hour(&window, &TimeZone::UTC));
            let burst = if at >= 5 * WEEK + 6 { 8.0 } else { 0.0 };
            for source in 1..=3 {
                window.parts.push(part(&window, source, dice.poisson(mean + burst)));
            }
            watch.show(&window);
            if at == 5 * WEEK + 7 {
                assert!(!watch.alarms.is_empty(), "{name} has not noticed after two windows");
            }
        }
    }
}

#[test]
fn state_survives_storage() {
    for name in DetectorName::ALL {
        let mut watch = Watch::new(DetectorName::Default);
        watch.detector = AnyDetector::new(name, &watch.settings);
        let mut dice = Dice::new(7);
        let mut last = window(0);
        for at in 0..3 * WEEK {
            let mut window = window(at);
            for source in 1..=3 {
                window.parts.push(part(&window, source, dice.poisson(3.0)));
            }
            watch.detector.learn(&window, true, &watch.settings);
            last = window;
        }
        let text = serde_json::to_string(&watch.detector).unwrap();
        let back: AnyDetector = serde_json::from_str(&text).unwrap();
        assert_eq!(back.name(), name);
        let (one, other) = (watch.detector.score(&last, &watch.settings), back.score(&last, &watch.settings));
        assert!((one.score - other.score).abs() < 1e-9, "{name}: {} {}", one.score, other.score);
    }
}
