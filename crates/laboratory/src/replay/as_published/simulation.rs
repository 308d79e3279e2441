//! Paper 000's simulation: five sources of a folder with fixed intervals, and visits to the others when one is busy.

use jiff::Timestamp;

/// The paper's intervals, hours.
pub(super) const INTERVALS: [i64; 5] = [2, 4, 8, 12, 24];
/// A visit counts as an event from this share of the cell on.
const BUSY: f64 = 1.2;
const STEP: i64 = 300;
const HOUR: i64 = 3600;
const DAY: i64 = 86_400;
const HOURS_OF_WEEK: usize = 168;

/// When the five sources of a folder published its articles, in seconds.
pub(super) struct Folder {
    pub(super) name: String,
    pub(super) articles: usize,
    pub(super) sources: Vec<Vec<i64>>,
    pub(super) names: Vec<String>,
}

/// A part of the history, in seconds; it begins at a Monday's midnight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) from: i64,
    pub(super) to: i64,
}

/// Delays of each source's articles in minutes, and visits of all.
pub(super) struct Outcome {
    pub(super) minutes: Vec<f64>,
    pub(super) visits: u64,
}

/// Mean articles of each hour of the week, from `of`.
pub(super) fn table(times: &[i64], of: Part) -> Vec<f64> {
    let weeks = (of.to - of.from) as f64 / (7 * DAY) as f64;
    let mut cells = vec![0.0; HOURS_OF_WEEK];
    for time in times.iter().filter(|time| (of.from..of.to).contains(*time)) {
        if let Some(cell) = cells.get_mut(hour_of_week(*time, of.from)) {
            *cell += 1.0 / weeks.max(1e-9);
        }
    }
    cells
}

/// Visits each source at multiples of its interval in hours. With tables, a visit that finds more than its cell lets the others
/// be visited at that moment; their own timers stay.
pub(super) fn simulate(
    folder: &Folder,
    intervals: &[i64],
    tables: Option<&[Vec<f64>]>,
    part: Part,
) -> Outcome {
    let mut pages: Vec<PageState<'_>> =
        folder.sources.iter().map(|times| PageState::new(times, part)).collect();
    let mut visits = 0;
    let mut now = part.from;
    while now <= part.to {
        let since = now - part.from;
        let is_due = |place: usize| intervals.get(place).is_some_and(|hours| since % (hours * HOUR) == 0);
        let due: Vec<bool> = (0..pages.len()).map(is_due).collect();
        let mut busy = vec![false; pages.len()];
        for (place, page) in pages.iter_mut().enumerate() {
            if !due.get(place).copied().unwrap_or(false) {
                continue;
            }
            visits += 1;
            let found = page.visit(now);
            let cell = tables.and_then(|tables| tables.get(place)?.get(hour_of_week(now, part.from)));
            if let (Some(cell), Some(busy)) = (cell, busy.get_mut(place)) {
                *busy = found > 0 && found as f64 > BUSY * cell;
            }
        }
        if busy.contains(&true) {
            for (place, page) in pages.iter_mut().enumerate() {
                // Who is visited at this moment anyway needs no second visit.
                if !due.get(place).copied().unwrap_or(false) {
                    visits += 1;
                    page.visit(now);
                }
            }
        }
        now += STEP;
    }
    Outcome { minutes: pages.iter().map(PageState::mean).collect(), visits }
}

/// Even polling of the same sources with so many visits a source and day: means of each source.
pub(super) fn even(folder: &Folder, visits_per_day: f64, part: Part, number: usize) -> Vec<f64> {
    let interval = DAY as f64 / visits_per_day.max(1e-9);
    let sources = folder.sources.iter().enumerate();
    sources
        .map(|(place, times)| {
            // Multiples of the golden ratio: each page at its own point of the interval.
            let phase = ((number * 5 + place) as f64 * 0.618_033_988_749_895).fract() * interval;
            let counted = times.iter().filter(|time| (part.from..part.to).contains(*time));
            let delay = |time: &i64| (phase - (*time - part.from) as f64).rem_euclid(interval) / 60.0;
            mean(counted.map(delay))
        })
        .collect()
}

struct PageState<'a> {
    times: &'a [i64],
    found: usize,
    minutes: f64,
    counted: f64,
}

impl<'a> PageState<'a> {
    fn new(times: &'a [i64], part: Part) -> Self {
        let found = times.partition_point(|time| *time < part.from);
        Self { times, found, minutes: 0.0, counted: 0.0 }
    }

    fn visit(&mut self, now: i64) -> usize {
        let before = self.found;
        while let Some(time) = self.times.get(self.found).filter(|time| **time <= now) {
            self.minutes += (now - time) as f64 / 60.0;
            self.counted += 1.0;
            self.found += 1;
        }
        self.found - before
    }

    fn mean(&self) -> f64 {
        if self.counted > 0.0 { self.minutes / self.counted } else { 0.0 }
    }
}

fn hour_of_week(time: i64, monday: i64) -> usize {
    ((time - monday).rem_euclid(7 * DAY) / HOUR) as usize
}

/// The midnight of the Monday at or before a moment, in UTC.
pub(super) fn monday(at: Timestamp) -> i64 {
    // The first Monday was the fifth of January 1970.
    let day = at.as_second().div_euclid(DAY);
    (day - (day - 4).rem_euclid(7)) * DAY
}

pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}
