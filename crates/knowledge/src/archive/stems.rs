//! Which words share a stem, found out once for each word and tongue.

use super::Map;
use crate::stem::Tongue;
use foldhash::fast::RandomState;
use indexmap::IndexSet;

/// The words of an archive by their stems in one tongue.
#[derive(Debug, Default)]
pub(super) struct Stems {
    words: Map<Box<str>, Vec<u32>>,
    /// Words from here on are not stemmed yet.
    next: usize,
}

impl Stems {
    /// The numbers of the words with the same stem as `word`.
    pub(super) fn with(
        &mut self,
        tongue: Tongue,
        word: &str,
        all: &IndexSet<Box<str>, RandomState>,
    ) -> &[u32] {
        for (number, word) in all.iter().enumerate().skip(self.next) {
            self.words.entry(tongue.stem(word).into()).or_default().push(number as u32);
        }
        self.next = all.len();
        self.words.get(tongue.stem(word).as_str()).map_or(&[], Vec::as_slice)
    }
}
