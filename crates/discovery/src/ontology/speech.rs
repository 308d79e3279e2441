//! Parts of speech, as far as learning needs them: nouns and verbs can become words of a class.
//!
//! A small tagger of our own: words of closed classes by list, the rest by what stands before and by suffix. For
//! languages other than English what is no stop word is taken for a noun.

use super::Tongue;
use super::language::is_stop_word;
use serde::{Deserialize, Serialize};

/// The part of speech of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A noun, or a name.
    Noun = 0,
    /// A verb.
    Verb = 1,
    /// Anything else.
    Other = 2,
}

/// What the word before promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// An article, a possessive or a number: a noun follows, maybe after adjectives.
    Determiner,
    /// A preposition: as a determiner, and a form in -ing is a noun.
    Preposition,
    /// `to`, a modal verb, or a pronoun: a verb follows.
    VerbComes,
    /// An adjective: a noun follows.
    Adjective,
    /// A noun.
    Noun,
    /// Nothing much.
    Open,
}

/// What a word looks like by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Of a closed class, and what it promises.
    Closed(Before),
    Noun,
    Adverb,
    Adjective,
    Ing,
    Ed,
    Ize,
    Plain,
}

/// The part of speech of each word of a text, by what the words look like one after the other.
pub(super) fn tag(looks: impl Iterator<Item = Look>) -> impl Iterator<Item = Kind> {
    let mut before = Before::Open;
    looks.map(move |look| {
        let (kind, next) = in_place(look, before);
        before = next;
        kind
    })
}

/// What a word looks like by itself.
pub(super) fn look(word: &str, tongue: Tongue) -> Look {
    if tongue != Tongue::ENGLISH {
        return if is_stop_word(word) { Look::Closed(Before::Open) } else { Look::Plain };
    }
    if let Some(next) = closed(word) {
        return Look::Closed(next);
    }
    let ends = |suffixes: &[&str]| {
        suffixes.iter().any(|suffix| word.len() > suffix.len() + 2 && word.ends_with(suffix))
    };
    if ends(NOUN) {
        Look::Noun
    } else if ends(&["ly"]) {
        Look::Adverb
    } else if ends(ADJECTIVE) {
        Look::Adjective
    } else if ends(&["ing"]) {
        Look::Ing
    } else if ends(&["ed"]) {
        Look::Ed
    } else if ends(&["ize", "ise", "ify", "izes", "ises", "ifies"]) {
        Look::Ize
    } else {
        Look::Plain
    }
}

fn in_place(look: Look, before: Before) -> (Kind, Before) {
    let noun_due = matches!(before, Before::Determiner | Before::Preposition | Before::Adjective);
    match look {
        Look::Closed(next) => (Kind::Other, next),
        Look::Adverb => (Kind::Other, before),
        _ if before == Before::VerbComes => (Kind::Verb, Before::Open),
        Look::Noun | Look::Plain => (Kind::Noun, Before::Noun),
        Look::Adjective => (Kind::Other, Before::Adjective),
        Look::Ing | Look::Ize if noun_due => (Kind::Noun, Before::Noun),
        Look::Ed if noun_due => (Kind::Other, Before::Adjective),
        Look::Ing | Look::Ed | Look::Ize => (Kind::Verb, Before::Open),
    }
}

/// Words of closed classes, and what they promise.
fn closed(word: &str) -> Option<Before> {
    let has = |list: &[&str]| list.binary_search(&word).is_ok();
    if has(VERB_COMES) {
        Some(Before::VerbComes)
    } else if has(PREPOSITIONS) {
        Some(Before::Preposition)
    } else if has(DETERMINERS) || word.bytes().all(|byte| byte.is_ascii_digit()) {
        Some(Before::Determiner)
    } else if is_stop_word(word) {
        Some(Before::Open)
    } else if has(PLAIN_ADJECTIVES) {
        Some(Before::Adjective)
    } else {
        None
    }
}

