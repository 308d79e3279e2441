//! Where rules are found by an article's words, without looking at the others.
//!
//! Words of conditions are interned as terms. Each rule is posted under one term that must be there for it to fire:
//! the rarest of its own condition *and of the conditions above it*, since a rule cannot fire without its
//! ancestors. Two more literals that must hold stand beside the posting: most postings are dismissed, and most rules
//! decided, without touching anything else. With a million rules it is memory that costs time.

use super::Slot;
use crate::field::Field;
use crate::literal::{Literal, Mode, Polarity, Term};
use crate::stem::Tongue;
use foldhash::fast::RandomState;
use std::collections::{BTreeSet, HashMap};

/// A term's place.
pub(super) type TermNo = u32;
/// A word's place in the vocabulary of all conditions.
pub(super) type WordNo = u32;
/// No term, no word.
pub(super) const NONE: u32 = u32::MAX;

type Map<K, V> = HashMap<K, V, RandomState>;

/// A literal on a term in one number: the term, and in the highest bit whether it must lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Code(u32);

const LACKS: u32 = 1 << 31;

/// A rule under the term it is posted under.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub(super) slot: Slot,
    /// Literals that must hold as well.
    pub(super) also: [Option<Code>; 2],
    /// The condition has literals beyond the term and these.
    pub(super) more: bool,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Index {
    vocabulary: Map<Box<str>, WordNo>,
    /// The exact term of each word in each field.
    pub(super) exact: Vec<[TermNo; Field::COUNT]>,
    numbers: Map<Term, TermNo>,
    terms: Vec<TermEntry>,
    pub(super) prefixes: Prefixes,
    pub(super) stems: Stems,
    pub(super) phrases: Phrases,
    pub(super) postings: Vec<Vec<Posting>>,
    /// Rules without any term that must be there.
    pub(super) unkeyed: Vec<Slot>,
    conditions: Vec<Compact>,
    codes: Vec<Code>,
}

#[derive(Debug, Clone, Copy)]
struct TermEntry {
    field: Field,
    /// In how many conditions it occurs: common words are in many.
    uses: u32,
}

/// Where a rule's condition is, and where the rule is posted.
#[derive(Debug, Clone, Copy)]
struct Compact {
    start: u32,
    key: TermNo,
    /// It also asks about folders.
    asks: bool,
}

impl Index {
    /// Makes the terms of a condition known.
    pub(super) fn count(&mut self, condition: &[Literal]) {
        for term in condition.iter().filter_map(Literal::term) {
            let number = self.intern(term);
            self.terms[number as usize].uses += 1;
        }
    }

    pub(super) fn post(&mut self, slot: Slot, condition: &[Literal], above: &[&Literal]) {
        let start = self.codes.len() as u32;
        for literal in condition {
            if let Some(term) = literal.term() {
                let number = self.intern(term);
                self.codes.push(Code::new(number, literal.polarity));
            }
        }
        let keys = self.keys(condition.iter().chain(above.iter().copied()));
        let key = keys.first().copied().unwrap_or(NONE);
        let posting = self.posting(slot, start, &keys);
        match self.postings.get_mut(key as usize) {
            Some(postings) => postings.push(posting),
            None => self.unkeyed.push(slot),
        }
        let asks = condition.iter().any(|literal| literal.folder().is_some());
        self.conditions.push(Compact { start, key, asks });
    }

    /// The terms that must be there, the rarest first.
    fn keys<'l>(&self, path: impl Iterator<Item = &'l Literal>) -> Vec<TermNo> {
        let has = path.filter(|literal| literal.polarity == Polarity::Has);
        let mut keys: Vec<TermNo> =
            has.filter_map(|literal| self.numbers.get(literal.term()?).copied()).collect();
        keys.sort_unstable_by_key(|term| (self.terms[*term as usize].uses, *term));
        keys.dedup();
        keys
    }

    /// The rule's own literals beside it, as far as there is room; then the rarest of those above.
    fn posting(&self, slot: Slot, start: u32, keys: &[TermNo]) -> Posting {
        let key = keys.first().map(|key| Code(*key));
        let mut own: Vec<Code> =
            self.codes[start as usize..].iter().copied().filter(|code| Some(*code) != key).collect();
        own.sort_unstable_by_key(|code| (code.lacks(), self.terms[code.term() as usize].uses));
        own.dedup();
        let above = keys.iter().skip(1).map(|key| Code(*key)).filter(|code| !own.contains(code));
        let mut also = own.iter().copied().chain(above);
        Posting { slot, also: [also.next(), also.next()], more: own.len() > 2 }
    }

    /// Takes the last rule out again. Its words stay known; nobody is posted under them.
    pub(super) fn unpost(&mut self, slot: Slot) {
        let Some(compact) = self.conditions.pop() else { return };
        let postings = self.postings.get_mut(compact.key as usize);
        match postings {
            Some(postings) => postings.retain(|posting| posting.slot != slot),
            None => self.unkeyed.retain(|unkeyed| *unkeyed != slot),
        }
        for code in self.codes.drain(compact.start as usize..) {
            let uses = &mut self.terms[code.term() as usize].uses;
            *uses = uses.saturating_sub(1);
        }
    }

    pub(super) fn word(&self, word: &str) -> Option<WordNo> {
        self.vocabulary.get(word).copied()
    }

    pub(super) fn terms(&self) -> usize {
        self.terms.len()
    }

    pub(super) fn field_of(&self, term: TermNo) -> Field {
        self.terms[term as usize].field
    }

    pub(super) fn condition(&self, slot: Slot) -> &[Code] {
        let start = self.conditions[slot as usize].start as usize;
        let next =
            self.conditions.get(slot as usize + 1).map_or(self.codes.len(), |next| next.start as usize);
        &self.codes[start..next]
    }

    pub(super) fn asks_about_folders(&self, slot: Slot) -> bool {
        self.conditions[slot as usize].asks
    }

    fn intern(&mut self, term: &Term) -> TermNo {
        if let Some(number) = self.numbers.get(term) {
            return *number;
        }
        let number = self.terms.len() as TermNo;
        self.numbers.insert(term.clone(), number);
        self.terms.push(TermEntry { field: term.field(), uses: 0 });
        self.postings.push(Vec::new());
        match term.mode() {
            Mode::Exact => {
                let word = self.intern_word(term.text());
                self.exact[word as usize][term.field() as usize] = number;
            }
            Mode::Prefix => self.prefixes.insert(term, number),
            Mode::Stem => self.stems.insert(term, number),
            Mode::Phrase => {
                let words: Vec<WordNo> = term.words().map(|word| self.intern_word(word)).collect();
                self.phrases.insert(term.field(), &words, number);
            }
        }
        number
    }

    fn intern_word(&mut self, word: &str) -> WordNo {
        if let Some(number) = self.vocabulary.get(word) {
            return *number;
        }
        let number = self.exact.len() as WordNo;
        self.vocabulary.insert(word.into(), number);
        self.exact.push([NONE; Field::COUNT]);
        number
    }
}

