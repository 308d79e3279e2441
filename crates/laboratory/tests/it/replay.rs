//! Replay against a naive one, and what it refuses.

use jiff::{SignedDuration, Timestamp};
use laboratory::replay::{
    Collector, Contestant, Experiment, Progress, ReplayError, Row, Trace, Training, summaries,
};
use laboratory::trace::Published;
use scheduling::{PlanSettings, PolicyName};
use std::ops::ControlFlow;

const START: &str = "2026-01-05T00:00:00Z";

fn later(minutes: i64) -> Timestamp {
    START.parse::<Timestamp>().unwrap() + SignedDuration::from_mins(minutes)
}

fn article(minute: i64, source: &str, number: usize) -> Published {
    Published {
        at: later(minute),
        source: source.to_owned(),
        url: format!("https://{source}.example/{number}"),
        title: format!("story {number} of {source} today"),
        text: None,
        folders: Vec::new(),
        line: number as u64 + 2,
    }
}

fn trace(articles: impl IntoIterator<Item = Published>) -> Trace {
    let mut collector = Collector::new(later(10_000_000));
    for article in articles {
        let folders = article.folders.clone();
        collector.add(&article, folders).unwrap();
    }
    collector.finish().unwrap()
}

/// Four weeks of a busy and a quiet source, more by day than by night.
fn made() -> Trace {
    let mut all = Vec::new();
    let mut state = 7_u64;
    for hour in 0..28 * 24 {
        for (source, share) in [("busy", 60), ("quiet", 8), ("some", 25)] {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let by_day = if hour % 24 >= 8 { 1 } else { 4 };
            if (state >> 33) % 100 < share / by_day {
                let mut one = article(hour * 60 + (state >> 40) as i64 % 60, source, all.len());
                one.folders = if (state >> 50).is_multiple_of(3) { vec!["Gold".into()] } else { Vec::new() };
                all.push(one);
            }
        }
    }
    trace(all)
}

fn experiment<'a>(trace: &'a Trace, names: &str, budget: f64, seeds: u64) -> Experiment<'a> {
    Experiment {
        trace,
        contestants: Contestant::list(names).unwrap(),
        visits_per_day: vec![budget],
        training: Training::Weeks(2),
        seeds,
        page_size: 30,
        watching: detection::Settings::default(),
        plan: PlanSettings::default(),
    }
}

fn run(experiment: &Experiment<'_>) -> Result<Vec<Row>, ReplayError> {
    experiment.run(&mut |_| ControlFlow::Continue(()))
}

#[test]
fn the_same_seed_gives_the_same_rows_and_another_one_others() {
    let trace = made();
    let all = experiment(&trace, "all", 6.0, 2);
    let rows = run(&all).unwrap();
    assert_eq!(rows, run(&all).unwrap());
    assert_eq!(rows.len(), 2 * Contestant::all().len());
    let even: Vec<&Row> = rows.iter().filter(|row| row.policy == "even").collect();
    assert!((even[0].mean_minutes - even[1].mean_minutes).abs() > 1e-9);
    for row in &rows {
        assert!(row.mean_minutes >= 0.0 && row.coverage <= 1.0, "{row:?}");
        assert!(row.median_minutes <= row.p95_minutes, "{row:?}");
        let plain = row.interest_mean_minutes - row.mean_minutes;
        assert!(plain.abs() < 1e-9, "all articles weigh the same: {row:?}");
    }
}

#[test]
fn even_polling_waits_half_an_interval_and_makes_its_visits() {
    let trace = made();
    let rows = run(&experiment(&trace, "even", 6.0, 10)).unwrap();
    let mean = rows.iter().map(|row| row.mean_minutes).sum::<f64>() / 10.0;
    assert!((mean - 120.0).abs() < 12.0, "{mean}");
    assert!(rows.iter().all(|row| (row.visits_per_source_day / 6.0 - 1.0).abs() < 0.01), "{rows:?}");
    assert!(rows.iter().all(|row| row.gap_closed.is_none_or(|gap| gap.abs() < 1e-9)));
}