const NOUN: &[&str] = &[
    "tion", "tions", "sion", "sions", "ment", "ments", "ness", "ity", "ities", "ism", "isms", "ist", "ists",
    "ship", "ships", "ance", "ence", "ances", "ences", "logy", "graphy", "ture", "tures", "hood", "dom",
    "cy",
];
const ADJECTIVE: &[&str] = &[
    "ous", "ful", "ive", "able", "ible", "less", "ish", "ical", "ial", "ional", "ic", "ary", "est", "ular",
    "ual", "ern",
];
const VERB_COMES: &[&str] = &[
    "can", "cannot", "could", "did", "do", "does", "he", "i", "may", "might", "must", "not", "shall", "she",
    "should", "they", "to", "we", "who", "will", "would", "you",
];
const PREPOSITIONS: &[&str] = &[
    "about", "after", "against", "among", "as", "at", "before", "between", "by", "during", "for", "from",
    "in", "into", "like", "near", "of", "on", "onto", "over", "since", "through", "toward", "towards",
    "under", "until", "upon", "with", "within", "without",
];
const DETERMINERS: &[&str] = &[
    "a", "all", "an", "another", "any", "both", "each", "every", "few", "first", "five", "four", "her",
    "his", "its", "last", "many", "more", "most", "my", "no", "one", "other", "our", "same", "second",
    "several", "some", "such", "that", "the", "their", "these", "third", "this", "those", "three", "two",
    "various", "your",
];
const PLAIN_ADJECTIVES: &[&str] = &[
    "bad",
    "best",
    "better",
    "big",
    "black",
    "blue",
    "central",
    "certain",
    "clear",
    "cold",
    "common",
    "current",
    "dark",
    "deep",
    "different",
    "difficult",
    "due",
    "early",
    "easy",
    "entire",
    "extreme",
    "far",
    "fast",
    "final",
    "fine",
    "free",
    "full",
    "general",
    "good",
    "great",
    "green",
    "hard",
    "heavy",
    "high",
    "higher",
    "hot",
    "huge",
    "important",
    "known",
    "large",
    "larger",
    "late",
    "light",
    "likely",
    "little",
    "local",
    "long",
    "low",
    "lower",
    "major",
    "minor",
    "modern",
    "natural",
    "normal",
    "old",
    "older",
    "particular",
    "poor",
    "present",
    "real",
    "recent",
    "red",
    "right",
    "short",
    "similar",
    "simple",
    "single",
    "slow",
    "small",
    "smaller",
    "soft",
    "special",
    "specific",
    "strong",
    "total",
    "true",
    "usual",
    "warm",
    "weak",
    "well-known",
    "white",
    "wide",
    "wrong",
    "young",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> String {
        let words: Vec<_> = page::words::words(text).collect();
        let letter = |kind| match kind {
            Kind::Noun => 'n',
            Kind::Verb => 'v',
            Kind::Other => '.',
        };
        tag(words.iter().map(|word| look(word, Tongue::ENGLISH))).map(letter).collect()
    }

    #[test]
    fn nouns_and_verbs_are_told_from_the_rest() {
        assert_eq!(kinds("The famous guitar is played by a musician"), "..n.v..n");
        assert_eq!(kinds("They sell old books to readers"), ".v.n.v");
        assert_eq!(kinds("He will quickly organise the printing of novels"), "...v.n.n");
    }

    #[test]
    fn lists_are_sorted() {
        assert!(
            [VERB_COMES, PREPOSITIONS, DETERMINERS, PLAIN_ADJECTIVES].iter().all(|list| list.is_sorted())
        );
    }

    #[test]
    fn other_languages_take_content_words_for_nouns() {
        let german = Tongue::of(Some("de"));
        let looks = ["singen", "the", "gitarre"].map(|word| look(word, german));
        assert_eq!(tag(looks.into_iter()).collect::<Vec<_>>(), [Kind::Noun, Kind::Other, Kind::Noun]);
    }
}
