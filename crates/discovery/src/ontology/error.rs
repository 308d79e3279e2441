//! What can be wrong with an ontology or a topic, and what to do about it.

use thiserror::Error;

/// Why an ontology or a topic cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OntologyError {
    /// The hierarchy goes round in a circle.
    #[error("the hierarchy of {what} is cyclic: {}. Remove one of these links", path.join(" is below "))]
    Cycle {
        /// `classes` or `relations`.
        what: &'static str,
        /// The names on the way round; the last is the first.
        path: Vec<String>,
    },
    /// The class looked for is not there.
    #[error("there is no class “{name}” in the ontology{}; the classes are: {}", nearest_hint(nearest.as_deref()), classes.join(", "))]
    NoSuchClass {
        /// What was asked for.
        name: String,
        /// The class whose name is most like it.
        nearest: Option<String>,
        /// Some of the classes that exist.
        classes: Vec<String>,
    },
    /// Nothing to build a topic from.
    #[error("a topic needs words: {0}")]
    NoWords(&'static str),
    /// More than the limits allow.
    #[error("{what}: {found} is more than the limit of {limit}. {advice}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How much there is.
        found: usize,
        /// How much there may be.
        limit: usize,
        /// What to do.
        advice: &'static str,
    },
    /// A file that is not what it should be.
    #[error("line {line} of the {format} cannot be read: {what}. Mend that line, or say which format it is")]
    Unreadable {
        /// What it was read as.
        format: &'static str,
        /// Where.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Not consistent in itself, e.g. a stored ontology that was edited by hand.
    #[error("the ontology does not hold together: {0}")]
    Broken(String),
}

fn nearest_hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean “{name}”?)")).unwrap_or_default()
}
