//! Languages: how words are stemmed, and which words say nothing.

use rust_stemmers::{Algorithm, Stemmer};

/// Longer is no word: stemming copies it again and again.
const LONGEST_WORD: usize = 40;

/// A language whose words can be stemmed. Text in any other language is stemmed as English: names and loan words
/// still agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tongue(u8);

#[rustfmt::skip]
const TONGUES: [(&str, Algorithm); 18] = [
    ("en", Algorithm::English), ("ar", Algorithm::Arabic), ("da", Algorithm::Danish), ("de", Algorithm::German),
    ("el", Algorithm::Greek), ("es", Algorithm::Spanish), ("fi", Algorithm::Finnish), ("fr", Algorithm::French),
    ("hu", Algorithm::Hungarian), ("it", Algorithm::Italian), ("nl", Algorithm::Dutch), ("no", Algorithm::Norwegian),
    ("pt", Algorithm::Portuguese), ("ro", Algorithm::Romanian), ("ru", Algorithm::Russian), ("sv", Algorithm::Swedish),
    ("ta", Algorithm::Tamil), ("tr", Algorithm::Turkish),
];

impl Tongue {
    /// English.
    pub const ENGLISH: Self = Self(0);

    /// The tongue of a language tag, e.g. `de-at`.
    pub fn of(language: Option<&str>) -> Self {
        let code = language.unwrap_or_default();
        let code = code.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        let code = if matches!(code.as_str(), "nb" | "nn") { "no" } else { &code };
        Self(TONGUES.iter().position(|(name, _)| *name == code).unwrap_or(0) as u8)
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TONGUES.len() as u8).map(Self)
    }

    /// Its two letters.
    pub fn code(self) -> &'static str {
        TONGUES[usize::from(self.0)].0
    }

    /// What stems a page's words; make one for each page.
    pub fn stemmer(self) -> Stem {
        Stem(Stemmer::create(TONGUES[usize::from(self.0)].1))
    }
}

/// Stems folded words.
pub struct Stem(Stemmer);

impl Stem {
    /// The stem of a folded word.
    pub fn of(&self, word: &str) -> String {
        if word.len() > LONGEST_WORD { word.to_owned() } else { self.0.stem(word).into_owned() }
    }
}

/// The words of a phrase in order: stems, but stop words as they are.
pub(super) fn stems(text: &str, tongue: Tongue) -> Vec<String> {
    let stemmer = tongue.stemmer();
    let stem = |word: std::borrow::Cow<'_, str>| {
        if is_stop_word(&word) { word.into_owned() } else { stemmer.of(&word) }
    };
    page::words::words(text).map(stem).collect()
}

/// Whether a folded word says nothing about what a text is about.
pub(super) fn is_stop_word(word: &str) -> bool {
    word.chars().count() < 2
        || word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b',')
        || STOP.binary_search(&word).is_ok()
}

/// English words that any text has; sorted.
#[rustfmt::skip]
const STOP: &[&str] = &[
    "a", "about", "above", "according", "across", "after", "again", "against", "ago", "all", "almost", "along", "already", "also", "although",
    "always", "am", "among", "an", "and", "another", "any", "anyone", "anything", "are", "around", "as", "at", "away", "back", "be", "became",
    "because", "become", "becomes", "been", "before", "began", "being", "below", "between", "both", "but", "by", "came", "can", "cannot", "could",
    "did", "do", "does", "doing", "done", "down", "due", "during", "each", "either", "else", "enough", "especially", "etc", "even", "ever",
    "every", "few", "first", "five", "for", "former", "four", "from", "further", "gave", "get", "give", "given", "go", "got", "had", "has",
    "have", "having", "he", "hence", "her", "here", "hers", "herself", "him", "himself", "his", "how", "however", "i", "if", "in", "including",
    "indeed", "instead", "into", "is", "it", "its", "itself", "just", "last", "later", "least", "less", "like", "made", "main", "mainly", "make",
    "makes", "making", "many", "may", "me", "might", "mine", "more", "most", "mostly", "much", "must", "my", "myself", "near", "nearly", "need",
    "neither", "never", "new", "next", "nine", "no", "nor", "not", "nothing", "now", "of", "off", "often", "on", "once", "one", "only", "onto",
    "or", "other", "others", "otherwise", "our", "ours", "out", "over", "own", "part", "per", "perhaps", "quite", "rather", "same", "see", "seem",
    "several", "shall", "she", "should", "since", "six", "so", "some", "something", "sometimes", "soon", "still", "such", "take", "taken", "ten",
    "than", "that", "the", "their", "theirs", "them", "themselves", "then", "there", "therefore", "these", "they", "this", "those", "though",
    "three", "through", "throughout", "thus", "to", "together", "too", "took", "toward", "towards", "two", "under", "unless", "until", "up",
    "upon", "us", "use", "used", "uses", "using", "usually", "various", "very", "via", "was", "way", "we", "well", "went", "were", "what",
    "whatever", "when", "where", "whether", "which", "while", "who", "whole", "whom", "whose", "why", "will", "with", "within", "without",
    "would", "yet", "you", "your", "yours", "yourself",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP.is_sorted());
        assert!(is_stop_word("the") && is_stop_word("1987") && is_stop_word("x"));
        assert!(!is_stop_word("guitar"));
    }
}
