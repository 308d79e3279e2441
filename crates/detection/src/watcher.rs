//! From visits to events: what each visit means for the folders its source covers. The live monitor calls it inside the
//! visit's transaction, the laboratory in replay.

mod course;
mod finding;
mod folder;
mod open;
mod sighting;
mod similar;

pub use course::Course;
pub use finding::{Closed, Finding, What};
pub use folder::FolderWatch;
pub use sighting::{Count, Sight, Sighting};
pub use similar::Covering;

use crate::any::AnyDetector;
use crate::calendar::{Calendar, Level};
use crate::detector::{Detector, DetectorName};
use crate::settings::Settings;
use jiff::{SignedDuration, Timestamp};
use model::{FolderId, SourceId};
use sighting::{Covered, Measure};
use std::collections::HashMap;

/// Watches all folders. Pure: visits come in, findings come out.
#[derive(Debug, Default)]
pub struct Watcher {
    settings: Settings,
    detector: DetectorName,
    weights: Vec<f64>,
    calendar: Calendar,
    sources: HashMap<SourceId, Sight>,
    folders: HashMap<FolderId, FolderWatch>,
}

impl Watcher {
    /// A watcher that has seen nothing.
    pub fn new(detector: DetectorName, settings: Settings, weights: Vec<f64>) -> Self {
        Self { settings, detector, weights, ..Self::default() }
    }

    /// A source was seen: what that means for its folders.
    pub fn observe(&mut self, seen: &Sighting<'_>) -> Vec<Finding> {
        let sight = self.sources.entry(seen.source).or_insert_with(|| Sight::new(seen.at));
        sight.catalogue = seen.catalogue.unwrap_or(sight.catalogue);
        let measure = sight.measure(seen.at, seen.longest_gap);
        for count in seen.counts {
            sight.cover(count.folder);
        }
        let mut findings = Vec::new();
        if let Measure::Span(since) = measure {
            self.introduce(seen.source, since);
            let covered =
                self.sources.get(&seen.source).map(|sight| sight.folders.clone()).unwrap_or_default();
            for Covered { folder: id, .. } in covered.into_iter().filter(|covered| covered.introduced) {
                let stories =
                    seen.counts.iter().find(|count| count.folder == id).map_or(0, |count| count.stories);
                let level = self.level(id, seen.at);
                let Some(folder) = self.folders.get_mut(&id) else { continue };
                let mut tell = |what| findings.push(Finding { folder: id, what });
                folder.see(seen, since, stories, level, &self.settings, &mut tell);
            }
        }
        for count in seen.counts {
            self.folder(count.folder).count(seen.source, count.articles);
        }
        findings
    }

    /// Tells the detectors of folders what is known of a source before its first part there: what its back catalogue had,
    /// or that it had nothing in all the time it was watched.
    fn introduce(&mut self, source: SourceId, since: Timestamp) {
        let Some(sight) = self.sources.get_mut(&source) else { return };
        let Some(span) = sight.known_for(since) else { return };
        let is_new = |covered: &mut Covered| !std::mem::replace(&mut covered.introduced, true);
        let new: Vec<FolderId> = sight
            .folders
            .iter_mut()
            .filter_map(|covered| is_new(covered).then_some(covered.folder))
            .collect();
        for id in new {
            self.folder(id).introduce(source, span, since);
        }
    }

    /// An article came into a folder after its visit, by its text: `seen_at` is when that visit was.
    pub fn add(
        &mut self,
        source: SourceId,
        folder: FolderId,
        seen_at: Timestamp,
        is_story: bool,
    ) -> Vec<Finding> {
        let Some(sight) = self.sources.get_mut(&source) else { return Vec::new() };
        let last = sight.last;
        let measured = seen_at > sight.unmeasured && sight.known_for(last).is_some();
        sight.cover(folder);
        if measured {
            self.introduce(source, last);
        }
        let level = self.level(folder, last);
        let watch = self.folder(folder);
        watch.count(source, 1);
        let mut findings = Vec::new();
        if measured && is_story {
            let mut tell = |what| findings.push(Finding { folder, what });
            let settings = self.settings.clone();
            if let Some(watch) = self.folders.get_mut(&folder) {
                watch.add(source, last, level, &settings, &mut tell);
            }
        }
        findings
    }

    /// An article of the visit at `seen_at` that was counted turned out to be a copy of a known story, or left the folder.
    pub fn take_back(&mut self, source: SourceId, folder: FolderId, seen_at: Timestamp) {
        let was_counted = self.measures(source, seen_at);
        if let Some(watch) = self.folders.get_mut(&folder).filter(|_| was_counted) {
            watch.take_back(source, seen_at);
        }
    }

    /// Time passes without visits: windows that ended long enough ago are closed.
    pub fn tick(&mut self, now: Timestamp) -> Vec<Finding> {
        let Some(before) = now.checked_sub(self.settings.window).ok() else { return Vec::new() };
        let mut findings = Vec::new();
        for (id, watch) in &mut self.folders {
            watch.tick(now, before, &self.settings, &mut |what| findings.push(Finding { folder: *id, what }));
        }
        findings.sort_by_key(|finding| finding.folder);
        findings
    }

