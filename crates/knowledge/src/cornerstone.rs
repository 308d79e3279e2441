//! Cornerstones: articles that prompted a rule, kept with the folders they must be filed into.

use crate::archive::{Archive, Texts};
use crate::field::Fields;
use crate::rule::Rule;
use crate::tree::{Filer, RuleTree};
use model::{ArticleId, CornerstoneId, FolderId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// An article as it was when it prompted a rule, and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cornerstone {
    /// Its id.
    pub id: CornerstoneId,
    /// The stored article, if there is one.
    pub article: Option<ArticleId>,
    /// What it said.
    pub fields: Fields<'static>,
    /// Where it belongs: all of these and no others.
    pub expected: BTreeSet<FolderId>,
}

/// A cornerstone that is filed elsewhere than expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfiled {
    /// Which.
    pub id: CornerstoneId,
    /// Where it belongs.
    pub expected: BTreeSet<FolderId>,
    /// Where the rules put it.
    pub given: BTreeSet<FolderId>,
}

/// All cornerstones.
#[derive(Debug, Default)]
pub struct Cornerstones {
    all: BTreeMap<CornerstoneId, Cornerstone>,
    /// Made when first asked for: filing does not need it, teaching does.
    archive: OnceLock<Archive>,
}

impl Cornerstone {
    pub(crate) fn replace_folder(&mut self, from: FolderId, to: FolderId) {
        if self.expected.remove(&from) {
            self.expected.insert(to);
        }
    }
}

impl Cornerstones {
    /// Puts back what was stored.
    pub fn restore(all: impl IntoIterator<Item = Cornerstone>) -> Self {
        let all = all.into_iter().map(|cornerstone| (cornerstone.id, cornerstone)).collect();
        Self { all, archive: OnceLock::new() }
    }

    /// All of them, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Cornerstone> {
        self.all.values()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// One of them.
    pub fn get(&self, id: CornerstoneId) -> Option<&Cornerstone> {
        self.all.get(&id)
    }

    /// The one made from a stored article. A number alone is not enough: in a base that was imported, or after the
    /// article was removed, it may mean another one.
    pub fn of_article(&self, article: ArticleId, fields: &Fields<'_>) -> Option<&Cornerstone> {
        self.all.values().find(|cornerstone| {
            let (url, title) = (&cornerstone.fields.url, &cornerstone.fields.title);
            cornerstone.article == Some(article) && (*url == fields.url || *title == fields.title)
        })
    }

    /// Those whose folders are not what is expected, by filing each anew.
    pub fn misfiled(&self, tree: &RuleTree) -> Vec<Misfiled> {
        let mut filer = Filer::default();
        let wrong = |cornerstone: &Cornerstone| {
            let given: BTreeSet<FolderId> =
                filer.file(tree, &cornerstone.fields).folders.into_iter().collect();
            let expected = cornerstone.expected.clone();
            (given != expected).then_some(Misfiled { id: cornerstone.id, expected, given })
        };
        self.all.values().filter_map(wrong).collect()
    }

    /// The cornerstones by their words; an article's number is the cornerstone's id.
    pub fn archive(&self, tree: &RuleTree) -> &Archive {
        self.archive.get_or_init(|| {
            let mut archive = Archive::new(Texts::kept());
            for cornerstone in self.all.values() {
                archive.add(tree, number(cornerstone.id), &cornerstone.fields);
            }
            archive
        })
    }

    pub(crate) fn set(&mut self, tree: &RuleTree, cornerstone: Cornerstone) {
        if let Some(archive) = self.archive.get_mut() {
            let known = self.all.get(&cornerstone.id).is_some_and(|old| old.fields == cornerstone.fields);
            if !known {
                archive.add(tree, number(cornerstone.id), &cornerstone.fields);
            }
        }
        self.all.insert(cornerstone.id, cornerstone);
    }

    pub(crate) fn remove(&mut self, ids: &[CornerstoneId]) {
        for id in ids {
            self.all.remove(id);
        }
        if let Some(archive) = self.archive.get_mut() {
            archive.remove_all(&ids.iter().map(|id| number(*id)).collect());
        }
    }

    pub(crate) fn learn(&mut self, tree: &RuleTree, rules: &[Rule]) {
        if let Some(archive) = self.archive.get_mut() {
            archive.learn(tree, rules);
        }
    }

    pub(crate) fn unlearn(&mut self, tree: &RuleTree, rules: &[Rule]) {
        if let Some(archive) = self.archive.get_mut() {
            archive.unlearn(tree, rules);
        }
    }

    pub(crate) fn replace_folder(&mut self, from: FolderId, to: FolderId) {
        for cornerstone in self.all.values_mut() {
            cornerstone.replace_folder(from, to);
        }
        // Rules that ask about folders may now fire for others: found out anew when next asked.
        self.archive = OnceLock::new();
    }
}

/// Ids are counted up from one by the store: they fit.
pub(crate) fn number(id: CornerstoneId) -> u32 {
    id.0 as u32
}

pub(crate) fn id(number: u32) -> CornerstoneId {
    CornerstoneId(i64::from(number))
}
