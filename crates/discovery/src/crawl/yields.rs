//! What a part of the web has brought so far: hosts, stretches of a site, places on a page.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Pages read and how many of them were on the topic, by their scores.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Yield {
    pub(crate) pages: f32,
    pub(crate) good: f32,
}

/// So many pages as good as any stand for what is not known yet.
const DOUBT: f32 = 8.0;

impl Yield {
    pub(crate) fn add(&mut self, score: f32) {
        self.pages += 1.0;
        self.good += score;
    }

    /// By how much pages from here are likelier on the topic than any page: a logarithm, 0 for no difference.
    pub(crate) fn lift(self, base: f32) -> f32 {
        let base = base.max(0.01);
        ((self.good + DOUBT * base) / (self.pages + DOUBT) / base).ln()
    }
}

/// Yields by key. Bounded: beyond the limit nothing new is remembered.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Yields(HashMap<u32, Yield>);

const MOST: usize = 65_536;

impl Yields {
    pub(crate) fn add(&mut self, key: u32, score: f32) {
        if self.0.len() < MOST || self.0.contains_key(&key) {
            self.0.entry(key).or_default().add(score);
        }
    }

    pub(crate) fn get(&self, key: u32) -> Yield {
        self.0.get(&key).copied().unwrap_or_default()
    }

    pub(crate) fn lift(&self, key: u32, base: f32) -> f32 {
        self.0.get(&key).map_or(0.0, |found| found.lift(base))
    }
}
