//! Paper 000's Table 1: static and event-driven monitoring of five folders' five top sources.

use super::simulation::{Folder, INTERVALS, Part, even, mean, monday, simulate, table};
use super::words::ten;
use crate::random::Random;
use crate::replay::error::ReplayError;
use crate::replay::trace::Trace;
use jiff::Timestamp;
use model::FolderId;
use serde::Serialize;
use std::path::Path;

/// What the paper's Table 1 says: minutes at 2, 4, 8, 12 and 24 hours, and their mean.
pub const PAPER: [(&str, [f64; 6]); 4] = [
    ("static", [60.8, 122.6, 251.3, 384.2, 708.8, 305.5]),
    ("top-down", [63.1, 94.5, 104.6, 110.7, 124.8, 99.5]),
    ("bottom-up", [61.8, 93.4, 115.2, 130.1, 129.4, 106.0]),
    ("random", [60.0, 97.9, 110.7, 132.7, 131.6, 106.6]),
];

/// Table 1 on another history.
#[derive(Debug, Clone, Serialize)]
pub struct Table1 {
    /// The five folders with most articles.
    pub folders: Vec<FolderOfFive>,
    /// All rows.
    pub rows: Vec<Table1Row>,
    /// Weeks the causal tables were learned from.
    pub train_weeks: u32,
}

/// One of the five folders.
#[derive(Debug, Clone, Serialize)]
pub struct FolderOfFive {
    /// Its name.
    pub name: String,
    /// Its articles, of all sources.
    pub articles: usize,
    /// The five sources with most of them, most first.
    pub sources: Vec<String>,
}

/// One way of monitoring.
#[derive(Debug, Clone, Serialize)]
pub struct Table1Row {
    /// `static`, or how intervals were assigned: `top-down`, `bottom-up`, `random`.
    pub method: &'static str,
    /// What the day-hour tables were made from: `none`, `look-ahead` (the weeks they are used in) or `causal` (weeks before).
    pub tables: &'static str,
    /// Which weeks delays are of.
    pub weeks: String,
    /// Mean delay at 2, 4, 8, 12 and 24 hours, minutes.
    pub minutes: [f64; 5],
    /// Their mean.
    pub mean_minutes: f64,
    /// Visits a source and day.
    pub visits_per_source_day: f64,
    /// What even polling of the same sources gives with those visits.
    pub even_minutes: f64,
    /// The five bars of each folder.
    pub folders: Vec<[f64; 5]>,
}

/// Draws of random assignments; their mean is told.
const DRAWS: u64 = 10;
const DAY: i64 = 86_400;

/// Repeats Table 1. Causal tables are learned from the first `train_weeks`.
pub fn table1(file: &Path, now: Timestamp, train_weeks: u32) -> Result<Table1, ReplayError> {
    let trace = Trace::read(file, now, ten)?;
    let folders = five_folders(&trace)?;
    let (Some(first), Some(last)) = (trace.articles().first(), trace.articles().last()) else {
        return Err(ReplayError::Empty);
    };
    let from = monday(first.at);
    let whole = Part { from, to: (last.at.as_second().div_euclid(DAY) + 1) * DAY };
    let split = from + 7 * DAY * i64::from(train_weeks);
    if train_weeks == 0 {
        return Err(ReplayError::NoTraining);
    }
    if whole.to - split < 7 * DAY {
        let days = (whole.to - whole.from) as f64 / DAY as f64;
        let most = ((days / 7.0) as u32).saturating_sub(1);
        return Err(ReplayError::Short { days, weeks: train_weeks, most });
    }
    let (before, after) = (Part { from, to: split }, Part { from: split, to: whole.to });
    let mut rows = vec![static_row(&folders, whole, "all")];
    for strategy in Strategy::ALL {
        rows.push(event_row(&folders, strategy, "look-ahead", whole, whole, "all"));
    }
    let later = format!("from week {}", train_weeks + 1);
    rows.push(static_row(&folders, after, &later));
    for strategy in Strategy::ALL {
        rows.push(event_row(&folders, strategy, "look-ahead", after, after, &later));
        rows.push(event_row(&folders, strategy, "causal", before, after, &later));
    }
    let folders = folders
        .into_iter()
        .map(|one| FolderOfFive { name: one.name, articles: one.articles, sources: one.names })
        .collect();
    Ok(Table1 { folders, rows, train_weeks })
}

