//! `detect`: which times of a count series are unusual.

mod grid;
mod rows;

use crate::cli::Detect;
use crate::commands::rules::file_name;
use crate::console;
use detection::{AnyDetector, Course, Detector, Level, Part, Score, Settings, Window};
use grid::Grid;
use jiff::Timestamp;
use model::SourceId;
use rows::{Row, Series};
use serde::Serialize;
use std::io::{ErrorKind, Write};

/// One window of one folder, for machines.
#[derive(Serialize)]
struct Told<'a> {
    time: Timestamp,
    folder: &'a str,
    observed: f64,
    expected: f64,
    score: f64,
    alarm: bool,
}

/// One folder on the way through the series.
struct Folder {
    detector: AnyDetector,
    course: Course,
}

pub(crate) fn run(options: &Detect, json: bool) -> anyhow::Result<()> {
    let series = rows::read(&options.file)?;
    let name = file_name(&options.file);
    let grid = Grid::of(&series, options.window, &name)?;
    let settings = Settings { zone: options.zone.clone(), window: grid.window, ..Settings::default() };
    if json {
        let mut out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
        let mut line = Vec::new();
        let told = watch(&series, options, &settings, |told, _| {
            line.clear();
            serde_json::to_writer(&mut line, told)?;
            line.push(b'\n');
            out.write_all(&line)
        });
        // Whoever reads may have read enough.
        return match told.and_then(|_| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(()),
        };
    }
    let mut rows = Vec::new();
    let windows = watch(&series, options, &settings, |told, score| {
        if told.alarm {
            rows.push(vec![
                told.time.to_string(),
                told.folder.to_owned(),
                format!("{}", told.observed),
                format!("{:.1}", told.expected),
                format!("{:.2}", told.score),
                score.reason.clone(),
            ]);
        }
        Ok(())
    })?;
    if !rows.is_empty() {
        console::table(&["time", "folder", "observed", "expected", "score", "why"], &rows);
    }
    let folders = series.folders.len();
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    console::note(&format!(
        "{} in {} of {:#} in {}, by the detector {}",
        count(rows.len(), "alarm"),
        count(windows, "window"),
        grid.window,
        count(folders, "folder"),
        options.detector
    ));
    Ok(())
}

/// Goes through all windows in the order of time; how many there were.
fn watch(
    series: &Series,
    options: &Detect,
    settings: &Settings,
    mut tell: impl FnMut(&Told<'_>, &Score) -> std::io::Result<()>,
) -> std::io::Result<usize> {
    let mut folders: Vec<Folder> = series
        .folders
        .iter()
        .map(|_| Folder { detector: AnyDetector::new(options.detector, settings), course: Course::default() })
        .collect();
    let mut windows = 0;
    for rows in series.rows.chunk_by(|a, b| (a.time, a.folder) == (b.time, b.folder)) {
        let Some((first, window)) = window(rows, settings) else { continue };
        let index = first.folder as usize;
        let (Some(folder), Some(name)) = (folders.get_mut(index), series.folders.get(index)) else {
            continue;
        };
        let score = folder.detector.score(&window, settings);
        let told = Told {
            time: window.from,
            folder: name,
            observed: score.observed,
            expected: score.expected,
            score: score.score,
            alarm: score.alarm,
        };
        tell(&told, &score)?;
        let usual = folder.course.close(&window, &score, &mut |_| {});
        folder.detector.learn(&window, usual, settings);
        windows += 1;
    }
    Ok(windows)
}

/// The window that the rows of one folder and time make.
fn window<'r>(rows: &'r [Row], settings: &Settings) -> Option<(&'r Row, Window)> {
    let first = rows.first()?;
    let from = Timestamp::from_millisecond(first.time).ok()?;
    let to = from.checked_add(settings.window).ok()?;
    let part = |row: &Row| Part {
        source: SourceId(i64::from(row.source)),
        since: from,
        until: to,
        count: row.count,
    };
    let parts = rows.iter().map(part).collect();
    Some((first, Window { from, to, open: false, level: Level::USUAL, parts }))
}
