//! Rules that can never fire: what they ask for contradicts what must hold before they are asked.

use crate::folders::Folders;
use crate::literal::{Attribute, Literal};
use crate::rule::Rule;
use crate::tree::RuleTree;
use model::RuleId;

/// A rule that can never fire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreachable {
    /// Which.
    pub rule: RuleId,
    /// The line of the file it came from, if it did.
    pub line: Option<usize>,
    /// Why, in a sentence.
    pub reason: String,
}

/// Why a rule's own condition can never hold, if so: it contradicts itself or a rule above it.
pub(crate) fn contradiction(tree: &RuleTree, folders: &Folders, rule: &Rule) -> Option<String> {
    for (at, own) in rule.condition.iter().enumerate() {
        if let Some(other) = rule.condition[..at].iter().find(|other| own.contradicts(other)) {
            return Some(format!(
                "asks for both {} and {}",
                describe(folders, other),
                describe(folders, own)
            ));
        }
    }
    for above in tree.path(rule.parent) {
        for own in &rule.condition {
            if let Some(other) = above.condition.iter().find(|other| own.contradicts(other)) {
                let (own, other) = (describe(folders, own), describe(folders, other));
                return Some(format!("asks for {own}, but rule {} above it for {other}", above.id));
            }
        }
    }
    None
}

/// A literal in words.
pub(crate) fn describe(folders: &Folders, literal: &Literal) -> String {
    match &literal.attribute {
        Attribute::Term(term) => format!("{} {} {term}", term.field(), literal.polarity.word()),
        Attribute::Folder(folder) => {
            format!("folder {} “{}”", literal.polarity.word(), folders.path(*folder))
        }
    }
}
