//! New words: what the best pages of a crawl say that other pages do not.

use super::votes::{Votes, site};
use crate::ontology::background::{Background, norm};
use crate::ontology::build::shorten;
use crate::ontology::{Kind, Term};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Good pages that are remembered.
const MOST_PAGES: usize = 24;
/// Of these, how many teach: the best. With 15 of 250 pages average precision falls again: too many are wrong.
const MOST_TEACHERS: usize = 10;
/// Teachers that an untrusted site may have.
const MOST_OF_A_SITE: usize = 2;
/// Teachers that any site may have where there are several.
const MOST_OF_SEVERAL: usize = MOST_TEACHERS / 2;
/// Teachers that must have a word.
const LEAST_TEACHERS: u32 = 3;
/// How much likelier a word must be on the teachers' pages than on any, as log-odds: three times.
const LEAST_ODDS: f64 = 1.1;
/// Words that are learned.
const MOST_WORDS: usize = 150;

/// The good pages of a crawl, to learn words from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct GoodPages(Vec<GoodPage>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct GoodPage {
    number: u64,
    site: String,
    /// The user chose its host.
    trusted: bool,
    score: f64,
    terms: Vec<Term>,
}

/// A word worth learning.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NewWord {
    pub(super) stem: String,
    pub(super) word: String,
    /// Its part of a vector of length 1.
    pub(super) weight: f64,
    /// Teachers that have it.
    pub(super) teachers: u32,
    /// All pages that have it.
    pub(super) pages: u32,
    pub(super) sites: u32,
    pub(super) examples: Vec<u64>,
}

impl GoodPages {
    /// Remembers a page, if it is among the best.
    pub(super) fn add(&mut self, number: u64, host: &str, score: f64, terms: &[Term], votes: &Votes) {
        let (site, trusted) = (site(host), votes.is_trusted(host));
        if !trusted && !self.make_room(&site, score) {
            return;
        }
        let full = self.0.len() >= MOST_PAGES;
        if full && self.0.last().is_some_and(|worst| worst.score >= score) {
            return;
        }
        let page = GoodPage { number, site, trusted, score, terms: shorten(terms.to_vec()) };
        let at = self.0.partition_point(|other| other.score >= score);
        self.0.insert(at, page);
        self.0.truncate(MOST_PAGES);
    }

    /// A site that is not trusted has but a few places: its best pages keep them.
    fn make_room(&mut self, site: &str, score: f64) -> bool {
        let own = |page: &GoodPage| page.site == site && !page.trusted;
        if self.0.iter().filter(|page| own(page)).count() < MOST_OF_A_SITE {
            return true;
        }
        match self.0.iter().rposition(own) {
            Some(worst) if self.0[worst].score < score => {
                self.0.remove(worst);
                true
            }
            _ => false,
        }
    }

    /// The words that the best pages have, by a score without learned words, and other pages have not; `None` if there
    /// are too few good pages to tell.
    pub(super) fn words(
        &mut self,
        hits: u32,
        examples: &[Vec<Term>],
        score: impl Fn(&[Term]) -> f64,
        background: &Background,
        several: bool,
    ) -> Option<Vec<NewWord>> {
        for page in &mut self.0 {
            page.score = score(&page.terms);
        }
        self.0.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.number.cmp(&b.number)));
        // A third of the hits at most: the others may not be what they seem.
        let count = (hits as usize / 3).min(MOST_TEACHERS);
        let teachers = self.teachers(count, several);
        if teachers.len() < LEAST_TEACHERS as usize {
            return None;
        }
        let mut found: BTreeMap<&str, Gathered<'_>> = BTreeMap::new();
        let given = examples.iter().map(|terms| (terms, None));
        for (terms, page) in teachers.iter().map(|page| (&page.terms, Some(*page))).chain(given) {
            let length = norm(terms);
            for term in terms.iter().filter(|term| term.kind != Kind::Other) {
                found
                    .entry(&term.stem)
                    .or_insert_with(|| Gathered::new(term))
                    .add(term.strength / length, page);
            }
        }
        let all = teachers.len() + examples.len();
        let mut words: Vec<NewWord> =
            found.into_values().filter_map(|word| word.judge(all, background, several)).collect();
        words.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.stem.cmp(&b.stem)));
        words.truncate(MOST_WORDS);
        let length = words.iter().map(|word| word.weight * word.weight).sum::<f64>().sqrt();
        for word in &mut words {
            word.weight /= length.max(f64::MIN_POSITIVE);
        }
        Some(words)
    }

    /// The best pages; where there are several sites, not all of one.
    fn teachers(&self, count: usize, several: bool) -> Vec<&GoodPage> {
        let mut of_site: BTreeMap<&str, usize> = BTreeMap::new();
        let mut teachers = Vec::new();
        for page in &self.0 {
            let taken = of_site.entry(&page.site).or_default();
            *taken += 1;
            if teachers.len() < count && (!several || *taken <= MOST_OF_SEVERAL) {
                teachers.push(page);
            }
        }
        teachers
    }
}