    /// A person said that the folder's event is none: nothing more of it, until the folder is quiet again.
    pub fn mute(&mut self, folder: FolderId) {
        if let Some(watch) = self.folders.get_mut(&folder) {
            watch.course.mute();
        }
    }

    /// Which folders have an event now, by the books.
    pub fn set_events(&mut self, open: &HashMap<FolderId, Timestamp>) {
        for (id, watch) in &mut self.folders {
            watch.course.set_event(open.get(id).copied());
        }
    }

    /// Takes over what is expected from now on.
    pub fn set_calendar(&mut self, calendar: Calendar) {
        self.calendar = calendar;
    }

    /// Takes over trained weights.
    pub fn set_weights(&mut self, weights: Vec<f64>) {
        for watch in self.folders.values_mut() {
            watch.detector.set_weights(&weights);
        }
        self.weights = weights;
    }

    /// Forgets a source that is watched no more.
    pub fn forget_source(&mut self, source: SourceId) {
        for covered in self.sources.remove(&source).map(|sight| sight.folders).unwrap_or_default() {
            if let Some(watch) = self.folders.get_mut(&covered.folder) {
                watch.forget(source);
            }
        }
    }

    /// The folders under watch.
    pub fn folders(&self) -> impl Iterator<Item = (FolderId, &FolderWatch)> {
        self.folders.iter().map(|(id, watch)| (*id, watch))
    }

    /// Whether the dates of a source's first articles would help: it is new, and not yet known for long.
    pub fn wants_catalogue(&self, source: SourceId, at: Timestamp) -> bool {
        self.sources.get(&source).is_some_and(|sight| sight.known_for(at).is_none())
    }

    /// Whether a sighting at this moment measured something: neither the first, nor one that only caught up.
    pub fn measures(&self, source: SourceId, at: Timestamp) -> bool {
        self.sources.get(&source).is_some_and(|sight| at > sight.unmeasured)
    }

    /// When a source was last seen.
    pub fn last_seen(&self, source: SourceId) -> Option<Timestamp> {
        self.sources.get(&source).map(|sight| sight.last)
    }

    /// A folder's window going on, scored as it is now.
    pub fn now(&self, folder: FolderId) -> Option<Closed> {
        self.folders.get(&folder)?.now(&self.settings)
    }

    /// The sources seen so far, to be kept between two starts.
    pub fn sights(&self) -> &HashMap<SourceId, Sight> {
        &self.sources
    }

    /// Takes up what was kept.
    pub fn restore(&mut self, sights: HashMap<SourceId, Sight>, folders: HashMap<FolderId, FolderWatch>) {
        self.sources = sights;
        self.folders = folders;
        let weights = self.weights.clone();
        self.set_weights(weights);
    }

    /// Puts one folder's watch in the place of what is here, after its history was told anew to another watcher.
    pub fn replace(&mut self, id: FolderId, mut by: Self) {
        let course = self.folders.remove(&id).map(|old| old.course);
        for (source, sight) in &mut self.sources {
            let told = by
                .sources
                .get(source)
                .and_then(|sight| sight.folders.iter().find(|covered| covered.folder == id));
            sight.folders.retain(|covered| covered.folder != id);
            if let Some(told) = told {
                let place = sight.folders.partition_point(|covered| covered.folder < id);
                sight.folders.insert(place, *told);
            }
        }
        if let Some(mut watch) = by.folders.remove(&id) {
            watch.course.take_phase(course);
            self.folders.insert(id, watch);
        }
    }

    /// What detectors are told.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn folder(&mut self, id: FolderId) -> &mut FolderWatch {
        let (detector, settings, weights) = (self.detector, &self.settings, &self.weights);
        self.folders.entry(id).or_insert_with(|| {
            let mut detector = AnyDetector::new(detector, settings);
            detector.set_weights(weights);
            FolderWatch::new(detector)
        })
    }

    /// What the calendar expects of the window that holds `at`.
    fn level(&self, folder: FolderId, at: Timestamp) -> Level {
        let (from, to) = grid(at, self.settings.window);
        self.calendar.level(folder, from, to)
    }
}

/// The window of the grid that holds `at`: (from, to].
fn grid(at: Timestamp, window: SignedDuration) -> (Timestamp, Timestamp) {
    let length = i64::try_from(window.as_millis()).unwrap_or(i64::MAX).max(1);
    let moment = at.as_millisecond();
    let to = moment
        .div_euclid(length)
        .saturating_add(i64::from(moment.rem_euclid(length) != 0))
        .saturating_mul(length);
    let time = |ms: i64| Timestamp::from_millisecond(ms).unwrap_or(at);
    (time(to.saturating_sub(length)), time(to))
}
