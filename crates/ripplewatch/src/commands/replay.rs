//! `replay`: policies against each other on a history. Needs no data of its own.

mod as_published;
mod tell;

use crate::cli::Replay;
use crate::console::{self, Progress};
use crate::exit::bad_input;
use anyhow::Context;
use jiff::Timestamp;
use laboratory::amoc::FolderRules;
use laboratory::replay::report::{budget_curve, csv, delay_bars};
use laboratory::replay::{Experiment, ReplayError, Row, Summary, Trace, Training, summaries};
use laboratory::trace::has_folders;
use scheduling::PlanSettings;
use std::fs::File;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(options: &Replay, json: bool) -> anyhow::Result<()> {
    if let Some(which) = options.as_published {
        return as_published::run(which, options, json);
    }
    let began = Instant::now();
    let mut trace = read(options)?;
    if let Some(weeks) = options.first_weeks {
        trace = trace.first_weeks(weeks);
    }
    for note in trace.notes() {
        console::note(&format!("{}: {note}", options.trace.display()));
    }
    let rows = replay(&trace, options).map_err(said)?;
    let summaries = summaries(&rows);
    write(options, &trace, &rows, &summaries)?;
    if json {
        return console::json(&rows);
    }
    tell::table(&summaries);
    console::note(&tell::closing(&trace, options, began.elapsed()));
    Ok(())
}

fn replay(trace: &Trace, options: &Replay) -> Result<Vec<Row>, ReplayError> {
    let experiment = Experiment {
        trace,
        contestants: options.policies.0.clone(),
        visits_per_day: options.visits_per_day.clone(),
        training: Training::Weeks(options.train_weeks),
        seeds: options.seeds,
        page_size: options.page_size,
        watching: detection::Settings::default(),
        plan: PlanSettings {
            pace: options.pace.into(),
            interests: trace.interests(&options.interest)?,
            zone: options.zone.clone(),
            ..PlanSettings::default()
        },
    };
    let mut bar = Progress::new("replaying");
    let rows = experiment.run(&mut |progress| {
        bar.show(progress.done as u64, progress.all as u64);
        ControlFlow::Continue(())
    });
    bar.end();
    rows
}

/// The history with its folders: by the rules given, by its own column, or by the rules of the evaluation.
fn read(options: &Replay) -> anyhow::Result<Trace> {
    let file = &options.trace;
    let now = Timestamp::now();
    let own = options.rules.is_none() && has_folders(file).map_err(|error| said(error.into()))?;
    if own {
        return Trace::read(file, now, |article| article.folders.clone()).map_err(said);
    }
    let mut rules = rules(options.rules.as_deref())?;
    Trace::read(file, now, |article| rules.file_article(article)).map_err(said)
}

fn rules(file: Option<&Path>) -> anyhow::Result<FolderRules> {
    let rules = match file {
        None => FolderRules::reported(),
        Some(file) => FolderRules::parse(
            &std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?,
        ),
    };
    rules.map_err(|error| bad_input(error.to_string()))
}

fn write(options: &Replay, trace: &Trace, rows: &[Row], summaries: &[Summary]) -> anyhow::Result<()> {
    if let Some(file) = &options.csv {
        let made = File::create(file).and_then(|made| csv(rows, BufWriter::new(made)));
        made.with_context(|| format!("writing {}", file.display()))?;
    }
    if let Some(file) = &options.svg {
        let picture = match options.visits_per_day.as_slice() {
            [budget] => delay_bars(summaries, *budget),
            _ => budget_curve(summaries),
        };
        write_text(file, &picture)?;
    }
    if let Some(file) = &options.html {
        write_text(file, &tell::page(trace, options, summaries).html())?;
    }
    Ok(())
}

fn write_text(file: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(file, text).with_context(|| format!("writing {}", file.display()))
}

/// What is wrong lies in what was typed or in the file.
#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
fn said(error: ReplayError) -> anyhow::Error {
    bad_input(error.to_string())
}
