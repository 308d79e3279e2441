//! All that strategies may look at: known URLs, pages, links, what parts of the web have brought.

use super::equations::reinforcement;
use super::judge::Judge;
use super::known::{Known, Knowns, Spot};
use super::links::Links;
use super::pages::{Page, Pages};
use super::rank::Ranks;
use super::words::Word;
use super::yields::Yields;
use std::collections::HashMap;

/// What a crawl remembers.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) knowns: Knowns,
    pub(crate) pages: Pages,
    pub(crate) links: Links,
    pub(crate) ranks: Ranks,
    pub(crate) judge: Judge,
    /// The topic's words as they were given: ω of (7), and Σω².
    pub(crate) topic: HashMap<Word, f32>,
    pub(crate) topic_square: f32,
    pub(crate) prefixes: Yields,
    pub(crate) places: Yields,
    pub(crate) hosts: Yields,
    /// θ of (8).
    pub(crate) theta: f64,
}

impl Memory {
    pub(crate) fn known(&self, spot: Spot) -> Option<&Known> {
        self.knowns.get(spot)
    }

    /// The pages that link to a URL, the newest first.
    pub(crate) fn parents(&self, spot: Spot) -> impl Iterator<Item = &Page> {
        self.links.parents(&self.knowns, spot).filter_map(|number| self.pages.get(number))
    }

    /// PRS (7) of a few words, with the topic as it was given.
    pub(crate) fn relevance(&self, words: impl Iterator<Item = Word>) -> f32 {
        self.relevance_of_counts(words.map(|word| (word, 1.0)))
    }

    /// PRS (7) of counted words.
    pub(crate) fn relevance_of_counts(&self, words: impl Iterator<Item = (Word, f32)>) -> f32 {
        let weighed = words.map(|(word, count)| {
            (f64::from(count), f64::from(self.topic.get(&word).copied().unwrap_or_default()))
        });
        super::equations::positive_relevance(weighed, f64::from(self.topic_square)) as f32
    }

    /// λ (8) of a page: what its children have been worth.
    pub(crate) fn reinforcement(&self, page: &Page) -> f32 {
        reinforcement(f64::from(page.hits), f64::from(page.children), self.theta) as f32
    }

    pub(crate) fn bytes(&self) -> usize {
        self.knowns.bytes() + self.pages.bytes() + self.links.bytes()
    }
}
