//! The words of one article, ready to be asked about.

use crate::field::{Field, Fields};
use crate::literal::{Literal, Mode, Polarity, Term};
use crate::stem::Tongue;
use std::collections::HashSet;

/// The words of an article, field by field.
#[derive(Debug, Clone)]
pub struct Words {
    fields: [Option<FieldWords>; Field::COUNT],
    tongue: Tongue,
}

#[derive(Debug, Clone, Default)]
struct FieldWords {
    in_order: Vec<String>,
    set: HashSet<String, foldhash::fast::RandomState>,
}

impl Words {
    /// Cuts an article into words.
    pub fn of(article: &Fields<'_>) -> Self {
        let read = |field| {
            let mut found = FieldWords::default();
            page::words::for_each_word(article.get(field)?, &mut String::new(), |word| {
                found.in_order.push(word.to_owned());
                if !found.set.contains(word) {
                    found.set.insert(word.to_owned());
                }
            });
            Some(found)
        };
        Self { fields: Field::ALL.map(read), tongue: Tongue::of(article.get(Field::Language)) }
    }

    /// Whether a field is missing.
    pub fn is_missing(&self, field: Field) -> bool {
        self.fields[field as usize].is_none()
    }

    /// The words of a field in order; none if it is missing.
    pub fn in_order(&self, field: Field) -> &[String] {
        self.fields[field as usize].as_ref().map_or(&[], |words| &words.in_order)
    }

    /// The different words of a field.
    pub fn distinct(&self, field: Field) -> impl Iterator<Item = &str> {
        self.fields[field as usize].iter().flat_map(|words| words.set.iter().map(String::as_str))
    }

    /// Whether a term is there; `None` if its field is missing.
    pub fn find(&self, term: &Term) -> Option<bool> {
        let words = self.fields[term.field() as usize].as_ref()?;
        Some(match term.mode() {
            Mode::Exact => words.set.contains(term.text()),
            Mode::Prefix => words.set.iter().any(|word| word.starts_with(term.text())),
            Mode::Stem => {
                let stem = self.tongue.stem(term.text());
                words.set.iter().any(|word| self.tongue.stem(word) == stem)
            }
            Mode::Phrase => {
                let phrase: Vec<&str> = term.words().collect();
                words.set.contains(phrase[0])
                    && words.in_order.windows(phrase.len()).any(|window| window == phrase)
            }
        })
    }

    /// Whether a literal holds. One on a folder is not a question of words, and holds as far as they go.
    pub fn hold(&self, literal: &Literal) -> bool {
        match literal.term() {
            Some(term) => self.find(term) == Some(literal.polarity == Polarity::Has),
            None => true,
        }
    }

    /// Which words of a field, by their place in it, a term is found in.
    pub fn places(&self, term: &Term) -> Vec<usize> {
        let words = self.in_order(term.field());
        let like = |test: &dyn Fn(&str) -> bool| {
            words.iter().enumerate().filter(|(_, word)| test(word)).map(|(place, _)| place).collect()
        };
        match term.mode() {
            Mode::Exact => like(&|word| word == term.text()),
            Mode::Prefix => like(&|word| word.starts_with(term.text())),
            Mode::Stem => {
                let stem = self.tongue.stem(term.text());
                like(&|word| self.tongue.stem(word) == stem)
            }
            Mode::Phrase => {
                let phrase: Vec<&str> = term.words().collect();
                let starts = words.windows(phrase.len()).enumerate().filter(|(_, window)| *window == phrase);
                starts.flat_map(|(start, _)| start..start + phrase.len()).collect()
            }
        }
    }
}
