//! What a watch sees: lines of text, or that its part is not there.

use super::number::first_number;
use crate::hash::Hash;
use serde::{Deserialize, Serialize};

/// What a look at a page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// The part.
    Part(Part),
    /// The page has no such part, and why.
    Gone(String),
}

/// A part of a page, as lines of text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Part {
    /// The lines, single-spaced, none empty.
    pub lines: Vec<String>,
    /// The order of the lines means nothing: links, images.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unordered: bool,
    /// It was longer: only this much is watched.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// More lines or more text than this is not a part any more.
const MOST_LINES: usize = 2_000;
const MOST_BYTES: usize = 64 << 10;
const LONGEST_LINE: usize = 4_000;

impl Part {
    /// From lines as they come; empty ones are left out.
    pub(super) fn new<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> Self {
        let mut part = Self::default();
        let mut bytes = 0;
        for line in lines {
            let line = crate::text::one_line(line.as_ref());
            if line.is_empty() {
                continue;
            }
            let kept = crate::text::cut(&line, LONGEST_LINE);
            part.cut |= kept.len() < line.len();
            bytes += kept.len();
            if bytes > MOST_BYTES || part.lines.len() == MOST_LINES {
                part.cut = true;
                break;
            }
            part.lines.push(kept.to_owned());
        }
        part
    }

    /// The same without an order, each line once.
    pub(super) fn without_order(mut self) -> Self {
        let mut seen = std::collections::HashSet::new();
        self.lines.retain(|line| seen.insert(line.clone()));
        self.unordered = true;
        self
    }

    /// Stable hash of what it says: of its words, wherever lines are broken; without an order, of its lines.
    pub fn hash(&self) -> i64 {
        let words: Vec<&str> = if self.unordered {
            let mut lines: Vec<&str> = self.lines.iter().map(String::as_str).collect();
            lines.sort_unstable();
            lines
        } else {
            super::diff::words(&self.lines)
        };
        let hash = words.iter().fold(Hash::new(), |hash, word| hash.with(word.as_bytes()).with(b"\n"));
        hash.finish().cast_signed()
    }

    /// The first number in it.
    pub fn number(&self) -> Option<f64> {
        self.lines.iter().find_map(|line| first_number(line))
    }

    /// Its lines as one text.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Whether these words stand in it, one after the other.
    pub fn has_words(&self, words: &str) -> bool {
        self.lines.iter().any(|line| has_words(line, words))
    }
}

impl Sight {
    /// The part, if it is there.
    pub fn part(&self) -> Option<&Part> {
        match self {
            Self::Part(part) => Some(part),
            Self::Gone(_) => None,
        }
    }

    /// Stable hash of what is seen; that a part is gone is one thing, whatever the reason.
    pub fn hash(&self) -> i64 {
        self.part().map_or(GONE, Part::hash)
    }
}

/// No part has this by itself: the hash of no lines is another.
pub(super) const GONE: i64 = 0;

/// Whether these words stand in a text, one after the other, in any case.
pub(super) fn has_words(text: &str, wanted: &str) -> bool {
    let wanted: Vec<_> = crate::words::words(wanted).collect();
    let words: Vec<_> = crate::words::words(text).collect();
    !wanted.is_empty() && words.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_matters_only_where_it_means_something() {
        let (one, other) = (Part::new(["a", "b"]), Part::new(["b", "a"]));
        assert_ne!(one.hash(), other.hash());
        assert_eq!(one.without_order().hash(), other.without_order().hash());
        assert_eq!(Part::new(["a", "a"]).without_order().lines, ["a"]);
        assert_ne!(Part::new(["ab", "c"]).hash(), Part::new(["a", "bc"]).hash());
        assert_eq!(
            Part::new(["a b", "c"]).hash(),
            Part::new(["a", "b c"]).hash(),
            "a line broken elsewhere is no news"
        );
        assert_ne!(Sight::Part(Part::default()).hash(), Sight::Gone("x".into()).hash());
    }

    #[test]
    fn words_are_found_in_any_case_and_script() {
        let part = Part::new(["Now  SOLD\nout!", "据新华社北京电"]);
        assert_eq!(part.lines[0], "Now SOLD out!");
        assert!(part.has_words("sold Out") && part.has_words("新华社"));
        assert!(!part.has_words("out now") && !part.has_words("") && !part.has_words("sol"));
    }

    #[test]
    fn a_part_is_bounded() {
        let part = Part::new(std::iter::repeat_n("line", 5_000));
        assert_eq!((part.lines.len(), part.cut), (MOST_LINES, true));
        let part = Part::new(["x".repeat(10_000)]);
        assert_eq!((part.lines[0].len(), part.cut), (LONGEST_LINE, true));
    }
}
