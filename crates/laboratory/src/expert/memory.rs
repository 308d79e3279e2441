//! What the expert remembers: past articles, where they belong, and which rules fired for them.

use super::lexicon::{Choice, FIELDS, FeatureNo, Lexicon, Reading};
use knowledge::{Polarity, ROOT, Rule, RuleTree};
use model::{FolderId, RuleId};
use roaring::RoaringBitmap;
use std::collections::{BTreeSet, HashMap};

/// The past. Articles are numbered as they come.
pub(super) struct Memory {
    pub(super) lexicon: Lexicon,
    readings: Vec<Reading>,
    /// By feature, the articles it is in.
    postings: Vec<Vec<u32>>,
    /// By place in [`FIELDS`], the articles that have the field.
    with_field: [RoaringBitmap; FIELDS.len()],
    topics: HashMap<FolderId, RoaringBitmap>,
    /// The articles of a topic that were not filed under it when they came.
    missed: HashMap<FolderId, RoaringBitmap>,
    fired: HashMap<RuleId, RoaringBitmap>,
    live: HashMap<RuleId, RoaringBitmap>,
    cornerstones: RoaringBitmap,
}

/// An article as it goes into memory.
pub(super) struct Experience<'a> {
    pub(super) reading: Reading,
    pub(super) topics: &'a BTreeSet<FolderId>,
    pub(super) missed: &'a [FolderId],
    /// The rules that are live for it now.
    pub(super) live: &'a [RuleId],
    pub(super) is_cornerstone: bool,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self {
            lexicon: Lexicon::new(),
            readings: Vec::new(),
            postings: Vec::new(),
            with_field: Default::default(),
            topics: HashMap::new(),
            missed: HashMap::new(),
            fired: HashMap::new(),
            live: HashMap::new(),
            cornerstones: RoaringBitmap::new(),
        }
    }

    /// How many articles are remembered.
    pub(super) fn len(&self) -> usize {
        self.readings.len()
    }

    pub(super) fn all(&self) -> RoaringBitmap {
        (0..self.len() as u32).collect()
    }

    pub(super) fn reading(&self, article: u32) -> &Reading {
        &self.readings[article as usize]
    }

    pub(super) fn cornerstones(&self) -> &RoaringBitmap {
        &self.cornerstones
    }

    pub(super) fn with(&self, feature: FeatureNo) -> &[u32] {
        self.postings.get(feature as usize).map_or(&[], Vec::as_slice)
    }

    /// The articles that have the field at this place of [`FIELDS`].
    pub(super) fn with_field(&self, place: usize) -> &RoaringBitmap {
        &self.with_field[place]
    }

    pub(super) fn topics_of(&self, article: u32) -> BTreeSet<FolderId> {
        self.topics
            .iter()
            .filter(|(_, articles)| articles.contains(article))
            .map(|(topic, _)| *topic)
            .collect()
    }

    pub(super) fn of_topic(&self, topic: FolderId) -> RoaringBitmap {
        self.topics.get(&topic).cloned().unwrap_or_default()
    }

    pub(super) fn missed(&self, topic: FolderId) -> RoaringBitmap {
        self.missed.get(&topic).cloned().unwrap_or_default()
    }

    /// The articles that any of these rules fires for.
    pub(super) fn fired(&self, rules: &[RuleId]) -> RoaringBitmap {
        if rules.contains(&ROOT) {
            return self.all();
        }
        union(&self.fired, rules.iter().copied())
    }

    /// The articles that would get a folder if a rule under these always held.
    pub(super) fn gaining(&self, tree: &RuleTree, places: &[RuleId], folder: FolderId) -> RoaringBitmap {
        self.fired(places) - union(&self.live, giving(tree, folder))
    }

    /// The articles that would lose a folder that only these rules give them.
    pub(super) fn losing(&self, tree: &RuleTree, places: &[RuleId], folder: FolderId) -> RoaringBitmap {
        let others = giving(tree, folder).filter(|rule| !places.contains(rule));
        union(&self.live, places.iter().copied()) - union(&self.live, others)
    }

    /// Takes note of rules with one condition that were added to the tree.
    pub(super) fn learn(&mut self, rules: &[Rule], condition: &[Choice]) {
        for rule in rules {
            let fired = self.matching(self.fired(&[rule.parent]), condition);
            if let Some(parent) = self.live.get_mut(&rule.parent) {
                *parent -= &fired;
            }
            self.live.insert(rule.id, fired.clone());
            self.fired.insert(rule.id, fired);
        }
    }

    /// Remembers an article.
    pub(super) fn remember(&mut self, tree: &RuleTree, experience: Experience<'_>) {
        let number = self.len() as u32;
        let Experience { reading, topics, missed, live, is_cornerstone } = experience;
        self.postings.resize_with(self.lexicon.len(), Vec::new);
        for (feature, _) in &reading.features {
            self.postings[*feature as usize].push(number);
        }
        for (place, with) in self.with_field.iter_mut().enumerate() {
            if reading.has_field(place) {
                with.insert(number);
            }
        }
        for topic in topics {
            self.topics.entry(*topic).or_default().insert(number);
        }
        for topic in missed {
            self.missed.entry(*topic).or_default().insert(number);
        }
        for rule in live {
            self.live.entry(*rule).or_default().insert(number);
            for fired in tree.path(*rule) {
                self.fired.entry(fired.id).or_default().insert(number);
            }
        }
        if is_cornerstone {
            self.cornerstones.insert(number);
        }
        self.readings.push(reading);
    }

    fn matching(&self, among: RoaringBitmap, condition: &[Choice]) -> RoaringBitmap {
        condition.iter().fold(among, |found, choice| {
            let with: RoaringBitmap = self.with(choice.feature).iter().copied().collect();
            match choice.polarity {
                Polarity::Has => found & with,
                Polarity::Lacks => (found & self.with_field(self.lexicon.field_place(choice.feature))) - with,
            }
        })
    }
}

fn giving(tree: &RuleTree, folder: FolderId) -> impl Iterator<Item = RuleId> {
    let gives = move |rule: &&Rule| rule.conclusion.folder() == Some(folder);
    tree.rules().iter().filter(gives).map(|rule| rule.id)
}

fn union(sets: &HashMap<RuleId, RoaringBitmap>, rules: impl Iterator<Item = RuleId>) -> RoaringBitmap {
    let mut all = RoaringBitmap::new();
    for rule in rules {
        if let Some(set) = sets.get(&rule) {
            all |= set;
        }
    }
    all
}