#[test]
fn summaries_tell_how_sure_a_difference_is() {
    let trace = made();
    let mut both = experiment(&trace, "even,static-random", 4.8, 4);
    both.visits_per_day = vec![4.8, 9.6];
    let rows = run(&both).unwrap();
    let told = summaries(&rows);
    assert_eq!(told.len(), 4);
    assert_eq!(told.iter().filter(|one| one.minus_reference.is_none()).count(), 2, "one reference a budget");
    for one in told.iter().filter_map(|one| one.minus_reference) {
        assert!(one.low <= one.mean && one.mean <= one.high, "{one:?}");
    }
}

#[test]
fn whoever_watches_may_stop_it() {
    let trace = made();
    let mut seen = Vec::new();
    let stopped = experiment(&trace, "even", 6.0, 50).run(&mut |progress: Progress| {
        seen.push(progress);
        if seen.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(stopped, Err(ReplayError::Stopped)));
    assert!(seen.len() < 50 && seen[0].all >= 50);
}

#[test]
fn one_source_and_two_weeks_are_enough() {
    let articles = (0..300).map(|number| article(number as i64 * 67, "only", number));
    let trace = trace(articles);
    let mut one = experiment(&trace, "even,planner", 4.8, 1);
    one.training = Training::Weeks(1);
    assert_eq!(run(&one).unwrap().len(), 2);
}

#[test]
fn what_cannot_be_replayed_is_refused() {
    let trace = made();
    let error = |change: &dyn Fn(&mut Experiment<'_>)| {
        let mut one = experiment(&trace, "even", 4.8, 1);
        change(&mut one);
        run(&one).unwrap_err().to_string()
    };
    assert!(error(&|one| one.training = Training::Weeks(0)).contains("at least one week to learn"));
    assert!(error(&|one| one.training = Training::Weeks(9)).contains("at most 3 weeks"));
    assert!(error(&|one| one.visits_per_day = vec![0.0]).contains("no budget"));
    assert!(error(&|one| one.visits_per_day = vec![f64::NAN]).contains("no budget"));
    assert!(error(&|one| one.visits_per_day = vec![400.0]).contains("at most every 5 minutes, 288 times"));
    assert!(error(&|one| one.seeds = 0).contains("seed"));
    let name = Contestant::list("even,planer").unwrap_err().to_string();
    assert!(name.contains("Did you mean “planner”?"), "{name}");
    let folder = trace.interests(&[("Glod".to_owned(), 1.0)]).unwrap_err().to_string();
    assert!(folder.contains("did you mean “Gold”?"), "{folder}");
    let short = self::trace((0..5).map(|number| article(number as i64, "a", number)));
    assert!(run(&experiment(&short, "even", 1.0, 1)).unwrap_err().to_string().contains("two weeks"));
    assert!(matches!(Collector::new(later(0)).finish(), Err(ReplayError::Empty)));
    let future = Collector::new(later(0)).add(&article(60, "a", 0), Vec::new()).unwrap_err();
    assert!(future.contains("future"), "{future}");
}

#[test]
fn disorder_and_copies_are_mended_and_told() {
    let mut all = vec![article(30, "a", 0), article(10, "a", 1), article(20, "b", 2), article(40, "a", 1)];
    all[3].line = 5;
    let trace = trace(all);
    let minutes: Vec<i64> =
        trace.articles().iter().map(|one| one.at.duration_since(later(0)).as_mins()).collect();
    assert_eq!(minutes, [10, 20, 30]);
    let notes = trace.notes().join("\n");
    assert!(notes.contains("2 lines are earlier") || notes.contains("first is line 3"), "{notes}");
    assert!(notes.contains("1 line is of a source and URL") && notes.contains("line 5"), "{notes}");
}

#[test]
fn three_days_are_enough_for_a_share() {
    let of = |days: i64| trace((0..days * 24).map(|hour| article(hour * 60, "a", hour as usize)));
    let (three, two) = (of(4), of(2));
    let mut share = experiment(&three, "even", 24.0, 1);
    share.training = Training::Share(0.6);
    let row = run(&share).unwrap().remove(0);
    assert!(row.mean_minutes <= 60.0 && row.mean_minutes > 0.0, "{row:?}");
    share.trace = &two;
    assert!(run(&share).unwrap_err().to_string().contains("at least three"));
}

#[test]
fn every_policy_has_its_name_in_the_list() {
    for name in PolicyName::ALL {
        assert_eq!(name.word().parse::<Contestant>().unwrap(), Contestant::Policy(name));
    }
}