impl Code {
    fn new(term: TermNo, polarity: Polarity) -> Self {
        Self(if polarity == Polarity::Lacks { term | LACKS } else { term })
    }

    pub(super) fn term(self) -> TermNo {
        self.0 & !LACKS
    }

    pub(super) fn lacks(self) -> bool {
        self.0 & LACKS != 0
    }
}

/// Terms on beginnings of words. A word is tried at each length that some term has.
#[derive(Debug, Clone, Default)]
pub(super) struct Prefixes {
    terms: [Map<Box<str>, TermNo>; Field::COUNT],
    lengths: [BTreeSet<usize>; Field::COUNT],
}

impl Prefixes {
    fn insert(&mut self, term: &Term, number: TermNo) {
        let field = term.field() as usize;
        self.terms[field].insert(term.text().into(), number);
        self.lengths[field].insert(term.text().len());
    }

    pub(super) fn are_in(&self, field: Field) -> bool {
        !self.lengths[field as usize].is_empty()
    }

    pub(super) fn each(&self, field: Field, word: &str, mut found: impl FnMut(TermNo)) {
        for length in &self.lengths[field as usize] {
            let Some(beginning) = word.get(..*length) else { continue };
            if let Some(term) = self.terms[field as usize].get(beginning) {
                found(*term);
            }
        }
    }
}

/// A stem is one in its tongue.
type Stem = (Tongue, Box<str>);

/// Terms on stems, in every tongue: which one counts depends on the article.
#[derive(Debug, Clone, Default)]
pub(super) struct Stems {
    terms: [Map<Stem, Vec<TermNo>>; Field::COUNT],
}

impl Stems {
    fn insert(&mut self, term: &Term, number: TermNo) {
        for tongue in Tongue::all() {
            let stem = tongue.stem(term.text()).into();
            self.terms[term.field() as usize].entry((tongue, stem)).or_default().push(number);
        }
    }

    pub(super) fn are_in(&self, field: Field) -> bool {
        !self.terms[field as usize].is_empty()
    }

    pub(super) fn each(&self, field: Field, tongue: Tongue, word: &str, found: impl FnMut(TermNo)) {
        let key = (tongue, tongue.stem(word).into());
        self.terms[field as usize].get(&key).into_iter().flatten().copied().for_each(found);
    }
}

/// Phrases as a tree of words; the places reached so far are stepped on with each word.
#[derive(Debug, Clone, Default)]
pub(super) struct Phrases {
    steps: Map<(u32, WordNo), u32>,
    ends: Map<(u32, Field), TermNo>,
    places: u32,
    fields: [bool; Field::COUNT],
}

impl Phrases {
    fn insert(&mut self, field: Field, words: &[WordNo], number: TermNo) {
        let mut at = 0;
        for word in words {
            at = *self.steps.entry((at, *word)).or_insert_with(|| {
                self.places += 1;
                self.places
            });
        }
        self.ends.insert((at, field), number);
        self.fields[field as usize] = true;
    }

    pub(super) fn are_in(&self, field: Field) -> bool {
        self.fields[field as usize]
    }

    /// Steps on with a word, or with one that no condition knows.
    pub(super) fn step(
        &self,
        field: Field,
        places: &mut Vec<u32>,
        word: Option<WordNo>,
        mut found: impl FnMut(TermNo),
    ) {
        let Some(word) = word else { return places.clear() };
        places.push(0);
        places.retain_mut(|place| match self.steps.get(&(*place, word)) {
            Some(next) => {
                *place = *next;
                true
            }
            None => false,
        });
        for place in places {
            if let Some(term) = self.ends.get(&(*place, field)) {
                found(*term);
            }
        }
    }
}
