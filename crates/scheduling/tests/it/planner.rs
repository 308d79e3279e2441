//! The planner's own promises.

use crate::every_policy::rates;
use crate::world::{DAY, Demands, HOUR, START, World, at, drive, none, observation};
use model::{FolderId, SourceId};
use scheduling::market::{self, Demand};
use scheduling::{Interests, News, Pace, Past, PlanSettings, Planner, Policy, PolicyName, Signal, Watched};
use std::collections::BTreeMap;
use std::time::Duration;

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

#[test]
fn meets_budgets_from_one_visit_in_two_days_to_two_hundred_a_day() {
    for (budget, days) in [(0.5, 56), (4.8, 28), (24.0, 7), (48.0, 4), (96.0, 3), (200.0, 3)] {
        let world = World::new(&rates(), 21, days, true, 1);
        // Choosing in rounds takes longer to work out.
        let paces =
            if [0.5, 48.0].contains(&budget) { &[Pace::Free, Pace::Hourly][..] } else { &[Pace::Free] };
        for &pace in paces {
            let mut settings =
                PlanSettings { visits_per_source_day: budget, pace, ..PlanSettings::default() };
            // Prices are worked out again in the time that is looked at.
            settings.tuning.planner.reprice_days = days as f64 / 2.5;
            let course = drive(&world, PolicyName::Planner, &settings, QUIET);
            let made = course.visits_per_source_day;
            assert!((made / budget - 1.0).abs() < 0.03, "{made:.3} of {budget} visits, {pace:?}");
        }
    }
}

#[test]
fn a_small_budget_lengthens_the_longest_gap() {
    let settings = |visits_per_source_day| PlanSettings { visits_per_source_day, ..PlanSettings::default() };
    for (visits, hours) in [(48.0, 24), (4.8, 24), (2.5, 24), (1.0, 60), (0.5, 120), (0.0, 90 * 24)] {
        assert_eq!(settings(visits).longest(), Duration::from_hours(hours), "{visits}");
    }
    let world = World::new(&rates(), 21, 56, true, 1);
    for name in [PolicyName::Planner, PolicyName::Sqrt] {
        let course = drive(&world, name, &settings(0.5), QUIET);
        assert!((course.visits_per_source_day / 0.5 - 1.0).abs() < 0.03, "{name}");
        let gaps = course.visits.iter().flat_map(|visits| visits.windows(2).map(|pair| pair[1] - pair[0]));
        let longest = gaps.max().unwrap();
        assert!(longest > DAY * 5 / 2 && longest <= 5 * DAY + 1, "{name} {longest}");
    }
}

#[test]
fn a_weak_signal_does_not_erase_a_strong_one() {
    let next = |signals: &[(i64, f64)]| {
        let (mut planner, source, now) = taught();
        let evening = now + 18 * HOUR;
        planner.observe(&observation(source, evening, Vec::new(), None));
        for (minutes, factor) in signals {
            let at = at(evening + minutes * 60_000);
            let reason = "event in Sport".into();
            planner.signal(&Signal { source: source.id, at, factor: *factor, reason });
        }
        planner.observe(&observation(source, evening + HOUR, Vec::new(), None)).at
    };
    let (none, weak, strong) = (next(&[]), next(&[(40, 1.2)]), next(&[(30, 8.0)]));
    assert!(strong < weak && weak <= none, "{strong}, {weak} and {none}");
    assert_eq!(next(&[(30, 8.0), (40, 1.2)]), strong);
    assert_eq!(next(&[(30, 1.2), (40, 8.0)]), next(&[(40, 8.0)]));
}

/// Articles a week that the planner expects.
fn a_week(planner: &Planner, source: Watched, now: i64) -> f64 {
    planner.outlook(source.id, at(now)).map_or(0.0, |outlook| outlook.week.iter().sum())
}

