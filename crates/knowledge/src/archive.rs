//! Articles the other way round: for each word, and so for each rule, the articles it is true of.
//!
//! The tree asks which rules fire for one article; an archive asks which articles a rule fires for. Both say the
//! same, exactly. With sets of articles as bitmaps, the effect of a rule that does not exist yet is a few
//! intersections, however many articles there are.

mod effect;
mod stems;
mod texts;

pub use effect::{Effect, FolderEffect};
pub use texts::Texts;

use crate::field::{Field, Fields};
use crate::literal::{Attribute, Literal, Mode, Polarity, Term};
use crate::rule::Rule;
use crate::stem::Tongue;
use crate::tree::{Filer, RuleTree};
use crate::words::Words;
use foldhash::fast::RandomState;
use indexmap::IndexSet;
use model::{FolderId, RuleId};
use roaring::RoaringBitmap;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use stems::Stems;

/// Looking for a phrase that nobody has looked for before means reading texts again: no more than these, the newest.
const MOST_REREAD: u64 = 5_000;

type Map<K, V> = HashMap<K, V, RandomState>;
/// The articles each rule is live for.
type Live = Map<RuleId, RoaringBitmap>;

/// A set of articles with their words, and which rules are live for each.
#[derive(Debug)]
pub struct Archive {
    articles: RoaringBitmap,
    words: IndexSet<Box<str>, RandomState>,
    postings: Map<(u32, Field), RoaringBitmap>,
    present: [RoaringBitmap; Field::COUNT],
    tongues: BTreeMap<Tongue, RoaringBitmap>,
    live: Live,
    texts: Texts,
    /// The words by their stems, as far as a tongue was asked for.
    stems: Mutex<BTreeMap<Tongue, Stems>>,
    /// Phrases that were looked for: postings know words, not their order.
    phrases: Mutex<Map<Term, Arc<RoaringBitmap>>>,
    filer: Filer,
}

impl Archive {
    /// An empty archive. `texts` is where the texts can be read again.
    pub fn new(texts: Texts) -> Self {
        Self {
            articles: RoaringBitmap::new(),
            words: IndexSet::default(),
            postings: Map::default(),
            present: Default::default(),
            tongues: BTreeMap::new(),
            live: Live::default(),
            texts,
            stems: Mutex::default(),
            phrases: Mutex::default(),
            filer: Filer::default(),
        }
    }

    /// Adds an article, filed by the tree as it is; one that is there already is replaced.
    pub fn add(&mut self, tree: &RuleTree, number: u32, article: &Fields<'_>) {
        self.remove(number);
        self.articles.insert(number);
        self.tongues.entry(Tongue::of(article.get(Field::Language))).or_default().insert(number);
        let mut buffer = String::new();
        for (field, text) in article.present() {
            self.present[field as usize].insert(number);
            let Self { words, postings, .. } = self;
            page::words::for_each_word(text, &mut buffer, |word| {
                let word = match words.get_index_of(word) {
                    Some(known) => known,
                    None => words.insert_full(word.into()).0,
                };
                postings.entry((word as u32, field)).or_default().insert(number);
            });
        }
        self.add_to_phrases(number, article);
        self.texts.keep(number, article);
        for rule in self.filer.file(tree, article).live {
            self.live.entry(rule).or_default().insert(number);
        }
    }

    /// Takes an article out.
    pub fn remove(&mut self, number: u32) {
        self.remove_all(&[number].into());
    }

    /// Takes articles out, many in hardly more time than one: every word is looked at.
    pub fn remove_all(&mut self, numbers: &RoaringBitmap) {
        if self.articles.is_disjoint(numbers) {
            return;
        }
        self.articles -= numbers;
        let sets = self.present.iter_mut().chain(self.tongues.values_mut()).chain(self.live.values_mut());
        for set in sets.chain(self.postings.values_mut()) {
            *set -= numbers;
        }
        for phrase in self.phrases.get_mut().unwrap_or_else(PoisonError::into_inner).values_mut() {
            *Arc::make_mut(phrase) -= numbers;
        }
        for number in numbers {
            self.texts.forget(number);
        }
    }

    /// All articles in it.
    pub fn articles(&self) -> &RoaringBitmap {
        &self.articles
    }