/// The five folders with most articles, each with its five sources with most of them.
fn five_folders(trace: &Trace) -> Result<Vec<Folder>, ReplayError> {
    let mut folders: Vec<Folder> = Vec::new();
    for (place, name) in trace.folders().iter().enumerate() {
        let id = FolderId(place as i64 + 1);
        let mut sources: Vec<(String, Vec<i64>)> = trace
            .sources()
            .iter()
            .map(|source| {
                let articles = source.articles.iter().filter_map(|at| trace.articles().get(*at));
                let own = articles.filter(|article| article.folders.contains(&id));
                (source.name.clone(), own.map(|article| article.at.as_second()).collect())
            })
            .collect();
        let articles = sources.iter().map(|(_, times)| times.len()).sum();
        sources.sort_by_key(|(_, times)| std::cmp::Reverse(times.len()));
        sources.truncate(5);
        sources.retain(|(_, times)| !times.is_empty());
        let (names, sources) = sources.into_iter().unzip();
        folders.push(Folder { name: name.clone(), articles, sources, names });
    }
    folders.retain(|folder| folder.sources.len() == 5);
    folders.sort_by_key(|folder| std::cmp::Reverse(folder.articles));
    folders.truncate(5);
    if folders.len() < 5 {
        return Err(ReplayError::Unsuitable(format!(
            "Table 1 needs five folders with five sources each; titles of this history fill {} of its ten",
            folders.len()
        )));
    }
    Ok(folders)
}

#[derive(Debug, Clone, Copy)]
enum Strategy {
    TopDown,
    BottomUp,
    Random,
}

impl Strategy {
    const ALL: [Self; 3] = [Self::TopDown, Self::BottomUp, Self::Random];

    fn word(self) -> &'static str {
        match self {
            Self::TopDown => "top-down",
            Self::BottomUp => "bottom-up",
            Self::Random => "random",
        }
    }

    /// The places in [`INTERVALS`] of the sources' intervals, for each draw.
    fn assignments(self, folder: usize) -> Vec<Vec<usize>> {
        let order: Vec<usize> = (0..INTERVALS.len()).collect();
        match self {
            Self::TopDown => vec![order],
            Self::BottomUp => vec![order.into_iter().rev().collect()],
            Self::Random => (0..DRAWS)
                .map(|draw| {
                    let mut random = Random::new(draw * 1000 + folder as u64);
                    let mut order = order.clone();
                    for place in (1..order.len()).rev() {
                        order.swap(place, random.below(place + 1));
                    }
                    order
                })
                .collect(),
        }
    }
}

/// All five sources with the same interval, for each of the five.
fn static_row(folders: &[Folder], part: Part, weeks: &str) -> Table1Row {
    let mut bars = vec![[0.0; 5]; folders.len()];
    for (folder, bars) in folders.iter().zip(&mut bars) {
        for (bar, hours) in bars.iter_mut().zip(INTERVALS) {
            *bar = mean(simulate(folder, &[hours; 5], None, part).minutes.into_iter());
        }
    }
    // One source with each interval: 12, 6, 3, 2 and 1 visits a day.
    let visits = mean(INTERVALS.into_iter().map(|hours| 24.0 / hours as f64));
    row("static", "none", weeks, bars, visits, folders, part)
}

fn event_row(
    folders: &[Folder],
    strategy: Strategy,
    tables: &'static str,
    learn: Part,
    part: Part,
    weeks: &str,
) -> Table1Row {
    let days = (part.to - part.from) as f64 / DAY as f64;
    let mut bars = vec![[0.0; 5]; folders.len()];
    let mut visits = 0.0;
    for (number, (folder, bars)) in folders.iter().zip(&mut bars).enumerate() {
        let cells: Vec<Vec<f64>> = folder.sources.iter().map(|times| table(times, learn)).collect();
        let draws = strategy.assignments(number);
        for places in &draws {
            let hours: Vec<i64> = places.iter().filter_map(|place| INTERVALS.get(*place).copied()).collect();
            let outcome = simulate(folder, &hours, Some(&cells), part);
            for (place, minutes) in places.iter().zip(outcome.minutes) {
                if let Some(bar) = bars.get_mut(*place) {
                    *bar += minutes / draws.len() as f64;
                }
            }
            visits += outcome.visits as f64 / (draws.len() * folders.len() * 5) as f64 / days;
        }
    }
    row(strategy.word(), tables, weeks, bars, visits, folders, part)
}

fn row(
    method: &'static str,
    tables: &'static str,
    weeks: &str,
    bars: Vec<[f64; 5]>,
    visits: f64,
    folders: &[Folder],
    part: Part,
) -> Table1Row {
    let mut minutes = [0.0; 5];
    for (place, column) in minutes.iter_mut().enumerate() {
        *column = mean(bars.iter().filter_map(|bars| bars.get(place).copied()));
    }
    let all = folders.iter().enumerate();
    let even = all.flat_map(|(number, folder)| even(folder, visits, part, number));
    Table1Row {
        method,
        tables,
        weeks: weeks.to_owned(),
        minutes,
        mean_minutes: mean(minutes.into_iter()),
        visits_per_source_day: visits,
        even_minutes: mean(even),
        folders: bars,
    }
}
