//! Lines cut into what is compared: words, and single characters where words are not spaced.

use crate::words::is_unspaced;
use std::hash::{Hash, Hasher};

/// A word and what stands before it. Words are equal whatever stands before them.
#[derive(Debug, Clone, Copy, Eq)]
pub(super) struct Token<'a> {
    pub(super) before: &'static str,
    pub(super) text: &'a str,
}

impl PartialEq for Token<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Hash for Token<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialOrd for Token<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Token<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text.cmp(other.text)
    }
}

pub(super) fn tokens(lines: &[String]) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for line in lines {
        let mut before = "\n";
        for word in line.split(' ').filter(|word| !word.is_empty()) {
            let mut rest = word;
            while let Some(first) = rest.chars().next() {
                let end = if is_unspaced(first) {
                    first.len_utf8()
                } else {
                    rest.find(is_unspaced).unwrap_or(rest.len())
                };
                tokens.push(Token { before, text: &rest[..end] });
                (before, rest) = ("", &rest[end..]);
            }
            before = " ";
        }
    }
    tokens
}
