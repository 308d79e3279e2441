//! What a crawl teaches a topic: weights of classes, new words, and what pages say in general.

mod statistics;
mod stuffing;
mod votes;
mod words;

use super::build::round;
use super::language::stems;
use super::memo::Memo;
use super::weights::weight;
use super::{Class, ClassId, Entry, Gain, Ontology, Provenance, Reader, Reading, Term, Tongue, Topic};
use serde::{Deserialize, Serialize};
use statistics::Counts;
use std::collections::{BTreeMap, BTreeSet};
use votes::Votes;
use words::{GoodPages, NewWord};

/// The name of the class that learned words are put in.
const LEARNED: &str = "words learned from pages";
/// How much the learned words weigh, as a vector, against those of the examples.
const LEARNED_LENGTH: f64 = 0.5;
/// A change of weight that is worth telling.
const TOLD: f64 = 0.1;
/// Lessons that are remembered, to be undone.
const MOST_LESSONS: usize = 2_000;
/// The latest pages, by which the usual page is known.
const LATEST: usize = 40;
/// Fewer tell nothing.
const ENOUGH: usize = 10;
/// Pages off the topic that must have been seen before a word is learned.
const LEAST_CONTRAST: u32 = 10;

/// A page that was read.
#[derive(Debug, Clone, Copy)]
pub struct PageRef<'a> {
    /// Its number in the crawl.
    pub number: u64,
    /// Where it is.
    pub url: &'a str,
    /// The host whose vote it is.
    pub host: &'a str,
}

/// Something that was learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// Its number, for [`Learner::undo`].
    pub number: u64,
    /// What changed.
    pub kind: LessonKind,
    /// On what grounds.
    pub provenance: Provenance,
}

impl Lesson {
    /// The name of the class it is about. A crawl that runs keeps its new class to itself until it ends.
    pub fn class_name<'a>(&self, topic: &'a Topic) -> &'a str {
        let (LessonKind::Weight { class, .. }
        | LessonKind::Spread { class, .. }
        | LessonKind::Word { class, .. }
        | LessonKind::Dropped { class, .. }) = &self.kind;
        topic.ontology.class(*class).map_or(LEARNED, |class| &class.name)
    }

    /// A page it was learned from, by its number in the crawl.
    pub fn example(&self) -> Option<u64> {
        match &self.provenance {
            Provenance::Crawl { examples, .. } => examples.first().copied(),
            _ => None,
        }
    }
}

/// What a lesson changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum LessonKind {
    /// (3), (4): a class weighs more or less.
    Weight {
        /// The class.
        class: ClassId,
        /// σ before.
        before: f64,
        /// σ now.
        after: f64,
    },
    /// A class that was hardly seen follows its neighbours.
    Spread {
        /// The class.
        class: ClassId,
        /// σ before.
        before: f64,
        /// σ now.
        after: f64,
    },
    /// A new word.
    Word {
        /// The class it stands for.
        class: ClassId,
        /// The word.
        word: String,
        /// Its weight.
        weight: f64,
    },
    /// A learned word that no longer holds.
    Dropped {
        /// The class it stood for.
        class: ClassId,
        /// The word.
        word: String,
    },
}

/// Watches a crawl and teaches its topic. Stored between runs, it goes on where it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Learner {
    topic: Topic,
    counts: Counts,
    votes: Votes,
    good: GoodPages,
    /// The words of the latest pages, in a ring. Not stored: what they say, `usual`, is.
    #[serde(skip)]
    latest: Vec<Vec<Term>>,
    lessons: Vec<Lesson>,
    next_lesson: u64,
    /// Classes whose weight a person set back.
    frozen: BTreeSet<ClassId>,
    /// Stems of words a person took back.
    banned: BTreeSet<String>,
    /// σ by class as the topic brought it along: what is assumed until this crawl has seen enough itself.
    #[serde(default)]
    inherited: BTreeMap<ClassId, f64>,
    #[serde(skip)]
    memo: Memo,
}

