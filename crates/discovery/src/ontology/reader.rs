//! A topic ready to read pages.
//!
//! A page is a vector: each stem's strength times its rarity. So is the topic: each word's weight times its rarity,
//! of length 1. The page's score is their cosine, less a share of the cosine with what all pages say; a score that
//! equals the topic's level is 0.5 when normalised. This is Rocchio's classifier with the words of an ontology.

use super::bag::{Bag, strength};
use super::language::{is_stop_word, stems};
use super::level::level;
use super::memo::Memo;
use super::{ClassId, Evidence, Provenance, Reading, Term, Tongue, Topic};
use crate::hash::hash_word;
use crate::spoken::Spoken;
use foldhash::{HashMap, HashMapExt};
use std::sync::Arc;

/// Evidence that is kept of a page.
const MOST_EVIDENCE: usize = 40;

/// The text of a page.
#[derive(Debug, Clone, Copy, Default)]
pub struct PageText<'a> {
    /// Its title.
    pub title: &'a str,
    /// What it says.
    pub text: &'a str,
    /// Its language, e.g. `en-gb`; without one it is taken as the topic's.
    pub language: Option<&'a str>,
}

/// What the given words must say, where no examples were given: half of what makes a page one of the topic.
const LEAST_GIVEN: f64 = 0.2;

/// A topic ready to read pages. Cheap to clone, and shared freely between threads.
#[derive(Debug, Clone)]
pub struct Reader(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    topic: Topic,
    entries: Vec<Known>,
    /// By the hash of the stem.
    stems: HashMap<u64, Slot>,
    /// The rarity of a stem never seen.
    unseen: f64,
    /// The score from which a page is on the topic.
    level: f64,
    memo: Memo,
    /// It was built from example pages.
    has_examples: bool,
}

/// A lexical entry as it is looked up.
#[derive(Debug)]
struct Known {
    class: ClassId,
    text: String,
    /// Its words: stems, but stop words as they are.
    stems: Vec<Box<str>>,
    /// The same, hashed.
    hashes: Vec<u64>,
    /// Which of them is looked up: the first that is no stop word.
    anchor: usize,
    /// It was learned during a crawl.
    learned: bool,
    /// W of its class, times its own.
    weight: f64,
    /// Its part of the topic vector.
    part: f64,
    /// Its rarity.
    rarity: f64,
}

/// What is known about a stem.
#[derive(Debug, Default)]
struct Slot {
    rarity: f64,
    /// Its part of what all pages say.
    general: f64,
    /// The entry that is this word alone.
    alone: Option<u32>,
    /// Entries of several words that begin with it.
    phrases: Vec<u32>,
}

/// An entry found on a page.
struct Found {
    entry: u32,
    count: u32,
    first: u32,
}

impl Reader {
    /// Makes a topic ready.
    pub fn new(topic: &Topic) -> Self {
        Self::without(topic, None, Memo::default())
    }

    /// The same, without the words of a class, and with stems found before.
    pub(super) fn without(topic: &Topic, class: Option<ClassId>, memo: Memo) -> Self {
        let background = &topic.experience.background;
        let mut slots: HashMap<u64, Slot> = HashMap::with_capacity(1_024);
        let mut square = 0.0;
        for stem in background.stems() {
            let rarity = background.rarity(stem);
            let general = background.share(stem) * rarity;
            square += general * general;
            slots.insert(hash_word(stem), Slot { rarity, general, ..Slot::default() });
        }
        let length = f64::sqrt(square).max(f64::MIN_POSITIVE);
        for slot in slots.values_mut() {
            slot.general /= length;
        }
        let mut entries = known(topic, class);
        for (at, entry) in entries.iter_mut().enumerate() {
            let telling = entry.stems.iter().filter(|stem| !is_stop_word(stem));
            let rarities = telling.map(|stem| background.rarity(stem));
            entry.rarity = rarities.fold(0.0, f64::max);
            entry.part = entry.weight * entry.rarity;
            let anchor = &entry.stems[entry.anchor];
            let slot = slots
                .entry(hash_word(anchor))
                .or_insert_with(|| Slot { rarity: background.rarity(anchor), ..Slot::default() });
            if entry.stems.len() == 1 {
                slot.alone = Some(at as u32);
            } else {
                slot.phrases.push(at as u32);
            }
        }
        let length = entries.iter().map(|entry| entry.part * entry.part).sum::<f64>().sqrt();
        if length > 0.0 {
            for entry in &mut entries {
                entry.part /= length;
            }
        }
        let unseen = background.rarity("");
        let has_examples = !topic.experience.examples.is_empty();
        let mut compiled = Compiled {
            topic: topic.without_experience(),
            entries,
            stems: slots,
            unseen,
            level: 0.0,
            memo,
            has_examples,
        };
        let examples: Vec<f64> =
            topic.experience.examples.iter().map(|terms| compiled.score_terms(terms)).collect();
        compiled.level = level(topic, &examples).max(1e-6);
        Self(Arc::new(compiled))
    }

