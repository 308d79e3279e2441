//! What rules that are not in the tree would change.

use super::{Archive, Live, asks, in_folder, union};
use crate::rule::{ROOT, Rule};
use crate::tree::{RuleTree, TreeError};
use model::{FolderId, RuleId};
use roaring::RoaringBitmap;
use std::collections::BTreeSet;

/// What would change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effect {
    /// Folder by folder; only folders that change.
    pub folders: Vec<FolderEffect>,
    /// The articles the new rules fire for, changed by them or not.
    pub caught: RoaringBitmap,
}

/// What would change in one folder.
#[derive(Debug, Clone, PartialEq)]
pub struct FolderEffect {
    /// The folder.
    pub folder: FolderId,
    /// The articles it would gain.
    pub gain: RoaringBitmap,
    /// The articles it would lose.
    pub lose: RoaringBitmap,
}

impl Effect {
    /// The articles whose folders would change.
    pub fn changed(&self) -> RoaringBitmap {
        let mut all = RoaringBitmap::new();
        for folder in &self.folders {
            all |= &folder.gain;
            all |= &folder.lose;
        }
        all
    }

    /// An article's folders afterwards, given what they are.
    pub fn apply(&self, number: u32, folders: &BTreeSet<FolderId>) -> BTreeSet<FolderId> {
        let mut after = folders.clone();
        for effect in &self.folders {
            if effect.gain.contains(number) {
                after.insert(effect.folder);
            }
            if effect.lose.contains(number) {
                after.remove(&effect.folder);
            }
        }
        after
    }
}

impl Archive {
    /// What would change if these rules, parents first, were added to the tree.
    pub fn what_if(&self, tree: &RuleTree, rules: &[Rule]) -> Result<Effect, TreeError> {
        if asks(rules) || tree.has_folder_literals() {
            self.what_if_with_folders(tree, rules)
        } else {
            Ok(self.what_if_with_words(tree, rules))
        }
    }

    /// Only the new rules and their parents can change.
    fn what_if_with_words(&self, tree: &RuleTree, rules: &[Rule]) -> Effect {
        let mut live: Live = Live::default();
        let mut firing: Live = Live::default();
        let mut caught = RoaringBitmap::new();
        for rule in rules {
            let above = match firing.get(&rule.parent) {
                Some(new) => new.clone(),
                None => self.firing(tree, rule.parent),
            };
            let fires = self.satisfying(tree, &rule.condition, (rule.parent != ROOT).then_some(above));
            if rule.parent != ROOT {
                let parent = live
                    .entry(rule.parent)
                    .or_insert_with(|| self.live.get(&rule.parent).cloned().unwrap_or_default());
                *parent -= &fires;
            }
            caught |= &fires;
            live.insert(rule.id, fires.clone());
            firing.insert(rule.id, fires);
        }
        let conclusion = |id: &RuleId| {
            let rule = tree.get(*id).or_else(|| rules.iter().find(|rule| rule.id == *id));
            rule.and_then(|rule| rule.conclusion.folder())
        };
        let folders: BTreeSet<FolderId> = live.keys().filter_map(conclusion).collect();
        let effects = folders.into_iter().map(|folder| {
            let giving =
                tree.rules().iter().chain(rules).filter(|rule| rule.conclusion.folder() == Some(folder));
            let after =
                union(giving.filter_map(|rule| live.get(&rule.id).or_else(|| self.live.get(&rule.id))));
            FolderEffect::between(folder, &self.in_folder(tree, folder), &after)
        });
        Effect { folders: effects.filter(FolderEffect::is_some).collect(), caught }
    }

    /// A changed folder may change others: everything is settled anew. Exact, and slower.
    fn what_if_with_folders(&self, tree: &RuleTree, rules: &[Rule]) -> Result<Effect, TreeError> {
        let mut after_tree = tree.clone();
        after_tree.extend(rules.iter().cloned())?;
        let after = self.settle(&after_tree);
        let folders: BTreeSet<FolderId> =
            after_tree.rules().iter().filter_map(|rule| rule.conclusion.folder()).collect();
        let effects = folders.into_iter().map(|folder| {
            FolderEffect::between(
                folder,
                &self.in_folder(tree, folder),
                &in_folder(&after_tree, &after, folder),
            )
        });
        let folders = effects.filter(FolderEffect::is_some).collect();
        let caught = rules
            .iter()
            .map(|rule| self.satisfying_by(&after, &after_tree, after_tree.path_literals(rule.id), None));
        let caught = caught.fold(RoaringBitmap::new(), |all, one| all | one);
        Ok(Effect { folders, caught })
    }
}

impl FolderEffect {
    fn between(folder: FolderId, before: &RoaringBitmap, after: &RoaringBitmap) -> Self {
        Self { folder, gain: after - before, lose: before - after }
    }

    fn is_some(&self) -> bool {
        !self.gain.is_empty() || !self.lose.is_empty()
    }
}
