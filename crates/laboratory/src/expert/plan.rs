//! From what is wrong with an article's folders to corrections, one after the other.

use super::memory::Memory;
use knowledge::{Base, Conclusion, Correction, Filing, RuleTree};
use model::{FolderId, RuleId};
use std::collections::BTreeSet;

/// One lesson to be given.
pub(super) struct Step {
    pub(super) correction: Correction,
    /// A stop that is to have an exception.
    pub(super) under: Option<RuleId>,
}

/// What must be taught so that an article is filed where it belongs.
pub(super) fn plan(base: &Base, memory: &Memory, filing: &Filing, topics: &BTreeSet<FolderId>) -> Vec<Step> {
    let tree = base.tree();
    let mut steps = Vec::new();
    let mut wanted: Vec<FolderId> = Vec::new();
    for topic in topics.iter().filter(|topic| !filing.folders.contains(topic)) {
        // Where a stop took the folder away, the stop is what is wrong.
        match filing.live.iter().find(|rule| stops(tree, **rule, *topic)) {
            Some(stop) => steps.push(Step { correction: Correction::Add(*topic), under: Some(*stop) }),
            None => wanted.push(*topic),
        }
    }
    for folder in filing.folders.iter().filter(|folder| !topics.contains(folder)) {
        let gives = |rule: &&RuleId| {
            tree.get(**rule).is_some_and(|rule| rule.conclusion == Conclusion::Folder(*folder))
        };
        let giving: Vec<RuleId> = filing.live.iter().filter(gives).copied().collect();
        // The folder most often right where this rule fired; of equals the last.
        let fired = memory.fired(&giving);
        let instead =
            wanted.iter().copied().max_by_key(|topic| fired.intersection_len(&memory.of_topic(*topic)));
        // Several rules with the same mistake would need as many refinements: a stop of each says no more than is known.
        let correction = match instead.filter(|_| giving.len() == 1) {
            Some(to) => {
                wanted.retain(|topic| *topic != to);
                Correction::Replace { from: *folder, to }
            }
            None => Correction::Remove(*folder),
        };
        steps.push(Step { correction, under: None });
    }
    steps.extend(wanted.into_iter().map(|topic| Step { correction: Correction::Add(topic), under: None }));
    steps
}

/// Whether a rule is a stop directly under a rule that gives the folder.
fn stops(tree: &RuleTree, rule: RuleId, folder: FolderId) -> bool {
    let parent_gives = |parent| tree.get(parent).and_then(|rule| rule.conclusion.folder()) == Some(folder);
    tree.get(rule).is_some_and(|rule| rule.conclusion == Conclusion::Stop && parent_gives(rule.parent))
}
