//! What a crawl takes from a page. Made outside of any lock, on the CPU pool; taking it in is then quick.

use super::traps::without_session;
use super::words::{Cutter, Word, url_words, words_spoken};
use crate::hash::hash_text;
use crate::ontology::{Reader, Reading};
use crate::spoken::Spoken;
use crate::table::Table;
use page::WebPage;
use page::fingerprint::quick_fingerprint;
use std::collections::HashSet;
use std::sync::Arc;
use url::Url;

/// Reads pages for one crawl; cheap to clone.
#[derive(Debug, Clone)]
pub struct PageReader {
    pub(crate) reader: Arc<Reader>,
    /// Of which pages are the words wanted, too?
    pub(crate) terms: Wanted,
}

/// The pages whose words a learner wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Nothing is learned.
    None,
    /// While few pages are known, all.
    All,
    /// Those that may be on the topic, and one of several others: what pages say anyway is known by then.
    Some,
}

/// From this score on a page may be on the topic.
const MAYBE: f64 = 0.2;
/// One of so many other pages tells what pages say anyway.
const OTHERS: u64 = 8;

/// What a crawl takes from one page.
#[derive(Debug, Clone, Default)]
pub struct PageFacts {
    /// Where the page is; for the provenance of what is learned from it.
    pub url: String,
    /// How much the page has to do with the topic.
    pub reading: Reading,
    pub(crate) signs: Arc<PageSigns>,
}

/// What a page shows to any crawl, whatever its topic.
#[derive(Debug, Default)]
pub struct PageSigns {
    /// Its words and how strongly each stands for it.
    pub(crate) words: Vec<(Word, f32)>,
    pub(crate) title: Vec<Word>,
    pub(crate) links: Vec<LinkFacts>,
    pub(crate) fingerprint: Option<u64>,
    pub(crate) nofollow: bool,
}

/// One address a page links to; several links to it are one.
#[derive(Debug, Clone)]
pub(crate) struct LinkFacts {
    pub(crate) url: Url,
    pub(crate) hash: u64,
    pub(crate) anchor: String,
    pub(crate) words: Vec<Word>,
    pub(crate) context: Vec<Word>,
    pub(crate) path: u16,
    pub(crate) disowned: bool,
}

/// Texts of links are cut here: a whole paragraph inside a link is no name.
const ANCHOR_BYTES: usize = 160;

impl PageReader {
    /// Reads a page.
    pub fn read(&self, page: &WebPage) -> PageFacts {
        let spoken = spoken(page);
        let signs = Arc::new(PageSigns::of_spoken(page, &spoken));
        self.read_spoken(page, &spoken, signs)
    }

    /// Reads a page that another crawl has looked at before.
    pub fn read_again(&self, page: &WebPage, signs: Arc<PageSigns>) -> PageFacts {
        self.read_spoken(page, &spoken(page), signs)
    }

    fn read_spoken(&self, page: &WebPage, spoken: &Spoken, signs: Arc<PageSigns>) -> PageFacts {
        let title = page.title.as_deref().unwrap_or_default();
        let reading = self.reader.read_spoken(spoken, page.language.as_deref(), |reading| match self.terms {
            Wanted::None => false,
            Wanted::All => true,
            Wanted::Some => reading.normalised >= MAYBE || hash_text(title).is_multiple_of(OTHERS),
        });
        PageFacts { url: String::new(), reading, signs }
    }
}

impl PageFacts {
    /// Near-duplicate fingerprint of its text, of the quick kind; `None` for too few words.
    pub fn fingerprint(&self) -> Option<u64> {
        self.signs.fingerprint
    }

    /// A page that was read before, by the same topic.
    pub fn known(reading: Reading, signs: Arc<PageSigns>) -> Self {
        Self { url: String::new(), reading, signs }
    }
}

impl PageSigns {
    /// Looks at a page.
    pub fn of(page: &WebPage) -> Self {
        Self::of_spoken(page, &spoken(page))
    }

    fn of_spoken(page: &WebPage, spoken: &Spoken) -> Self {
        let (title, words) = words_spoken(spoken);
        Self {
            words: strengths(&words, &title),
            title,
            links: links(page),
            fingerprint: quick_fingerprint(spoken.text().iter().map(|form| spoken.hash(*form))),
            nofollow: page.nofollow,
        }
    }
}

impl PageReader {
    /// Reads a page, and remembers where it is.
    pub fn read_at(&self, url: &Url, page: &WebPage) -> PageFacts {
        PageFacts { url: url.to_string(), ..self.read(page) }
    }
}

fn spoken(page: &WebPage) -> Spoken {
    Spoken::of(page.title.as_deref().unwrap_or_default(), &page.text)
}

/// How long the beginning of a page is, in words that say something.
const BEGINNING: usize = 60;

/// The words of a page and how strongly each stands for it: the logarithm of how often it comes; more for those
/// at the beginning, which says what the page is about, and those of the title.
fn strengths(words: &[Word], title: &[Word]) -> Vec<(Word, f32)> {
    let beginning: HashSet<Word> = words.iter().take(BEGINNING).copied().collect();
    let mut sorted = words.to_vec();
    sorted.sort_unstable();
    let strength = |run: &[Word]| {
        let word = *run.first()?;
        let count = run.len() as f32;
        let said =
            if beginning.contains(&word) { 2.0 * (1.0 + (count + 3.0).ln()) } else { 1.0 + count.ln() };
        Some((word, if title.contains(&word) { 4.0 * said } else { said }))
    };
    sorted.chunk_by(|one, other| one == other).filter_map(strength).collect()
}

fn links(page: &WebPage) -> Vec<LinkFacts> {
    let mut links: Vec<LinkFacts> = Vec::with_capacity(page.links.len());
    let mut places = Table::with_room(page.links.len());
    let mut cutter = Cutter::default();
    for link in page.links.iter().filter(|link| matches!(link.url.scheme(), "http" | "https")) {
        let url = without_session(&link.url).unwrap_or_else(|| link.url.clone());
        let hash = url_hash(&url);
        let anchor = cut(&link.text, ANCHOR_BYTES);
        let hash_of = |place: u32| links[place as usize].hash;
        if let Some(first) = places.find(hash, hash_of) {
            let first = &mut links[first as usize];
            cutter.each(anchor, |word| add(&mut first.words, word));
            first.disowned &= link.disowned;
            continue;
        }
        places.insert(hash, links.len() as u32, hash_of);
        let mut words: Vec<Word> = Vec::with_capacity(8);
        cutter.each(anchor, |word| add(&mut words, word));
        cutter.each_of_url(&url, |word| add(&mut words, word));
        let mut context: Vec<Word> = Vec::with_capacity(link.context.len() / 8);
        cutter.each(&link.context, |word| context.push(word));
        links.push(LinkFacts {
            hash,
            anchor: anchor.to_owned(),
            words,
            context,
            path: (hash_text(&link.path) >> 48) as u16,
            disowned: link.disowned,
            url,
        });
    }
    links
}

fn add(words: &mut Vec<Word>, word: Word) {
    if !words.contains(&word) {
        words.push(word);
    }
}

fn cut(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

impl LinkFacts {
    /// A URL without a page that links to it.
    pub(crate) fn bare(url: Url) -> Self {
        Self {
            hash: url_hash(&url),
            anchor: String::new(),
            words: url_words(&url),
            context: Vec::new(),
            path: 0,
            disowned: false,
            url,
        }
    }
}

/// What a URL is known by.
pub fn url_hash(url: &Url) -> u64 {
    hash_text(url.as_str())
}
