//! Earlier decisions that new rules would change.

use crate::archive::Effect;
use crate::base::Base;
use crate::cornerstone::{self, Cornerstone};
use crate::tree::Filer;
use model::{CornerstoneId, FolderId};
use roaring::RoaringBitmap;
use std::collections::BTreeSet;

/// A cornerstone that a draft would file elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Which.
    pub cornerstone: CornerstoneId,
    /// Where it is and belongs.
    pub before: BTreeSet<FolderId>,
    /// Where the draft would put it.
    pub after: BTreeSet<FolderId>,
}

/// The cornerstones that new rules would file elsewhere than they belong. Which they are is found by sets; where each
/// one is and would be, only when it is looked at: a common word may conflict with thousands.
#[derive(Debug)]
pub struct Conflicts<'b> {
    base: &'b Base,
    effect: Effect,
    found: RoaringBitmap,
}

impl<'b> Conflicts<'b> {
    /// A change is a conflict unless it puts a cornerstone where it belongs.
    pub(super) fn new(base: &'b Base, effect: Effect, own: Option<CornerstoneId>) -> Self {
        let mut found = RoaringBitmap::new();
        for change in &effect.folders {
            let expecting = expecting(base, change.folder);
            found |= (&change.gain - &expecting) | (&change.lose & expecting);
        }
        let mut filer = Filer::default();
        // Those that come nearer to where they belong: is it all the way? They were filed wrongly, so they are few.
        for number in effect.changed() - &found {
            let mut after = |cornerstone: &Cornerstone| {
                let before = filer.file(base.tree(), &cornerstone.fields).folders.into_iter().collect();
                effect.apply(number, &before)
            };
            let cornerstone = base.cornerstones().get(cornerstone::id(number));
            if cornerstone.is_some_and(|cornerstone| cornerstone.expected != after(cornerstone)) {
                found.insert(number);
            }
        }
        if let Some(own) = own {
            found.remove(cornerstone::number(own));
        }
        Self { base, effect, found }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len() as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Which they are, oldest first.
    pub fn ids(&self) -> impl Iterator<Item = CornerstoneId> {
        self.found.iter().map(cornerstone::id)
    }

    /// Each with where it is and would be, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = Conflict> {
        let mut filer = Filer::default();
        self.found.iter().filter_map(move |number| {
            let cornerstone = self.base.cornerstones().get(cornerstone::id(number))?;
            let before = filer.file(self.base.tree(), &cornerstone.fields).folders.into_iter().collect();
            let after = self.effect.apply(number, &before);
            Some(Conflict { cornerstone: cornerstone.id, before, after })
        })
    }

    pub(super) fn into_set(self) -> RoaringBitmap {
        self.found
    }
}

/// The cornerstones that belong into a folder.
fn expecting(base: &Base, folder: FolderId) -> RoaringBitmap {
    let expecting = base.cornerstones().iter().filter(|cornerstone| cornerstone.expected.contains(&folder));
    expecting.map(|cornerstone| cornerstone::number(cornerstone.id)).collect()
}
