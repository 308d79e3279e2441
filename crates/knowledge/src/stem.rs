//! Stems, in the language of the article: a literal on the stem of `economy` also finds `economies`.

use crate::literal::LONGEST_WORD;
use rust_stemmers::{Algorithm, Stemmer};

/// A language whose words can be stemmed. An article in any other language, or in none that is known, is
/// stemmed as English: names and loan words still agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Tongue(u8);

const TONGUES: [(&str, Algorithm); 18] = [
    ("en", Algorithm::English),
    ("ar", Algorithm::Arabic),
    ("da", Algorithm::Danish),
    ("de", Algorithm::German),
    ("el", Algorithm::Greek),
    ("es", Algorithm::Spanish),
    ("fi", Algorithm::Finnish),
    ("fr", Algorithm::French),
    ("hu", Algorithm::Hungarian),
    ("it", Algorithm::Italian),
    ("nl", Algorithm::Dutch),
    ("no", Algorithm::Norwegian),
    ("pt", Algorithm::Portuguese),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("sv", Algorithm::Swedish),
    ("ta", Algorithm::Tamil),
    ("tr", Algorithm::Turkish),
];

impl Tongue {
    /// The tongue of an article by its language field, e.g. `de-at`.
    pub(crate) fn of(language: Option<&str>) -> Self {
        let code = language.unwrap_or_default();
        let code = code.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        let code = if matches!(code.as_str(), "nb" | "nn") { "no" } else { &code };
        Self(TONGUES.iter().position(|(name, _)| *name == code).unwrap_or(0) as u8)
    }

    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..TONGUES.len() as u8).map(Self)
    }

    /// The stem of a folded word. What is too long to be a word is its own stem: stemming copies it again and again.
    pub(crate) fn stem(self, word: &str) -> String {
        if word.len() > LONGEST_WORD {
            return word.to_owned();
        }
        Stemmer::create(TONGUES[usize::from(self.0)].1).stem(word).into_owned()
    }
}