/// What pages say about addresses and about themselves, whatever they are about.
const OF_ANY_PAGE: &[&str] = &[
    "access",
    "accessed",
    "archive",
    "archived",
    "click",
    "com",
    "cookie",
    "cookies",
    "copyright",
    "doi",
    "edit",
    "ftp",
    "homepage",
    "href",
    "htm",
    "html",
    "http",
    "https",
    "javascript",
    "link",
    "links",
    "login",
    "org",
    "pdf",
    "php",
    "retrieved",
    "rss",
    "url",
    "webpage",
    "website",
    "wiki",
    "www",
];

/// Addresses, numbers, single letters, and what any page says.
pub(super) fn is_noise(word: &str) -> bool {
    let short = word.is_ascii() && word.len() < 3;
    short || word.contains(|c: char| c.is_numeric() || "/.:@_%".contains(c)) || OF_ANY_PAGE.contains(&word)
}

/// What the teachers say about a word.
struct Gathered<'a> {
    term: &'a Term,
    share: f64,
    /// Pages that have it, the topic's examples included.
    pages: u32,
    teachers: Vec<&'a GoodPage>,
}

impl<'a> Gathered<'a> {
    fn new(term: &'a Term) -> Self {
        Self { term, share: 0.0, pages: 0, teachers: Vec::new() }
    }

    fn add(&mut self, share: f32, page: Option<&'a GoodPage>) {
        self.share += f64::from(share);
        self.pages += 1;
        self.teachers.extend(page);
    }

    fn judge(self, all: usize, background: &Background, several: bool) -> Option<NewWord> {
        let stem = &self.term.stem;
        let sites: BTreeSet<&str> = self.teachers.iter().map(|page| page.site.as_str()).collect();
        // One site's word is not enough, unless the user chose that site and there is no other to ask.
        let believed = sites.len() > 1 || (!several && self.teachers.iter().any(|page| page.trusted));
        let odds =
            log_odds(self.pages, all as u32) - log_odds(background.pages_with(stem), background.pages());
        let weight = self.share / all as f64 - background.share(stem);
        let learned = believed && self.pages >= LEAST_TEACHERS && odds >= LEAST_ODDS && weight > 0.0;
        learned.then(|| NewWord {
            stem: stem.to_string(),
            word: self.term.word.to_string(),
            weight,
            teachers: self.teachers.len() as u32,
            pages: background.pages_with(stem),
            sites: sites.len() as u32,
            examples: self.teachers.iter().take(5).map(|page| page.number).collect(),
        })
    }
}

/// ln of the odds that a page has a word, smoothed with half a page each way.
fn log_odds(with: u32, pages: u32) -> f64 {
    ((f64::from(with) + 0.5) / (f64::from(pages.saturating_sub(with)) + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_odds_are_smoothed() {
        assert!((log_odds(3, 4) - (3.5_f64 / 1.5).ln()).abs() < 1e-12);
        assert!(log_odds(0, 0).abs() < 1e-12);
    }

    #[test]
    fn addresses_and_numbers_are_noise() {
        for word in ["http", "www", "retrieved", "1985", "b2b", "en.wikipedia.org", "of", "2nd"] {
            assert!(is_noise(word), "{word}");
        }
        for word in ["orchestra", "book", "吉他", "sea", "café"] {
            assert!(!is_noise(word), "{word}");
        }
    }
}
