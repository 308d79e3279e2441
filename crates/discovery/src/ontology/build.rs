//! Topics from words and from example pages.

use super::language::{Tongue, is_stop_word};
use super::{Class, ClassId, Entry, Ontology, OntologyError, Provenance, Topic};
use std::collections::BTreeMap;

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
        let mut ontology = Ontology::default();
        let class = ontology.add_class(Class { name: name.trim().to_owned(), ..Class::default() });
        add_name(&mut ontology, class, name);
        for word in words.iter().map(|word| word.trim()).filter(|word| !word.is_empty()) {
            ontology.add_entry(class, Entry::new(word));
        }
        if ontology.classes()[0].entries.is_empty() {
            return Err(OntologyError::NoWords("give it a name or some words that its pages use"));
        }
        Self::new(name, ontology, name.trim())
    }

    /// A topic from its name and a few pages on it.
    pub fn from_examples(name: &str, examples: &[Example<'_>]) -> Result<Self, OntologyError> {
        let mut topic = Self::from_words(name, &[])?;
        let near = topic.ontology.add_class(Class {
            name: format!("{name}: words of the examples"),
            parents: vec![topic.class],
            ..Class::default()
        });
        let stemmer = Tongue::ENGLISH.stemmer();
        let mut pages: BTreeMap<String, (String, u32, u32)> = BTreeMap::new();
        for example in examples {
            let mut counts: BTreeMap<String, (String, u32)> = BTreeMap::new();
            for word in page::words::words(example.title).chain(page::words::words(example.text)) {
                if !is_stop_word(&word) {
                    let seen = counts.entry(stemmer.of(&word)).or_insert_with(|| (word.to_string(), 0));
                    seen.1 += 1;
                }
            }
            for (stem, (word, count)) in counts {
                let all = pages.entry(stem).or_insert((word, 0, 0));
                all.1 += 1;
                all.2 += count;
            }
        }
        let mut found: Vec<_> = pages.into_values().collect();
        found.sort_by_key(|(_, pages, count)| std::cmp::Reverse((*pages, *count)));
        for (word, pages, _) in found.into_iter().take(100) {
            let mut entry = Entry::new(word);
            entry.weight = f64::from(pages) / examples.len() as f64;
            entry.provenance = Provenance::Examples { pages };
            topic.ontology.add_entry(near, entry);
        }
        Ok(topic)
    }
}

/// The words of a name such as `Science.Organic_Chemistry`.
fn add_name(ontology: &mut Ontology, class: ClassId, name: &str) {
    let spaced = name.replace(['_', '.', '/'], " ");
    for word in page::words::words(&spaced).filter(|word| !is_stop_word(word)) {
        ontology.add_entry(class, Entry::new(word.as_ref()));
    }
}
