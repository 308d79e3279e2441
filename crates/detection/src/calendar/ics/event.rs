//! One VEVENT.

use super::lines::Property;
use super::recurrence::{Budget, Recurrence};
use super::value::{Moment, duration, first, moments, short, text};
use crate::calendar::Entry;
use crate::calendar::entry::kind_of;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use model::FolderId;
use std::collections::BTreeSet;

/// An event that only says when it begins lasts for as long as a window does.
const MOMENT: SignedDuration = SignedDuration::from_hours(2);

/// One VEVENT, as it was read.
#[derive(Debug, Clone, Default)]
pub(super) struct Event {
    /// Where it begins in the file.
    pub(super) line: usize,
    uid: String,
    summary: String,
    category: Option<String>,
    start: Option<Moment>,
    end: Option<Moment>,
    length: Option<SignedDuration>,
    repeats: Option<Recurrence>,
    /// Starts that do not take place.
    left_out: BTreeSet<Timestamp>,
    /// Which instance of its series it stands for.
    stands_for: Option<Timestamp>,
    cancelled: bool,
    /// What it says cannot be read: it is left out.
    broken: bool,
}

/// What an event comes to.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<String>,
}

impl Event {
    pub(super) fn new(line: usize) -> Self {
        Self { line, ..Self::default() }
    }

    /// Takes in one line; what was odd about it.
    pub(super) fn take(&mut self, property: &Property<'_>, zone: &TimeZone) -> Vec<String> {
        let mut problems = Vec::new();
        match property.name.as_str() {
            "UID" => self.uid = property.value.trim().chars().take(300).collect(),
            "SUMMARY" => self.summary = text(property.value),
            "CATEGORIES" if self.category.is_none() => {
                self.category = Some(text(first(property.value))).filter(|kind| !kind.is_empty());
            }
            "STATUS" => self.cancelled = property.value.trim().eq_ignore_ascii_case("CANCELLED"),
            "DTSTART" | "DTEND" | "EXDATE" | "RECURRENCE-ID" => {
                let (moments, odd) = moments(property, zone);
                problems = odd;
                self.take_moments(&property.name, &moments);
            }
            "DURATION" => {
                self.length = duration(property.value);
                if self.length.is_none() {
                    self.broken = true;
                    let said = short(property.value);
                    problems
                        .push(format!("“{said}” is no duration; write PT2H or P1D. The event was left out"));
                }
            }
            "RRULE" => match Recurrence::read(property.value, zone) {
                Ok(rule) => self.repeats = Some(rule),
                Err(message) => problems.push(format!("{message}; only the first date was taken")),
            },
            "RDATE" => problems.push("RDATE is not read; add those dates by hand".into()),
            _ => {}
        }
        problems
    }

    fn take_moments(&mut self, name: &str, moments: &[Moment]) {
        let first = moments.first().cloned();
        match name {
            "DTSTART" => {
                self.broken |= first.is_none();
                self.start = first;
            }
            "DTEND" => {
                self.broken |= first.is_none();
                self.end = first;
            }
            "EXDATE" => self.left_out.extend(moments.iter().take(1000).filter_map(Moment::timestamp)),
            _ => self.stands_for = first.and_then(|moment| moment.timestamp()),
        }
    }

    /// The instance of a series that it stands for.
    pub(super) fn moved(&self) -> Option<(String, Timestamp)> {
        self.stands_for.map(|at| (self.uid.clone(), at))
    }

    /// Its dates that touch the horizon.
    pub(super) fn entries(
        &self,
        folder: FolderId,
        (from, to): (Timestamp, Timestamp),
        zone: &TimeZone,
        moved: &BTreeSet<(String, Timestamp)>,
        budget: &mut Budget,
    ) -> Said {
        let mut said = Said::default();
        if self.cancelled || self.broken {
            return said;
        }
        let Some(start) = &self.start else {
            said.problems.push("this event has no DTSTART; it was left out".into());
            return said;
        };
        let starts = match (&self.repeats, self.stands_for) {
            (Some(rule), None) if !rule.fits(start) => {
                let message = "it repeats on other dates than its first; only that one was taken";
                said.problems.push(message.into());
                vec![start.clone()]
            }
            (Some(rule), None) => {
                let (starts, complete) = rule.starts(start, (from, to), budget);
                if !complete {
                    said.problems.push("this event repeats too often; its later dates were left out".into());
                }
                starts
            }
            _ => vec![start.clone()],
        };
        for start in starts {
            let Some(begins) = start.timestamp() else { continue };
            let is_moved = || self.stands_for.is_none() && moved.contains(&(self.uid.clone(), begins));
            if self.left_out.contains(&begins) || is_moved() {
                continue;
            }
            let Some(ends) = self.ends(&start, begins, zone) else {
                said.problems.push("this event ends beyond all dates; it was left out".into());
                break;
            };
            // Single dates of long ago may still teach; only series are cut to the horizon.
            if self.repeats.is_some() && (ends <= from || begins >= to) {
                continue;
            }
            match self.entry(folder, begins, ends).checked() {
                Ok(entry) => said.entries.push(entry),
                Err(error) => {
                    said.problems.push(format!("{error}. The event was left out"));
                    break;
                }
            }
        }
        said
    }

    /// When an instance that begins at `start` ends: days are counted by the calendar, hours by the clock.
    fn ends(&self, start: &Moment, begins: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let first = self.start.as_ref()?;
        match (&self.end, self.length) {
            (Some(end), _) if end.is_date && first.is_date => {
                let days = end.at.date().duration_since(first.at.date());
                let date = start.at.date().checked_add(days).ok()?;
                start.on(date).timestamp()
            }
            (Some(end), _) => begins.checked_add(end.timestamp()?.duration_since(first.timestamp()?)).ok(),
            (None, Some(length)) => begins.checked_add(length).ok(),
            (None, None) if start.is_date => {
                let next = start.at.date().checked_add(Span::new().days(1)).ok()?;
                Moment { at: next.to_datetime(start.at.time()), zone: zone.clone(), is_date: true }
                    .timestamp()
            }
            (None, None) => begins.checked_add(MOMENT).ok(),
        }
    }

    fn entry(&self, folder: FolderId, from: Timestamp, to: Timestamp) -> Entry {
        let title = if self.summary.is_empty() { "untitled" } else { &self.summary };
        let kind = self.category.clone().unwrap_or_else(|| kind_of(title));
        Entry {
            id: None,
            folder,
            kind,
            title: title.to_owned(),
            from,
            to,
            multiplier: None,
            uncertainty: None,
        }
    }
}
