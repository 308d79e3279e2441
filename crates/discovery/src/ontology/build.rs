//! Topics from words and from example pages.
//!
//! The words of the topic's name are its class's own. Around it lie the words that several examples share (one step
//! away), and those that only one of them has (two steps): at n = 0.5 these weigh a half and a quarter.

use super::background::norm;
use super::bag::Bag;
use super::language::is_stop_word;
use super::memo::Memo;
use super::{Class, Entry, Ontology, OntologyError, Provenance, Term, Topic};
use crate::spoken::Spoken;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Words taken from the examples. 400 do as well as all of them on the development topics; 100 lose 0.05 of average
/// precision.
const MOST_WORDS: usize = 1_500;
/// Terms of an example that are kept, to know later how it would score.
const MOST_TERMS: usize = 400;
/// How much the name weighs against the words of the examples, as lengths of vectors.
const NAME: f64 = 0.7;
/// What a word is worth that only one of several examples has.
const LONELY: f64 = 0.3;

/// A page that is on the topic.
#[derive(Debug, Clone, Copy)]
pub struct Example<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub text: &'a str,
}

impl Topic {
    /// A topic from its name and a list of words or phrases.
    pub fn from_words(name: &str, words: &[&str]) -> Result<Self, OntologyError> {
        let name = name.trim();
        let mut ontology = Ontology::default();
        let class = ontology.add_class(Class { name: name.to_owned(), ..Class::default() });
        for word in name_words(name) {
            ontology.add_entry(class, Entry::new(word));
        }
        for word in
            words.iter().map(|word| word.trim()).filter(|word| page::words::words(word).next().is_some())
        {
            ontology.add_entry(class, Entry::new(word));
        }
        if ontology.entries().next().is_none() {
            return Err(OntologyError::NoWords("give it a name or some words that its pages use"));
        }
        Self::new(name, ontology, name)
    }

    /// A topic from its name and a few pages on it.
    pub fn from_examples(name: &str, examples: &[Example<'_>]) -> Result<Self, OntologyError> {
        let mut topic = Self::from_words(name, &[])?;
        let memo = Memo::default();
        let pages: Vec<Vec<Term>> = examples
            .iter()
            .map(|Example { title, text }| {
                Bag::of(&Spoken::of(title, text), None, &topic.settings.language, &memo).terms()
            })
            .filter(|terms| !terms.is_empty())
            .collect();
        if pages.is_empty() && !examples.is_empty() {
            return Err(OntologyError::NoWords("the example pages have no text; give others, or words"));
        }
        let own = topic.ontology.entries().count() as f64;
        let [shared, lonely] = ["several examples", "one example"].map(|of| Class {
            name: format!("words of {of}"),
            provenance: Provenance::Examples { pages: pages.len() as u32 },
            ..Class::default()
        });
        let shared = topic.ontology.add_class(Class { parents: vec![topic.class], ..shared });
        let lonely = topic.ontology.add_class(Class { parents: vec![shared], ..lonely });
        for (word, found) in weigh(&pages) {
            // Undoes the weight by distance: what was weighed is what counts.
            let (class, distance) =
                if found.pages > 1 || pages.len() == 1 { (shared, 1) } else { (lonely, 2) };
            let weight = (found.weight * own.sqrt() / NAME).min(1.0) / topic.settings.discount.powi(distance);
            let provenance = Provenance::Examples { pages: found.pages };
            topic.ontology.add_entry(class, Entry { weight: round(weight), provenance, ..Entry::new(word) });
        }
        topic.experience.examples = pages.into_iter().map(shorten).collect();
        Ok(topic)
    }
}

/// A word of the examples.
struct Found {
    /// How many of them have it.
    pages: u32,
    weight: f64,
}

/// The words of the examples that say most: a vector of length 1.
fn weigh(pages: &[Vec<Term>]) -> Vec<(String, Found)> {
    let mut all: BTreeMap<&str, (&Term, Found)> = BTreeMap::new();
    for terms in pages {
        let length = f64::from(norm(terms));
        for term in terms {
            let seen = all.entry(&term.stem).or_insert((term, Found { pages: 0, weight: 0.0 }));
            seen.1.pages += 1;
            seen.1.weight += f64::from(term.strength) / length;
        }
    }
    let mut words: Vec<(String, Found)> =
        all.into_values().map(|(term, found)| (term.word.to_string(), found)).collect();
    for (_, found) in &mut words {
        if found.pages == 1 && pages.len() > 1 {
            found.weight *= LONELY;
        }
    }
    words.sort_by(|a, b| b.1.weight.total_cmp(&a.1.weight).then_with(|| a.0.cmp(&b.0)));
    words.truncate(MOST_WORDS);
    let length = words.iter().map(|(_, found)| found.weight * found.weight).sum::<f64>().sqrt();
    for (_, found) in &mut words {
        found.weight /= length;
    }
    words
}

/// The strongest terms of a page.
pub(super) fn shorten(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_by(|a, b| b.strength.total_cmp(&a.strength).then_with(|| a.stem.cmp(&b.stem)));
    terms.truncate(MOST_TERMS);
    terms
}

/// Weights with four digits: more is noise, and makes files long.
pub(super) fn round(weight: f64) -> f64 {
    (weight * 10_000.0).round() / 10_000.0
}

/// The words of a name; of a path such as `Science.Organic_Chemistry`, those of its last part.
fn name_words(name: &str) -> Vec<String> {
    let last = name.split(['.', '/']).rfind(|part| !part.trim().is_empty()).unwrap_or(name);
    let spaced = last.replace('_', " ");
    let words: Vec<String> = page::words::words(&spaced).map(Cow::into_owned).collect();
    let telling: Vec<String> = words.iter().filter(|word| !is_stop_word(word)).cloned().collect();
    // `IT` is a stop word, and all there is.
    if telling.is_empty() { words } else { telling }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_named_by_its_end() {
        assert_eq!(name_words("Science.Organic_Chemistry"), ["organic", "chemistry"]);
        assert_eq!(name_words("IT"), ["it"]);
        assert_eq!(name_words("Language_and_literature"), ["language", "literature"]);
    }

    #[test]
    fn what_examples_share_weighs_more() {
        let examples = [
            Example { title: "Guitar", text: "A guitar has strings and a wooden body." },
            Example { title: "Violin", text: "A violin has strings and a bow." },
        ];
        let topic = Topic::from_examples("Music", &examples).unwrap();
        let weights = topic.weights();
        assert_eq!(weights, [1.0, 0.5, 0.25]);
        let weight = |word: &str| {
            let classes = topic.ontology.classes().iter().zip(&weights);
            classes
                .flat_map(|(class, w)| class.entries.iter().map(move |entry| (entry, w)))
                .find(|(entry, _)| entry.text == word)
                .map(|(entry, w)| entry.weight * w)
        };
        assert!(weight("music") >= weight("strings"));
        assert!(weight("strings") > weight("bow"));
        assert_eq!(weight("has"), None);
    }

    #[test]
    fn nothing_is_no_topic() {
        assert!(Topic::from_words(" ", &["", " . "]).is_err());
        assert!(Topic::from_examples("Music", &[Example { title: "", text: " " }]).is_err());
        assert!(Topic::from_words("音乐", &["吉他"]).is_ok());
    }
}
