//! The AMOC evaluation on a small made history, against a naive one that runs each burst from the start.

use detection::{AnyDetector, DetectorName, Settings};
use laboratory::amoc::{
    Contender, FolderRules, Injection, Interval, PeakDetector, Protocol, Report, Series, contenders,
    injections, measure, series, sweep,
};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Three weeks of two outlets, gold and tea by turns; the same in every run.
fn history() -> String {
    let mut text = "published_at,source,url,title\n".to_owned();
    let mut state = 12_345_u64;
    let start: jiff::Timestamp = "2026-01-05T00:00:00Z".parse().unwrap();
    for hour in 0..21 * 24 {
        for (outlet, share) in [("one/news", 3), ("two/all", 2)] {
            for number in 0..4 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if (state >> 33) % 10 < share {
                    let at = start + jiff::SignedDuration::from_mins(hour * 60 + number * 13);
                    let word = if (state >> 40).is_multiple_of(2) { "Gold" } else { "tea" };
                    writeln!(text, "{at},{outlet},https://{outlet}/{hour}/{number},\"{word}, and more\"")
                        .unwrap();
                }
            }
        }
    }
    text
}

const RULES: &str = "if title has exact \"gold\" then Gold [1]\nif title has exact \"tea\" then Tea [2]\n";
const PROTOCOL: Protocol = Protocol { burn_in: 84, spread: 6, refractory: 3, patience: 24, hours: 2.0 };

fn made() -> Vec<Series> {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("history.csv");
    std::fs::write(&file, history()).unwrap();
    let mut rules = FolderRules::parse(RULES).unwrap();
    series(&file, &mut rules, Settings::default().window).unwrap()
}

#[test]
fn a_history_becomes_counts() {
    let all = made();
    assert_eq!(all.iter().map(|one| one.folder.as_str()).collect::<Vec<_>>(), ["Gold", "Tea"]);
    assert_eq!((all[0].windows(), all[0].sources), (21 * 12, 2));
    let lines = history().lines().count() as u64 - 1;
    assert_eq!(all[0].total() + all[1].total(), lines);
}

#[test]
fn bursts_are_drawn_as_the_protocol_says() {
    let all = made();
    let bursts = injections(&all, 60, 5, &PROTOCOL);
    assert_eq!(bursts, injections(&all, 60, 5, &PROTOCOL));
    assert_ne!(bursts, injections(&all, 60, 6, &PROTOCOL));
    for burst in &bursts {
        assert!(burst.onset >= PROTOCOL.burn_in && burst.onset + PROTOCOL.patience <= all[0].windows());
        let stories: u32 = burst.added.iter().map(|(_, _, stories)| stories).sum();
        let wanted = burst.factor * all[burst.folder].mean_day();
        assert!((f64::from(stories) - wanted).abs() <= 0.5, "{stories} {wanted}");
        assert!(burst.added.iter().all(|(later, source, _)| *later < 6 && *source < 2));
    }
    assert_eq!(bursts.iter().filter(|burst| burst.folder == 0).count(), 30);
}

/// Scores of a whole series with a burst in it, from the very start, at one threshold.
fn scores(contender: &Contender, series: &Series, burst: Option<&Injection>, threshold: f64) -> Vec<f64> {
    let settings = Settings { threshold: Some(threshold), ..contender.settings(&Settings::default()) };
    let mut detector = contender.fresh(&settings);
    let mut window = series.blank();
    (0..series.windows())
        .map(|at| {
            let mut counts = series.at(at).to_vec();
            for (later, source, stories) in burst.iter().flat_map(|burst| {
                burst.added.iter().map(|(later, source, stories)| (burst.onset + later, source, stories))
            }) {
                if later == at {
                    counts[*source] += stories;
                }
            }
            series.fill(at, &counts, &mut window);
            let score = detector.score(&window, &settings).score;
            detector.learn(&window, true, &settings);
            score
        })
        .collect()
}

fn alarms(scores: &[f64], threshold: f64) -> Vec<usize> {
    let mut alarms: Vec<usize> = Vec::new();
    for (at, score) in scores.iter().enumerate().skip(PROTOCOL.burn_in) {
        if *score >= threshold && alarms.iter().all(|alarm| at - alarm >= PROTOCOL.refractory) {
            alarms.push(at);
        }
    }
    alarms
}

