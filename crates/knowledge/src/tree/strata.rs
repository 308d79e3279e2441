//! The order in which rules that ask about folders are settled: first the folders they ask about.

use super::{Node, Slot, TreeError};
use crate::rule::Rule;
use model::FolderId;
use std::collections::HashMap;

/// The stratum of each rule. Without literals on folders there is one stratum, and nothing is kept.
#[derive(Debug, Clone, Default)]
pub(super) struct Strata {
    of_rule: Vec<u16>,
    top: u16,
}

impl Strata {
    /// Settles the strata: a rule comes after its parent and after every folder it asks about; a folder after
    /// the rules that give it and their exceptions.
    pub(super) fn of(rules: &[Rule], nodes: &[Node]) -> Result<Self, TreeError> {
        let asked = rules.iter().flat_map(|rule| &rule.condition).filter_map(crate::Literal::folder);
        let mut of_folder: HashMap<FolderId, u16> = asked.map(|folder| (folder, 0)).collect();
        if of_folder.is_empty() {
            return Ok(Self::default());
        }
        let highest = of_folder.len();
        loop {
            let of_rule = settle_rules(rules, nodes, &of_folder);
            if let Some(slot) = of_rule.iter().rposition(|stratum| usize::from(*stratum) > highest) {
                return Err(TreeError::Cycle { id: rules[slot].id });
            }
            if !raise_folders(&mut of_folder, nodes, &of_rule) {
                let top = of_rule.iter().copied().max().unwrap_or(0);
                return Ok(Self { of_rule, top });
            }
        }
    }

    pub(super) fn top(&self) -> u16 {
        self.top
    }

    pub(super) fn of_rule(&self, slot: Slot) -> u16 {
        self.of_rule.get(slot as usize).copied().unwrap_or(0)
    }
}

fn settle_rules(rules: &[Rule], nodes: &[Node], of_folder: &HashMap<FolderId, u16>) -> Vec<u16> {
    let mut of_rule: Vec<u16> = Vec::with_capacity(rules.len());
    for (rule, node) in rules.iter().zip(nodes) {
        let above = node.parent.map_or(0, |parent| of_rule[parent as usize]);
        let asked = rule.condition.iter().filter_map(crate::Literal::folder);
        let own = asked.map(|folder| of_folder[&folder].saturating_add(1)).max().unwrap_or(0);
        of_rule.push(above.max(own));
    }
    of_rule
}

/// Whether any folder had to be raised.
fn raise_folders(of_folder: &mut HashMap<FolderId, u16>, nodes: &[Node], of_rule: &[u16]) -> bool {
    let mut raised = false;
    for (slot, node) in nodes.iter().enumerate() {
        let own = node.folder;
        // An exception settles whether its parent still gives the parent's folder.
        let spoiled = node.parent.and_then(|parent| nodes[parent as usize].folder);
        for folder in own.into_iter().chain(spoiled) {
            if let Some(stratum) = of_folder.get_mut(&folder)
                && *stratum < of_rule[slot]
            {
                *stratum = of_rule[slot];
                raised = true;
            }
        }
    }
    raised
}