impl Learner {
    /// Nothing learned yet, beyond what the topic brings along.
    pub fn new(topic: Topic) -> Self {
        let provenances = topic.ontology.entries().map(|entry| &entry.provenance);
        let last = provenances.filter_map(Provenance::lesson).max().unwrap_or(0);
        Self {
            inherited: topic.factors.clone(),
            topic,
            counts: Counts::default(),
            votes: Votes::default(),
            good: GoodPages::default(),
            latest: Vec::new(),
            lessons: Vec::new(),
            next_lesson: last + 1,
            frozen: BTreeSet::new(),
            banned: BTreeSet::new(),
            memo: Memo::default(),
        }
    }

    /// Trusts a host that the user chose, e.g. one of the seeds': as long as there is no other site on the topic, its
    /// votes are not capped, and its word is enough.
    pub fn trust(&mut self, host: &str) {
        self.votes.trust(host);
    }

    /// Counts a page; `false` if its site has had all of its votes, or the page repeats itself as no honest one does.
    /// Read it with its terms to learn words.
    pub fn observe(&mut self, page: &PageRef<'_>, reading: &Reading, on_topic: bool) -> bool {
        if stuffing::is_stuffed(&reading.terms) || !self.votes.take(page.host, on_topic) {
            return false;
        }
        let classes = reading.evidence.iter().map(|found| found.class);
        self.counts.add(classes, on_topic, page.number, &votes::site(page.host));
        if reading.terms.is_empty() {
            return true;
        }
        self.topic.experience.background.add(&reading.terms, on_topic);
        let place = self.topic.experience.background.seen() as usize % LATEST;
        match self.latest.get_mut(place) {
            Some(old) => old.clone_from(&reading.terms),
            None => self.latest.push(reading.terms.clone()),
        }
        if on_topic {
            self.good.add(page.number, page.host, reading.score, &reading.terms, &self.votes);
        }
        true
    }

    /// Draws the conclusions: what changed since the last time.
    pub fn revise(&mut self) -> Vec<Lesson> {
        let before = self.lessons.len();
        self.revise_weights();
        self.revise_words();
        self.revise_usual();
        let new = self.lessons[before..].to_vec();
        let surplus = self.lessons.len().saturating_sub(MOST_LESSONS);
        self.lessons.drain(..surplus);
        new
    }

    /// Takes a lesson back; what it taught is not learned again. `false` if there is no such lesson.
    pub fn undo(&mut self, lesson: u64) -> bool {
        let Some(at) = self.lessons.iter().position(|known| known.number == lesson) else { return false };
        match self.lessons.remove(at).kind {
            LessonKind::Weight { class, before, after } | LessonKind::Spread { class, before, after } => {
                self.frozen.insert(class);
                // Only its own step is taken back: later ones stand, and in whatever order all are undone, nothing is left.
                let now = self.topic.factors.get(&class).copied().unwrap_or(1.0);
                let factor = now * before / after.max(f64::MIN_POSITIVE);
                let whole = (factor - 1.0).abs() < 1e-9;
                self.topic.factors.insert(class, if whole { 1.0 } else { factor });
            }
            LessonKind::Word { class, word, .. } => {
                self.topic.ontology.remove_entry(class, &word);
                self.banned.insert(self.stem(&word));
                // Nothing is left of a class that was made for learned words.
                if self.topic.ontology.class_named(LEARNED) == Some(class) {
                    self.topic.ontology.drop_last_if_empty(class);
                }
            }
            LessonKind::Dropped { .. } => {}
        }
        true
    }

    /// What was learned and can be undone, oldest first.
    pub fn lessons(&self) -> &[Lesson] {
        &self.lessons
    }

    /// Takes in another ontology, e.g. one derived from a database while the crawl goes on.
    pub fn absorb(&mut self, other: &Ontology) -> Gain {
        self.topic.ontology.absorb(other)
    }

    /// The topic as learned so far.
    pub fn topic(&self) -> &Topic {
        &self.topic
    }

    /// The topic as learned so far, ready to read.
    pub fn reader(&self) -> Reader {
        Reader::without(&self.topic, None, self.memo.clone())
    }

