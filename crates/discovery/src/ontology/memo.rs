//! Words met before. Stemming is the dearest part of reading, and pages use the same words again and again.

use super::Tongue;
use super::language::is_stop_word;
use super::speech::{Look, look};
use crate::hash::hash_word;
use foldhash::HashMap;
use std::num::{NonZeroU8, NonZeroU64};
use std::sync::{Arc, PoisonError, RwLock};

/// Words that are remembered; later ones are stemmed each time.
const MOST_WORDS: usize = 100_000;

/// What is known of words by their hash, shared by all readers of a topic. Without the letters: a look then touches one place
/// in memory and not three.
#[derive(Debug, Clone, Default)]
pub(super) struct Memo(Arc<RwLock<HashMap<u64, Met>>>);

/// What is known of a word that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Met {
    /// The hash of its stem; none for a stop word.
    pub(super) stem: Option<NonZeroU64>,
    /// How many of its letters are its stem, where the stem is its beginning.
    kept: Option<NonZeroU8>,
    /// What part of speech it looks like.
    pub(super) look: Look,
}

/// What was found before is no part of what something is.
impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Memo {
    /// What is known of words that are all of one tongue, the topic's.
    pub(super) fn met<'a>(&self, words: impl Iterator<Item = (u64, &'a str)>, tongue: Tongue) -> Vec<Met> {
        let mut missing: Vec<(usize, u64, &str)> = Vec::new();
        let mut met: Vec<Met> = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let find = |(at, (hash, word)): (usize, (u64, &'a str))| {
                known.get(&hash).copied().unwrap_or_else(|| {
                    missing.push((at, hash, word));
                    Met { stem: None, kept: None, look: Look::Plain }
                })
            };
            words.enumerate().map(find).collect()
        };
        if missing.is_empty() {
            return met;
        }
        for (at, _, word) in &missing {
            met[*at] = Met::fresh(word, tongue);
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (at, hash, _) in missing.into_iter().take(MOST_WORDS.saturating_sub(known.len())) {
            known.insert(hash, met[at]);
        }
        met
    }
}

impl Met {
    /// A word of any tongue, looked at for the first time.
    pub(super) fn fresh(word: &str, tongue: Tongue) -> Self {
        let look = look(word, tongue);
        if is_stop_word(word) {
            return Self { stem: None, kept: None, look };
        }
        let stem = tongue.stemmer().of(word);
        let kept = if word.starts_with(&stem) { u8::try_from(stem.len()).ok() } else { None };
        Self { stem: NonZeroU64::new(hash_word(&stem)), kept: kept.and_then(NonZeroU8::new), look }
    }

    /// The stem of the word, in letters.
    pub(super) fn stem_of(self, word: &str, tongue: Tongue) -> Box<str> {
        match self.kept.and_then(|kept| word.get(..usize::from(kept.get()))) {
            Some(stem) => stem.into(),
            None => tongue.stemmer().of(word).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_before_is_the_same() {
        let memo = Memo::default();
        let words = ["the", "guitars", "guitar", "happily"].map(|word| (hash_word(word), word));
        let first = memo.met(words.into_iter(), Tongue::ENGLISH);
        let guitar = NonZeroU64::new(hash_word("guitar"));
        assert_eq!(first.iter().map(|met| met.stem).collect::<Vec<_>>()[..3], [None, guitar, guitar]);
        assert_eq!(memo.met(words.into_iter(), Tongue::ENGLISH), first);
    }

    #[test]
    fn a_stem_is_the_same_in_letters_and_hashed() {
        for word in [
            "guitars",
            "happily",
            "hopping",
            "flies",
            "élan",
            "a-very-long-word-that-nobody-would-ever-stem-at-all",
        ] {
            let met = Met::fresh(word, Tongue::ENGLISH);
            let stem = met.stem_of(word, Tongue::ENGLISH);
            assert_eq!(*stem, *Tongue::ENGLISH.stemmer().of(word));
            assert_eq!(met.stem, NonZeroU64::new(hash_word(&stem)));
        }
    }
}
