//! What can be picked from an article: its words, their stems and its pairs of words, each with a number.

use super::function_words::is_function_word;
use foldhash::fast::RandomState;
use knowledge::{Field, Literal, Mode, Polarity, Term, Words};
use rust_stemmers::{Algorithm, Stemmer};
use std::collections::HashMap;

/// The fields that labelled texts have.
pub(super) const FIELDS: [Field; 2] = [Field::Title, Field::Body];
const MODES: [Mode; 3] = [Mode::Exact, Mode::Stem, Mode::Phrase];

/// The number of a feature.
pub(super) type FeatureNo = u32;
type Numbers = HashMap<Box<str>, u32, RandomState>;

/// A term, and what taste asks about it.
pub(super) struct Feature {
    /// As it goes into a rule. For a stem, the first form of the word that was seen.
    pub(super) term: Term,
    /// What it is known by: the word, the stem, or the words of the phrase.
    pub(super) text: Box<str>,
    /// The stems of its words, by number.
    pub(super) stems: Vec<u32>,
    pub(super) is_function_word: bool,
    pub(super) has_digit: bool,
}

/// A literal that was picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) feature: FeatureNo,
    pub(super) polarity: Polarity,
}

/// What there is to pick in one article.
pub(super) struct Reading {
    /// Features by number, each with how often it is there.
    pub(super) features: Vec<(FeatureNo, u32)>,
    has_field: [bool; FIELDS.len()],
}

/// All features seen so far.
pub(super) struct Lexicon {
    features: Vec<Feature>,
    numbers: [[Numbers; MODES.len()]; FIELDS.len()],
    stems: Numbers,
    stemmer: Stemmer,
}

impl Reading {
    pub(super) fn has(&self, feature: FeatureNo) -> bool {
        self.count(feature) > 0
    }

    /// How often a feature is there.
    pub(super) fn count(&self, feature: FeatureNo) -> u32 {
        let found = self.features.binary_search_by_key(&feature, |(number, _)| *number);
        found.map_or(0, |at| self.features[at].1)
    }

    /// Whether it has the field at this place of [`FIELDS`].
    pub(super) fn has_field(&self, place: usize) -> bool {
        self.has_field[place]
    }

    /// Whether the other has these fields too and says the same in them.
    pub(super) fn says_the_same_as(&self, other: &Self, lexicon: &Lexicon) -> bool {
        let in_own_fields = |reading: &Self| -> Vec<FeatureNo> {
            let numbers = reading.features.iter().map(|(number, _)| *number);
            numbers.filter(|number| self.has_field(lexicon.field_place(*number))).collect()
        };
        in_own_fields(self) == in_own_fields(other)
    }
}

impl Choice {
    pub(super) fn has(feature: FeatureNo) -> Self {
        Self { feature, polarity: Polarity::Has }
    }

    pub(super) fn lacks(feature: FeatureNo) -> Self {
        Self { feature, polarity: Polarity::Lacks }
    }
}

impl Lexicon {
    pub(super) fn new() -> Self {
        Self {
            features: Vec::new(),
            numbers: Default::default(),
            stems: Numbers::default(),
            stemmer: Stemmer::create(Algorithm::English),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.features.len()
    }

    pub(super) fn get(&self, feature: FeatureNo) -> &Feature {
        &self.features[feature as usize]
    }

    /// The place in [`FIELDS`] of a feature's field.
    pub(super) fn field_place(&self, feature: FeatureNo) -> usize {
        usize::from(self.get(feature).term.field() == FIELDS[1])
    }

    /// Whether two literals say the same, or one all that the other says.
    pub(super) fn repeats(&self, one: Choice, other: Choice) -> bool {
        if one.polarity == Polarity::Lacks || other.polarity == Polarity::Lacks {
            return one == other;
        }
        let (one, other) = (self.get(one.feature), self.get(other.feature));
        let within =
            |part: &Feature, whole: &Feature| part.stems.iter().all(|stem| whole.stems.contains(stem));
        one.term.field() == other.term.field() && (within(one, other) || within(other, one))
    }

    pub(super) fn stem(&self, word: &str) -> String {
        self.stemmer.stem(word).into_owned()
    }

    pub(super) fn literal(&self, choice: Choice) -> Literal {
        let term = self.get(choice.feature).term.clone();
        match choice.polarity {
            Polarity::Has => Literal::has(term),
            Polarity::Lacks => Literal::lacks(term),
        }
    }

    /// Numbers all that can be picked from an article.
    pub(super) fn read(&mut self, words: &Words) -> Reading {
        let mut counts: HashMap<FeatureNo, u32, RandomState> = HashMap::default();
        let mut count = |feature: Option<FeatureNo>| {
            if let Some(feature) = feature {
                *counts.entry(feature).or_default() += 1;
            }
        };
        for (place, field) in FIELDS.into_iter().enumerate() {
            let in_order = words.in_order(field);
            for word in in_order {
                count(self.number(place, Mode::Exact, word, word));
                let stem = self.stem(word);
                count(self.number(place, Mode::Stem, &stem, word));
            }
            for pair in in_order.windows(2) {
                let phrase = pair.join(" ");
                count(self.number(place, Mode::Phrase, &phrase, &phrase));
            }
        }
        let mut features: Vec<_> = counts.into_iter().collect();
        features.sort_unstable();
        Reading { features, has_field: FIELDS.map(|field| !words.is_missing(field)) }
    }

    /// `None` for what cannot be a term: overlong words.
    fn number(&mut self, place: usize, mode: Mode, text: &str, written: &str) -> Option<FeatureNo> {
        if let Some(number) = self.numbers[place][mode as usize].get(text) {
            return Some(*number);
        }
        let term = Term::new(FIELDS[place], mode, written).ok().filter(|term| term.text() == written)?;
        let is_function_word = term.words().all(is_function_word);
        let stems = term.words().map(|word| self.stemmer.stem(word).into_owned()).collect::<Vec<_>>();
        let stems = stems.into_iter().map(|stem| self.stem_number(stem)).collect();
        let number = self.features.len() as FeatureNo;
        self.features.push(Feature {
            text: text.into(),
            stems,
            is_function_word,
            has_digit: text.contains(|c: char| c.is_ascii_digit()),
            term,
        });
        self.numbers[place][mode as usize].insert(text.into(), number);
        Some(number)
    }

    fn stem_number(&mut self, stem: String) -> u32 {
        let next = self.stems.len() as u32;
        *self.stems.entry(stem.into()).or_insert(next)
    }
}
