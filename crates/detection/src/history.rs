//! The last counts of each slot of the day, of every source: what DC-1's rules and Grubbs' test look back on.

use crate::local::Local;
use crate::profile::Profile;
use crate::roster::{Finger, Roster};
use crate::{Part, Settings, Window};
use model::SourceId;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Windows shorter than five minutes share a slot.
const SLOTS: u16 = 288;
/// An empty place of a ring.
const NO_DAY: i32 = i32::MIN;
/// What a visit after more than a week brings is what the page still shows: it teaches nothing.
const LONGEST: f64 = 7.0 * 86_400.0;
/// Days for which a source that was seen is still waited for in an open window.
const LATELY: i32 = 1;
/// A day this far before the last one means that the clock was wrong.
const BACK: i32 = 1;

/// A ring of the last windows for each slot of the day. For each source a bit says whether it was seen, and a number is
/// kept only where it brought something: a quiet source needs a few dozen bytes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    slots: u16,
    depth: u16,
    /// The day of each place, slot after slot.
    days: Vec<i32>,
    last_day: Option<i32>,
    sources: Roster<Line>,
}

/// One source. Places are numbered slot after slot.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Line {
    last_day: i32,
    seen: Vec<u64>,
    counts: Vec<(u16, f32)>,
}

/// The past of one slot, of the sources that a window is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Past {
    /// One sum for each kept window. Where a source was not seen, its mean stands in.
    pub(crate) sums: Vec<f64>,
    /// What each part's source brought when it was seen, in the order of the parts; nothing of those seen too rarely.
    pub(crate) parts: Vec<Option<Profile>>,
    /// Sum of each source's maximum.
    pub(crate) sum_of_maxima: f64,
}

/// How a part's count is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counting {
    /// As found, however long the visit before was ago.
    Found,
    /// As found in a window's length, on average, if the visit before lies further back.
    PerWindow,
}

impl Counting {
    pub(crate) fn count(self, part: &Part, settings: &Settings) -> f64 {
        let elapsed = part.until.duration_since(part.since).as_secs_f64();
        let window = settings.window.as_secs_f64();
        let share = match self {
            Self::PerWindow if elapsed > window && window > 0.0 => window / elapsed,
            _ => 1.0,
        };
        f64::from(part.count) * share
    }
}

impl History {
    /// What the slot of a window saw before. Sources seen less than `least` times have nothing to say; in an open
    /// window those that are still awaited say theirs too.
    pub(crate) fn past(&self, window: &Window, least: usize, settings: &Settings) -> Past {
        let (day, slot) = place(window, settings);
        let ring = self.ring(slot);
        let kept: Vec<u16> = ring.clone().filter(|place| self.day(*place) != NO_DAY).collect();
        let mut past = Past { sums: vec![0.0; kept.len()], ..Past::default() };
        past.parts.reserve(window.parts.len());
        let mut finger = Finger::default();
        for part in &window.parts {
            let line = self.sources.get(part.source, &mut finger);
            let profile = line.and_then(|line| past.add(line, &ring, &kept, least));
            past.parts.push(profile);
        }
        if window.open {
            let mut parts: Vec<_> = window.parts.iter().map(|part| part.source).collect();
            parts.sort_unstable();
            for (source, line) in self.sources.iter() {
                if line.last_day >= day - LATELY && parts.binary_search(&source).is_err() {
                    past.add(line, &ring, &kept, least);
                }
            }
        }
        past
    }

    /// What one source brought in the slot of a window, each time that it was seen.
    pub(crate) fn brought(&self, source: SourceId, window: &Window, settings: &Settings) -> Vec<f64> {
        let ring = self.ring(place(window, settings).1);
        let line = self.sources.get(source, &mut Finger::default());
        line.map_or_else(Vec::new, |line| {
            ring.filter(|place| line.saw(*place)).map(|place| line.count(place)).collect()
        })
    }

    /// Takes a window in, in place of the oldest of its slot.
    pub(crate) fn learn(&mut self, window: &Window, depth: u16, counting: Counting, settings: &Settings) {
        let (day, slot) = place(window, settings);
        self.fit(settings, depth);
        if self.last_day.is_some_and(|last| day < last - BACK) {
            *self = Self::default();
            self.fit(settings, depth);
        }
        self.last_day = Some(day.max(self.last_day.unwrap_or(day)));
        let oldest = self.ring(slot).min_by_key(|place| self.day(*place));
        let Some(oldest) = oldest else { return };
        self.clear(|place, _| place == oldest);
        if let Some(place) = self.days.get_mut(usize::from(oldest)) {
            *place = day;
        }
        let mut finger = Finger::default();
        let words = self.days.len().div_ceil(64);
        for part in &window.parts {
            if part.until.duration_since(part.since).as_secs_f64() > LONGEST {
                continue;
            }
            let line = self.sources.get_or(part.source, &mut finger, Line::default);
            if let Some(line) = line {
                line.last_day = day;
                line.put(oldest, counting.count(part, settings), words);
            }
        }
    }

