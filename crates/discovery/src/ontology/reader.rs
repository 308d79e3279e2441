//! A topic ready to read pages.

use super::language::{is_stop_word, stems};
use super::{ClassId, Evidence, Kind, Reading, Term, Tongue, Topic};
use foldhash::HashMap;
use std::sync::Arc;

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

/// A topic ready to read pages. Cheap to clone, and shared freely between threads.
#[derive(Debug, Clone)]
pub struct Reader(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    topic: Topic,
    entries: Vec<Known>,
    /// Entries by their first stem.
    starts: HashMap<String, Vec<u32>>,
    /// √Σω² over the topic's words.
    norm: f64,
}

/// A lexical entry as it is looked up.
#[derive(Debug)]
struct Known {
    class: ClassId,
    text: String,
    stems: Vec<String>,
    /// W of its class, times its own.
    weight: f64,
}

impl Reader {
    /// Makes a topic ready.
    pub fn new(topic: &Topic) -> Self {
        let weights = topic.weights();
        let mut entries: Vec<Known> = Vec::new();
        for (at, class) in topic.ontology.classes().iter().enumerate() {
            for entry in &class.entries {
                let language = entry.language.as_deref().unwrap_or(&topic.settings.language);
                let stems = stems(&entry.text, Tongue::of(Some(language)));
                let weight = weights[at] * entry.weight;
                if !stems.is_empty() && !entries.iter().any(|known| known.stems == stems) {
                    entries.push(Known {
                        class: ClassId(at as u32),
                        text: entry.text.clone(),
                        stems,
                        weight,
                    });
                }
            }
        }
        let mut starts: HashMap<String, Vec<u32>> = HashMap::default();
        for (at, entry) in entries.iter().enumerate() {
            starts.entry(entry.stems[0].clone()).or_default().push(at as u32);
        }
        let norm = entries.iter().map(|entry| entry.weight * entry.weight).sum::<f64>().sqrt();
        Self(Arc::new(Compiled { topic: topic.clone(), entries, starts, norm }))
    }

    /// The topic it reads for.
    pub fn topic(&self) -> &Topic {
        &self.0.topic
    }

    /// What a page says about the topic.
    pub fn read(&self, page: &PageText<'_>) -> Reading {
        self.judge(&self.words(page), false)
    }

    /// The same, with the words of the page for a [`super::Learner`].
    pub fn read_with_terms(&self, page: &PageText<'_>) -> Reading {
        self.judge(&self.words(page), true)
    }

    /// Equation (7): the cosine of a text with the topic's words, over the whole topic vector; 0 for a text without
    /// words. For link texts and other short pieces.
    pub fn likeness(&self, text: &str, language: Option<&str>) -> f64 {
        let words = self.words(&PageText { title: "", text, language });
        let found = self.find(&words);
        let mut counts: HashMap<&str, f64> = HashMap::default();
        for (stem, word) in &words {
            if !is_stop_word(word) {
                *counts.entry(stem.as_str()).or_default() += 1.0;
            }
        }
        let mut squares: Vec<f64> = counts.values().map(|count| count * count).collect();
        squares.sort_by(f64::total_cmp);
        let norm = squares.iter().sum::<f64>().sqrt() * self.0.norm;
        let dot: f64 =
            found.iter().map(|(at, count)| f64::from(*count) * self.0.entries[*at as usize].weight).sum();
        if norm > 0.0 { (dot / norm).min(1.0) } else { 0.0 }
    }

    /// The words of a page as (stem, word).
    fn words(&self, page: &PageText<'_>) -> Vec<(String, String)> {
        let tongue = Tongue::of(page.language.or(Some(&self.0.topic.settings.language)));
        let stemmer = tongue.stemmer();
        let mut words = Vec::new();
        for text in [page.title, page.text] {
            page::words::for_each_word(text, &mut String::new(), |word| {
                words.push((stemmer.of(word), word.to_owned()));
            });
        }
        words
    }

    /// Which entries stand in the words, and how often; in the order of the entries.
    fn find(&self, words: &[(String, String)]) -> Vec<(u32, u32)> {
        let mut counts: HashMap<u32, u32> = HashMap::default();
        for (at, (stem, _)) in words.iter().enumerate() {
            for number in self.0.starts.get(stem).into_iter().flatten() {
                let entry = &self.0.entries[*number as usize];
                let here = words[at..].iter().take(entry.stems.len()).map(|(stem, _)| stem);
                if here.eq(&entry.stems) {
                    *counts.entry(*number).or_default() += 1;
                }
            }
        }
        let mut counts: Vec<(u32, u32)> = counts.into_iter().collect();
        counts.sort_unstable();
        counts
    }

    fn judge(&self, words: &[(String, String)], with_terms: bool) -> Reading {
        let found = self.find(words);
        let mut evidence = Vec::with_capacity(found.len());
        let mut raw = 0.0;
        let mut damped = 0.0;
        for (number, count) in found {
            let entry = &self.0.entries[number as usize];
            raw += f64::from(count) * entry.weight;
            damped += f64::from(count) / (f64::from(count) + 2.0) * entry.weight;
            evidence.push(Evidence {
                class: entry.class,
                word: entry.text.clone(),
                count,
                weight: entry.weight,
            });
        }
        evidence.sort_by(|a, b| (f64::from(b.count) * b.weight).total_cmp(&(f64::from(a.count) * a.weight)));
        // A page ten times as long has more of every word by chance.
        let length = (words.len().max(50) as f64 / 500.0).sqrt();
        let normalised = 1.0 - (-damped / length / 4.0).exp();
        Reading {
            raw,
            normalised,
            relevant: normalised >= self.0.topic.settings.threshold,
            evidence,
            terms: if with_terms { terms(words) } else { Vec::new() },
        }
    }
}

fn terms(words: &[(String, String)]) -> Vec<Term> {
    let mut places: HashMap<&str, usize> = HashMap::default();
    let mut terms: Vec<Term> = Vec::new();
    for (stem, word) in words.iter().filter(|(_, word)| !is_stop_word(word)) {
        let at = *places.entry(stem).or_insert_with(|| {
            terms.push(Term {
                stem: stem.as_str().into(),
                word: word.as_str().into(),
                count: 0,
                kind: Kind::Noun,
            });
            terms.len() - 1
        });
        terms[at].count += 1;
    }
    terms
}
