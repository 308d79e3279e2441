//! Ways to file an article, each from its raw text.

use super::walk::Walk;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use anyhow::Context;
use knowledge::{Field, Fields, Filer, Filing, Literal, Polarity, Rule, RuleTree, Term};
use regex::bytes::{RegexSet, RegexSetBuilder};
use std::collections::{HashMap, HashSet};

/// Something that files articles.
pub(crate) trait Engine {
    fn file(&mut self, article: &Fields<'_>) -> Filing;
}

/// Ours.
pub(crate) struct Ours<'t> {
    tree: &'t RuleTree,
    filer: Filer,
}

impl<'t> Ours<'t> {
    pub(crate) fn new(tree: &'t RuleTree) -> Self {
        Self { tree, filer: Filer::default() }
    }
}

impl Engine for Ours<'_> {
    fn file(&mut self, article: &Fields<'_>) -> Filing {
        self.filer.file(self.tree, article)
    }
}

/// The first thing one writes: sets of words, and a walk down the tree that looks into them.
pub(crate) struct Naive {
    walk: Walk<(Field, bool, String)>,
    buffer: String,
}

impl Naive {
    pub(crate) fn new(rules: &[Rule]) -> anyhow::Result<Self> {
        terms(rules)?;
        let literal = |literal: &Literal| {
            let word = literal.term().map_or(String::new(), |term| term.text().to_owned());
            let field = literal.term().map_or(Field::Title, Term::field);
            (field, literal.polarity == Polarity::Has, word)
        };
        Ok(Self { walk: Walk::new(rules, literal), buffer: String::new() })
    }
}

impl Engine for Naive {
    fn file(&mut self, article: &Fields<'_>) -> Filing {
        let mut sets: [HashSet<String>; Field::COUNT] = Default::default();
        for (field, text) in article.present() {
            page::words::for_each_word(text, &mut self.buffer, |word| {
                sets[field as usize].insert(word.to_owned());
            });
        }
        self.walk.file(|(field, has, word)| sets[*field as usize].contains(word) == *has)
    }
}

/// A search for many words at once; says which are in a text.
pub(crate) trait Search {
    fn each(&mut self, text: &str, found: impl FnMut(usize));
}

/// The search of another library, then a walk down the tree that looks its findings up by number.
pub(crate) struct Searched<S> {
    search: S,
    /// Two terms a word: in the title, in the body.
    walk: Walk<(usize, bool)>,
    there: Vec<bool>,
    found: Vec<usize>,
}

const FIELDS: [Field; 2] = [Field::Title, Field::Body];

impl<S: Search> Searched<S> {
    pub(crate) fn new(
        rules: &[Rule],
        search: impl FnOnce(&[String]) -> anyhow::Result<S>,
    ) -> anyhow::Result<Self> {
        let mut words: Vec<String> = terms(rules)?.into_iter().map(|term| term.text().to_owned()).collect();
        words.sort();
        words.dedup();
        let numbers: HashMap<&str, usize> =
            words.iter().enumerate().map(|(number, word)| (word.as_str(), number)).collect();
        let literal = |literal: &Literal| {
            let term = literal.term().map_or(0, |term| {
                numbers[term.text()] * FIELDS.len() + usize::from(term.field() == Field::Body)
            });
            (term, literal.polarity == Polarity::Has)
        };
        let walk = Walk::new(rules, literal);
        let there = vec![false; words.len() * FIELDS.len()];
        Ok(Self { search: search(&words)?, walk, there, found: Vec::new() })
    }
}

impl<S: Search> Engine for Searched<S> {
    fn file(&mut self, article: &Fields<'_>) -> Filing {
        let Self { search, walk, there, found } = self;
        for (side, field) in FIELDS.into_iter().enumerate() {
            search.each(article.get(field).unwrap_or_default(), |word| {
                let term = word * FIELDS.len() + side;
                there[term] = true;
                found.push(term);
            });
        }
        let filing = walk.file(|(term, has)| there[*term] == *has);
        for term in found.drain(..) {
            there[term] = false;
        }
        filing
    }
}

/// Our cutter of words and a table of the words in conditions.
pub(crate) struct Table {
    numbers: HashMap<String, usize>,
    buffer: String,
}

impl Table {
    pub(crate) fn new(words: &[String]) -> Self {
        let numbers = words.iter().enumerate().map(|(number, word)| (word.clone(), number));
        Self { numbers: numbers.collect(), buffer: String::new() }
    }
}

impl Search for Table {
    fn each(&mut self, text: &str, mut found: impl FnMut(usize)) {
        page::words::for_each_word(text, &mut self.buffer, |word| {
            if let Some(number) = self.numbers.get(word) {
                found(*number);
            }
        });
    }
}

/// `regex`: one pattern a word.
pub(crate) fn regex_set(words: &[String]) -> anyhow::Result<RegexSet> {
    // Room for its automaton, so that it need not throw away what it has built.
    const ROOM: usize = 1 << 30;
    let patterns = words.iter().map(|word| format!(r"(?i-u)\b{}\b", regex::escape(word)));
    RegexSetBuilder::new(patterns)
        .size_limit(ROOM)
        .dfa_size_limit(ROOM)
        .build()
        .context("building the RegexSet")
}

impl Search for RegexSet {
    fn each(&mut self, text: &str, found: impl FnMut(usize)) {
        self.matches(text.as_bytes()).iter().for_each(found);
    }
}

/// `aho-corasick`: all words, also those within others.
pub(crate) fn aho_corasick(words: &[String]) -> anyhow::Result<AhoCorasick> {
    // The fastest kind as long as its table is of a reasonable size.
    const MOST_IN_TABLE: usize = 20_000;
    let table = words.len() <= MOST_IN_TABLE;
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(if table { AhoCorasickKind::DFA } else { AhoCorasickKind::ContiguousNFA }))
        .build(words)
        .context("building the Aho-Corasick automaton")
}

impl Search for AhoCorasick {
    fn each(&mut self, text: &str, mut found: impl FnMut(usize)) {
        let bytes = text.as_bytes();
        let is_core =
            |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
        for hit in self.find_overlapping_iter(text) {
            if !is_core(hit.start().checked_sub(1)) && !is_core(Some(hit.end())) {
                found(hit.pattern().as_usize());
            }
        }
    }
}

/// The terms of all conditions, all of which must be words in the title or body.
fn terms(rules: &[Rule]) -> anyhow::Result<Vec<&Term>> {
    let literals = rules.iter().flat_map(|rule| &rule.condition);
    let term = |literal: &'_ Literal| {
        literal.term().is_some_and(|term| {
            FIELDS.contains(&term.field()) && term.text().bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    };
    anyhow::ensure!(literals.clone().all(term), "a literal that is not a plain word in the title or body");
    Ok(literals.filter_map(Literal::term).collect())
}