#[test]
fn delays_and_false_alarms_are_those_of_a_naive_evaluation() {
    let all = made();
    let bursts = injections(&all, 18, 5, &PROTOCOL);
    let mut some = contenders();
    some.retain(|one| {
        ["default", "LR-CUSUM", "negative-binomial", "Huginn's peak", "DC-1, faithful"].contains(&one.name)
    });
    assert_eq!(some.len(), 5);
    for contender in some {
        let curve =
            measure(&contender, &all, &bursts, &[1.0, 7.0], &PROTOCOL, &Settings::default(), &mut || {});
        for point in &curve.points {
            let base: Vec<Vec<usize>> = all
                .iter()
                .map(|one| alarms(&scores(&contender, one, None, point.threshold), point.threshold))
                .collect();
            let weeks = all.len() as f64 * (all[0].windows() - PROTOCOL.burn_in) as f64 / 84.0;
            let count = base.iter().map(Vec::len).sum::<usize>() as f64 / weeks;
            assert!(
                (count - point.false_alarms).abs() < 1e-9,
                "{}: {count} {}",
                contender.name,
                point.false_alarms
            );
            assert!(point.false_alarms <= point.allowed);
            for (burst, delay) in bursts.iter().zip(&point.delays) {
                let heard = scores(&contender, &all[burst.folder], Some(burst), point.threshold);
                let own = alarms(&heard, point.threshold).into_iter().find(|at| {
                    (burst.onset..burst.onset + 24).contains(at)
                        && !base[burst.folder].iter().any(|alarm| alarm <= at && at - alarm < 3)
                });
                let naive = own.map_or(48.0, |at| (at - burst.onset + 1) as f64 * 2.0);
                assert!((naive - delay).abs() < 1e-9, "{} {burst:?}: {naive} {delay}", contender.name);
            }
        }
        // More alarms need not mean shorter delays: those that come without the burst silence its own.
        assert!(curve.points[0].threshold >= curve.points[1].threshold, "{}", contender.name);
    }
}

#[test]
fn waiting_costs_time_and_saves_alarms() {
    let all = made();
    let bursts = injections(&all, 30, 5, &PROTOCOL);
    let reactions = sweep(&all, &bursts, &PROTOCOL, &Settings::default());
    for pair in reactions.windows(2).filter(|pair| pair[0].theta.total_cmp(&pair[1].theta).is_eq()) {
        assert!(pair[0].held_hours < pair[1].held_hours);
        assert!(pair[0].false_alarms >= pair[1].false_alarms, "{pair:?}");
    }
    let at = |theta: f64| reactions.iter().find(|one| (one.theta - theta).abs() < 1e-9).unwrap();
    assert!(at(0.0).false_alarms > at(3.0).false_alarms);
    assert!(at(0.2).false_alarms > 7.0, "the paper's θ alarms more than daily: {:?}", at(0.2));
}

#[test]
fn the_report_has_both_points_and_a_picture() {
    let all = made();
    let bursts = injections(&all, 18, 5, &PROTOCOL);
    let some = [
        Contender::beginning_anew("default", |settings| {
            Box::new(AnyDetector::new(DetectorName::Default, settings))
        }),
        Contender::new("peak", |_| Box::new(PeakDetector::default())),
    ];
    let run = |one: &Contender| {
        measure(one, &all, &bursts, &[1.0, 7.0], &PROTOCOL, &Settings::default(), &mut || {})
    };
    let report = Report { curves: some.iter().map(run).collect(), seed: 1 };
    let rows = report.rows(PROTOCOL.missed());
    assert_eq!(rows.len(), 4);
    assert!(rows[0].default_minus_this.mean.abs() < 1e-12 && !rows[0].default_minus_this.is_clear());
    let expected = rows[0].mean_delay - rows[2].mean_delay;
    assert!((rows[2].default_minus_this.mean - expected).abs() < 1e-9);
    assert_eq!(report.svg().matches("<polyline").count(), 2);
}

#[test]
fn intervals_hold_the_mean_and_tell_luck_from_order() {
    let one: Vec<f64> = (0..200).map(|at| f64::from(at % 7)).collect();
    let other: Vec<f64> = one.iter().map(|delay| delay + 1.0).collect();
    let clear = Interval::of(&one, &other, 3);
    assert!(
        clear.is_clear()
            && (clear.mean + 1.0).abs() < 1e-9
            && clear.low <= clear.mean
            && clear.mean <= clear.high
    );
    let turned: Vec<f64> = one.iter().rev().copied().collect();
    assert!(!Interval::of(&one, &turned, 3).is_clear());
}

#[test]
fn rules_that_cannot_be_used_are_refused() {
    let error = FolderRules::parse("if title has \"cup then A [1]\n").unwrap_err().to_string();
    assert!(error.contains("line 1"), "{error}");
    assert_eq!(FolderRules::reported().unwrap().names().len(), 16);
    let mut rules = FolderRules::reported().unwrap();
    let name = |rules: &FolderRules, at: usize| rules.names()[at].clone();
    let found = rules.file("putin wins world cup in the super bowl");
    let mut found: Vec<String> = found.into_iter().map(|at| name(&rules, at)).collect();
    found.sort();
    assert_eq!(found, ["American football", "Soccer", "Ukraine"]);
}
