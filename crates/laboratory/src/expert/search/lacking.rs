//! Words that the article lacks and those it must be told from have.

use super::{Candidate, Partial, Search};
use crate::expert::evidence::Kind;
use crate::expert::lexicon::{Choice, FeatureNo};
use foldhash::fast::RandomState;
use std::cmp::Reverse;
use std::collections::HashMap;

/// What it counts that a word is in an article of a kind: conflicts must go, foes should, friends should stay.
const AGAINST: [(Kind, i32); 2] = [(Kind::Conflict, 3), (Kind::Foe, 2)];
const FOR: [(Kind, i32); 2] = [(Kind::Friend, -2), (Kind::DistantFriend, -1)];

impl Search<'_> {
    /// The most promising of them.
    pub(super) fn lacking(&self, start: &Partial, partial: &Partial) -> Vec<Candidate> {
        let mut ranked = self.rank_lacking(partial);
        ranked.truncate(self.settings.patience.lacking);
        ranked.into_iter().map(|feature| self.candidate(start, Choice::lacks(feature))).collect()
    }

    /// All of them, the most promising first.
    pub(super) fn rank_lacking(&self, partial: &Partial) -> Vec<FeatureNo> {
        let mut worth: HashMap<FeatureNo, i32, RandomState> = HashMap::default();
        for (kind, points) in AGAINST {
            for feature in self.features_of(partial, kind) {
                if self.can_lack(feature) {
                    *worth.entry(feature).or_default() += points;
                }
            }
        }
        for (kind, points) in FOR {
            for feature in self.features_of(partial, kind) {
                if let Some(worth) = worth.get_mut(&feature) {
                    *worth += points;
                }
            }
        }
        let mut ranked: Vec<(FeatureNo, i32)> = worth.into_iter().collect();
        ranked.sort_unstable_by_key(|(feature, worth)| (Reverse(*worth), *feature));
        ranked.into_iter().map(|(feature, _)| feature).collect()
    }

    /// A literal on a missing field never holds.
    fn can_lack(&self, feature: FeatureNo) -> bool {
        !self.reading.has(feature) && self.reading.has_field(self.lexicon().field_place(feature))
    }

    /// The features of some of the articles of a kind that the condition still catches, evenly spaced in time.
    fn features_of(&self, partial: &Partial, kind: Kind) -> impl Iterator<Item = FeatureNo> {
        let of_kind = |(_, tally): &(usize, &super::Tally)| tally.count(kind) > 0;
        let articles: Vec<usize> =
            partial.kinds.iter().enumerate().filter(of_kind).map(|(article, _)| article).collect();
        let step = articles.len() / self.settings.patience.read + 1;
        let some: Vec<usize> = articles.into_iter().step_by(step).collect();
        some.into_iter().flat_map(|article| {
            self.memory.reading(article as u32).features.iter().map(|(feature, _)| *feature)
        })
    }
}