    /// Forgets a whole day.
    pub(crate) fn forget_day(&mut self, day: i32) {
        if self.days.contains(&day) {
            self.clear(|_, of| of == day);
        }
    }

    /// The local day of a window.
    pub(crate) fn day_of(window: &Window, settings: &Settings) -> i32 {
        place(window, settings).0
    }

    /// Begins anew where the windows have another length, or another number of them is kept.
    fn fit(&mut self, settings: &Settings, depth: u16) {
        let length = settings.window.as_secs().clamp(1, 86_400);
        let slots = ((86_400 + length - 1) / length).clamp(1, i64::from(SLOTS)) as u16;
        let depth = depth.clamp(2, 100);
        if (self.slots, self.depth) != (slots, depth) {
            let days = vec![NO_DAY; usize::from(slots) * usize::from(depth)];
            *self = Self { slots, depth, days, ..Self::default() };
        }
    }

    fn ring(&self, slot: u16) -> Range<u16> {
        let first = slot.min(self.slots.saturating_sub(1)) * self.depth;
        first..first + self.depth
    }

    fn day(&self, place: u16) -> i32 {
        self.days.get(usize::from(place)).copied().unwrap_or(NO_DAY)
    }

    /// Empties places, and forgets the sources of which nothing is left.
    fn clear(&mut self, which: impl Fn(u16, i32) -> bool) {
        let mut emptied = Vec::new();
        for (place, day) in self.days.iter_mut().enumerate() {
            if *day != NO_DAY && which(place as u16, *day) {
                *day = NO_DAY;
                emptied.push(place as u16);
            }
        }
        if emptied.is_empty() {
            return;
        }
        self.sources.values_mut().for_each(|line| line.clear(&emptied));
        self.sources.retain(|line| line.seen.iter().any(|word| *word != 0));
    }
}

impl Past {
    /// Adds a source to the sums.
    fn add(&mut self, line: &Line, ring: &Range<u16>, kept: &[u16], least: usize) -> Option<Profile> {
        let seen = line.times_seen(ring);
        if seen < least.max(1) {
            return None;
        }
        let counts = line.counts_in(ring);
        let profile = Profile::sparse(counts.iter().map(|(_, count)| f64::from(*count)), seen);
        if counts.is_empty() {
            return Some(profile);
        }
        // Counts and kept places are both in order: one walk through both.
        let mut counts = counts.iter().peekable();
        for (sum, place) in self.sums.iter_mut().zip(kept) {
            *sum += match counts.next_if(|(at, _)| at == place) {
                Some((_, count)) => f64::from(*count),
                None if seen == kept.len() || line.saw(*place) => 0.0,
                None => profile.mean,
            };
        }
        self.sum_of_maxima += profile.maximum;
        Some(profile)
    }
}

impl Line {
    fn saw(&self, place: u16) -> bool {
        self.seen.get(usize::from(place / 64)).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// How often it was seen in a range of places: a few steps by whole words.
    fn times_seen(&self, ring: &Range<u16>) -> usize {
        let mut seen = 0;
        let mut at = ring.start;
        while at < ring.end {
            let next = (at / 64 + 1) * 64;
            let word = self.seen.get(usize::from(at / 64)).copied().unwrap_or(0) >> (at % 64);
            let wanted = next.min(ring.end) - at;
            let mask = if wanted >= 64 { u64::MAX } else { (1 << wanted) - 1 };
            seen += (word & mask).count_ones() as usize;
            at = next;
        }
        seen
    }

    fn counts_in(&self, ring: &Range<u16>) -> &[(u16, f32)] {
        let from = self.counts.partition_point(|(place, _)| *place < ring.start);
        let to = self.counts.partition_point(|(place, _)| *place < ring.end);
        self.counts.get(from..to).unwrap_or_default()
    }

    fn count(&self, place: u16) -> f64 {
        let at = self.counts.binary_search_by_key(&place, |(place, _)| *place);
        at.ok().and_then(|at| self.counts.get(at)).map_or(0.0, |(_, count)| f64::from(*count))
    }

    fn put(&mut self, place: u16, count: f64, words: usize) {
        self.seen.resize(words, 0);
        if let Some(word) = self.seen.get_mut(usize::from(place / 64)) {
            *word |= 1 << (place % 64);
        }
        let at = self.counts.binary_search_by_key(&place, |(place, _)| *place);
        if let (Err(at), true) = (at, count > 0.0) {
            self.counts.insert(at, (place, count as f32));
        }
    }

    fn clear(&mut self, places: &[u16]) {
        for place in places {
            if let Some(word) = self.seen.get_mut(usize::from(place / 64)) {
                *word &= !(1 << (place % 64));
            }
        }
        self.counts.retain(|(place, _)| !places.contains(place));
    }
}

/// The local day and the slot in which a window begins.
fn place(window: &Window, settings: &Settings) -> (i32, u16) {
    let local = Local::new(&settings.zone, window.from, window.to);
    // Shorter windows than the shortest slot share one.
    let length = settings.window.max(jiff::SignedDuration::from_secs(86_400 / i64::from(SLOTS)));
    local.slot(window.from, length)
}
