//! The rule tree: exceptions that ripple down.
//!
//! All children of a firing rule are tried; any that fires replaces its parent. The order of rules never matters.

mod filer;
mod index;
mod strata;

pub use filer::{Filer, Filing};

use crate::literal::Literal;
use crate::rule::{MOST_LITERALS, ROOT, Rule};
use index::Index;
use model::{FolderId, RuleId};
use std::collections::HashMap;
use strata::Strata;

/// People nest a handful. Deeper, every rule would be looked up through all above it.
const DEEPEST: usize = 500;

/// A place in the list of rules. Parents come before their children.
type Slot = u32;

/// All rules in force, ready to file articles.
#[derive(Debug, Clone, Default)]
pub struct RuleTree {
    rules: Vec<Rule>,
    slots: HashMap<RuleId, Slot, foldhash::fast::RandomState>,
    /// What filing needs of each rule, close together.
    nodes: Vec<Node>,
    children: Vec<Vec<Slot>>,
    top: Vec<Slot>,
    index: Index,
    strata: Strata,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    id: RuleId,
    /// `None` under the root.
    parent: Option<Slot>,
    /// `None` for a stopping rule.
    folder: Option<FolderId>,
}

/// Why a rule cannot be in the tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// Its parent is not there.
    #[error("rule {id} hangs under rule {parent}, which does not exist")]
    NoParent {
        /// The rule.
        id: RuleId,
        /// Its parent.
        parent: RuleId,
    },
    /// The id is taken.
    #[error("there are two rules {0}")]
    Twice(RuleId),
    /// Not a possible id.
    #[error("{0} is no id for a rule: ids are whole numbers above 0")]
    BadId(RuleId),
    /// A condition that is always true.
    #[error(
        "rule {0} has no condition: only a stop that retires another rule may have none (\"always\": true)"
    )]
    NoCondition(RuleId),
    /// A condition that is a text.
    #[error("rule {0} has more than {MOST_LITERALS} words in its condition")]
    TooManyLiterals(RuleId),
    /// Exceptions of exceptions without end.
    #[error("rule {0} is nested deeper than {DEEPEST} rules: nobody could oversee that")]
    TooDeep(RuleId),
    /// Rules on folders that depend on each other.
    #[error(
        "rule {id} asks about a folder that depends on what the rule itself gives: folders may not depend on each other in a circle"
    )]
    Cycle {
        /// A rule in the circle.
        id: RuleId,
    },
}

impl RuleTree {
    /// The tree of these rules, parents before children.
    pub fn new(rules: impl IntoIterator<Item = Rule>) -> Result<Self, TreeError> {
        let mut tree = Self::default();
        tree.extend(rules)?;
        Ok(tree)
    }

    /// Adds rules, parents before children: all of them, or none.
    pub fn extend(&mut self, rules: impl IntoIterator<Item = Rule>) -> Result<(), TreeError> {
        let before = self.rules.len();
        let result = self.push_all(rules);
        if result.is_err() {
            self.truncate(before);
        }
        result
    }

    /// Takes the last `count` rules out again.
    pub fn take_back(&mut self, count: usize) {
        self.truncate(self.rules.len().saturating_sub(count));
    }

    /// The rules, parents before children.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// One rule.
    pub fn get(&self, id: RuleId) -> Option<&Rule> {
        Some(&self.rules[*self.slots.get(&id)? as usize])
    }

    /// The exceptions directly under a rule, or the rules under the root.
    pub fn children(&self, id: RuleId) -> impl Iterator<Item = &Rule> {
        let slots = if id == ROOT {
            self.top.as_slice()
        } else {
            self.slots.get(&id).map_or(&[][..], |slot| &self.children[*slot as usize])
        };
        slots.iter().map(|slot| &self.rules[*slot as usize])
    }

    /// The rules from the top down to this one.
    pub fn path(&self, id: RuleId) -> Vec<&Rule> {
        let mut path = Vec::new();
        let mut at = self.slots.get(&id).copied();
        while let Some(slot) = at {
            path.push(&self.rules[slot as usize]);
            at = self.nodes[slot as usize].parent;
        }
        path.reverse();
        path
    }

    /// All literals that hold whenever this rule fires: its own and those of the rules above it.
    pub fn path_literals(&self, id: RuleId) -> impl Iterator<Item = &Literal> {
        self.path(id).into_iter().flat_map(|rule| &rule.condition)
    }

