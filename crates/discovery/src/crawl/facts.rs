//! What a crawl takes from a page. Made outside of any lock, on the CPU pool; taking it in is then quick.

use super::words::{WordHash, hash_words, url_words};
use crate::ontology::{PageText, Reader, Reading};
use page::WebPage;
use std::sync::Arc;
use url::Url;

/// Reads pages for one crawl; cheap to clone.
#[derive(Debug, Clone)]
pub struct PageReader {
    pub(crate) reader: Arc<Reader>,
}

/// What a crawl takes from one page.
#[derive(Debug, Clone, Default)]
pub struct PageFacts {
    /// How much the page has to do with the topic.
    pub reading: Reading,
    /// Its words and how often each comes.
    pub(crate) words: Vec<(WordHash, u16)>,
    pub(crate) title: Vec<WordHash>,
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
    pub(crate) words: Vec<WordHash>,
    pub(crate) context: Vec<WordHash>,
    pub(crate) path: u16,
    pub(crate) disowned: bool,
}

/// Texts of links are cut here: a whole paragraph inside a link is no name.
const ANCHOR_BYTES: usize = 160;

impl PageReader {
    /// Reads a page.
    pub fn read(&self, page: &WebPage) -> PageFacts {
        let title = page.title.as_deref().unwrap_or_default();
        let reading =
            self.reader.read(&PageText { title, text: &page.text, language: page.language.as_deref() });
        let mut words: Vec<WordHash> = hash_words(&page.text).collect();
        words.sort_unstable();
        let counted = words.chunk_by(|one, other| one == other);
        PageFacts {
            reading,
            words: counted.filter_map(|run| Some((*run.first()?, run.len().min(65_535) as u16))).collect(),
            title: hash_words(title).collect(),
            links: links(page),
            fingerprint: page.fingerprint,
            nofollow: page.nofollow,
        }
    }
}

fn links(page: &WebPage) -> Vec<LinkFacts> {
    let mut links: Vec<LinkFacts> = Vec::with_capacity(page.links.len());
    let mut places: std::collections::HashMap<u64, usize> = std::collections::HashMap::new();
    for link in page.links.iter().filter(|link| matches!(link.url.scheme(), "http" | "https")) {
        let hash = url_hash(&link.url);
        let anchor = cut(&link.text, ANCHOR_BYTES);
        if let Some(first) = places.get(&hash).and_then(|place| links.get_mut(*place)) {
            add(&mut first.words, hash_words(anchor));
            first.disowned &= link.disowned;
            continue;
        }
        places.insert(hash, links.len());
        let mut words: Vec<WordHash> = Vec::new();
        add(&mut words, hash_words(anchor));
        add(&mut words, url_words(&link.url));
        links.push(LinkFacts {
            hash,
            anchor: anchor.to_owned(),
            words,
            context: hash_words(&link.context).collect(),
            path: (super::words::hash_text(&link.path) >> 48) as u16,
            disowned: link.disowned,
            url: link.url.clone(),
        });
    }
    links
}

fn add(words: &mut Vec<WordHash>, more: impl Iterator<Item = WordHash>) {
    for word in more {
        if !words.contains(&word) {
            words.push(word);
        }
    }
}

fn cut(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// What a URL is known by.
pub fn url_hash(url: &Url) -> u64 {
    super::words::hash_text(url.as_str())
}