    /// The topic it reads for, without its experience: that is in here already.
    pub fn topic(&self) -> &Topic {
        &self.0.topic
    }

    /// What a page says about the topic.
    pub fn read(&self, page: &PageText<'_>) -> Reading {
        self.read_spoken(&Spoken::of(page.title, page.text), page.language, |_| false)
    }

    /// The same, with the words of the page for a [`super::Learner`].
    pub fn read_with_terms(&self, page: &PageText<'_>) -> Reading {
        self.read_spoken(&Spoken::of(page.title, page.text), page.language, |_| true)
    }

    /// The same of a page that was cut into words before, with its words if they are wanted: they are the dearest part.
    pub(crate) fn read_spoken(
        &self,
        spoken: &Spoken,
        language: Option<&str>,
        wanted: impl Fn(&Reading) -> bool,
    ) -> Reading {
        let bag = Bag::of(spoken, language, &self.0.topic.settings.language, &self.0.memo);
        let reading = self.judge(&bag);
        if wanted(&reading) { Reading { terms: bag.terms(), ..reading } } else { reading }
    }

    /// Equation (7): the cosine of a text with the topic's words, over the whole topic vector; 0 for a text without
    /// words. For link texts and other short pieces.
    pub fn likeness(&self, text: &str, language: Option<&str>) -> f64 {
        let spoken = Spoken::of("", text);
        let bag = Bag::of(&spoken, language, &self.0.topic.settings.language, &self.0.memo);
        let mut square = 0.0;
        for stem in &bag.stems {
            let rarity = self.0.stems.get(&stem.hash).map_or(self.0.unseen, |slot| slot.rarity);
            square += (f64::from(stem.count) * rarity).powi(2);
        }
        let part = |found: &Found| {
            let entry = &self.0.entries[found.entry as usize];
            f64::from(found.count) * entry.rarity * entry.part
        };
        let dot: f64 = self.find(&bag).iter().map(part).sum();
        if square > 0.0 { (dot / f64::sqrt(square)).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The score of a page by its terms alone, e.g. of one read before: phrases are not seen.
    pub fn score_terms(&self, terms: &[Term]) -> f64 {
        self.0.score_terms(terms)
    }

    /// The score from which a page is on the topic.
    pub fn level(&self) -> f64 {
        let threshold = self.0.topic.settings.threshold;
        self.0.level * (threshold / (1.0 - threshold)).sqrt()
    }

    /// Which entries stand on a page, in their order.
    fn find(&self, bag: &Bag<'_>) -> Vec<Found> {
        let mut found = Vec::new();
        let mut starts: Vec<(u32, &Slot)> = Vec::new();
        for (number, stem) in bag.stems.iter().enumerate() {
            let Some(slot) = self.0.stems.get(&stem.hash) else { continue };
            if let Some(entry) = slot.alone {
                found.push(Found { entry, count: stem.count, first: stem.first });
            }
            if !slot.phrases.is_empty() {
                starts.push((number as u32, slot));
            }
        }
        for (start, slot) in starts {
            for entry in &slot.phrases {
                found.extend(self.find_phrase(bag, start, *entry));
            }
        }
        found.sort_unstable_by_key(|found| found.entry);
        found
    }

    /// A phrase stands where its words follow each other: content words by their stem, stop words as they are.
    fn find_phrase(&self, bag: &Bag<'_>, anchor: u32, entry: u32) -> Option<Found> {
        let known = &self.0.entries[entry as usize];
        let mut found: Option<Found> = None;
        for (at, _) in bag.sequence.iter().enumerate().filter(|(_, stem)| **stem == anchor) {
            let Some(start) = at.checked_sub(known.anchor) else { continue };
            let end = start + known.stems.len();
            if end <= bag.sequence.len()
                && (start..end).zip(&known.hashes).all(|(at, hash)| bag.hash_at(at) == *hash)
            {
                found.get_or_insert(Found { entry, count: 0, first: start as u32 }).count += 1;
            }
        }
        found
    }

    fn judge(&self, bag: &Bag<'_>) -> Reading {
        let (mut general, mut square) = (0.0, 0.0);
        for stem in &bag.stems {
            let slot = self.0.stems.get(&stem.hash);
            let x = stem.strength() * slot.map_or(self.0.unseen, |slot| slot.rarity);
            square += x * x;
            general += slot.map_or(0.0, |slot| x * slot.general);
        }
        let (mut dot, mut given, mut raw) = (0.0, 0.0, 0.0);
        let mut evidence: Vec<(f64, u32, u32)> = Vec::new();
        for Found { entry, count, first } in self.find(bag) {
            let known = &self.0.entries[entry as usize];
            let part = strength(count, first as usize) * known.rarity * known.part;
            dot += part;
            given += if known.learned { 0.0 } else { part };
            raw += f64::from(count) * known.weight;
            evidence.push((part, entry, count));
        }
        evidence.sort_by(|a, b| b.0.total_cmp(&a.0));
        evidence.truncate(MOST_EVIDENCE);
        let contrast = self.0.topic.settings.contrast;
        let score = if square > 0.0 { (dot - contrast * general) / f64::sqrt(square) } else { 0.0 };
        let normalised = self.normalise(score);
        // Where people chose the words, learned ones alone make no page one of the topic: they may come from what all pages of a site share.
        let normalised_given = if square > 0.0 { self.normalise(given / f64::sqrt(square)) } else { 0.0 };
        Reading {
            raw,
            score,
            normalised,
            relevant: normalised >= self.0.topic.settings.threshold
                && (self.0.has_examples || normalised_given >= LEAST_GIVEN),
            evidence: evidence.into_iter().map(|(_, entry, count)| self.evidence(entry, count)).collect(),
            terms: Vec::new(),
        }
    }

    fn evidence(&self, entry: u32, count: u32) -> Evidence {
        let known = &self.0.entries[entry as usize];
        Evidence { class: known.class, word: known.text.clone(), count, weight: known.weight }
    }

    /// 0.5 where the score equals the topic's level.
    fn normalise(&self, score: f64) -> f64 {
        let score = score.max(0.0);
        // Squared, so that what is half the level is far below half: 0.2.
        score * score / (score * score + self.0.level * self.0.level)
    }
}

impl Compiled {
    /// The score of a page by its terms alone: phrases are not seen.
    fn score_terms(&self, terms: &[Term]) -> f64 {
        let (mut dot, mut general, mut square) = (0.0, 0.0, 0.0);
        for term in terms {
            let slot = self.stems.get(&hash_word(&term.stem));
            let x = f64::from(term.strength) * slot.map_or(self.unseen, |slot| slot.rarity);
            square += x * x;
            if let Some(slot) = slot {
                general += x * slot.general;
                dot += slot.alone.map_or(0.0, |entry| x * self.entries[entry as usize].part);
            }
        }
        let contrast = self.topic.settings.contrast;
        if square > 0.0 { (dot - contrast * general) / f64::sqrt(square) } else { 0.0 }
    }
}

/// The entries of a topic, each sequence of stems once: where two classes have the same word, the heavier wins.
fn known(topic: &Topic, without: Option<ClassId>) -> Vec<Known> {
    let weights = topic.weights();
    let mut places: HashMap<Vec<Box<str>>, usize> = HashMap::new();
    let mut entries: Vec<Known> = Vec::new();
    for (at, class) in topic.ontology.classes().iter().enumerate() {
        if without == Some(ClassId(at as u32)) {
            continue;
        }
        for entry in &class.entries {
            let language = entry.language.as_deref().unwrap_or(&topic.settings.language);
            let stems: Vec<Box<str>> = stems(&entry.text, Tongue::of(Some(language)))
                .into_iter()
                .map(String::into_boxed_str)
                .collect();
            // Nothing but stop words, as in `IT`: that is on every page.
            let Some(anchor) = stems.iter().position(|stem| !is_stop_word(stem)) else { continue };
            let weight = weights[at] * entry.weight;
            if weight <= 0.0 {
                continue;
            }
            let new = Known {
                class: ClassId(at as u32),
                text: entry.text.clone(),
                hashes: stems.iter().map(|stem| hash_word(stem)).collect(),
                stems,
                anchor,
                learned: matches!(entry.provenance, Provenance::Crawl { .. }),
                weight,
                part: 0.0,
                rarity: 0.0,
            };
            let place = *places.entry(new.stems.clone()).or_insert(entries.len());
            match entries.get_mut(place) {
                Some(old) if old.weight < new.weight => *old = new,
                Some(_) => {}
                None => entries.push(new),
            }
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::{Class, Entry, Ontology, shipped};

    #[test]
    fn equation_2_sums_frequency_times_weight() {
        // book (W = 1) twice, product (W = 0.5) once: 2·1 + 1·0.5; the raw sum grows with the page, the other does not.
        let mut ontology = Ontology::default();
        let entries = |word: &str| vec![Entry::new(word)];
        let product = ontology.add_class(Class {
            name: "Product".into(),
            entries: entries("goods"),
            ..Class::default()
        });
        let parents = vec![product];
        ontology.add_class(Class {
            name: "Book".into(),
            parents,
            entries: entries("book"),
            ..Class::default()
        });
        let reader = Reader::new(&Topic::new("Books", ontology, "Book").unwrap());
        let text = "A book, two books, and goods. ";
        let once = reader.read(&PageText { title: "", text, language: None });
        assert!((once.raw - 2.5).abs() < 1e-12);
        let thrice = reader.read(&PageText { title: "", text: &text.repeat(3), language: None });
        assert!((thrice.raw - 7.5).abs() < 1e-12);
        assert!((thrice.normalised - once.normalised).abs() < 0.05);
    }

    #[test]
    fn every_shipped_word_is_found_in_its_own_text() {
        for topic in shipped() {
            let reader = Reader::new(&topic);
            let weights = topic.weights();
            for (at, class) in
                topic.ontology.classes().iter().enumerate().filter(|(at, _)| weights[*at] > 0.0)
            {
                for entry in &class.entries {
                    let text = format!("zzz {} zzz", entry.text);
                    let reading = reader.read(&PageText {
                        title: "",
                        text: &text,
                        language: entry.language.as_deref(),
                    });
                    assert!(!reading.evidence.is_empty(), "{}: {} of {at}", topic.name, entry.text);
                }
            }
        }
    }

    #[test]
    fn a_phrase_keeps_its_small_words() {
        let reader = Reader::new(&Topic::from_words("Shops", &["out of stock", "New York"]).unwrap());
        let count = |text: &str| reader.read(&PageText { title: "", text, language: None }).evidence.len();
        assert_eq!(count("Sorry, out of stock."), 1);
        assert_eq!(count("Out in stock"), 0);
        assert_eq!(count("New York"), 1);
        assert_eq!(count("the Duke of York"), 0);
    }

    #[test]
    fn equation_7_is_a_cosine_over_the_whole_topic() {
        // Two topic words of equal weight, the text has one of them: 1·1 / √(1² · (1² + 1²)) = 0.7071.
        let reader = Reader::new(&Topic::from_words("guitar", &["violin"]).unwrap());
        assert!((reader.likeness("violin", None) - 0.5_f64.sqrt()).abs() < 1e-9);
        assert!((reader.likeness("violin guitar", None) - 1.0).abs() < 1e-9);
        assert!(reader.likeness("of the", None).abs() < 1e-12);
    }
}
