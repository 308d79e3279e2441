//! Words as numbers: folded, without what says nothing, without the plural's ending.

use crate::hash::{BEGUN, hash_text, mixed, stir};
use crate::spoken::Spoken;
use url::Url;

/// Buckets that words are hashed into. A crawl of some thousand pages sees some 60,000 words that matter; a quarter
/// of a million buckets keep nearly all of them apart, and a table of weights takes 1 MB.
pub(crate) const BUCKETS: usize = 1 << 18;

/// A word by its bucket; 0 is none.
pub(crate) type Word = u32;

/// Words remembered with a known URL.
pub(crate) const WORDS: usize = 6;

/// Up to six words in 16 bytes, 21 bits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FewWords([u64; 2]);

impl FewWords {
    /// The words in their order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Word> {
        let [first, second] = self.0;
        let word = move |half: u64, place: u32| (half >> (21 * place)) as u32 & 0x1f_ffff;
        (0..3)
            .map(move |place| word(first, place))
            .chain((0..3).map(move |place| word(second, place)))
            .filter(|word| *word != 0)
    }

    /// Adds a word, if there is room and it is not there yet.
    pub(crate) fn add(&mut self, word: Word) {
        let count = self.iter().count();
        if count < WORDS && word != 0 && self.iter().all(|own| own != word) {
            self.0[count / 3] |= u64::from(word) << (21 * (count % 3));
        }
    }
}

impl FromIterator<Word> for FewWords {
    fn from_iter<T: IntoIterator<Item = Word>>(words: T) -> Self {
        let mut few = Self::default();
        words.into_iter().for_each(|word| few.add(word));
        few
    }
}

/// Cuts texts into words that say something. One for many texts: it keeps its room to work in.
#[derive(Default)]
pub(crate) struct Cutter {
    folded: String,
    plain: Vec<u8>,
}

impl Cutter {
    /// Hands out the words of a text.
    pub(crate) fn each(&mut self, text: &str, mut f: impl FnMut(Word)) {
        page::words::for_each_word(text, &mut self.folded, |word| {
            if let Some(word) = bucket(word) {
                f(word);
            }
        });
    }

    /// The words of an address: those of the last parts of its path, decoded.
    pub(crate) fn each_of_url(&mut self, url: &Url, f: impl FnMut(Word)) {
        let mut plain = std::mem::take(&mut self.plain);
        plain.clear();
        for part in url.path().rsplit('/').filter(|part| !part.is_empty()).take(2) {
            let part = ENDINGS.iter().find_map(|ending| part.strip_suffix(ending)).unwrap_or(part);
            decode(part, &mut plain);
            plain.push(b' ');
        }
        self.each(&String::from_utf8_lossy(&plain), f);
        self.plain = plain;
    }
}

/// The words of a text that say something.
pub(crate) fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    Cutter::default().each(text, |word| words.push(word));
    words
}

/// The words of a page's title and of its text that say something: each form is looked at once.
pub(crate) fn words_spoken(spoken: &Spoken) -> (Vec<Word>, Vec<Word>) {
    let buckets: Vec<Option<Word>> = spoken.forms().map(bucket).collect();
    let of = |words: &[u32]| words.iter().filter_map(|form| buckets[*form as usize]).collect();
    (of(spoken.title()), of(spoken.text()))
}

/// The words of an address.
pub(crate) fn url_words(url: &Url) -> Vec<Word> {
    let mut words = Vec::new();
    Cutter::default().each_of_url(url, |word| words.push(word));
    words
}

/// What stands behind a page's name for the server's sake.
const ENDINGS: [&str; 6] = [".html", ".htm", ".php", ".aspx", ".jsp", ".xml"];

/// Without escapes, and with spaces where addresses have other signs for them.
fn decode(part: &str, plain: &mut Vec<u8>) {
    let mut bytes = part.bytes();
    while let Some(byte) = bytes.next() {
        let byte = if byte == b'%' {
            let hex = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
            let (high, low) = (hex(bytes.next()), hex(bytes.next()));
            high.zip(low).map_or(b' ', |(high, low)| (high * 16 + low) as u8)
        } else {
            byte
        };
        plain.push(if matches!(byte, b'_' | b'-' | b'.' | b'+' | b'=') { b' ' } else { byte });
    }
}

fn bucket(word: &str) -> Option<Word> {
    if word.len() < 2 || word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // The word begins with its singular, and so does its hash.
    let (stem, ending) = word.as_bytes().split_at(singular(word).len());
    let begun = stir(BEGUN, stem);
    if is_common(mixed(stir(begun, ending))) {
        return None;
    }
    Some((mixed(begun) >> 40) as u32 % (BUCKETS as u32 - 1) + 1)
}

/// Good enough for English names of things; other languages lose nothing that matters here.
fn singular(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem,
        _ => word,
    }
}

/// By the word's hash, which is there anyway: this is asked of every word of every page.
fn is_common(hash: u64) -> bool {
    let mut at = hash as usize % COMMON_PLACES;
    while COMMON_HASHES[at] != 0 {
        if COMMON_HASHES[at] == hash {
            return true;
        }
        at = (at + 1) % COMMON_PLACES;
    }
    false
}

/// Four places for each word: nearly every search ends at once.
const COMMON_PLACES: usize = 512;

/// The common words' hashes, each at its place or the next free one.
static COMMON_HASHES: [u64; COMMON_PLACES] = {
    let mut places = [0; COMMON_PLACES];
    let mut word = 0;
    while word < COMMON.len() {
        let hash = hash_text(COMMON[word]);
        let mut at = hash as usize % COMMON_PLACES;
        while places[at] != 0 {
            at = (at + 1) % COMMON_PLACES;
        }
        places[at] = hash;
        word += 1;
    }
    places
};

/// The commonest English words: they stand on every page.
const COMMON: [&str; 117] = [
    "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "became", "because",
    "been", "before", "being", "between", "both", "but", "by", "called", "can", "do", "during", "each",
    "even", "first", "for", "from", "had", "has", "have", "he", "her", "him", "his", "home", "how",
    "however", "htm", "http", "if", "in", "into", "is", "it", "its", "known", "later", "made", "many", "may",
    "more", "most", "much", "new", "no", "not", "now", "of", "often", "on", "one", "only", "or", "org",
    "other", "our", "out", "over", "page", "part", "same", "see", "several", "she", "since", "so", "some",
    "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "three",
    "through", "time", "to", "two", "under", "until", "up", "us", "use", "used", "very", "was", "we", "well",
    "were", "what", "when", "where", "which", "while", "who", "will", "with", "would", "www", "you",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_words_are_kept_in_order_and_once() {
        let few: FewWords = [5, 9, 5, 262_143, 1, 2, 3, 4].into_iter().collect();
        assert_eq!(few.iter().collect::<Vec<_>>(), [5, 9, 262_143, 1, 2, 3]);
        assert_eq!(FewWords::default().iter().count(), 0);
    }

    #[test]
    fn common_words_say_nothing() {
        assert!(COMMON.is_sorted() && COMMON.iter().all(|word| bucket(word).is_none()));
        assert!(["guitar", "thee", "onto", "héllo"].iter().all(|word| bucket(word).is_some()));
        assert_eq!(bucket("guitars"), bucket("guitar"));
    }

    #[test]
    fn an_address_says_what_its_text_says() {
        let url = Url::parse("http://a.example/wp/b/Books_of_%C3%89ire.htm").unwrap();
        let mut said = words_of("book éire");
        said.extend(words_of("b"));
        assert_eq!(url_words(&url), said);
    }
}
