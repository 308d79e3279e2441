//! The rules as a tree that is walked from the top, as the definition says.

use knowledge::{Conclusion, Filing, Literal, ROOT, Rule};
use model::RuleId;
use std::collections::HashMap;

/// A tree of rules whose literals are of type `L`.
pub(crate) struct Walk<L> {
    nodes: Vec<Node<L>>,
    top: Vec<usize>,
}

struct Node<L> {
    id: RuleId,
    conclusion: Conclusion,
    condition: Box<[L]>,
    children: Vec<usize>,
}

impl<L> Walk<L> {
    /// The tree of these rules, parents first.
    pub(crate) fn new(rules: &[Rule], mut literal: impl FnMut(&Literal) -> L) -> Self {
        let mut places: HashMap<RuleId, usize> = HashMap::new();
        let mut walk = Self { nodes: Vec::with_capacity(rules.len()), top: Vec::new() };
        for rule in rules {
            let place = walk.nodes.len();
            places.insert(rule.id, place);
            match places.get(&rule.parent) {
                Some(parent) if rule.parent != ROOT => walk.nodes[*parent].children.push(place),
                _ => walk.top.push(place),
            }
            walk.nodes.push(Node {
                id: rule.id,
                conclusion: rule.conclusion,
                condition: rule.condition.iter().map(&mut literal).collect(),
                children: Vec::new(),
            });
        }
        walk
    }

    /// Files the article that `holds` tells about.
    pub(crate) fn file(&self, holds: impl Fn(&L) -> bool) -> Filing {
        let mut filing = Filing::default();
        for place in &self.top {
            self.fires(*place, &holds, &mut filing);
        }
        filing.live.sort_unstable();
        filing.folders.sort_unstable();
        filing.folders.dedup();
        filing
    }

    fn fires(&self, place: usize, holds: &impl Fn(&L) -> bool, filing: &mut Filing) -> bool {
        let node = &self.nodes[place];
        if !node.condition.iter().all(holds) {
            return false;
        }
        let mut excepted = false;
        for child in &node.children {
            excepted |= self.fires(*child, holds, filing);
        }
        if !excepted {
            filing.live.push(node.id);
            filing.folders.extend(node.conclusion.folder());
        }
        true
    }
}
