//! Filing: from an article's words to its folders.

use super::index::{Code, NONE, TermNo};
use super::{RuleTree, Slot};
use crate::field::{Field, Fields};
use crate::literal::{Literal, Polarity};
use crate::stem::Tongue;
use model::{FolderId, RuleId};

/// Where an article belongs, and which rules say so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filing {
    /// The rules that fire with no exception firing under them, stopping ones included, in the order they were made.
    /// Every rule that fires at all is one of these or above one of them.
    pub live: Vec<RuleId>,
    /// The folders, each once, by id.
    pub folders: Vec<FolderId>,
}

/// Files articles. Holds only working space: one for each thread, for any tree.
#[derive(Debug, Default)]
pub struct Filer {
    /// Marks of this round; those of earlier rounds are smaller and mean nothing.
    round: u32,
    /// By term: the round in which it was last there.
    there: Vec<u32>,
    /// By slot: the rounds in which the rule last fired, and in which an exception under it did.
    fired: Vec<Fired>,
    terms: Vec<TermNo>,
    candidates: Vec<Slot>,
    missing: [bool; Field::COUNT],
    places: Vec<u32>,
    buffer: String,
}

#[derive(Debug, Clone, Copy, Default)]
struct Fired {
    itself: u32,
    exception: u32,
}

impl Filer {
    /// Files one article.
    pub fn file(&mut self, tree: &RuleTree, article: &Fields<'_>) -> Filing {
        self.begin(tree);
        self.read(tree, article);
        self.find_candidates(tree);
        self.settle(tree);
        self.filing(tree)
    }

    fn begin(&mut self, tree: &RuleTree) {
        if self.round == u32::MAX {
            *self = Self::default();
        }
        self.round += 1;
        let (terms, rules) = (tree.index.terms(), tree.rules.len());
        if self.there.len() < terms {
            self.there.resize(terms, 0);
        }
        if self.fired.len() < rules {
            self.fired.resize(rules, Fired::default());
        }
        self.terms.clear();
        self.candidates.clear();
    }

    /// Marks every term of a condition that is there.
    fn read(&mut self, tree: &RuleTree, article: &Fields<'_>) {
        let index = &tree.index;
        let tongue = Tongue::of(article.get(Field::Language));
        let Self { round, there, terms, places, buffer, missing, .. } = self;
        let mut mark = |term: TermNo| {
            let mark = &mut there[term as usize];
            if *mark != *round {
                *mark = *round;
                terms.push(term);
            }
        };
        for field in Field::ALL {
            let text = article.get(field);
            missing[field as usize] = text.is_none();
            let Some(text) = text else { continue };
            let (phrases, prefixes, stems) =
                (index.phrases.are_in(field), index.prefixes.are_in(field), index.stems.are_in(field));
            places.clear();
            page::words::for_each_word(text, buffer, |word| {
                let known = index.word(word);
                if let Some(number) = known {
                    let term = index.exact[number as usize][field as usize];
                    if term != NONE {
                        mark(term);
                    }
                }
                if phrases {
                    index.phrases.step(field, places, known, &mut mark);
                }
                if prefixes {
                    index.prefixes.each(field, word, &mut mark);
                }
                if stems {
                    index.stems.each(field, tongue, word, &mut mark);
                }
            });
        }
    }

    /// Rules whose own condition holds, as far as it is about words; parents before children.
    fn find_candidates(&mut self, tree: &RuleTree) {
        let index = &tree.index;
        for at in 0..self.terms.len() {
            for posting in &index.postings[self.terms[at] as usize] {
                let maybe = posting.also.iter().flatten().all(|code| self.holds(tree, *code));
                if maybe && (!posting.more || self.condition_holds(tree, posting.slot)) {
                    self.candidates.push(posting.slot);
                }
            }
        }
        for slot in &index.unkeyed {
            if self.condition_holds(tree, *slot) {
                self.candidates.push(*slot);
            }
        }
        self.candidates.sort_unstable();
    }

    fn condition_holds(&self, tree: &RuleTree, slot: Slot) -> bool {
        tree.index.condition(slot).iter().all(|code| self.holds(tree, *code))
    }

    fn holds(&self, tree: &RuleTree, code: Code) -> bool {
        let there = self.there[code.term() as usize] == self.round;
        if code.lacks() { !there && !self.missing[tree.index.field_of(code.term()) as usize] } else { there }
    }

    /// Decides which candidates fire, stratum by stratum.
    fn settle(&mut self, tree: &RuleTree) {
        for stratum in 0..=tree.strata.top() {
            for at in 0..self.candidates.len() {
                let slot = self.candidates[at];
                if tree.strata.of_rule(slot) != stratum {
                    continue;
                }
                let parent = tree.nodes[slot as usize].parent;
                if parent.is_some_and(|parent| self.fired[parent as usize].itself != self.round) {
                    continue;
                }
                if tree.index.asks_about_folders(slot) && !self.folders_hold(tree, slot) {
                    continue;
                }
                self.fired[slot as usize].itself = self.round;
                if let Some(parent) = parent {
                    self.fired[parent as usize].exception = self.round;
                }
            }
        }
    }

    /// Whether the literals on folders hold; the folders they ask about are settled.
    fn folders_hold(&self, tree: &RuleTree, slot: Slot) -> bool {
        let holds = |literal: &Literal| match literal.folder() {
            Some(folder) => self.gives(tree, folder) == (literal.polarity == Polarity::Has),
            None => true,
        };
        tree.rules[slot as usize].condition.iter().all(holds)
    }

    fn gives(&self, tree: &RuleTree, folder: FolderId) -> bool {
        let mut live = self.candidates.iter().filter(|slot| self.is_live(**slot));
        live.any(|slot| tree.nodes[*slot as usize].folder == Some(folder))
    }

    fn is_live(&self, slot: Slot) -> bool {
        let fired = self.fired[slot as usize];
        fired.itself == self.round && fired.exception != self.round
    }

    fn filing(&self, tree: &RuleTree) -> Filing {
        let mut filing = Filing::default();
        for slot in self.candidates.iter().filter(|slot| self.is_live(**slot)) {
            let node = &tree.nodes[*slot as usize];
            filing.live.push(node.id);
            filing.folders.extend(node.folder);
        }
        filing.folders.sort_unstable();
        filing.folders.dedup();
        filing
    }
}
