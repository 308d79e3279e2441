//! Takes a file over into a base.

use super::check::{by_id, parents_first, resolve};
use super::{Interchange, PortableCornerstone};
use crate::base::{Base, Lesson, Verdict};
use crate::cornerstone::{Cornerstone, Misfiled};
use crate::folders::{FolderError, Folders};
use crate::reach::{Unreachable, contradiction};
use crate::rule::{ROOT, Rule};
use crate::teaching::Conflict;
use crate::tree::{Filer, RuleTree, TreeError};
use model::{ArticleId, CornerstoneId, FolderId, RuleId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// How to import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// Gives new rules and cornerstones ids of this base instead of their own.
    pub renumber: bool,
    /// Takes the verdicts of the rules where cornerstones say otherwise, and records them.
    pub accept: bool,
}

/// What an import would bring. Nothing is done yet: the folders and the lesson are to be stored.
#[derive(Debug, Clone)]
pub struct Import {
    /// Paths of folders that were not there, outermost first.
    pub new_folders: Vec<String>,
    /// The base's folders with the new ones.
    pub folders: Folders,
    /// The new rules, parents first, and the verdicts: new cornerstones and accepted changes.
    pub lesson: Lesson,
    /// New rules that can never fire.
    pub unreachable: Vec<Unreachable>,
    /// How many rules were there already, word for word.
    pub skipped: usize,
    /// How many cornerstones were there already.
    pub skipped_cornerstones: usize,
    /// Cornerstones of the file that came out otherwise than expected, and were accepted.
    pub misfiled: Vec<Misfiled>,
}

/// Why a file cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// An id that means something else here.
    #[error(
        "{}rule {id} is another rule in this base: --renumber gives the file's rules new numbers",
        in_line(*.line)
    )]
    RuleTaken {
        /// The first such rule.
        id: RuleId,
        /// Its line.
        line: Option<usize>,
    },
    /// An id that was given before and taken back: the log still knows it.
    #[error(
        "{}rule {id} had its number here and was undone: --renumber gives the file's rules new numbers",
        in_line(*.line)
    )]
    RuleUndone {
        /// The first such rule.
        id: RuleId,
        /// Its line.
        line: Option<usize>,
    },
    /// A cornerstone's id that means something else here.
    #[error(
        "cornerstone {0} is or was another article in this base: --renumber gives the file's cornerstones new numbers"
    )]
    CornerstoneTaken(CornerstoneId),
    /// Earlier decisions would change.
    #[error(
        "{} cornerstone(s) of this base would change ({}): --accept records where the rules put them",
        .0.len(), few(.0.iter().map(|conflict| conflict.cornerstone))
    )]
    Conflicts(Vec<Conflict>),
    /// The file's rules do not do what its cornerstones say.
    #[error(
        "{} cornerstone(s) of the file do not come out as expected ({}): --accept records where the rules put them",
        .0.len(), few(.0.iter().map(|misfiled| misfiled.id))
    )]
    Misfiled(Vec<Misfiled>),
    /// A folder cannot be made.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The rules cannot stand together.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl Interchange {
    /// What importing this into a base would bring. Imported rules change no cornerstone unless that is accepted.
    pub fn import(&self, base: &Base, options: ImportOptions) -> Result<Import, ImportError> {
        let (folders, new_folders) = self.make_folders(base)?;
        let cornerstones = self.new_cornerstones(base, &folders, options)?;
        let rules = self.new_rules(base, &folders, &cornerstones.numbers, options)?;
        let mut tree = base.tree().clone();
        tree.extend(rules.new.iter().cloned())?;

        let mut verdicts = changed(base, &tree, options)?;
        let (new, misfiled) = judge(&tree, cornerstones.new, options)?;
        verdicts.extend(new.into_iter().map(|after| Verdict { before: None, after }));
        let unreachable = rules.new.iter().zip(&rules.lines).filter_map(|(rule, line)| {
            let reason = contradiction(&tree, &folders, rule)?;
            Some(Unreachable { rule: rule.id, line: *line, reason })
        });
        Ok(Import {
            new_folders,
            unreachable: unreachable.collect(),
            folders,
            lesson: Lesson { rules: rules.new, verdicts },
            skipped: rules.skipped,
            skipped_cornerstones: cornerstones.skipped,
            misfiled,
        })
    }

    fn make_folders(&self, base: &Base) -> Result<(Folders, Vec<String>), FolderError> {
        let mut folders = base.folders().clone();
        let mut new = Vec::new();
        for path in self.mentioned() {
            let (_, made) = folders.create(path)?;
            new.extend(made.iter().map(|folder| folders.path(folder.id)));
        }
        Ok((folders, new))
    }

    fn new_cornerstones(
        &self,
        base: &Base,
        folders: &Folders,
        options: ImportOptions,
    ) -> Result<NewCornerstones, ImportError> {
        let mut found = NewCornerstones::default();
        let mut next = base.next_cornerstone();
        let mut articles: HashSet<ArticleId> =
            base.cornerstones().iter().filter_map(|cornerstone| cornerstone.article).collect();
        for cornerstone in &self.cornerstones {
            let mut own = with_ids(cornerstone, folders)?;
            let there = base.cornerstones().get(own.id);
            if there.is_some_and(|there| there.fields == own.fields && there.expected == own.expected) {
                found.skipped += 1;
                found.numbers.insert(own.id, own.id);
                continue;
            }
            if options.renumber {
                found.numbers.insert(own.id, next);
                own.id = next;
                next.0 += 1;
                // The number of an article in another store.
                own.article = None;
            } else if there.is_some() || (own.id < next && !base.cornerstones().is_empty()) {
                return Err(ImportError::CornerstoneTaken(own.id));
            } else {
                found.numbers.insert(own.id, own.id);
            }
            // An article is one cornerstone at most.
            own.article = own.article.filter(|article| articles.insert(*article));
            found.new.push(own);
        }
        Ok(found)
    }

    fn new_rules(
        &self,
        base: &Base,
        folders: &Folders,
        cornerstones: &HashMap<CornerstoneId, CornerstoneId>,
        options: ImportOptions,
    ) -> Result<NewRules, ImportError> {
        let mut found = NewRules::default();
        let mut numbers: HashMap<RuleId, RuleId> = HashMap::from([(ROOT, ROOT)]);
        let mut same: HashSet<RuleId> = HashSet::from([ROOT]);
        let mut next = base.next_rule();
        let order = if options.renumber {
            parents_first(&self.rules, |at, _| at as i64)
        } else {
            parents_first(&self.rules, by_id)
        };
        for at in order {
            let read = &self.rules[at];
            let line = self.line_of(read.id);
            let Some(mut rule) = resolve(read, folders) else { continue };
            let Some(parent) = numbers.get(&rule.parent) else { continue };
            rule.parent = *parent;
            rule.origin.cornerstone = rule.origin.cornerstone.and_then(|id| {
                let here = Some(id).filter(|id| !options.renumber && base.cornerstones().get(*id).is_some());
                cornerstones.get(&id).copied().or(here)
            });
            let there = base.tree().get(read.id);
            // The same words under another rule are another rule.
            if same.contains(&read.parent) && there == Some(&rule) {
                found.skipped += 1;
                same.insert(read.id);
                numbers.insert(read.id, read.id);
                continue;
            }
            if options.renumber {
                rule.id = next;
                next.0 += 1;
            } else if there.is_some() {
                return Err(ImportError::RuleTaken { id: rule.id, line });
            } else if rule.id < next && !base.tree().rules().is_empty() {
                return Err(ImportError::RuleUndone { id: rule.id, line });
            }
            numbers.insert(read.id, rule.id);
            found.new.push(rule);
            found.lines.push(line);
        }
        Ok(found)
    }
}

