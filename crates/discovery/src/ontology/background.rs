//! What pages of this web say anyway: a word on every page tells nothing. Pages on the topic are left out of it, or a
//! crawl that does well would take the topic's own words for common ones.

use super::Term;
use foldhash::quality::FixedState;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Stems that are kept; when more come, those seen least go. A missing stem counts as rare, which it is.
const MOST_STEMS: usize = 12_000;

/// Counts of all pages seen.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Background {
    /// Pages that are not on the topic.
    pages: u32,
    /// Pages that are.
    on_topic: u32,
    stems: HashMap<Box<str>, Seen, FixedState>,
}

/// How much a stem was seen.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Seen(
    /// On how many pages.
    u32,
    /// The sum of its shares of these pages.
    f32,
);

impl Background {
    /// Pages seen.
    pub fn seen(&self) -> u32 {
        self.pages + self.on_topic
    }

    /// Pages seen that are not on the topic.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// Counts a page.
    pub(super) fn add(&mut self, terms: &[Term], on_topic: bool) {
        if on_topic {
            self.on_topic += 1;
            return;
        }
        let norm = norm(terms);
        self.pages += 1;
        for term in terms {
            let share = term.strength / norm;
            if let Some(seen) = self.stems.get_mut(&term.stem) {
                seen.0 += 1;
                seen.1 += share;
            } else {
                self.stems.insert(term.stem.clone(), Seen(1, share));
            }
        }
        if self.stems.len() > MOST_STEMS * 3 / 2 {
            self.prune();
        }
    }

    /// The inverse document frequency of a stem; 1 for every stem while nothing has been seen.
    pub(super) fn rarity(&self, stem: &str) -> f64 {
        let pages = f64::from(self.pages);
        let with = self.stems.get(stem).map_or(0.0, |seen| f64::from(seen.0));
        // 1.69 pages' worth of "anything may be": ln(1 + 1.72) is 1.
        (1.0 + (pages - with + 1.718_281_828) / (with + 1.0)).ln()
    }

    /// The mean share a stem has of a page.
    pub(super) fn share(&self, stem: &str) -> f64 {
        self.stems.get(stem).map_or(0.0, |seen| f64::from(seen.1)) / f64::from(self.pages.max(1))
    }

    /// On how many pages a stem was seen.
    pub(super) fn pages_with(&self, stem: &str) -> u32 {
        self.stems.get(stem).map_or(0, |seen| seen.0)
    }

    /// The stems known.
    pub(super) fn stems(&self) -> impl Iterator<Item = &str> {
        self.stems.keys().map(AsRef::as_ref)
    }

    fn prune(&mut self) {
        let mut counts: Vec<u32> = self.stems.values().map(|seen| seen.0).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let least = counts.get(MOST_STEMS).copied().unwrap_or(0);
        self.stems.retain(|_, seen| seen.0 > least);
    }
}

/// The length of a page as a vector of strengths.
pub(super) fn norm(terms: &[Term]) -> f32 {
    terms.iter().map(|term| term.strength * term.strength).sum::<f32>().sqrt().max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::Kind;

    fn term(stem: &str, strength: f32) -> Term {
        Term { stem: stem.into(), word: stem.into(), count: 1, strength, kind: Kind::Noun }
    }

    #[test]
    fn what_is_everywhere_tells_nothing() {
        let mut background = Background::default();
        assert!((background.rarity("guitar") - 1.0).abs() < 1e-6);
        for _ in 0..9 {
            background.add(&[term("page", 3.0), term("guitar", 4.0)], false);
        }
        background.add(&[term("page", 1.0)], false);
        assert!(background.rarity("guitar") > background.rarity("page"));
        assert!(background.rarity("rare") > 2.5);
        assert!((background.share("guitar") - 0.72).abs() < 1e-6);
    }

    #[test]
    fn the_rare_go_when_there_are_too_many() {
        let mut background = Background::default();
        for round in 0..20 {
            let mut terms: Vec<Term> = (0..1_000).map(|at| term(&format!("{round}-{at}"), 1.0)).collect();
            terms.push(term("page", 1.0));
            background.add(&terms, false);
        }
        assert!(background.stems.len() <= MOST_STEMS * 3 / 2);
        assert_eq!(background.pages_with("page"), 20);
    }
}
