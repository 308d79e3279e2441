//! Parameters of the policies, tried on the first eight weeks alone: five to learn, three to test.
//! `cargo run --release -p laboratory --example grid -- POLICIES TRACE…` (`all` for all) prints the mean delay of each choice at 4.8 visits, three seeds.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for those who work on policies")]

use laboratory::amoc::FolderRules;
use laboratory::replay::{Contestant, Experiment, Trace, Training, summaries};
use scheduling::{PlanSettings, PolicyName, Tuning};
use std::ops::ControlFlow;

/// Sets one parameter.
type Set = fn(&mut Tuning, f64);
type Change = Box<dyn Fn(&mut Tuning, &mut detection::Settings)>;

/// Each policy with its parameter and the values that are tried; the first is what its paper or program has.
fn grid() -> Vec<(PolicyName, String, Change)> {
    let mut all: Vec<(PolicyName, String, Change)> = Vec::new();
    let mut add = |name, what: &str, values: &[f64], set: fn(&mut Tuning, &mut detection::Settings, f64)| {
        for value in values {
            let value = *value;
            all.push((name, format!("{what} {value}"), Box::new(move |t, w| set(t, w, value))));
        }
    };
    add(PolicyName::Even, "–", &[0.0], |_, _, _| {});
    add(PolicyName::Sqrt, "–", &[0.0], |_, _, _| {});
    add(PolicyName::StaticTopDown, "–", &[0.0], |_, _, _| {});
    add(PolicyName::DayHour, "θ/A", &[0.2, 0.5, 1.0, 2.0, 4.0, 8.0], |_, w, v| w.day_hour.theta = v);
    add(PolicyName::Dc1, "threshold", &[1.0, 1.5, 2.0, 4.0, 8.0], |_, w, v| w.threshold = Some(v));
    add(PolicyName::Grubbs, "α", &[0.05, 0.01, 0.001, 0.0001], |_, w, v| w.grubbs.alpha = v);
    add(PolicyName::Cam, "slot", &[0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0], |t, _, v| t.cam_slot = v);
    add(PolicyName::Wic, "urgency hours", &[0.0, 2.0, 6.0, 24.0], |t, _, v| t.wic_urgency_hours = v);
    add(PolicyName::Wic, "instant", &[0.017, 0.033, 0.067, 0.1, 0.2, 0.3, 0.4], |t, _, v| t.wic_step = v);
    add(PolicyName::Bright, "burst", &[0.5, 0.25, 0.75, 1.0], |t, _, v| t.bright_burst = v);
    add(PolicyName::EntryFrequency, "–", &[0.0], |_, _, _| {});
    add(PolicyName::Planner, "as it is", &[0.0], |_, _, _| {});
    add(PolicyName::Planner, "half-life, weeks", &[2.0, 4.0, 16.0], |t, _, v| {
        t.forecast.profile.half_life = v;
    });
    add(PolicyName::Planner, "prior of an hour", &[4.0, 8.0, 16.0, 64.0], |t, _, v| {
        t.forecast.profile.cell_prior = v;
    });
    add(PolicyName::Planner, "prior of a day", &[2.0, 12.0], |t, _, v| t.forecast.profile.day_prior = v);
    add(PolicyName::Planner, "trust in 18 h", &[0.0, 0.5], |t, _, v| t.forecast.bursts[1].trust = v);
    add(PolicyName::Planner, "burst scale 18 h →", &[9.0, 12.0, 24.0, 36.0], |t, _, v| {
        t.forecast.bursts[1].hours = v;
    });
    add(PolicyName::Planner, "prior of trust", &[2.0, 50.0, 1e9], |t, _, v| t.forecast.trust.prior = v);
    add(PolicyName::Planner, "slot, minutes", &[5.0, 20.0], |t, _, v| t.planner.slot_minutes = v);
    add(PolicyName::Planner, "gain", &[0.25, 1.0], |t, _, v| t.planner.gain = v);
    for (shorter, longer) in
        [(0.8, 1.4), (0.5, 2.0), (0.8, 1.2), (0.9, 1.1), (0.95, 1.05), (0.99, 1.01), (0.8, 1.02)]
    {
        let what = format!("× {shorter} / × {longer}");
        all.push((
            PolicyName::Nutch,
            what.clone(),
            Box::new(move |t, _| (t.nutch.shorter, t.nutch.longer) = (shorter, longer)),
        ));
        all.push((
            PolicyName::DuplicateShare,
            what,
            Box::new(move |t, _| (t.duplicate_share.shorter, t.duplicate_share.longer) = (shorter, longer)),
        ));
    }
    let powers: [(PolicyName, Set); 2] = [
        (PolicyName::LambdaCrawl, |t, v| t.demand_power.lambda_crawl = v),
        (PolicyName::Azar, |t, v| t.demand_power.azar = v),
    ];
    for (name, set) in powers {
        for power in [1.0, 0.7, 0.5, 0.3, 0.0, -0.5] {
            all.push((name, format!("demand ∝ rate^{power}"), Box::new(move |t, _| set(t, power))));
        }
    }
    all.sort_by_key(|(name, ..)| *name);
    all
}

fn main() {
    let mut traces = Vec::new();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let chosen = Contestant::list(words.first().map_or("all", String::as_str)).unwrap();
    for file in words.iter().skip(1) {
        let mut rules = FolderRules::reported().unwrap();
        let trace = Trace::read(file.as_ref(), jiff::Timestamp::now(), |article| rules.file_article(article))
            .unwrap();
        traces.push(trace.first_weeks(8));
    }
    for (name, what, change) in grid() {
        if !chosen.contains(&Contestant::Policy(name)) {
            continue;
        }
        let mut plan = PlanSettings::default();
        let mut watching = detection::Settings::default();
        change(&mut plan.tuning, &mut watching);
        let means: Vec<String> = traces
            .iter()
            .map(|trace| {
                let experiment = Experiment {
                    trace,
                    contestants: vec![Contestant::Policy(name)],
                    visits_per_day: vec![4.8],
                    training: Training::Weeks(5),
                    seeds: 3,
                    page_size: 30,
                    watching: watching.clone(),
                    plan: plan.clone(),
                };
                let rows = experiment.run(&mut |_| ControlFlow::Continue(())).unwrap();
                let mean = &summaries(&rows)[0].mean;
                format!("{:.1} ({:.2})", mean.mean_minutes, mean.visits_per_source_day)
            })
            .collect();
        println!("| `{name}` | {what} | {} |", means.join(" | "));
    }
}
