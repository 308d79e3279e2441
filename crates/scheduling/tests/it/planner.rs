//! The planner's own promises.

use crate::world::{DAY, Demands, HOUR, START, World, at, drive, none, observation};
use model::{FolderId, SourceId};
use scheduling::{Interests, News, Past, PlanSettings, Planner, Policy, PolicyName, Signal, Watched};
use std::collections::BTreeMap;

const QUIET: Demands = Demands { interval: none, hint: none };

#[test]
fn is_ahead_of_even_polling_and_of_the_square_root_where_sources_keep_hours() {
    let rates: Vec<f64> = (0..16).map(|index| 1.4_f64.powi(index)).collect();
    let world = World::new(&rates, 56, 28, true, 11);
    let minutes = |name| drive(&world, name, &PlanSettings::default(), QUIET).mean_minutes;
    let (even, sqrt, planner) =
        (minutes(PolicyName::Even), minutes(PolicyName::Sqrt), minutes(PolicyName::Planner));
    assert!(planner < 0.95 * sqrt && sqrt < 0.8 * even, "even {even}, sqrt {sqrt}, planner {planner}");
}

/// Ten articles a day at noon, for four weeks.
fn noon() -> Vec<News> {
    let article = |index: i64| News {
        at: at(START + index / 10 * DAY + 12 * HOUR + index % 10 * 60_000),
        folders: vec![],
    };
    (0..280).map(article).collect()
}

fn taught() -> (Planner, Watched, i64) {
    let mut planner = Planner::new(&PlanSettings::default());
    let source = Watched { id: SourceId(1), interval: None };
    let now = START + 28 * DAY;
    planner.learn(source, &Past { from: at(START), to: at(now), news: &noon() });
    (planner, source, now)
}

#[test]
fn comes_after_the_hour_in_which_articles_are_published() {
    let (mut planner, source, now) = taught();
    let mut visit = now + 9 * HOUR;
    let hours: Vec<i64> = (0..4)
        .map(|_| {
            visit = planner.observe(&observation(source, visit, Vec::new(), None)).at.as_millisecond();
            (visit - now) / HOUR
        })
        .collect();
    assert!(hours.contains(&12) || hours.contains(&13), "{hours:?}");
    let reason = planner.observe(&observation(source, now + DAY + 9 * HOUR, Vec::new(), None)).reason;
    assert!(reason.contains("articles expected since 09:00"), "{reason}");
}

#[test]
fn a_signal_brings_the_visit_forward() {
    let (mut planner, source, now) = taught();
    let evening = now + 18 * HOUR;
    let first = planner.observe(&observation(source, evening, Vec::new(), None));
    let signal =
        Signal { source: source.id, at: at(evening + HOUR), factor: 8.0, reason: "event in Sport".into() };
    let sooner = planner.signal(&signal).expect("a new plan");
    assert!(sooner.at < first.at && sooner.at > signal.at, "{sooner:?} instead of {first:?}");
    assert!(sooner.reason.starts_with("event in Sport; "), "{}", sooner.reason);
    assert_eq!(planner.signal(&Signal { source: SourceId(9), ..signal }), None);
}

#[test]
fn the_outlook_crosses_its_threshold_at_the_next_visit() {
    let (mut planner, source, now) = taught();
    let first = planner.observe(&observation(source, now + 9 * HOUR, Vec::new(), None)).at;
    let outlook = planner.outlook(source.id, at(now + 9 * HOUR)).expect("an outlook");
    assert_eq!(outlook.week.len(), 168);
    assert!(outlook.price > 0.0 && outlook.burst > 0.0);
    let crossing = outlook.points.iter().skip(1).find(|point| point.backlog >= point.threshold);
    let crossing = crossing.expect("a crossing").at;
    let apart = (crossing.as_millisecond() - first.as_millisecond()).abs();
    assert!(apart <= HOUR, "crosses at {crossing}, visit at {first}");
}

#[test]
fn goes_where_the_users_interest_is() {
    let mut interests = Interests { others: 0.0, folders: BTreeMap::new() };
    interests.folders.insert(FolderId(1), 1.0);
    let settings = PlanSettings { interests, ..PlanSettings::default() };
    let mut planner = Planner::new(&settings);
    let world = World::new(&[20.0, 20.0], 28, 1, false, 5);
    for (index, times) in world.sources.iter().enumerate() {
        let folders = if index == 0 { vec![FolderId(1)] } else { vec![FolderId(2)] };
        let news: Vec<News> =
            times.iter().map(|time| News { at: at(*time), folders: folders.clone() }).collect();
        let source = Watched { id: SourceId(index as i64), interval: None };
        planner.learn(source, &Past { from: at(START), to: at(world.learned), news: &news });
    }
    let mut wait = |id| {
        let source = Watched { id: SourceId(id), interval: None };
        planner.observe(&observation(source, world.learned, Vec::new(), None)).at.as_millisecond()
            - world.learned
    };
    let (interesting, dull) = (wait(0), wait(1));
    assert!(interesting * 3 < dull, "{interesting} and {dull}");
}

#[test]
fn ten_thousand_sources_added_at_once_do_not_stampede() {
    let mut planner = Planner::new(&PlanSettings::default());
    let mut minutes = vec![0; 24 * 60 + 1];
    for id in 0..3000 {
        let source = Watched { id: SourceId(id), interval: None };
        planner.begin(source, at(START));
        let next = planner.observe(&observation(source, START, Vec::new(), None)).at.as_millisecond();
        minutes[((next - START) / 60_000) as usize] += 1;
    }
    let busiest = minutes.iter().max().unwrap();
    assert!(*busiest < 60, "{busiest} of 3,000 in one minute");
}
