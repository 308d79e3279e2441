//! What the past says about a rule in the making: which articles it should catch, and which not.

use super::memory::Memory;
use super::settings::{Settings, Weights};
use knowledge::{Correction, Draft, RuleTree};
use model::FolderId;
use roaring::RoaringBitmap;
use std::collections::BTreeSet;
use std::iter::Sum;
use std::ops::{AddAssign, Sub};

/// Counts of articles by [`Kind`], side by side in one number: counting all is one addition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally(u128);

/// What an article is to a rule. An article may be of several kinds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// It should be caught, and needs to be.
    Friend,
    /// It is like those, but is filed rightly already.
    DistantFriend,
    /// It would be filed wrongly.
    Foe,
    /// It should not be caught, but would come to no harm.
    DistantFoe,
    /// It is a cornerstone that would change.
    Conflict,
    /// It is one of all those that should not be caught, wherever they are.
    Stranger,
}

/// Six counts of 21 bits fit, each to two million.
const BITS: u32 = 21;

/// The past as seen by one rule in the making.
pub(super) struct Evidence {
    /// By article.
    pub(super) kinds: Vec<Tally>,
    pub(super) weights: Weights,
    /// Of all that is to come, the share that should be caught.
    pub(super) share: f64,
    /// The folder to be given, if any.
    pub(super) folder: Option<FolderId>,
}

impl Tally {
    fn mark(&mut self, kind: Kind) {
        self.0 |= 1 << (BITS * kind as u32);
    }

    pub(super) fn count(self, kind: Kind) -> u32 {
        (self.0 >> (BITS * kind as u32)) as u32 & ((1 << BITS) - 1)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

/// Of a part from its whole: no count borrows from its neighbour.
impl Sub for Tally {
    type Output = Self;
    fn sub(self, part: Self) -> Self {
        Self(self.0 - part.0)
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut sum, tally| {
            sum += tally;
            sum
        })
    }
}

impl Evidence {
    pub(super) fn of(
        memory: &Memory,
        tree: &RuleTree,
        draft: &Draft,
        topics: &BTreeSet<FolderId>,
        settings: &Settings,
    ) -> Self {
        match draft.correction() {
            Correction::Add(to) => Self::of_rule(memory, tree, draft, None, to, settings),
            Correction::Replace { from, to } => Self::of_rule(memory, tree, draft, Some(from), to, settings),
            Correction::Remove(from) => Self::of_stop(memory, tree, draft, from, topics, settings),
        }
    }

    fn of_rule(
        memory: &Memory,
        tree: &RuleTree,
        draft: &Draft,
        from: Option<FolderId>,
        to: FolderId,
        settings: &Settings,
    ) -> Self {
        let places = draft.places();
        let (right, missed) = (memory.of_topic(to), memory.missed(to));
        let gain = memory.gaining(tree, places, to);
        let lose = from.map(|from| memory.losing(tree, places, from)).unwrap_or_default();
        let robbed = from.map(|from| &lose & memory.of_topic(from)).unwrap_or_default();
        let friends =
            if places.contains(&knowledge::ROOT) { missed } else { &right & (memory.fired(places) | missed) };
        let strangers = memory.all() - &right;
        let foes = (&gain - &right) | robbed;
        let share = right.len() as f64 / (memory.len() + 1) as f64;
        let mut evidence = Self::new(memory, settings.rule, share, Some(to));
        evidence.mark(&(&right - &friends), Kind::DistantFriend);
        evidence.mark(&friends, Kind::Friend);
        evidence.mark(&(&strangers - &foes), Kind::DistantFoe);
        evidence.mark(&foes, Kind::Foe);
        evidence.mark(&strangers, Kind::Stranger);
        evidence.mark(&((gain | lose) & memory.cornerstones()), Kind::Conflict);
        evidence
    }

    fn of_stop(
        memory: &Memory,
        tree: &RuleTree,
        draft: &Draft,
        from: FolderId,
        topics: &BTreeSet<FolderId>,
        settings: &Settings,
    ) -> Self {
        let right = memory.of_topic(from);
        let fired = memory.fired(draft.places());
        let lose = memory.losing(tree, draft.places(), from);
        let friends = &fired - &right;
        let mut alike = RoaringBitmap::new();
        for topic in topics {
            alike |= memory.of_topic(*topic);
        }
        let foes = &lose & &right;
        let mut evidence = Self::new(memory, settings.stop, 0.0, None);
        evidence.mark(&(alike - &right - &friends), Kind::DistantFriend);
        evidence.mark(&friends, Kind::Friend);
        evidence.mark(&((fired & &right) - &foes), Kind::DistantFoe);
        evidence.mark(&foes, Kind::Foe);
        evidence.mark(&right, Kind::Stranger);
        evidence.mark(&(lose & memory.cornerstones()), Kind::Conflict);
        evidence
    }

    fn new(memory: &Memory, weights: Weights, share: f64, folder: Option<FolderId>) -> Self {
        Self { kinds: vec![Tally::default(); memory.len()], weights, share, folder }
    }

    fn mark(&mut self, articles: &RoaringBitmap, kind: Kind) {
        for article in articles {
            self.kinds[article as usize].mark(kind);
        }
    }
}
