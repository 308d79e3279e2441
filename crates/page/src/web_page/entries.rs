//! Dated entries: a page that lists several, over some days, would bring as many a day if it were watched.

use crate::dates;
use crate::outline::{Outline, Zones};
use jiff::Timestamp;

/// How many dated entries a page lists, and over what time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatedEntries {
    /// How many.
    pub count: u32,
    /// The oldest.
    pub oldest: Timestamp,
    /// The newest.
    pub newest: Timestamp,
}

impl DatedEntries {
    pub(crate) fn of(dates: impl Iterator<Item = Timestamp>) -> Option<Self> {
        dates.fold(None, |known, date| {
            Some(known.map_or(Self { count: 1, oldest: date, newest: date }, |known: Self| Self {
                count: known.count + 1,
                oldest: known.oldest.min(date),
                newest: known.newest.max(date),
            }))
        })
    }

    /// New entries a day, if it goes on as it did until `now`. A day is the least span: ten entries of one hour
    /// promise no more than ten a day.
    pub fn per_day(&self, now: Timestamp) -> f64 {
        let newest = self.newest.max(self.oldest).min(now);
        // A list that stopped long ago promises nothing: what counts is until now.
        let until = now.max(newest);
        let days = (until.as_second() - self.oldest.as_second()) as f64 / 86_400.0;
        f64::from(self.count) / days.max(1.0)
    }
}

/// Fewer make no list.
const FEWEST: u32 = 3;

/// More dates on a page change no estimate.
const MOST: usize = 64;

/// A date standing alone is not longer, in bytes.
const LINE_BYTES: usize = 40;

/// The page's entries: by its `<time>` elements, else by dates on lines of their own.
pub(super) fn of_outline(outline: &Outline) -> Option<DatedEntries> {
    let elsewhere = Zones::FURNITURE | Zones::ASIDE;
    let times = outline
        .times
        .iter()
        .filter(|time| !outline.elements[time.at].zones.has(elsewhere))
        .take(MOST)
        .filter_map(|time| dates::parse(&time.value));
    let marked = DatedEntries::of(times).filter(|entries| entries.count >= FEWEST);
    let written = || {
        let lines = outline.text.lines().filter(|line| (8..=LINE_BYTES).contains(&line.len()));
        DatedEntries::of(lines.filter_map(dates::find).take(MOST))
    };
    marked.or_else(written).filter(|entries| entries.count >= FEWEST)
}
