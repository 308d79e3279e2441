//! Stems found before. Stemming is the dearest part of reading, and pages use the same words again and again.

use super::Tongue;
use super::language::is_stop_word;
use foldhash::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Words that are remembered; later ones are stemmed each time.
const MOST_WORDS: usize = 60_000;

/// Stems by word, shared by all readers of a topic.
#[derive(Debug, Clone, Default)]
pub(super) struct Memo(Arc<RwLock<HashMap<Box<str>, Stem>>>);

/// The stem of a word; none for a stop word.
pub(super) type Stem = Option<Arc<str>>;

/// What was found before is no part of what something is.
impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Memo {
    /// The stems of words that are all of one tongue, the topic's.
    pub(super) fn stems(&self, words: &[Box<str>], tongue: Tongue) -> Vec<Stem> {
        let mut missing: Vec<usize> = Vec::new();
        let mut stems: Vec<Stem> = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let mut find = |at: usize| {
                known.get(&words[at]).cloned().unwrap_or_else(|| {
                    missing.push(at);
                    None
                })
            };
            (0..words.len()).map(&mut find).collect()
        };
        if missing.is_empty() {
            return stems;
        }
        for at in &missing {
            stems[*at] = fresh(&words[*at], tongue);
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for at in missing.into_iter().take(MOST_WORDS.saturating_sub(known.len())) {
            known.insert(words[at].clone(), stems[at].clone());
        }
        stems
    }
}

/// The stem of a word of any tongue.
pub(super) fn fresh(word: &str, tongue: Tongue) -> Stem {
    (!is_stop_word(word)).then(|| tongue.stemmer().of(word).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_before_is_the_same() {
        let memo = Memo::default();
        let words: Vec<Box<str>> = ["the", "guitars", "guitar"].map(Into::into).to_vec();
        let first = memo.stems(&words, Tongue::ENGLISH);
        assert_eq!(first, [None, Some("guitar".into()), Some("guitar".into())]);
        assert_eq!(memo.stems(&words, Tongue::ENGLISH), first);
    }
}
