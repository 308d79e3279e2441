//! One folder under watch.

use super::course::Course;
use super::finding::{Closed, What};
use super::open::Open;
use super::sighting::Sighting;
use crate::any::AnyDetector;
use crate::calendar::Level;
use crate::detector::Detector;
use crate::settings::Settings;
use jiff::{SignedDuration, Timestamp};
use model::SourceId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One folder under watch: its detector, the window going on, and whether there is an event.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FolderWatch {
    pub(super) detector: AnyDetector,
    /// Articles of each source in the folder: how alike sources are here.
    pub(super) sources: BTreeMap<SourceId, u32>,
    pub(super) course: Course,
    open: Option<Open>,
}

impl FolderWatch {
    pub(super) fn new(detector: AnyDetector) -> Self {
        Self { detector, sources: BTreeMap::new(), course: Course::default(), open: None }
    }

    /// The window going on, scored as it is now.
    pub fn now(&self, settings: &Settings) -> Option<Closed> {
        let window = &self.open.as_ref()?.window;
        let score = self.detector.score(window, settings);
        Some(Closed { from: window.from, to: window.to, level: window.level, score })
    }

    pub(super) fn count(&mut self, source: SourceId, articles: u32) {
        let all = self.sources.entry(source).or_default();
        *all = all.saturating_add(articles);
    }

    /// A source has brought what was counted so far in the time up to `until`.
    pub(super) fn introduce(&mut self, source: SourceId, span: SignedDuration, until: Timestamp) {
        let count = self.sources.get(&source).copied().unwrap_or(0);
        // Longer ago says little about now.
        let span = span.min(SignedDuration::from_hours(8 * 7 * 24));
        if span > SignedDuration::ZERO
            && let Ok(since) = until.checked_sub(span)
        {
            self.detector.introduce(source, count, since, until);
        }
    }

    /// A source was seen, with or without something for this folder.
    pub(super) fn see(
        &mut self,
        seen: &Sighting<'_>,
        since: Timestamp,
        stories: u32,
        level: Level,
        settings: &Settings,
        tell: &mut dyn FnMut(What),
    ) {
        self.roll(seen.at, settings, tell);
        let open = self.open_at(seen.at, settings);
        open.window.level = level;
        open.add(seen.source, since, seen.at, stories);
        if stories > 0 {
            self.judge(seen.at, settings, tell);
        }
    }

    /// One more story of a source, found in its article's text after the visit at `at`.
    pub(super) fn add(
        &mut self,
        source: SourceId,
        at: Timestamp,
        level: Level,
        settings: &Settings,
        tell: &mut dyn FnMut(What),
    ) {
        // Its window may be complete by now: then it is too late to count.
        let Some(open) = self.open.as_mut().filter(|open| at > open.window.from && at <= open.window.to)
        else {
            return;
        };
        open.window.level = level;
        open.add(source, at, at, 1);
        self.judge(at, settings, tell);
    }

    pub(super) fn take_back(&mut self, source: SourceId, seen_at: Timestamp) {
        // What was counted in a window that is complete stays counted.
        if let Some(open) = self.open.as_mut().filter(|open| seen_at > open.window.from) {
            open.take_back(source);
        }
    }

    /// Time passes: a window that ended before `before` is closed, an event of which nothing is seen any more ends.
    pub(super) fn tick(
        &mut self,
        now: Timestamp,
        before: Timestamp,
        settings: &Settings,
        tell: &mut dyn FnMut(What),
    ) {
        self.roll(before, settings, tell);
        if self.open.is_none() {
            self.course.tick(now, tell);
        }
    }

    pub(super) fn forget(&mut self, source: SourceId) {
        self.sources.remove(&source);
        if let Some(open) = &mut self.open {
            open.forget(source);
        }
    }

    /// Closes the window going on if `now` is past its end.
    pub(super) fn roll(&mut self, now: Timestamp, settings: &Settings, tell: &mut dyn FnMut(What)) {
        let Some(open) = self.open.take_if(|open| now > open.window.to || now <= going_back(open, settings))
        else {
            return;
        };
        let is_over = now > open.window.to;
        let window = open.close();
        // A clock that was set back by more than a window leaves nothing that could be compared.
        if !is_over || window.parts.is_empty() {
            return;
        }
        let score = self.detector.score(&window, settings);
        let usual = self.course.close(&window, &score, tell);
        self.detector.learn(&window, usual, settings);
        tell(What::Closed(Closed { from: window.from, to: window.to, level: window.level, score }));
    }

    fn judge(&mut self, at: Timestamp, settings: &Settings, tell: &mut dyn FnMut(What)) {
        let Some(open) = &self.open else { return };
        let usual = self.detector.usual(&open.window, settings);
        if self.course.is_quiet() && usual.is_some_and(|usual| open.observed() as f64 <= usual) {
            return;
        }
        let score = self.detector.score(&open.window, settings);
        self.course.step(at, &open.window, score, tell);
    }

    fn open_at(&mut self, at: Timestamp, settings: &Settings) -> &mut Open {
        self.open.get_or_insert_with(|| Open::at(at, settings.window))
    }
}

fn going_back(open: &Open, settings: &Settings) -> Timestamp {
    open.window.from.checked_sub(settings.window).unwrap_or(Timestamp::MIN)
}