#[derive(Default)]
struct NewCornerstones {
    new: Vec<Cornerstone>,
    skipped: usize,
    /// The ids of the file, and what they are now.
    numbers: HashMap<CornerstoneId, CornerstoneId>,
}

#[derive(Default)]
struct NewRules {
    new: Vec<Rule>,
    lines: Vec<Option<usize>>,
    skipped: usize,
}

fn with_ids(cornerstone: &PortableCornerstone, folders: &Folders) -> Result<Cornerstone, FolderError> {
    let PortableCornerstone { id, article, fields, expected } = cornerstone;
    let expected = expected.iter().map(|path| folders.demand(path)).collect::<Result<_, _>>()?;
    Ok(Cornerstone { id: *id, article: *article, fields: fields.clone(), expected })
}

/// The cornerstones of the base that would change, with their new verdicts.
fn changed(base: &Base, after: &RuleTree, options: ImportOptions) -> Result<Vec<Verdict>, ImportError> {
    let mut filer = Filer::default();
    let mut verdicts = Vec::new();
    let mut conflicts = Vec::new();
    for cornerstone in base.cornerstones().iter() {
        let was: BTreeSet<FolderId> = file(&mut filer, base.tree(), cornerstone);
        let is = file(&mut filer, after, cornerstone);
        if was == is || is == cornerstone.expected {
            continue;
        }
        conflicts.push(Conflict { cornerstone: cornerstone.id, before: was, after: is.clone() });
        let after = Cornerstone { expected: is, ..cornerstone.clone() };
        verdicts.push(Verdict { before: Some(cornerstone.clone()), after });
    }
    if conflicts.is_empty() || options.accept { Ok(verdicts) } else { Err(ImportError::Conflicts(conflicts)) }
}

/// The new cornerstones as they come out, and which of them were expected elsewhere.
fn judge(
    tree: &RuleTree,
    mut new: Vec<Cornerstone>,
    options: ImportOptions,
) -> Result<(Vec<Cornerstone>, Vec<Misfiled>), ImportError> {
    let mut filer = Filer::default();
    let mut misfiled = Vec::new();
    for cornerstone in &mut new {
        let given = file(&mut filer, tree, cornerstone);
        if given != cornerstone.expected {
            let expected = std::mem::replace(&mut cornerstone.expected, given.clone());
            misfiled.push(Misfiled { id: cornerstone.id, expected, given });
        }
    }
    if misfiled.is_empty() || options.accept {
        Ok((new, misfiled))
    } else {
        Err(ImportError::Misfiled(misfiled))
    }
}

fn file(filer: &mut Filer, tree: &RuleTree, cornerstone: &Cornerstone) -> BTreeSet<FolderId> {
    filer.file(tree, &cornerstone.fields).folders.into_iter().collect()
}

fn in_line(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}

/// The first of many.
fn few(ids: impl ExactSizeIterator<Item = CornerstoneId>) -> String {
    const SHOWN: usize = 5;
    let more = if ids.len() > SHOWN { ", …" } else { "" };
    let shown: Vec<String> = ids.take(SHOWN).map(|id| id.to_string()).collect();
    format!("{}{more}", shown.join(", "))
}
