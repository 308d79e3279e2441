//! Reads a count series. Every row must be good: a series with a hole that nobody noticed gives wrong alarms.

use crate::commands::rules::{file_name, read_file};
use crate::exit::bad_input;
use csv::{ReaderBuilder, StringRecord, Trim};
use jiff::Timestamp;
use std::collections::HashMap;
use std::path::Path;

const COLUMNS: [&str; 4] = ["time", "folder", "source", "count"];
/// About a gigabyte of memory.
const MOST_ROWS: usize = 30_000_000;

/// A count series, in the order of time, then of folders by name.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) rows: Vec<Row>,
    /// Names of the folders, in their order.
    pub(super) folders: Vec<String>,
}

/// One count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Milliseconds since 1970.
    pub(super) time: i64,
    pub(super) folder: u32,
    pub(super) source: u32,
    pub(super) count: u32,
    /// Where it stands in the file.
    pub(super) line: u32,
}

pub(super) fn read(file: &Path) -> anyhow::Result<Series> {
    let name = file_name(file);
    let mut reader = ReaderBuilder::new().trim(Trim::All).has_headers(false).from_reader(read_file(file)?);
    let mut record = StringRecord::new();
    let broken = |error: &csv::Error| bad_input(format!("{name}: {}", broken(error)));
    let no_header = || bad_input(format!("{name} is empty; its first line must be time,folder,source,count"));
    if !reader.read_record(&mut record).map_err(|error| broken(&error))? {
        return Err(no_header());
    }
    let columns = columns(&record).map_err(|reason| bad_input(format!("{name}, line 1: {reason}")))?;
    let (mut folders, mut sources) = (Names::default(), Names::default());
    let mut rows = Vec::new();
    while reader.read_record(&mut record).map_err(|error| broken(&error))? {
        let line = record.position().map_or(0, csv::Position::line);
        let bad = |reason: String| bad_input(format!("{name}, line {line}: {reason}"));
        let [time, folder, source, count] = columns.map(|column| record.get(column).unwrap_or_default());
        if folder.is_empty() || source.is_empty() {
            return Err(bad("folder and source must not be empty; give each a name".into()));
        }
        if rows.len() == MOST_ROWS {
            return Err(bad(format!("more than {MOST_ROWS} rows; split the file by folders")));
        }
        rows.push(Row {
            time: self::time(time).map_err(bad)?,
            folder: folders.number(folder),
            source: sources.number(source),
            count: self::count(count).map_err(bad)?,
            line: u32::try_from(line).unwrap_or(u32::MAX),
        });
    }
    if rows.is_empty() {
        return Err(bad_input(format!("{name} has a header and no rows; give at least one count")));
    }
    let mut series = Series { rows, folders: Vec::new() };
    series.sort(folders, sources, &name)?;
    Ok(series)
}

impl Series {
    /// Orders rows by time, folders and sources by name, so that the order in the file does not matter to the last
    /// digit; refuses what is there twice.
    fn sort(&mut self, folders: Names, sources: Names, file: &str) -> anyhow::Result<()> {
        let (folder_names, folder_places) = folders.by_name();
        let (_, source_places) = sources.by_name();
        let place = |places: &[u32], number: u32| places.get(number as usize).copied().unwrap_or_default();
        for row in &mut self.rows {
            row.folder = place(&folder_places, row.folder);
            row.source = place(&source_places, row.source);
        }
        self.folders = folder_names;
        self.rows.sort_unstable_by_key(|row| (row.time, row.folder, row.source, row.line));
        let same = |pair: &&[Row]| match pair {
            [a, b] => (a.time, a.folder, a.source) == (b.time, b.folder, b.source),
            _ => false,
        };
        match self.rows.windows(2).find(same) {
            Some([first, second]) => Err(bad_input(format!(
                "{file}, line {}: the same time, folder and source are in line {} already; keep one of them, or add their counts",
                second.line, first.line
            ))),
            _ => Ok(()),
        }
    }
}

/// Where each column is.
fn columns(header: &StringRecord) -> Result<[usize; 4], String> {
    let mut found = [0; 4];
    for (place, column) in found.iter_mut().zip(COLUMNS) {
        let mut named = header.iter().enumerate().filter(|(_, name)| name.eq_ignore_ascii_case(column));
        *place = match (named.next(), named.next()) {
            (Some((index, _)), None) => index,
            (None, _) => {
                return Err(format!(
                    "there is no column “{column}”; the first line must name the columns time,folder,source,count"
                ));
            }
            (Some(_), Some(_)) => return Err(format!("there are two columns “{column}”; keep one")),
        };
    }
    Ok(found)
}

fn time(text: &str) -> Result<i64, String> {
    let time: Timestamp = text.parse().map_err(|_| {
        format!(
            "“{}” is no time; write it as in 2026-01-31T18:00:00Z or 2026-01-31T19:00:00+01:00",
            short(text)
        )
    })?;
    Ok(time.as_millisecond())
}

fn count(text: &str) -> Result<u32, String> {
    let whole = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Ok(count) = text.parse::<u32>() {
        return Ok(count);
    }
    let text = short(text);
    Err(if text.strip_prefix('-').is_some_and(whole) {
        format!(
            "the count {text} is negative; a count is 0 or more. Leave the row out if the source was not seen"
        )
    } else if whole(&text) {
        format!("the count {text} is too large; at most {} are counted", u32::MAX)
    } else {
        format!("the count “{text}” is no whole number; leave the row out if the source was not seen")
    })
}

/// As much of a foreign text as a message needs.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

fn broken(error: &csv::Error) -> String {
    let line = error.position().map(|position| format!("line {}: ", position.line())).unwrap_or_default();
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => format!("{line}this is not UTF-8; save the file as UTF-8"),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{line}it has {len} values where the first line has {expected_len}; give each column one")
        }
        csv::ErrorKind::Io(error) => format!("it cannot be read: {error}"),
        _ => format!("{line}it cannot be read as CSV: {error}"),
    }
}

/// Numbers for names, in the order they are met.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<String, u32>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The names in their order, and the place of each number in it.
    fn by_name(self) -> (Vec<String>, Vec<u32>) {
        let mut names: Vec<(String, u32)> = self.numbers.into_iter().collect();
        names.sort_unstable();
        let mut places = vec![0; names.len()];
        for (place, (_, number)) in names.iter().enumerate() {
            if let Some(slot) = places.get_mut(*number as usize) {
                *slot = place as u32;
            }
        }
        (names.into_iter().map(|(name, _)| name).collect(), places)
    }
}
