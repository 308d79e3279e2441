//! Words as numbers: folded, without what says nothing, without the plural's ending.

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

/// The words of a text that say something.
pub(crate) fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    page::words::for_each_word(text, &mut String::new(), |word| words.extend(bucket(word)));
    words
}

/// The words of an address: those of the last parts of its path, decoded.
pub(crate) fn url_words(url: &Url) -> Vec<Word> {
    let mut plain: Vec<u8> = Vec::new();
    for part in url.path().rsplit('/').filter(|part| !part.is_empty()).take(2) {
        let part = ENDINGS.iter().find_map(|ending| part.strip_suffix(ending)).unwrap_or(part);
        decode(part, &mut plain);
        plain.push(b' ');
    }
    words_of(&String::from_utf8_lossy(&plain).replace(['_', '-', '.', '+', '='], " "))
}

/// What stands behind a page's name for the server's sake.
const ENDINGS: [&str; 6] = [".html", ".htm", ".php", ".aspx", ".jsp", ".xml"];

fn decode(part: &str, plain: &mut Vec<u8>) {
    let mut bytes = part.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            plain.push(byte);
            continue;
        }
        let hex = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        let (high, low) = (hex(bytes.next()), hex(bytes.next()));
        plain.push(high.zip(low).map_or(b' ', |(high, low)| (high * 16 + low) as u8));
    }
}

fn bucket(word: &str) -> Option<Word> {
    if word.len() < 2 || word.bytes().all(|byte| byte.is_ascii_digit()) || is_common(word) {
        return None;
    }
    Some((hash_text(singular(word)) >> 40) as u32 % (BUCKETS as u32 - 1) + 1)
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

fn is_common(word: &str) -> bool {
    COMMON.binary_search(&word).is_ok()
}

/// The commonest English words: they stand on every page. In order, to be searched.
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
    fn common_words_are_in_order() {
        assert!(COMMON.is_sorted());
    }

    #[test]
    fn an_address_says_what_its_text_says() {
        let url = Url::parse("http://a.example/wp/b/Books_of_%C3%89ire.htm").unwrap();
        let mut said = words_of("book éire");
        said.extend(words_of("b"));
        assert_eq!(url_words(&url), said);
    }
}