#[test]
fn articles_dated_by_the_day_or_listed_late_count_as_any_other() {
    let expected = |date: fn(i64) -> i64| {
        let mut planner = Planner::new(&PlanSettings::default());
        let source = Watched { id: SourceId(1), interval: None };
        let mut now = START;
        for _ in 0..28 * 8 {
            let news = vec![News { at: at(date(now - HOUR)), folders: vec![] }];
            planner.observe(&observation(source, now, news, None));
            now += 3 * HOUR;
        }
        a_week(&planner, source, now)
    };
    let exact = expected(|time| time);
    assert!((exact / 56.0 - 1.0).abs() < 0.15, "{exact} of 56 a week");
    for date in [|time| time / DAY * DAY, |time| time - 2 * DAY, |time| time + 2 * DAY] {
        let counted = expected(date);
        assert!((counted / exact - 1.0).abs() < 0.02, "{counted}, {exact} with exact dates");
    }
}

#[test]
fn the_first_page_tells_the_rate_whatever_is_pinned_on_it() {
    let expected = |apart: i64, pinned: i64| {
        let mut planner = Planner::new(&PlanSettings::default());
        let source = Watched { id: SourceId(1), interval: None };
        let article = |index: i64| News {
            at: at(START - if index < pinned { 900 * DAY } else { index * apart + 1 }),
            folders: vec![],
        };
        planner.observe(&observation(source, START, (0..30).map(article).collect(), None));
        a_week(&planner, source, START)
    };
    let (busy, pinned, quiet, undated) =
        (expected(HOUR, 0), expected(HOUR, 3), expected(10 * DAY, 0), expected(0, 30));
    assert!((pinned / busy - 1.0).abs() < 0.25, "{busy} became {pinned}");
    assert!(busy > 25.0 && quiet < 10.0 && undated < 20.0, "{busy}, {quiet} and {undated} a week");
}

/// Sources with from one to a hundred articles a day, in one planner or in the parts that workers have.
fn price_of_part(part: &[i64], budget: f64, others: &mut Vec<Demand>) -> impl FnOnce(f64) -> f64 + use<> {
    let settings = PlanSettings { visits_per_source_day: budget, ..PlanSettings::default() };
    let mut planner = Planner::new(&settings);
    let (from, now) = (at(START), START + 28 * DAY);
    for id in part {
        let a_day = 1.1_f64.powi((*id % 48) as i32);
        let gap = (DAY as f64 / a_day) as i64;
        let article = |index: i64| News { at: at(START + index * gap), folders: vec![] };
        let news: Vec<News> = (0..28 * DAY / gap).map(article).collect();
        let source = Watched { id: SourceId(*id), interval: None };
        planner.learn(source, &Past { from, to: at(now), news: &news });
    }
    others.extend(planner.demand());
    let first = SourceId(part[0]);
    move |budget| {
        planner.set_budget(budget);
        planner.observe(&observation(Watched { id: first, interval: None }, now, Vec::new(), None));
        planner.outlook(first, at(now)).map_or(f64::NAN, |outlook| outlook.price)
    }
}

#[test]
fn planners_of_parts_find_the_price_of_the_whole() {
    for budget in [3.0, 12.0, 40.0] {
        let whole: Vec<i64> = (1..=150).collect();
        let price = price_of_part(&whole, budget, &mut Vec::new())(budget);
        // Uneven on purpose: the first part has the busiest sources.
        let busy: Vec<i64> = whole.iter().copied().filter(|id| id % 48 >= 30).collect();
        let quiet: Vec<i64> = whole.iter().copied().filter(|id| id % 48 < 30).collect();
        let mut demands = Vec::new();
        let parts: Vec<_> =
            [busy, quiet].iter().map(|part| price_of_part(part, budget, &mut demands)).collect();
        for (own, price_at) in demands.clone().iter().zip(parts) {
            let found = price_at(market::budget(own, &demands, budget));
            // Not the same to the last digit: frequent visits are planned in finer slots.
            assert!(
                (found / price - 1.0).abs() < 0.08,
                "{found} for a part, {price} for all, budget {budget}"
            );
        }
    }
}
