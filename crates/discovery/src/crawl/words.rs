//! Words as numbers: folded, without what says nothing, without the plural's ending.

use url::Url;

/// A word's hash. 0 is never one.
pub(crate) type WordHash = u32;

/// The words of a text that say something.
pub(crate) fn hash_words(text: &str) -> std::vec::IntoIter<WordHash> {
    let mut hashes = Vec::new();
    page::words::for_each_word(text, &mut String::new(), |word| hashes.extend(hash_word(word)));
    hashes.into_iter()
}

/// The words of an address: what stands in its path and its query.
pub(crate) fn url_words(url: &Url) -> std::vec::IntoIter<WordHash> {
    let path = url.path().rsplit('/').take(3).collect::<Vec<_>>().join(" ");
    let mut text = String::with_capacity(path.len());
    let mut bytes = path.bytes();
    let mut plain = Vec::with_capacity(path.len());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            plain.push(byte);
            continue;
        }
        let hex = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        let (high, low) = (hex(bytes.next()), hex(bytes.next()));
        plain.push(high.zip(low).map_or(b' ', |(high, low)| (high * 16 + low) as u8));
    }
    text.push_str(&String::from_utf8_lossy(&plain));
    for ending in [".html", ".htm", ".php", ".aspx", ".xml"] {
        text = text.replace(ending, " ");
    }
    hash_words(&text.replace(['_', '-', '.', '+', '='], " "))
}

fn hash_word(word: &str) -> Option<WordHash> {
    if word.len() < 2 || word.bytes().all(|byte| byte.is_ascii_digit()) || STOP_WORDS.contains(&word) {
        return None;
    }
    Some((hash_text(singular(word)) >> 32) as u32 | 1)
}

/// Good enough for English names of things; other languages lose nothing that matters here.
fn singular(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem,
        _ => word,
    }
}

/// FNV-1a with a last mixing, so that all bits are good.
pub(crate) fn hash_text(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ (mixed >> 32)
}

/// The commonest English words: they stand on every page.
const STOP_WORDS: [&str; 120] = [
    "the",
    "of",
    "and",
    "in",
    "to",
    "is",
    "was",
    "as",
    "by",
    "for",
    "with",
    "on",
    "are",
    "from",
    "that",
    "at",
    "it",
    "an",
    "or",
    "be",
    "which",
    "were",
    "this",
    "also",
    "its",
    "his",
    "has",
    "have",
    "not",
    "but",
    "had",
    "their",
    "one",
    "other",
    "first",
    "been",
    "who",
    "more",
    "some",
    "such",
    "after",
    "they",
    "he",
    "can",
    "most",
    "these",
    "many",
    "into",
    "may",
    "between",
    "when",
    "than",
    "there",
    "all",
    "used",
    "two",
    "only",
    "about",
    "her",
    "would",
    "over",
    "during",
    "time",
    "while",
    "where",
    "if",
    "however",
    "through",
    "both",
    "no",
    "so",
    "being",
    "she",
    "him",
    "will",
    "then",
    "up",
    "them",
    "out",
    "under",
    "known",
    "later",
    "became",
    "well",
    "often",
    "because",
    "new",
    "made",
    "until",
    "since",
    "several",
    "before",
    "same",
    "called",
    "even",
    "part",
    "each",
    "use",
    "very",
    "now",
    "any",
    "three",
    "much",
    "we",
    "you",
    "your",
    "our",
    "us",
    "do",
    "what",
    "how",
    "see",
    "more",
    "page",
    "home",
    "http",
    "www",
    "com",
    "org",
    "wikipedia",
];
