//! The knowledge base: folders, rules, cornerstones, and the lessons that made them.

use crate::cornerstone::{Cornerstone, Cornerstones};
use crate::folders::{FolderError, Folders};
use crate::rule::Rule;
use crate::tree::{Filer, RuleTree, TreeError};
use model::{CornerstoneId, FolderId, RuleId};
use std::collections::BTreeSet;

/// Everything that was taught.
#[derive(Debug, Default)]
pub struct Base {
    folders: Folders,
    tree: RuleTree,
    cornerstones: Cornerstones,
    past: Vec<Past>,
    last_rule: RuleId,
    last_cornerstone: CornerstoneId,
}

/// What was taught at once, and is undone at once. The log of lessons only grows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lesson {
    /// The new rules, parents first.
    pub rules: Vec<Rule>,
    /// The new verdicts: on the article that prompted them, and on cornerstones whose change was accepted.
    pub verdicts: Vec<Verdict>,
}

/// A cornerstone made or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// As it was; `None` if it is new.
    pub before: Option<Cornerstone>,
    /// As it is now.
    pub after: Cornerstone,
}

/// What it takes to take a lesson back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Past {
    /// How many rules it added.
    pub rules: usize,
    /// The cornerstones it made or changed, as they were before; `None` if it made one.
    pub before: Vec<(CornerstoneId, Option<Cornerstone>)>,
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The rules that are gone.
    pub rules: Vec<Rule>,
    /// The cornerstones that are gone or as they were before.
    pub cornerstones: Vec<CornerstoneId>,
}

impl Base {
    /// Puts back what was stored. `last_rule` and `last_cornerstone` are the highest ids ever given: those of undone
    /// lessons are not given again.
    pub fn restore(
        folders: Folders,
        tree: RuleTree,
        cornerstones: Cornerstones,
        past: Vec<Past>,
        last_rule: RuleId,
        last_cornerstone: CornerstoneId,
    ) -> Self {
        Self { folders, tree, cornerstones, past, last_rule, last_cornerstone }
    }

    /// The folders.
    pub fn folders(&self) -> &Folders {
        &self.folders
    }

    /// The rules.
    pub fn tree(&self) -> &RuleTree {
        &self.tree
    }

    /// The cornerstones.
    pub fn cornerstones(&self) -> &Cornerstones {
        &self.cornerstones
    }

    /// How many lessons can be taken back.
    pub fn lessons(&self) -> usize {
        self.past.len()
    }

    /// The next unused rule id.
    pub fn next_rule(&self) -> RuleId {
        RuleId(self.last_rule.0 + 1)
    }

    /// The next unused cornerstone id.
    pub fn next_cornerstone(&self) -> CornerstoneId {
        CornerstoneId(self.last_cornerstone.0 + 1)
    }

    /// Takes a lesson in: all of it, or nothing.
    pub fn apply(&mut self, lesson: Lesson) -> Result<(), TreeError> {
        self.tree.extend(lesson.rules.iter().cloned())?;
        self.cornerstones.learn(&self.tree, &lesson.rules);
        for verdict in &lesson.verdicts {
            self.last_cornerstone = self.last_cornerstone.max(verdict.after.id);
            self.cornerstones.set(&self.tree, verdict.after.clone());
        }
        let last = lesson.rules.iter().map(|rule| rule.id).max();
        self.last_rule = last.map_or(self.last_rule, |last| self.last_rule.max(last));
        self.past.push(Past::of(lesson));
        Ok(())
    }

    /// Takes the last lesson back.
    pub fn undo(&mut self) -> Option<Undone> {
        let past = self.past.pop()?;
        let kept = self.tree.rules().len().saturating_sub(past.rules);
        let rules = self.tree.rules()[kept..].to_vec();
        let cornerstones = past.before.iter().map(|(id, _)| *id).collect();
        let (changed, new): (Vec<_>, Vec<_>) =
            past.before.into_iter().partition(|(_, before)| before.is_some());
        for before in changed.into_iter().rev().filter_map(|(_, before)| before) {
            self.cornerstones.set(&self.tree, before);
        }
        self.cornerstones.remove(&new.into_iter().map(|(id, _)| id).collect::<Vec<_>>());
        self.tree.take_back(past.rules);
        self.cornerstones.unlearn(&self.tree, &rules);
        Some(Undone { rules, cornerstones })
    }

    /// The folders, to be changed. Rules and cornerstones hold ids and follow by themselves.
    pub fn folders_mut(&mut self) -> &mut Folders {
        &mut self.folders
    }

    /// Whether a rule or a cornerstone speaks of a folder.
    pub fn is_used(&self, folder: FolderId) -> bool {
        let by_rule = |rule: &Rule| {
            rule.conclusion.folder() == Some(folder)
                || rule.condition.iter().any(|literal| literal.folder() == Some(folder))
        };
        let before = self.past.iter().flat_map(|past| &past.before).filter_map(|(_, before)| before.as_ref());
        self.tree.rules().iter().any(by_rule)
            || self
                .cornerstones
                .iter()
                .chain(before)
                .any(|cornerstone| cornerstone.expected.contains(&folder))
    }

    /// Makes one folder out of two: whatever was filed into `from` is filed into `to`. The folders inside move along.
    pub fn merge(&mut self, from: FolderId, to: FolderId) -> Result<(), MergeError> {
        let mut folders = self.folders.clone();
        let inner: Vec<FolderId> = folders.children(Some(from)).map(|folder| folder.id).collect();
        for folder in inner {
            folders.move_to(folder, Some(to))?;
        }
        folders.remove(from)?;
        let mut tree = self.tree.clone();
        tree.replace_folder(from, to)?;
        if self.tree.has_folder_literals() {
            self.check_merge(&tree, from, to)?;
        }
        self.cornerstones.replace_folder(from, to);
        for (_, before) in self.past.iter_mut().flat_map(|past| &mut past.before) {
            if let Some(before) = before {
                before.replace_folder(from, to);
            }
        }
        (self.folders, self.tree) = (folders, tree);
        Ok(())
    }
}

impl Base {
    /// Rules that ask about one of the folders now also fire for articles of the other: that may break decisions.
    fn check_merge(&self, tree: &RuleTree, from: FolderId, to: FolderId) -> Result<(), MergeError> {
        let mut filer = Filer::default();
        let mut file = |tree: &RuleTree, cornerstone: &Cornerstone| -> BTreeSet<FolderId> {
            filer.file(tree, &cornerstone.fields).folders.into_iter().collect()
        };
        let broken = self.cornerstones.iter().filter(|cornerstone| {
            let before = file(&self.tree, cornerstone).into_iter();
            let renamed: BTreeSet<FolderId> = before.map(|id| if id == from { to } else { id }).collect();
            renamed != file(tree, cornerstone)
        });
        match broken.count() {
            0 => Ok(()),
            broken => Err(MergeError::Cornerstones(broken)),
        }
    }
}

/// Why two folders cannot be made one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// The folders themselves do not allow it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Earlier decisions would change.
    #[error("the folders cannot be merged: rules ask about them, and {0} cornerstone(s) would change")]
    Cornerstones(usize),
    /// The rules do not.
    #[error("the folders cannot be merged: {0}")]
    Tree(#[from] TreeError),
}

impl Past {
    fn of(lesson: Lesson) -> Self {
        let before = lesson.verdicts.into_iter().map(|verdict| (verdict.after.id, verdict.before));
        Self { rules: lesson.rules.len(), before: before.collect() }
    }
}
