//! What is known of each source, in the order of their ids.

use model::SourceId;
use serde::{Deserialize, Serialize};

/// A small sorted map. Windows name their sources mostly in order, so that the next one is looked for beside the
/// last one found: 10,000 look-ups then take 10,000 steps and no hashing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Roster<T> {
    lines: Vec<(SourceId, T)>,
}

/// Where the last look-up ended.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Finger(usize);

impl<T> Default for Roster<T> {
    fn default() -> Self {
        Self { lines: Vec::new() }
    }
}

impl<T> Roster<T> {
    pub(crate) fn get(&self, source: SourceId, finger: &mut Finger) -> Option<&T> {
        let place = self.place(source, *finger).ok()?;
        *finger = Finger(place + 1);
        self.lines.get(place).map(|(_, line)| line)
    }

    /// What is known of a source; made where nothing is.
    pub(crate) fn get_or(
        &mut self,
        source: SourceId,
        finger: &mut Finger,
        new: impl FnOnce() -> T,
    ) -> Option<&mut T> {
        let place = match self.place(source, *finger) {
            Ok(place) => place,
            Err(place) => {
                self.lines.insert(place, (source, new()));
                place
            }
        };
        *finger = Finger(place + 1);
        self.lines.get_mut(place).map(|(_, line)| line)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (SourceId, &T)> {
        self.lines.iter().map(|(source, line)| (*source, line))
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.lines.iter_mut().map(|(_, line)| line)
    }

    /// Forgets the sources of which this does not hold.
    pub(crate) fn retain(&mut self, holds: impl Fn(&T) -> bool) {
        self.lines.retain(|(_, line)| holds(line));
    }

    fn place(&self, source: SourceId, finger: Finger) -> Result<usize, usize> {
        match self.lines.get(finger.0) {
            Some((id, _)) if *id == source => Ok(finger.0),
            _ => self.lines.binary_search_by_key(&source, |(id, _)| *id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn a_roster_is_a_map(ids in prop::collection::vec(0i64..20, 0..60)) {
            let (mut roster, mut map) = (Roster::default(), BTreeMap::new());
            let mut finger = Finger::default();
            for id in ids {
                *roster.get_or(SourceId(id), &mut finger, || 0).unwrap() += 1;
                *map.entry(SourceId(id)).or_insert(0) += 1;
            }
            prop_assert_eq!(roster.iter().map(|(id, n)| (id, *n)).collect::<BTreeMap<_, _>>(), map.clone());
            for id in (0..20).map(SourceId) {
                prop_assert_eq!(roster.get(id, &mut finger), map.get(&id));
            }
        }
    }
}