    /// The usual page is scored anew each time: what a score means changes with what has been seen.
    fn revise_usual(&mut self) {
        if self.latest.len() < ENOUGH {
            return;
        }
        let reader = self.reader();
        let mut scores: Vec<f64> = self.latest.iter().map(|terms| reader.score_terms(terms)).collect();
        scores.sort_by(f64::total_cmp);
        self.topic.experience.usual = scores.get(scores.len() / 2).copied();
    }

    fn revise_weights(&mut self) {
        let several = self.votes.are_several();
        let factors =
            self.counts.factors(&self.topic.ontology, self.topic.settings.ratio, &self.inherited, several);
        let learned = self.topic.ontology.class_named(LEARNED);
        let most = self.most_factors(factors.get(self.topic.class.0 as usize).map_or(1.0, |own| own.0));
        for (at, (after, spread)) in factors.into_iter().enumerate() {
            let class = ClassId(at as u32);
            // What the learned words weigh together is set when they are learned.
            if self.frozen.contains(&class) || learned == Some(class) {
                continue;
            }
            let before = self.topic.factors.get(&class).copied().unwrap_or(1.0);
            let after = after.min(most[at]);
            // Small changes wait until they have become a change worth telling: every change has its lesson.
            if (after / before.max(f64::MIN_POSITIVE)).ln().abs() < TOLD {
                continue;
            }
            let after = round(after);
            self.topic.factors.insert(class, after);
            let (pages, on_topic) = self.counts.classes.get(&class).copied().unwrap_or_default();
            let kind = if spread {
                LessonKind::Spread { class, before, after }
            } else {
                LessonKind::Weight { class, before, after }
            };
            let witnesses = self.counts.witnesses.get(&class).cloned().unwrap_or_default();
            self.tell(kind, |lesson| Provenance::Crawl {
                lesson,
                on_topic,
                pages,
                hosts: 0,
                examples: witnesses.pages.clone(),
            });
        }
    }

    /// The most that each class may be raised: no class weighs more than that of the topic, whose words people chose.
    fn most_factors(&self, own: f64) -> Vec<f64> {
        let discount = self.topic.settings.discount;
        let most = |distance: Option<u32>| own / weight(discount, distance).max(f64::MIN_POSITIVE);
        self.topic.distances().into_iter().map(most).collect()
    }

    fn revise_words(&mut self) {
        // Without the words learned before, so that a wrong one cannot bring in its like.
        let learned = self.topic.ontology.class_named(LEARNED);
        let base = Reader::without(&self.topic, learned, self.memo.clone());
        let experience = &self.topic.experience;
        let words = self.good.words(
            self.counts.on_topic,
            &experience.examples,
            |terms| base.score_terms(terms),
            &experience.background,
            self.votes.are_several(),
        );
        // Too few good pages say nothing, neither for nor against what was learned before.
        let Some(mut words) = words else { return };
        // Without pages off the topic to hold them against, words that all pages of a site share would be learned.
        if experience.background.pages() < LEAST_CONTRAST {
            return;
        }
        words.retain(|new| !self.banned.contains(&new.stem));
        // A topic made from examples is a vector of all they say, noise included, and was measured so.
        if experience.examples.is_empty() {
            let own = self.own_words();
            let gains = |new: &NewWord| own.get(&new.stem).is_none_or(|given| self.worth(new) > *given);
            words.retain(|new| !words::is_noise(&new.word) && gains(new));
        }
        let Some(class) = self.learned_class(!words.is_empty()) else { return };
        // By stem: which form of a word was met first is chance.
        let mut known: BTreeMap<String, String> = BTreeMap::new();
        for entry in &self.topic.ontology.classes()[class.0 as usize].entries {
            known.insert(self.stem(&entry.text), entry.text.clone());
        }
        let kept: BTreeSet<&str> = words.iter().map(|new| new.stem.as_str()).collect();
        let gone: Vec<String> = known
            .iter()
            .filter(|(stem, _)| !kept.contains(stem.as_str()))
            .map(|(_, word)| word.clone())
            .collect();
        for word in gone {
            self.topic.ontology.remove_entry(class, &word);
            self.tell(LessonKind::Dropped { class, word }, |_| Provenance::Given);
        }
        for mut new in words {
            if let Some(form) = known.get(&new.stem) {
                new.word.clone_from(form);
            }
            self.learn(class, &new);
        }
    }

