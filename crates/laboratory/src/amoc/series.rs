//! A history as counts: for each folder, how many stories each outlet brought in each window.

use super::folders::FolderRules;
use crate::trace::{self, TraceError};
use detection::{Level, Part, Window};
use jiff::{SignedDuration, Timestamp};
use model::SourceId;
use std::collections::BTreeMap;
use std::path::Path;

/// The counts of one folder.
#[derive(Debug, Clone)]
pub struct Series {
    /// The folder.
    pub folder: String,
    /// Where the first window begins.
    pub start: Timestamp,
    /// How long a window is.
    pub window: SignedDuration,
    /// How many sources there are; each has a count in each window.
    pub sources: usize,
    /// The counts, window by window, source by source.
    pub counts: Vec<u32>,
}

/// Reads a history. All series have the same windows and sources: each outlet counts as seen throughout.
pub fn series(
    file: &Path,
    rules: &mut FolderRules,
    window: SignedDuration,
) -> Result<Vec<Series>, TraceError> {
    let seconds = window.as_secs().max(1);
    let mut outlets: BTreeMap<String, usize> = BTreeMap::new();
    let mut seen: Vec<(i64, usize, Vec<usize>)> = Vec::new();
    trace::read(file, |article| {
        let next = outlets.len();
        let outlet = *outlets.entry(article.outlet().to_owned()).or_insert(next);
        seen.push((article.at.as_second().div_euclid(seconds), outlet, rules.file(&article.title)));
    })?;
    let first = seen.iter().map(|(slot, ..)| *slot).min().unwrap_or(0);
    let last = seen.iter().map(|(slot, ..)| *slot).max().unwrap_or(-1);
    let windows = usize::try_from(last - first + 1).unwrap_or(0);
    let start = Timestamp::from_second(first * seconds).unwrap_or_default();
    let sources = outlets.len();
    let empty = |folder: &String| Series {
        folder: folder.clone(),
        start,
        window,
        sources,
        counts: vec![0; windows * sources],
    };
    let mut all: Vec<Series> = rules.names().iter().map(empty).collect();
    for (slot, outlet, folders) in seen {
        let at = usize::try_from(slot - first).unwrap_or(0) * sources + outlet;
        for folder in folders {
            if let Some(count) = all.get_mut(folder).and_then(|series| series.counts.get_mut(at)) {
                *count += 1;
            }
        }
    }
    Ok(all)
}

impl Series {
    /// How many windows there are.
    pub fn windows(&self) -> usize {
        self.counts.len() / self.sources.max(1)
    }

    /// The counts of one window, by source.
    pub fn at(&self, window: usize) -> &[u32] {
        self.counts.get(window * self.sources..(window + 1) * self.sources).unwrap_or_default()
    }

    /// All stories.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|count| u64::from(*count)).sum()
    }

    /// Stories of a mean day.
    pub fn mean_day(&self) -> f64 {
        let days = self.windows() as f64 * self.window.as_secs_f64() / 86_400.0;
        if days > 0.0 { self.total() as f64 / days } else { 0.0 }
    }

    /// Puts a window with these counts into `into`, which is used again and again.
    pub fn fill(&self, window: usize, counts: &[u32], into: &mut Window) {
        let from = self.moment(window);
        let to = self.moment(window + 1);
        into.from = from;
        into.to = to;
        into.parts.clear();
        into.parts.extend(counts.iter().zip(1..).map(|(count, id)| Part {
            source: SourceId(id),
            since: from,
            until: to,
            count: *count,
        }));
    }

    /// A window to be filled.
    pub fn blank(&self) -> Window {
        Window { from: self.start, to: self.start, open: false, level: Level::USUAL, parts: Vec::new() }
    }

    fn moment(&self, window: usize) -> Timestamp {
        let seconds = self.window.as_secs().saturating_mul(window as i64);
        self.start.saturating_add(SignedDuration::from_secs(seconds)).unwrap_or(self.start)
    }
}