    /// The text of an article, read again.
    pub fn text(&self, number: u32) -> Option<Fields<'static>> {
        self.texts.read(number)
    }

    /// The articles a rule is live for.
    pub fn live(&self, rule: RuleId) -> Option<&RoaringBitmap> {
        self.live.get(&rule)
    }

    /// The rules that are live for an article.
    pub fn live_rules(&self, tree: &RuleTree, number: u32) -> Vec<RuleId> {
        let is_live = |rule: &&Rule| self.live.get(&rule.id).is_some_and(|live| live.contains(number));
        tree.rules().iter().filter(is_live).map(|rule| rule.id).collect()
    }

    /// The articles in a folder.
    pub fn in_folder(&self, tree: &RuleTree, folder: FolderId) -> RoaringBitmap {
        in_folder(tree, &self.live, folder)
    }

    /// The articles a rule fires for.
    pub fn firing(&self, tree: &RuleTree, rule: RuleId) -> RoaringBitmap {
        self.satisfying(tree, tree.path_literals(rule), None)
    }

    /// The articles all these literals hold of, among `among` or all.
    pub fn satisfying<'l>(
        &self,
        tree: &RuleTree,
        literals: impl IntoIterator<Item = &'l Literal>,
        among: Option<RoaringBitmap>,
    ) -> RoaringBitmap {
        self.satisfying_by(&self.live, tree, literals, among)
    }

    /// The articles a literal holds of.
    pub fn holding(&self, tree: &RuleTree, literal: &Literal) -> RoaringBitmap {
        self.holding_by(&self.live, tree, literal)
    }

    /// The articles a literal on words holds of; one on a folder is not a question of words, and holds of all.
    pub fn holding_words(&self, literal: &Literal) -> RoaringBitmap {
        match literal.term() {
            Some(_) => self.holding_by(&self.live, &RuleTree::default(), literal),
            None => self.articles.clone(),
        }
    }

    /// How many of these articles a literal on words holds of.
    pub fn count_holding(&self, literal: &Literal, among: &RoaringBitmap) -> u64 {
        match literal.term() {
            Some(term) if term.mode() == Mode::Exact => {
                let with = self.with_word(term.field(), term.text());
                let with = with.map_or(0, |with| with.intersection_len(among));
                match literal.polarity {
                    Polarity::Has => with,
                    Polarity::Lacks => self.present[term.field() as usize].intersection_len(among) - with,
                }
            }
            _ => self.holding_words(literal).intersection_len(among),
        }
    }

    /// The articles with an exact word in a field, without a copy.
    pub fn with_word(&self, field: Field, word: &str) -> Option<&RoaringBitmap> {
        self.postings.get(&(self.words.get_index_of(word)? as u32, field))
    }

    /// The articles whose field is not missing.
    pub fn with_field(&self, field: Field) -> &RoaringBitmap {
        &self.present[field as usize]
    }

    /// Whether all candidates of a term were looked at.
    pub fn knows_all_of(&self, term: &Term) -> bool {
        term.mode() != Mode::Phrase || self.texts.are_kept() || self.with_all_words(term).len() <= MOST_REREAD
    }

    /// Takes note of rules just added to the tree, parents first.
    pub fn learn(&mut self, tree: &RuleTree, rules: &[Rule]) {
        if tree.has_folder_literals() {
            return self.learn_all(tree);
        }
        for rule in rules {
            let firing = self.firing(tree, rule.id);
            note(&mut self.live, rule, firing);
        }
    }

    /// Takes note that these rules were taken out of the tree again.
    pub fn unlearn(&mut self, tree: &RuleTree, rules: &[Rule]) {
        if asks(rules) || tree.has_folder_literals() {
            return self.learn_all(tree);
        }
        for rule in rules {
            self.live.remove(&rule.id);
        }
        for rule in rules.iter().filter_map(|rule| tree.get(rule.parent)) {
            let mut live = self.firing(tree, rule.id);
            for exception in tree.children(rule.id) {
                live -= self.firing(tree, exception.id);
            }
            self.live.insert(rule.id, live);
        }
    }

    /// Finds out anew which rules are live for which articles.
    pub fn learn_all(&mut self, tree: &RuleTree) {
        self.live = self.settle(tree);
    }

    /// Which rules are live for which articles, stratum by stratum.
    fn settle(&self, tree: &RuleTree) -> Live {
        let mut live = Live::default();
        for rule in tree.in_strata() {
            let firing = self.satisfying_by(&live, tree, tree.path_literals(rule.id), None);
            note(&mut live, rule, firing);
        }
        live
    }

    fn satisfying_by<'l>(
        &self,
        live: &Live,
        tree: &RuleTree,
        literals: impl IntoIterator<Item = &'l Literal>,
        among: Option<RoaringBitmap>,
    ) -> RoaringBitmap {
        let mut found = among;
        for literal in literals {
            found = Some(match found {
                None => self.holding_by(live, tree, literal),
                Some(found) if found.is_empty() => return found,
                Some(found) => self.narrow(live, tree, found, literal),
            });
        }
        found.unwrap_or_else(|| self.articles.clone())
    }

    fn holding_by(&self, live: &Live, tree: &RuleTree, literal: &Literal) -> RoaringBitmap {
        match (&literal.attribute, literal.polarity) {
            (Attribute::Term(term), Polarity::Has) => self.with_term(term),
            (Attribute::Term(term), Polarity::Lacks) => {
                &self.present[term.field() as usize] - self.with_term(term)
            }
            (Attribute::Folder(folder), Polarity::Has) => in_folder(tree, live, *folder),
            (Attribute::Folder(folder), Polarity::Lacks) => &self.articles - in_folder(tree, live, *folder),
        }
    }

    fn narrow(&self, live: &Live, tree: &RuleTree, found: RoaringBitmap, literal: &Literal) -> RoaringBitmap {
        let exact = literal.term().filter(|term| term.mode() == Mode::Exact);
        match (exact, literal.polarity) {
            (Some(term), Polarity::Has) => {
                self.with_word(term.field(), term.text()).map_or_else(RoaringBitmap::new, |with| found & with)
            }
            (Some(term), Polarity::Lacks) => {
                let found = found & &self.present[term.field() as usize];
                match self.with_word(term.field(), term.text()) {
                    Some(with) => found - with,
                    None => found,
                }
            }
            (None, _) => found & self.holding_by(live, tree, literal),
        }
    }

    fn with_term(&self, term: &Term) -> RoaringBitmap {
        let field = term.field();
        match term.mode() {
            Mode::Exact => self.with_word(field, term.text()).cloned().unwrap_or_default(),
            Mode::Prefix => {
                let words = self.words.iter().enumerate().filter(|(_, word)| word.starts_with(term.text()));
                union(words.filter_map(|(word, _)| self.postings.get(&(word as u32, field))))
            }
            Mode::Stem => self.with_stem(term),
            Mode::Phrase => {
                let known = self.phrases.lock().unwrap_or_else(PoisonError::into_inner).get(term).cloned();
                RoaringBitmap::clone(&known.unwrap_or_else(|| self.find_phrase(term)))
            }
        }
    }

    fn with_stem(&self, term: &Term) -> RoaringBitmap {
        let mut stems = self.stems.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = RoaringBitmap::new();
        for (tongue, articles) in &self.tongues {
            let words = stems.entry(*tongue).or_default().with(*tongue, term.text(), &self.words);
            let postings = words.iter().filter_map(|word| self.postings.get(&(*word, term.field())));
            found |= union(postings) & articles;
        }
        found
    }

    fn with_all_words(&self, term: &Term) -> RoaringBitmap {
        let mut found: Option<RoaringBitmap> = None;
        for word in term.words() {
            let Some(with) = self.with_word(term.field(), word) else { return RoaringBitmap::new() };
            found = Some(found.map_or_else(|| with.clone(), |found| found & with));
        }
        found.unwrap_or_default()
    }

    fn find_phrase(&self, term: &Term) -> Arc<RoaringBitmap> {
        let candidates = self.with_all_words(term);
        let mut found = RoaringBitmap::new();
        let most = if self.texts.are_kept() { usize::MAX } else { MOST_REREAD as usize };
        for number in candidates.iter().rev().take(most) {
            let there = self.texts.read(number).is_some_and(|text| has_phrase(&text, term));
            if there {
                found.insert(number);
            }
        }
        let found = Arc::new(found);
        let mut phrases = self.phrases.lock().unwrap_or_else(PoisonError::into_inner);
        phrases.insert(term.clone(), found.clone());
        found
    }

    fn add_to_phrases(&mut self, number: u32, article: &Fields<'_>) {
        let phrases = self.phrases.get_mut().unwrap_or_else(PoisonError::into_inner);
        if phrases.is_empty() {
            return;
        }
        let words = Words::of(article);
        for (term, found) in phrases {
            if words.find(term) == Some(true) {
                Arc::make_mut(found).insert(number);
            }
        }
    }
}

/// Whether any of these rules asks about folders.
fn asks(rules: &[Rule]) -> bool {
    rules.iter().flat_map(|rule| &rule.condition).any(|literal| literal.folder().is_some())
}

/// Takes a rule's articles over from its parent.
fn note(live: &mut Live, rule: &Rule, firing: RoaringBitmap) {
    if firing.is_empty() {
        return;
    }
    if let Some(parent) = live.get_mut(&rule.parent) {
        *parent -= &firing;
    }
    live.insert(rule.id, firing);
}

fn in_folder(tree: &RuleTree, live: &Live, folder: FolderId) -> RoaringBitmap {
    let giving = tree.rules().iter().filter(|rule| rule.conclusion.folder() == Some(folder));
    union(giving.filter_map(|rule| live.get(&rule.id)))
}

fn has_phrase(text: &Fields<'_>, term: &Term) -> bool {
    Words::of(text).find(term) == Some(true)
}

fn union<'b>(sets: impl Iterator<Item = &'b RoaringBitmap>) -> RoaringBitmap {
    let mut all = RoaringBitmap::new();
    for set in sets {
        all |= set;
    }
    all
}
