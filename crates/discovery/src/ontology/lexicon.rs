//! Words and phrases that stand for a class or a relation.

use super::Provenance;
use serde::{Deserialize, Serialize};

/// A lexical entry: a word, or a phrase of several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// As people write it: `shopping cart`.
    pub text: String,
    /// The language it is in, e.g. `de`; without one it is taken as the topic's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// How surely the word stands for its class: 1 for the class's own names, less for words merely found beside it.
    #[serde(default = "one")]
    pub weight: f64,
    /// Where it comes from.
    #[serde(default)]
    pub provenance: Provenance,
}

impl Entry {
    /// An entry as a person gives it.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), language: None, weight: 1.0, provenance: Provenance::Given }
    }

    /// The same entry in a language.
    #[must_use]
    pub fn in_language(mut self, language: &str) -> Self {
        self.language = Some(language.to_owned());
        self
    }
}

fn one() -> f64 {
    1.0
}
