//! Words: what is filed by, and what is searched.
//!
//! Text is NFKC-normalised, case-folded and cut at UAX 29 word boundaries. Chinese and Japanese have no
//! spaces, so a run of Han or kana becomes overlapping pairs of characters: `新华社` gives `新华`, `华社`.
//! Any phrase of two or more characters can then be found without a dictionary.
//!
//! Most text is plain, and is folded and cut byte by byte; only what is not goes through the Unicode tables.

mod pieces;
mod plain;

pub use pieces::{Piece, pieces};

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use unicode_segmentation::UnicodeSegmentation;

/// Counted up when words are cut or folded in another way: rules may then file otherwise.
pub const VERSION: i64 = 1;

/// Calls `f` with each folded word of a text, in order. `buffer` is room to work in: its content is lost, and
/// reusing it saves an allocation for each text.
pub fn for_each_word(text: &str, buffer: &mut String, mut f: impl FnMut(&str)) {
    let mut rest = text;
    while !rest.is_empty() {
        let split = plain::split(rest, buffer);
        plain::cut(buffer, |range| f(&buffer[range]));
        cut_hard(split.hard, &mut f);
        rest = split.rest;
    }
}

/// The words of a text, in order.
pub fn words(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut words = Vec::new();
    for_each_word(text, &mut String::new(), |word| words.push(Cow::Owned(word.to_owned())));
    words.into_iter()
}

/// The words joined by spaces, for a full-text index.
pub fn search_text(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for_each_word(text, &mut String::new(), |word| {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    });
    joined
}

/// A user's query: for each word typed, or words in double quotes, the index terms that must appear as a phrase.
pub fn search_query(query: &str) -> Vec<Vec<String>> {
    let quote = |c: char| matches!(c, '"' | '“' | '”' | '„');
    query
        .split(quote)
        .enumerate()
        // Every second part stands between quotes.
        .flat_map(|(n, part)| if n % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
        .map(|typed| words(typed).map(Cow::into_owned).collect::<Vec<_>>())
        .filter(|terms| !terms.is_empty())
        .collect()
}

/// Characters of scripts written without spaces between words.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' // hiragana
        | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' // katakana and its long-vowel mark
        | '\u{3005}'..='\u{3007}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

/// NFKC and case folding. Folding can leave a decomposed character behind, hence the second round.
fn fold(text: &str) -> Cow<'_, str> {
    let composed = is_nfkc_quick(text.chars()) == IsNormalized::Yes;
    if composed && text.chars().all(|c| fold_case(c).eq([c])) {
        return Cow::Borrowed(text);
    }
    let folded: String = text.nfkc().flat_map(fold_case).collect();
    Cow::Owned(folded.nfkc().collect())
}

/// Case folding by way of capitals: `STRASSE` and `Straße` are one word, and a final sigma is a sigma.
fn fold_case(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// Folds and cuts text that is not plain: runs without spaces into pairs, the rest into words.
fn cut_hard(text: &str, f: &mut impl FnMut(&str)) {
    for run in runs(&fold(text)) {
        if run.starts_with(is_unspaced) {
            pairs(run).for_each(&mut *f);
        } else {
            run.unicode_words().for_each(&mut *f);
        }
    }
}

/// The longest stretches that are all of one kind: spaced or unspaced script.
fn runs(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let kind = is_unspaced(text.chars().next()?);
        let end = text.find(|c| is_unspaced(c) != kind).unwrap_or(text.len());
        let (run, rest) = text.split_at(end);
        text = rest;
        Some(run)
    })
}

/// Overlapping pairs of characters; a character alone stays alone.
fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run.char_indices().map(|(at, _)| at).skip(2).chain([run.len()]);
    starts.zip(ends).map(|(start, end)| &run[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded() {
        assert_eq!(search_text("The CAFÉ's ｆｕｌｌ-width №5"), "the café's full width no5");
    }

    #[test]
    fn case_is_folded_not_only_lowered() {
        assert_eq!(search_text("STRASSE Straße STRAẞE"), "strasse strasse strasse");
        assert_eq!(search_text("ΟΔΟΣ οδός οδοσ"), "οδοσ οδόσ οδοσ");
    }

    #[test]
    fn unspaced_scripts_become_pairs() {
        assert_eq!(search_text("新华社北京11月电"), "新华 华社 社北 北京 11 月电");
        assert_eq!(search_text("東京タワーへ"), "東京 京タ タワ ワー ーへ");
        assert_eq!(search_text("我"), "我");
    }

    #[test]
    fn a_query_is_phrases() {
        assert_eq!(search_query("新华社 Gold-price !"), [vec!["新华", "华社"], vec!["gold", "price"]]);
    }
}