    /// The rules in an order in which each comes after its parent and after the folders it asks about are settled.
    pub fn in_strata(&self) -> impl Iterator<Item = &Rule> {
        let mut slots: Vec<Slot> = (0..self.rules.len() as Slot).collect();
        if self.has_folder_literals() {
            slots.sort_by_key(|slot| (self.strata.of_rule(*slot), *slot));
        }
        slots.into_iter().map(|slot| &self.rules[slot as usize])
    }

    /// Whether any rule asks about folders.
    pub fn has_folder_literals(&self) -> bool {
        self.strata.top() > 0
    }

    /// Makes every mention of one folder mean another.
    pub fn replace_folder(&mut self, from: FolderId, to: FolderId) -> Result<(), TreeError> {
        let mut rules = self.rules.clone();
        for rule in &mut rules {
            rule.replace_folder(from, to);
        }
        *self = Self::new(rules)?;
        Ok(())
    }

    fn push_all(&mut self, rules: impl IntoIterator<Item = Rule>) -> Result<(), TreeError> {
        let before = self.rules.len();
        let rules: Vec<Rule> = rules.into_iter().collect();
        // Seen together, so that each rule is filed under its rarest word even when all come at once.
        for rule in &rules {
            self.index.count(&rule.condition);
        }
        for rule in rules {
            self.push(rule)?;
        }
        let new = &self.rules[before..];
        let asks = new.iter().flat_map(|rule| &rule.condition).any(|literal| literal.folder().is_some());
        if asks || self.has_folder_literals() {
            self.strata = Strata::of(&self.rules, &self.nodes)?;
        }
        Ok(())
    }

    fn push(&mut self, rule: Rule) -> Result<(), TreeError> {
        if rule.id.0 <= 0 {
            return Err(TreeError::BadId(rule.id));
        }
        if self.slots.contains_key(&rule.id) {
            return Err(TreeError::Twice(rule.id));
        }
        if rule.condition.len() > MOST_LITERALS {
            return Err(TreeError::TooManyLiterals(rule.id));
        }
        if rule.is_retirement() && (rule.parent == ROOT || rule.conclusion.folder().is_some()) {
            return Err(TreeError::NoCondition(rule.id));
        }
        let parent = match rule.parent {
            ROOT => None,
            id => {
                let missing = TreeError::NoParent { id: rule.id, parent: id };
                Some(*self.slots.get(&id).ok_or(missing)?)
            }
        };
        let slot = self.rules.len() as Slot;
        let mut above = Vec::new();
        let mut at = parent;
        let mut depth = 1;
        while let Some(slot) = at {
            depth += 1;
            if depth > DEEPEST {
                return Err(TreeError::TooDeep(rule.id));
            }
            above.extend(&self.rules[slot as usize].condition);
            at = self.nodes[slot as usize].parent;
        }
        self.index.post(slot, &rule.condition, &above);
        match parent {
            Some(parent) => self.children[parent as usize].push(slot),
            None => self.top.push(slot),
        }
        self.slots.insert(rule.id, slot);
        self.nodes.push(Node { id: rule.id, parent, folder: rule.conclusion.folder() });
        self.children.push(Vec::new());
        self.rules.push(rule);
        Ok(())
    }

    fn truncate(&mut self, length: usize) {
        while self.rules.len() > length {
            let Some(rule) = self.rules.pop() else { break };
            self.slots.remove(&rule.id);
            self.children.pop();
            let siblings = match self.nodes.pop().and_then(|node| node.parent) {
                Some(parent) => &mut self.children[parent as usize],
                None => &mut self.top,
            };
            // The last rule is the last child of its parent.
            siblings.pop();
            self.index.unpost(self.rules.len() as Slot);
        }
        if self.has_folder_literals() {
            // What had no circle has none with fewer rules.
            self.strata = Strata::of(&self.rules, &self.nodes).unwrap_or_default();
        }
    }
}

impl Rule {
    pub(crate) fn replace_folder(&mut self, from: FolderId, to: FolderId) {
        use crate::literal::Attribute;
        use crate::rule::Conclusion;
        if self.conclusion == Conclusion::Folder(from) {
            self.conclusion = Conclusion::Folder(to);
        }
        for literal in &mut self.condition {
            if literal.attribute == Attribute::Folder(from) {
                literal.attribute = Attribute::Folder(to);
            }
        }
    }
}

/// Two trees with the same rules are the same tree, whatever their indexes look like inside.
impl PartialEq for RuleTree {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules
    }
}
