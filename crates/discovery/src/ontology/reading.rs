//! What a page says about a topic.

use super::{ClassId, Kind};
use serde::{Deserialize, Serialize};

/// What a page says about a topic.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Reading {
    /// Equation (2): Σ f·W over the classes. Grows with the length of the page.
    pub raw: f64,
    /// The likeness of page and topic, less that of the page and pages in general; comparable between pages.
    #[serde(default)]
    pub score: f64,
    /// The same without regard to length, 0 to 1; 0.5 where the topic begins.
    pub normalised: f64,
    /// Whether the page is on the topic: `normalised` reaches the topic's threshold.
    pub relevant: bool,
    /// What was found, most telling first.
    pub evidence: Vec<Evidence>,
    /// The words of the page, for a [`super::Learner`]; empty unless asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Term>,
}

/// A lexical entry found on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The class it stands for.
    pub class: ClassId,
    /// The entry.
    pub word: String,
    /// How often.
    pub count: u32,
    /// What one occurrence adds to `raw`.
    pub weight: f64,
}

/// A word of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// What its forms have in common.
    pub stem: Box<str>,
    /// The form seen first, for people.
    pub word: Box<str>,
    /// How often, in any form.
    pub count: u32,
    /// How much of the page it is: grows with the logarithm of its count, and at the beginning of the page.
    pub strength: f32,
    /// Its part of speech.
    pub kind: Kind,
}
