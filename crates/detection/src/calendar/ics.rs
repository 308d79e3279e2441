//! Reads iCalendar files (RFC 5545): the dates in them, as entries of a folder.

mod event;
mod lines;
mod recurrence;
mod value;

use super::Entry;
use event::Event;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use lines::Line;
use model::FolderId;
use recurrence::Budget;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A calendar of 5 MB holds some ten thousand events; more is not a calendar of dates to expect.
const LARGEST: usize = 5 * 1024 * 1024;
/// Entries taken from one file.
const ENTRIES: usize = 10_000;
/// Problems told of one file.
const PROBLEMS: usize = 100;
/// Repeating events are told from a year ago, so that past ones can teach, …
const BACK: SignedDuration = SignedDuration::from_hours(366 * 24);
/// … to two years ahead.
const AHEAD: SignedDuration = SignedDuration::from_hours(2 * 366 * 24);

/// What an iCalendar file holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Import {
    /// The dates, in the order of time.
    pub entries: Vec<Entry>,
    /// What could not be read, or not as it was meant.
    pub problems: Vec<Problem>,
}

/// Something in a file that could not be read as it was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// In which line, from 1.
    pub line: usize,
    /// What, and what became of it.
    pub message: String,
}

/// Why a file is no calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IcsError {
    /// More bytes than a calendar has.
    TooLarge(usize),
    /// It does not begin with BEGIN:VCALENDAR.
    NoCalendar,
    /// It ends in the middle.
    CutOff,
}

/// Reads the events of an iCalendar file. `zone` is for times without one; repeating events are told from a year before
/// `now` to two years after. The kind of an entry is its first category, else its title without numbers.
pub fn read_ics(text: &str, folder: FolderId, zone: &TimeZone, now: Timestamp) -> Result<Import, IcsError> {
    if text.len() > LARGEST {
        return Err(IcsError::TooLarge(text.len()));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = lines::lines(text).skip_while(|line| line.text.trim().is_empty());
    if !lines.next().is_some_and(|line| line.text.trim().eq_ignore_ascii_case("BEGIN:VCALENDAR")) {
        return Err(IcsError::NoCalendar);
    }
    let mut reader = Reader { zone, problems: Vec::new(), events: Vec::new() };
    if !reader.read(lines) {
        return Err(IcsError::CutOff);
    }
    let horizon = (now.saturating_sub(BACK), now.saturating_add(AHEAD));
    let (Ok(from), Ok(to)) = horizon else { return Ok(Import::default()) };
    Ok(reader.entries(folder, from, to))
}

struct Reader<'a> {
    zone: &'a TimeZone,
    problems: Vec<Problem>,
    events: Vec<Event>,
}

impl Reader<'_> {
    /// Reads all components; whether the calendar came to its end.
    fn read<'t>(&mut self, lines: impl Iterator<Item = Line<'t>>) -> bool {
        let mut open: Vec<String> = vec!["VCALENDAR".into()];
        let mut event: Option<Event> = None;
        for line in lines {
            if line.text.trim().is_empty() {
                continue;
            }
            let Some(property) = line.property() else {
                self.problem(line.number, "this is not a line of a calendar; it was passed over");
                continue;
            };
            match property.name.as_str() {
                "BEGIN" => {
                    let name = property.value.trim().to_ascii_uppercase();
                    if name == "VEVENT" && event.is_none() {
                        event = Some(Event::new(line.number));
                    }
                    // Deeper nesting than this has no meaning in a calendar.
                    if open.len() < 16 {
                        open.push(name);
                    }
                }
                "END" => {
                    let name = property.value.trim().to_ascii_uppercase();
                    if open.last() != Some(&name) {
                        let message = format!("END:{name} without its BEGIN; it was passed over");
                        self.problem(line.number, message);
                        continue;
                    }
                    open.pop();
                    if name == "VEVENT" {
                        self.events.extend(event.take());
                    }
                    if open.is_empty() {
                        return true;
                    }
                }
                // What is inside an alarm or another part of an event is not the event's.
                _ if open.last().is_some_and(|name| name == "VEVENT") => {
                    let said = event.as_mut().map(|event| event.take(&property, self.zone));
                    for message in said.unwrap_or_default() {
                        self.problem(line.number, message);
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn entries(mut self, folder: FolderId, from: Timestamp, to: Timestamp) -> Import {
        // An instance that was moved or renamed stands for itself and not in its series.
        let moved: BTreeSet<(String, Timestamp)> = self.events.iter().filter_map(Event::moved).collect();
        let mut found: BTreeMap<(Timestamp, Timestamp, String), Entry> = BTreeMap::new();
        let mut budget = Budget::default();
        for event in std::mem::take(&mut self.events) {
            let said = event.entries(folder, (from, to), self.zone, &moved, &mut budget);
            for entry in said.entries {
                found.insert((entry.from, entry.to, entry.title.clone()), entry);
            }
            for message in said.problems {
                self.problem(event.line, message);
            }
            if found.len() > ENTRIES {
                self.problem(event.line, format!("more than {ENTRIES} dates; what follows was left out"));
                break;
            }
        }
        Import { entries: found.into_values().take(ENTRIES).collect(), problems: self.problems }
    }

    fn problem(&mut self, line: usize, message: impl Into<String>) {
        if self.problems.len() < PROBLEMS {
            self.problems.push(Problem { line, message: message.into() });
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl fmt::Display for IcsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(bytes) => {
                let megabytes = *bytes as f64 / 1e6;
                write!(f, "the calendar has {megabytes:.1} MB, and 5 are read at most; export fewer events")
            }
            Self::NoCalendar => {
                write!(
                    f,
                    "this is no iCalendar file: it does not begin with BEGIN:VCALENDAR; export one as .ics"
                )
            }
            Self::CutOff => {
                write!(
                    f,
                    "the calendar is cut off: it does not end with END:VCALENDAR; export or download it again"
                )
            }
        }
    }
}

impl std::error::Error for IcsError {}

#[cfg(test)]
mod tests;
