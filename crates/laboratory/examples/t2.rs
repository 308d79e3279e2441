//! Policies against each other on a history, without building the whole program:
//! `cargo run --release -p laboratory --example t2 -- TRACE POLICIES VISITS [SEEDS] [free|hourly] [FOLDER] [RULES] [SVG]`; `-` for no folder.
//! With a folder all else weighs nothing.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for those who work on policies")]

use laboratory::amoc::FolderRules;
use laboratory::replay::report::{budget_curve, delay_bars};
use laboratory::replay::{Contestant, Experiment, Trace, Training, summaries};
use scheduling::{Pace, PlanSettings};
use std::ops::ControlFlow;
use std::time::Instant;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize, default: &str| words.get(at).map_or(default, String::as_str).to_owned();
    let mut rules = match words.get(6).filter(|word| *word != "-") {
        Some(file) => FolderRules::parse(&std::fs::read_to_string(file).unwrap()).unwrap(),
        None => FolderRules::reported().unwrap(),
    };
    let began = Instant::now();
    let trace =
        Trace::read(word(0, "").as_ref(), jiff::Timestamp::now(), |article| rules.file_article(article))
            .unwrap();
    let interests = match words.get(5).filter(|word| *word != "-") {
        Some(folder) => vec![(folder.clone(), 1.0), ("others".to_owned(), 0.0)],
        None => Vec::new(),
    };
    let plan = PlanSettings {
        pace: if word(4, "free") == "hourly" { Pace::Hourly } else { Pace::Free },
        interests: trace.interests(&interests).unwrap(),
        ..PlanSettings::default()
    };
    let read = began.elapsed();
    let experiment = Experiment {
        trace: &trace,
        contestants: Contestant::list(&word(1, "all")).unwrap(),
        visits_per_day: word(2, "4.8").split(',').map(|one| one.parse().unwrap()).collect(),
        training: Training::Weeks(8),
        seeds: word(3, "1").parse().unwrap(),
        page_size: 30,
        watching: detection::Settings::default(),
        plan,
    };
    let rows = experiment.run(&mut |_| ControlFlow::Continue(())).unwrap();
    println!(
        "policy            budget  visits    mean  median     p95  bursts interest cover  gap  minus planner"
    );
    for one in summaries(&rows) {
        let row = &one.mean;
        println!(
            "{:<16} {:>7} {:>7.3} {:>7.1} {:>7.1} {:>7.1} {:>7.1} {:>7.1} {:>6.3} {:>5.2} {}",
            row.policy,
            row.budget,
            row.visits_per_source_day,
            row.mean_minutes,
            row.median_minutes,
            row.p95_minutes,
            row.burst_mean_minutes,
            row.interest_mean_minutes,
            row.coverage,
            row.gap_closed.unwrap_or(f64::NAN),
            one.told_interval()
                .map(|one| format!("{:+.1} ({:+.1} … {:+.1})", one.mean, one.low, one.high))
                .unwrap_or_default()
        );
    }
    if let Some(file) = words.get(7) {
        let all = summaries(&rows);
        let picture = match experiment.visits_per_day.as_slice() {
            [budget] => delay_bars(&all, *budget),
            _ => budget_curve(&all),
        };
        std::fs::write(file, picture).unwrap();
    }
    println!("read in {:.1} s, all in {:.1} s", read.as_secs_f64(), began.elapsed().as_secs_f64());
}
