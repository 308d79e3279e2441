//! What is expected: dates at which a folder will be busier than usual, so that only what exceeds them alarms.

mod entry;
mod estimate;
mod ics;
mod level;

pub use entry::{Entry, EntryError};
pub use estimate::{Estimate, HeldOut, Occurrence, Prior, estimate};
pub use ics::{IcsError, Import, Problem, read_ics};
pub use level::Level;

use jiff::Timestamp;
use model::FolderId;
use std::collections::BTreeMap;

/// The entries of all folders, and what was learned about their kinds.
#[derive(Debug, Clone, Default)]
pub struct Calendar {
    folders: BTreeMap<FolderId, Vec<Entry>>,
    estimates: BTreeMap<(FolderId, String), Level>,
}

impl Calendar {
    /// Of these entries.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> Self {
        let mut folders: BTreeMap<FolderId, Vec<Entry>> = BTreeMap::new();
        for entry in entries {
            folders.entry(entry.folder).or_default().push(entry);
        }
        for entries in folders.values_mut() {
            entries.sort_by_key(|entry| entry.from);
        }
        Self { folders, estimates: BTreeMap::new() }
    }

    /// Takes over what past entries of a kind say about the next one in a folder.
    pub fn set_estimate(&mut self, folder: FolderId, kind: impl Into<String>, level: Level) {
        self.estimates.insert((folder, kind.into()), level);
    }

    /// What is expected of a folder between two moments. An entry counts for the share of the time that it covers.
    /// Entries of one kind at one time are one event told twice: the strongest counts. Those of different kinds
    /// multiply, within bounds.
    pub fn level(&self, folder: FolderId, from: Timestamp, to: Timestamp) -> Level {
        let Some(entries) = self.folders.get(&folder) else { return Level::USUAL };
        let mut kinds: BTreeMap<&str, Level> = BTreeMap::new();
        for entry in entries.iter().take_while(|entry| entry.from < to) {
            let share = entry.share(from, to);
            if share > 0.0 {
                let level = self.level_of(entry).in_part(share);
                let kind = kinds.entry(&entry.kind).or_default();
                *kind = kind.stronger(level);
            }
        }
        kinds.into_values().fold(Level::USUAL, Level::and)
    }

    /// What one entry expects: as typed, else as estimated from past entries of its kind, else nothing special.
    pub fn level_of(&self, entry: &Entry) -> Level {
        let key = (entry.folder, entry.kind.clone());
        let estimated = self.estimates.get(&key).copied().unwrap_or(Level::USUAL);
        let uncertainty = match entry.multiplier {
            // Who types a multiplier alone is sure of it.
            Some(_) => entry.uncertainty.unwrap_or(0.0),
            None => entry.uncertainty.unwrap_or(estimated.uncertainty),
        };
        Level { multiplier: entry.multiplier.unwrap_or(estimated.multiplier), uncertainty }.bounded()
    }
}

#[cfg(test)]
mod tests;
