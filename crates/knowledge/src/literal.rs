//! Literals: what a condition is made of.

use crate::field::Field;
use model::FolderId;
use page::words::words;
use std::fmt;

/// A word longer than this (in bytes) is no word anyone would file by.
pub(crate) const LONGEST_WORD: usize = 200;
/// A phrase of more words than this is a text.
const LONGEST_PHRASE: usize = 20;

/// Whether a literal wants its attribute there or not there. On a missing field both are false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polarity {
    /// It must be there.
    Has,
    /// It must not be there.
    Lacks,
}

/// How a term is compared with an article's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// The word itself.
    Exact,
    /// Any word with the same stem in the article's language.
    Stem,
    /// Several words in a row.
    Phrase,
    /// Any word that begins so.
    Prefix,
}

/// Words to look for in a field; folded, so that equal terms are equal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    field: Field,
    mode: Mode,
    /// One word; a phrase is its words with single spaces between.
    text: Box<str>,
}

/// What a literal is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// Words in a field.
    Term(Term),
    /// A folder that other rules have given to the article.
    Folder(FolderId),
}

/// One test of a condition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// There, or not there.
    pub polarity: Polarity,
    /// What.
    pub attribute: Attribute,
}

/// Why words cannot be a term.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TermError {
    /// Only punctuation, emoji or nothing.
    #[error("{0} holds no word: pick a word of letters or digits")]
    NoWord(String),
    /// Several words where one was expected.
    #[error("{text} is {count} words: match it as a phrase, or pick one word")]
    SeveralWords {
        /// What was given.
        text: String,
        /// How many words it is.
        count: usize,
    },
    /// No phrase.
    #[error("{0} is one word: match it exactly instead of as a phrase")]
    OneWord(String),
    /// Beyond the limits.
    #[error(
        "{0} is too long to file by: at most {LONGEST_WORD} bytes a word and {LONGEST_PHRASE} words a phrase"
    )]
    TooLong(String),
    /// A prefix that would match almost anything.
    #[error("{0} is too short a beginning: give at least two characters")]
    TooShort(String),
}

impl Term {
    /// A term from words as they were typed or clicked.
    pub fn new(field: Field, mode: Mode, text: &str) -> Result<Self, TermError> {
        let quoted = || quote(text);
        if text.len() > (LONGEST_WORD + 1) * LONGEST_PHRASE {
            return Err(TermError::TooLong(quoted()));
        }
        let folded: Vec<_> = words(text).collect();
        if folded.is_empty() {
            return Err(TermError::NoWord(quoted()));
        }
        if folded.iter().any(|word| word.len() > LONGEST_WORD) || folded.len() > LONGEST_PHRASE {
            return Err(TermError::TooLong(quoted()));
        }
        match (mode, folded.len()) {
            (Mode::Phrase, 1) => return Err(TermError::OneWord(quoted())),
            (Mode::Phrase, _) | (_, 1) => {}
            (_, count) => return Err(TermError::SeveralWords { text: quoted(), count }),
        }
        if mode == Mode::Prefix && folded[0].chars().count() < 2 {
            return Err(TermError::TooShort(quoted()));
        }
        Ok(Self { field, mode, text: folded.join(" ").into() })
    }

    /// The exact word, or the phrase if it is several.
    pub fn natural(field: Field, text: &str) -> Result<Self, TermError> {
        match Self::new(field, Mode::Exact, text) {
            Err(TermError::SeveralWords { .. }) => Self::new(field, Mode::Phrase, text),
            term => term,
        }
    }

    /// The field it is looked for in.
    pub fn field(&self) -> Field {
        self.field
    }

    /// How it is compared.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The word, or the words of a phrase with spaces between.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The words of it: several for a phrase.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split(' ')
    }
}

impl Literal {
    /// A term that must be there.
    pub fn has(term: Term) -> Self {
        Self { polarity: Polarity::Has, attribute: Attribute::Term(term) }
    }

    /// A term that must not be there.
    pub fn lacks(term: Term) -> Self {
        Self { polarity: Polarity::Lacks, attribute: Attribute::Term(term) }
    }

    /// The term, unless it is about a folder.
    pub fn term(&self) -> Option<&Term> {
        match &self.attribute {
            Attribute::Term(term) => Some(term),
            Attribute::Folder(_) => None,
        }
    }

    /// The folder, if it is about one.
    pub fn folder(&self) -> Option<FolderId> {
        match self.attribute {
            Attribute::Term(_) => None,
            Attribute::Folder(folder) => Some(folder),
        }
    }

    /// Whether both can never hold of the same article.
    pub fn contradicts(&self, other: &Self) -> bool {
        self.attribute == other.attribute && self.polarity != other.polarity
    }
}

impl Polarity {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Has => "has",
            Self::Lacks => "lacks",
        }
    }
}

impl Mode {
    /// All of them, the usual one first.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Stem, Self::Phrase, Self::Prefix];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Stem => "stem",
            Self::Phrase => "phrase",
            Self::Prefix => "prefix",
        }
    }

    /// The inverse of [`Mode::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.word() == word)
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mode {
            Mode::Exact | Mode::Phrase => write!(f, "“{}”", self.text),
            Mode::Stem => write!(f, "any form of “{}”", self.text),
            Mode::Prefix => write!(f, "“{}…”", self.text),
        }
    }
}

/// What was given, short enough to be shown.
pub(crate) fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '�' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("“{shown}”")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(mode: Mode, text: &str) -> String {
        Term::new(Field::Title, mode, text).unwrap_err().to_string()
    }

    #[test]
    fn a_term_is_folded() {
        let term = |text| Term::new(Field::Title, Mode::Exact, text).unwrap();
        assert_eq!(term("CAFÉ"), term("cafe\u{301}"));
        assert_eq!(term("Ｃｕｐ").text(), "cup");
        assert_eq!(term("كأس").text(), "كأس");
    }

    #[test]
    fn what_cannot_be_a_term_says_why() {
        insta::assert_snapshot!(error(Mode::Exact, "🎉"), @"“🎉” holds no word: pick a word of letters or digits");
        insta::assert_snapshot!(error(Mode::Exact, "gold price"), @"“gold price” is 2 words: match it as a phrase, or pick one word");
        insta::assert_snapshot!(error(Mode::Exact, "a\0b"), @"“a�b” is 2 words: match it as a phrase, or pick one word");
        insta::assert_snapshot!(error(Mode::Phrase, "gold"), @"“gold” is one word: match it exactly instead of as a phrase");
        insta::assert_snapshot!(error(Mode::Prefix, "g"), @"“g” is too short a beginning: give at least two characters");
        assert!(error(Mode::Exact, &"x".repeat(1 << 20)).starts_with("“xxxx"));
        assert!(error(Mode::Exact, &"x".repeat(1 << 20)).len() < 300);
    }
}
