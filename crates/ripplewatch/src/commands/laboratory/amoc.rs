//! `laboratory amoc`: how soon each detector notices a burst, at how many false alarms.

use super::write;
use crate::cli::AmocOptions;
use crate::console::{self, Progress};
use crate::exit::bad_input;
use anyhow::Context;
use laboratory::amoc::{
    FolderRules, Interval, Protocol, Reaction, Report, Row, Series, contenders, injections, measure, series,
    sweep,
};
use serde_json::json;
use std::time::Instant;

/// False alarms a folder and week at which the delays are measured.
const ALLOWED: [f64; 7] = [0.25, 0.5, 1.0, 2.0, 3.5, 7.0, 14.0];

pub(crate) fn run(options: &AmocOptions, json: bool) -> anyhow::Result<()> {
    let began = Instant::now();
    let mut rules = match &options.folders {
        None => FolderRules::reported(),
        Some(file) => FolderRules::parse(
            &std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?,
        ),
    }
    .map_err(|error| bad_input(error.to_string()))?;
    let settings = detection::Settings::default();
    let protocol = Protocol::default();
    let all =
        series(&options.trace, &mut rules, settings.window).map_err(|error| bad_input(error.to_string()))?;
    check(&all, &protocol)?;
    let bursts = injections(&all, options.injections, options.seed, &protocol);
    let contenders = contenders();
    let steps = (contenders.len() * ALLOWED.len()) as u64;
    let (mut progress, mut done) = (Progress::new("measuring"), 0);
    let mut report = Report { curves: Vec::new(), seed: options.seed };
    for contender in &contenders {
        report.curves.push(measure(contender, &all, &bursts, &ALLOWED, &protocol, &settings, &mut || {
            done += 1;
            progress.show(done, steps);
        }));
    }
    progress.end();
    let reactions = if options.sweep { sweep(&all, &bursts, &protocol, &settings) } else { Vec::new() };
    if let Some(file) = &options.svg {
        write(file, &report.svg())?;
    }
    let rows = report.rows(protocol.missed());
    if json {
        return tell_machines(&report, &rows, &reactions, &all, options, began);
    }
    tell_people(&rows, &reactions);
    console::note(&format!(
        "{} folders, {} windows, {} sources, {} bursts, seed {}, {:.0} s",
        all.len(),
        all.first().map_or(0, Series::windows),
        all.first().map_or(0, |one| one.sources),
        bursts.len(),
        options.seed,
        began.elapsed().as_secs_f64()
    ));
    Ok(())
}

fn check(all: &[Series], protocol: &Protocol) -> anyhow::Result<()> {
    let least = protocol.burn_in + 2 * protocol.patience;
    let windows = all.first().map_or(0, Series::windows);
    if windows < least {
        return Err(bad_input(format!(
            "the history has {windows} windows of two hours; at least {least} are needed, of which {} only teach",
            protocol.burn_in
        )));
    }
    if all.iter().all(|one| one.total() == 0) {
        return Err(bad_input("no title belongs into any folder: try other rules with --folders".to_owned()));
    }
    Ok(())
}

fn tell_people(rows: &[Row], reactions: &[Reaction]) {
    let head = [
        "detector",
        "allowed a week",
        "alarms a week",
        "threshold",
        "delay h",
        "missed",
        "default − this h (95 %)",
    ];
    let cells = |row: &Row| {
        vec![
            row.name.to_owned(),
            format!("{}", row.allowed),
            format!("{:.2}", row.false_alarms),
            format!("{:.3}", row.threshold),
            format!("{:.2}", row.mean_delay),
            format!("{:.0} %", 100.0 * row.missed),
            interval(&row.default_minus_this),
        ]
    };
    console::table(&head, &rows.iter().map(cells).collect::<Vec<_>>());
    if reactions.is_empty() {
        return;
    }
    console::line("");
    let cells = |one: &Reaction| {
        vec![
            format!("{}", one.theta),
            format!("{:.0}", one.held_hours),
            format!("{:.2}", one.false_alarms),
            format!("{:.2}", one.mean_delay),
        ]
    };
    console::table(
        &["θ / A", "held h", "alarms a week", "delay h"],
        &reactions.iter().map(cells).collect::<Vec<_>>(),
    );
}

fn interval(one: &Interval) -> String {
    let clear = if one.is_clear() { "" } else { ", not clear" };
    format!("{:+.2} ({:+.2} to {:+.2}{clear})", one.mean, one.low, one.high)
}

fn tell_machines(
    report: &Report,
    rows: &[Row],
    reactions: &[Reaction],
    all: &[Series],
    options: &AmocOptions,
    began: Instant,
) -> anyhow::Result<()> {
    let curves: Vec<_> = report
        .curves
        .iter()
        .map(|curve| {
            let points = curve.points.iter().map(|point| {
                json!({ "allowed": point.allowed, "threshold": point.threshold, "false_alarms": point.false_alarms,
                        "mean_delay": point.mean_delay() })
            });
            json!({ "name": curve.name, "points": points.collect::<Vec<_>>() })
        })
        .collect();
    let folders: Vec<_> =
        all.iter().map(|one| json!({ "folder": one.folder, "stories_a_day": one.mean_day() })).collect();
    console::json(&json!({
        "injections": options.injections,
        "seed": options.seed,
        "folders": folders,
        "compared": rows,
        "curves": curves,
        "sweep": reactions,
        "seconds": began.elapsed().as_secs_f64(),
    }))
}
