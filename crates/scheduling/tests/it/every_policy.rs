//! What every policy must do.

use crate::world::{DAY, Demands, Random, START, World, at, drive, none, observation};
use model::{FailureKind, Outcome, SourceId};
use proptest::prelude::*;
use scheduling::{News, Pace, PlanSettings, PolicyName, Signal, Watched};
use std::time::Duration;

pub(crate) fn rates() -> Vec<f64> {
    let mut random = Random(3);
    (0..12).map(|_| 0.5 * 60.0_f64.powf(random.share())).collect()
}

#[test]
fn meets_the_budget_within_a_percent() {
    let world = World::new(&rates(), 21, 42, true, 1);
    for name in PolicyName::ALL {
        let by_the_hour = matches!(name, PolicyName::Cam | PolicyName::Wic | PolicyName::Planner);
        let budgets = [(4.8, Pace::Free), (9.0, if by_the_hour { Pace::Hourly } else { Pace::Free })];
        for (visits, pace) in budgets {
            let settings = PlanSettings { visits_per_source_day: visits, pace, ..PlanSettings::default() };
            let demands = Demands { interval: none, hint: none };
            let made = drive(&world, name, &settings, demands).visits_per_source_day;
            assert!((made / visits - 1.0).abs() < 0.01, "{name} made {made:.3} of {visits} visits, {pace:?}");
        }
    }
}

#[test]
fn the_users_interval_and_the_servers_hints_are_kept() {
    let world = World::new(&rates(), 14, 7, true, 2);
    let interval = |source: usize| source.is_multiple_of(4).then(|| Duration::from_hours(3));
    let hint = |source: usize| (source % 4 == 1).then(|| Duration::from_hours(7));
    let demands = Demands { interval, hint };
    for name in PolicyName::ALL {
        let course = drive(&world, name, &PlanSettings::default(), demands);
        for source in (0..world.sources.len()).step_by(4) {
            let gaps: Vec<i64> = course.visits[source].windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert!(gaps.len() > 50 && gaps[1..].iter().all(|gap| *gap == DAY / 8), "{name} {gaps:?}");
        }
    }
}

#[test]
fn the_same_observations_give_the_same_plans() {
    let world = World::new(&rates(), 14, 10, true, 4);
    for name in PolicyName::ALL {
        let course = || drive(&world, name, &PlanSettings::default(), Demands { interval: none, hint: none });
        assert_eq!(course(), course(), "{name}");
    }
}

#[test]
fn failures_are_tried_again_and_nothing_is_left_alone() {
    for name in PolicyName::ALL {
        let mut policy = name.build(&PlanSettings::default());
        let source = Watched { id: SourceId(1), interval: None };
        let mut visit = observation(source, START, Vec::new(), None);
        visit.outcome = Outcome::Failed { kind: FailureKind::Connect, detail: String::new() };
        visit.failures = 1;
        let planned = policy.observe(&visit);
        assert!(planned.at > visit.at && planned.at <= at(START + DAY), "{name} {planned:?}");
        assert!(planned.reason.contains("failed"), "{name} {planned:?}");
        let planned = policy.observe(&observation(source, START + DAY, Vec::new(), None));
        assert!(planned.at <= at(START + DAY + DAY * 8 / 5), "{name} {planned:?}");
        policy.forget(source.id);
        policy.set_budget(0.0);
        policy.observe(&observation(source, START + 2 * DAY, Vec::new(), None));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Whatever comes in, in whatever order: no plan in the past, none before the hint, no panic.
    #[test]
    fn copes_with_anything(
        steps in prop::collection::vec((0..5_i64, -30..900_i64, 0..40_u32, 0..4_u32, prop::option::of(-10..3000_i64)), 1..40),
        budget in prop_oneof![Just(0.0), Just(1e9), 0.1..100.0_f64],
        name in prop::sample::select(&PolicyName::ALL[..]),
    ) {
        let settings = PlanSettings { visits_per_source_day: budget, ..PlanSettings::default() };
        let mut policy = name.build(&settings);
        let mut now = START;
        for (id, minutes, new, kind, hint) in steps {
            now = (now + minutes * 60_000).max(0);
            let source = Watched { id: SourceId(id), interval: (id == 4).then(|| Duration::from_mins(10)) };
            if kind == 3 {
                let factor = f64::from(new) - 5.0;
                let signal = Signal { source: source.id, at: at(now), factor, reason: "event in Sport".into() };
                if let Some(planned) = policy.signal(&signal) {
                    prop_assert!(planned.at >= at(now));
                }
                continue;
            }
            let news = (0..new).map(|index| News { at: at(now - i64::from(index) * 977_000 + 5000), folders: vec![] });
            let mut visit = observation(source, now, news.collect(), hint.map(|hint| now + hint * 60_000));
            if kind == 1 {
                visit.outcome = Outcome::Busy { status: 429, until: at(now + 1_800_000) };
            }
            let planned = policy.observe(&visit);
            prop_assert!(planned.at > visit.at, "{name} {planned:?}");
            let believed = visit.earliest.map(|earliest| earliest.min(at(now + DAY)));
            prop_assert!(believed.is_none_or(|earliest| planned.at >= earliest), "{name} {planned:?}");
            if let Some(round) = policy.next_round() {
                let round = round.max(at(now));
                for (_, planned) in policy.round(round) {
                    prop_assert!(planned.at >= round, "{name} {planned:?}");
                }
            }
            policy.outlook(source.id, at(now));
        }
    }
}
