//! How much each source brings.

use jiff::Timestamp;
use model::SourceId;
use serde::{Deserialize, Serialize};

/// Hours of a source's own time after which what it brought counts half: four weeks.
const HALF_LIFE: f64 = 4.0 * 168.0;
/// A source is known after so many windows; before, what it brings is hardly evidence.
const KNOWN: u16 = 7;
/// A source that was away for so many hours is new again.
const AWAY: f64 = 7.0 * 24.0;
/// Stories that the mean source's rate is worth as a guess for another.
const PRIOR: f64 = 0.5;

/// All sources ever seen, by id.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Sources {
    known: Vec<Source>,
    /// Stories and hours of all together.
    count: f64,
    hours: f64,
}

/// What is known of a source; 24 bytes.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(from = "(i64, f32, f32, u32, u16)", into = "(i64, f32, f32, u32, u16)")]
pub(super) struct Source {
    id: SourceId,
    /// Stories; older ones count less.
    count: f32,
    /// Hours, weighted by the season, in which they came.
    hours: f32,
    /// The hour since 1970 it was last seen.
    last: u32,
    /// Windows with a part, counted up to the moment it is known.
    seen: u16,
}

impl From<(i64, f32, f32, u32, u16)> for Source {
    fn from((id, count, hours, last, seen): (i64, f32, f32, u32, u16)) -> Self {
        Self { id: SourceId(id), count, hours, last, seen }
    }
}

impl From<Source> for (i64, f32, f32, u32, u16) {
    fn from(source: Source) -> Self {
        (source.id.0, source.count, source.hours, source.last, source.seen)
    }
}

/// What a part teaches of a source: its id, since and until when, and stories, seasonal hours and hours if they count.
pub(super) type Lesson = (SourceId, Timestamp, Timestamp, Option<(f64, f64, f64)>);

impl Sources {
    /// Stories that a source of which nothing is known may bring in a mean hour.
    pub(super) fn mean_rate(&self) -> f64 {
        // Before anything is known: half a story in an hour, the prior of a cold start for windows of two hours.
        (0.5 + self.count) / (1.0 + self.hours)
    }

    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor { sources: &self.known, next: 0 }
    }

    /// Stories an hour of all sources seen lately.
    pub(super) fn lately(&self, now: Timestamp) -> f64 {
        let (now, mean) = (hour(now), self.mean_rate());
        let recent =
            self.known.iter().filter(|source| f64::from(now.saturating_sub(source.last)) <= super::LATELY);
        recent.map(|source| source.rate(mean)).sum()
    }

    /// Takes over what is known of a source from before, and returns how many stories an hour it adds; nothing if it was
    /// seen here already.
    pub(super) fn introduce(&mut self, id: SourceId, count: f64, hours: f64, until: Timestamp) -> f64 {
        let Err(at) = self.known.binary_search_by_key(&id, |source| source.id) else { return 0.0 };
        if hours <= 0.0 {
            return 0.0;
        }
        // Whoever introduces a source vouches for it: how well it is known follows from its stories and hours.
        let seen = KNOWN;
        let kept = hours.min(HALF_LIFE / std::f64::consts::LN_2);
        let count = count * kept / hours;
        let source = Source { id, count: count as f32, hours: kept as f32, last: hour(until), seen };
        self.known.insert(at, source);
        self.count += count;
        self.hours += kept;
        source.rate(self.mean_rate())
    }

    pub(super) fn learn(&mut self, lessons: &[Lesson], weight: f64) {
        let mut new = Vec::new();
        for one in lessons {
            let (id, _, until, lesson) = one;
            let at = self.known.binary_search_by_key(id, |source| source.id).ok();
            if let Some(source) = at.and_then(|at| self.known.get_mut(at)) {
                source.learn(*one, weight);
            } else {
                let mut source = Source { id: *id, count: 0.0, hours: 0.0, last: hour(*until), seen: 0 };
                source.learn(*one, weight);
                new.push(source);
            }
            if let Some((count, shape, hours)) = lesson {
                let keep = keep(*hours / self.known.len().max(1) as f64);
                self.count = self.count * keep + weight * count;
                self.hours = self.hours * keep + weight * shape;
            }
        }
        if !new.is_empty() {
            self.known.append(&mut new);
            self.known.sort_by_key(|source| source.id);
            self.known.dedup_by_key(|source| source.id);
        }
    }
}

impl Source {
    /// Stories in a mean hour.
    pub(super) fn rate(&self, mean: f64) -> f64 {
        (PRIOR + f64::from(self.count)) / (PRIOR / mean.max(1e-9) + f64::from(self.hours))
    }

    /// Relative variance of the rate.
    pub(super) fn doubt(&self) -> f64 {
        1.0 / (PRIOR + f64::from(self.count))
    }

    /// How far what it brings is evidence, from 0 to 1.
    pub(super) fn trust(&self, since: Timestamp) -> f64 {
        if self.is_away(since) {
            return 0.0;
        }
        let seen = f64::from(self.seen) / f64::from(KNOWN);
        if seen >= 1.0 { 1.0 } else { 0.5 * seen * seen }
    }

    pub(super) fn is_known(&self) -> bool {
        self.seen >= KNOWN
    }

    fn is_away(&self, since: Timestamp) -> bool {
        f64::from(hour(since).saturating_sub(self.last)) > AWAY
    }

    fn learn(&mut self, (_, since, until, lesson): Lesson, weight: f64) {
        if self.is_away(since) || super::hours(since, until) > super::LONGEST_PART {
            // Nobody knows what it does now.
            (self.seen, self.count, self.hours) = (0, 0.0, 0.0);
        }
        self.last = self.last.max(hour(until));
        let Some((count, shape, hours)) = lesson else { return };
        // A new source's first windows are no outbreak, whatever the folder does.
        let weight = if self.is_known() { weight } else { 1.0 };
        let keep = keep(hours) as f32;
        self.count = self.count * keep + (weight * count) as f32;
        self.hours = self.hours * keep + (weight * shape) as f32;
        self.seen = self.seen.saturating_add(1).min(KNOWN);
    }
}

fn keep(hours: f64) -> f64 {
    (-hours.clamp(0.0, 1e6) / HALF_LIFE).exp2()
}

fn hour(at: Timestamp) -> u32 {
    u32::try_from(at.as_second().max(0) / 3600).unwrap_or(u32::MAX)
}

/// Finds sources one after the other: parts that come in the order of their ids are found without a search.
pub(super) struct Cursor<'a> {
    sources: &'a [Source],
    next: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn find(&mut self, id: SourceId) -> Option<&'a Source> {
        if let Some(source) = self.sources.get(self.next)
            && source.id == id
        {
            self.next += 1;
            return Some(source);
        }
        let at = self.sources.binary_search_by_key(&id, |source| source.id).ok()?;
        self.next = at + 1;
        self.sources.get(at)
    }
}
