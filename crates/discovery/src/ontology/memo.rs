//! Stems found before. Stemming is the dearest part of reading, and pages use the same words again and again.

use super::Tongue;
use super::language::is_stop_word;
use crate::hash::hash_text;
use foldhash::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Words that are remembered; later ones are stemmed each time.
const MOST_WORDS: usize = 60_000;

/// The hashes of stems by the hash of their word, shared by all readers of a topic. Without the letters: a look then
/// touches one place in memory and not three.
#[derive(Debug, Clone, Default)]
pub(super) struct Memo(Arc<RwLock<HashMap<u64, Stem>>>);

/// The hash of a word's stem; none for a stop word.
pub(super) type Stem = Option<u64>;

/// What was found before is no part of what something is.
impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Memo {
    /// The stems of words that are all of one tongue, the topic's.
    pub(super) fn stems<'a>(&self, words: impl Iterator<Item = (u64, &'a str)>, tongue: Tongue) -> Vec<Stem> {
        let mut missing: Vec<(usize, u64, &str)> = Vec::new();
        let mut stems: Vec<Stem> = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let find = |(at, (hash, word)): (usize, (u64, &'a str))| {
                known.get(&hash).copied().unwrap_or_else(|| {
                    missing.push((at, hash, word));
                    None
                })
            };
            words.enumerate().map(find).collect()
        };
        if missing.is_empty() {
            return stems;
        }
        for (at, _, word) in &missing {
            stems[*at] = fresh(word, tongue);
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (at, hash, _) in missing.into_iter().take(MOST_WORDS.saturating_sub(known.len())) {
            known.insert(hash, stems[at]);
        }
        stems
    }
}

/// The stem of a word of any tongue.
pub(super) fn fresh(word: &str, tongue: Tongue) -> Stem {
    (!is_stop_word(word)).then(|| hash_text(&tongue.stemmer().of(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_before_is_the_same() {
        let memo = Memo::default();
        let words = ["the", "guitars", "guitar"].map(|word| (hash_text(word), word));
        let first = memo.stems(words.into_iter(), Tongue::ENGLISH);
        let guitar = Some(hash_text("guitar"));
        assert_eq!(first, [None, guitar, guitar]);
        assert_eq!(memo.stems(words.into_iter(), Tongue::ENGLISH), first);
    }
}
