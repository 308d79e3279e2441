//! The words of a page, cut once for all who want them.

use crate::hash::hash_word;
use crate::table::Table;

/// Words of a page that are read; the rest of a longer page says little that is new.
const MOST_WORDS: usize = 2_500;

/// Different forms on a long page, so that there is room for them from the beginning.
const FORMS: usize = 1_000;

/// What a page says, word for word. Each form is kept once.
#[derive(Debug, Default)]
pub(crate) struct Spoken {
    letters: String,
    /// Where each form ends in `letters`.
    ends: Vec<usize>,
    hashes: Vec<u64>,
    /// The forms in the page's order; its title comes first.
    words: Vec<u32>,
    title: usize,
}

impl Spoken {
    /// Cuts a page into words.
    pub(crate) fn of(title: &str, text: &str) -> Self {
        let mut spoken = Self {
            letters: String::with_capacity(FORMS * 8),
            ends: Vec::with_capacity(FORMS),
            hashes: Vec::with_capacity(FORMS),
            words: Vec::with_capacity(MOST_WORDS.min((title.len() + text.len()) / 4)),
            title: 0,
        };
        let (mut table, mut buffer) = (Table::with_room(FORMS), String::new());
        for part in [title, text] {
            spoken.title = spoken.words.len();
            page::words::for_each_word(beginning(part), &mut buffer, |word| {
                if spoken.words.len() < MOST_WORDS {
                    let number = spoken.number(word, &mut table);
                    spoken.words.push(number);
                }
            });
        }
        spoken
    }

    fn number(&mut self, word: &str, table: &mut Table) -> u32 {
        let hash = hash_word(word);
        if let Some(known) = table.find(hash, |number| self.hashes[number as usize]) {
            return known;
        }
        let number = self.hashes.len() as u32;
        self.hashes.push(hash);
        table.insert(hash, number, |number| self.hashes[number as usize]);
        self.letters.push_str(word);
        self.ends.push(self.letters.len());
        number
    }

    /// The different forms, by number.
    pub(crate) fn forms(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len() as u32).map(|number| self.form(number))
    }

    /// The same with their hashes.
    pub(crate) fn hashed(&self) -> impl ExactSizeIterator<Item = (u64, &str)> {
        self.hashes.iter().copied().zip(self.forms())
    }

    /// A form by its number.
    pub(crate) fn form(&self, number: u32) -> &str {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.letters[start..self.ends[number]]
    }

    /// The hash of a form.
    pub(crate) fn hash(&self, number: u32) -> u64 {
        self.hashes[number as usize]
    }

    /// All words in order, by number.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// Those of the title.
    pub(crate) fn title(&self) -> &[u32] {
        &self.words[..self.title]
    }

    /// Those of the text.
    pub(crate) fn text(&self) -> &[u32] {
        &self.words[self.title..]
    }
}

/// Enough bytes for the words that are read, cut at a character.
fn beginning(text: &str) -> &str {
    let most = text.len().min(MOST_WORDS * 12);
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_its_words_in_order() {
        let spoken = Spoken::of("The Guitar", "A guitar, the élan of it");
        let said = |words: &[u32]| words.iter().map(|word| spoken.form(*word)).collect::<Vec<_>>().join(" ");
        assert_eq!(said(spoken.title()), "the guitar");
        assert_eq!(said(spoken.text()), page::words::search_text("A guitar, the élan of it"));
        assert_eq!(spoken.words().len(), 8);
        assert_eq!(spoken.forms().len(), 6);
    }

    #[test]
    fn a_long_page_is_read_as_far_as_it_says_something_new() {
        let spoken = Spoken::of("title", &"é word ".repeat(90_000));
        assert_eq!((spoken.words().len(), spoken.forms().len()), (MOST_WORDS, 3));
        assert_eq!(Spoken::of("", "").words(), [0_u32; 0]);
    }
}