    /// Words that were given, by stem, with what they count: a learned word that counts no more teaches nothing.
    fn own_words(&self) -> BTreeMap<String, f64> {
        let mut own: BTreeMap<String, f64> = BTreeMap::new();
        for (class, weight) in self.topic.ontology.classes().iter().zip(self.topic.weights()) {
            let given = |it: &&Entry| !matches!(it.provenance, Provenance::Crawl { .. });
            for entry in class.entries.iter().filter(given) {
                let known = own.entry(self.stem(&entry.text)).or_default();
                *known = known.max(weight * entry.weight);
            }
        }
        own
    }

    /// What a learned word counts.
    fn worth(&self, new: &NewWord) -> f64 {
        (new.weight * self.scale()).min(self.most() * self.topic.settings.discount)
    }

    fn stem(&self, word: &str) -> String {
        stems(word, Tongue::of(Some(&self.topic.settings.language))).join(" ")
    }

    /// Adds a word, or corrects its weight.
    fn learn(&mut self, class: ClassId, new: &NewWord) {
        // Undoes the weight by distance, as for the words of the examples.
        let weight = round((new.weight * self.scale() / self.topic.settings.discount).min(self.most()));
        let grounds = |lesson| Provenance::Crawl {
            lesson,
            on_topic: new.teachers,
            pages: new.pages,
            hosts: new.sites,
            examples: new.examples.clone(),
        };
        let known = self.topic.ontology.entry_mut(class, &new.word);
        if let Some(entry) = known {
            entry.weight = weight;
            return;
        }
        let provenance = grounds(self.next_lesson);
        self.topic.ontology.add_entry(class, Entry { weight, provenance, ..Entry::new(new.word.clone()) });
        self.tell(LessonKind::Word { class, word: new.word.clone(), weight }, grounds);
    }

    /// What a vector of learned words of length 1 is worth: [`LEARNED_LENGTH`] of that of all others.
    fn scale(&self) -> f64 {
        let weights = self.topic.weights();
        let learned = self.topic.ontology.class_named(LEARNED);
        let classes = self.topic.ontology.classes().iter().enumerate();
        let others = classes.filter(|(at, _)| learned != Some(ClassId(*at as u32)));
        let square: f64 = others
            .flat_map(|(at, class)| class.entries.iter().map(move |entry| (at, entry.weight)))
            .map(|(at, weight)| (weights[at] * weight).powi(2))
            .sum();
        LEARNED_LENGTH * square.sqrt()
    }

    /// The most that a learned word may weigh: no more than the heaviest of the topic's own. Those of a topic that was
    /// made from examples count one step further away, and so may what is learned.
    fn most(&self) -> f64 {
        let own = self.topic.ontology.class(self.topic.class).map_or(&[][..], |class| &class.entries);
        let heaviest = own.iter().map(|entry| entry.weight).fold(0.0, f64::max);
        let heaviest = if heaviest > 0.0 { heaviest } else { 1.0 };
        if self.topic.experience.examples.is_empty() {
            heaviest
        } else {
            heaviest / self.topic.settings.discount
        }
    }

    /// The class of learned words; made when there is something to put in.
    fn learned_class(&mut self, needed: bool) -> Option<ClassId> {
        let known = self.topic.ontology.class_named(LEARNED);
        if known.is_some() || !needed {
            return known;
        }
        let lesson = self.next_lesson;
        let provenance = Provenance::Crawl {
            lesson,
            on_topic: self.counts.on_topic,
            pages: self.counts.pages,
            hosts: 0,
            examples: Vec::new(),
        };
        let class = Class {
            name: LEARNED.to_owned(),
            parents: vec![self.topic.class],
            provenance,
            ..Class::default()
        };
        Some(self.topic.ontology.add_class(class))
    }

    fn tell(&mut self, kind: LessonKind, grounds: impl Fn(u64) -> Provenance) {
        let number = self.next_lesson;
        self.next_lesson += 1;
        self.lessons.push(Lesson { number, kind, provenance: grounds(number) });
    }
}

#[cfg(test)]
mod tests;
