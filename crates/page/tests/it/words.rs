//! Words, against a slow and simple way to find them.

use page::words::{self, for_each_word, pieces};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashSet;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

const CASES: u32 = 1_000;

fn unspaced(c: char) -> bool {
    matches!(c,
        '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}'
        | '\u{3005}'..='\u{3007}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// The words by the book: the whole text folded, cut into runs, and each run into words or pairs.
fn reference(text: &str) -> Vec<String> {
    let capitals = text.nfkc().flat_map(char::to_lowercase).flat_map(char::to_uppercase);
    let folded: String = capitals.flat_map(char::to_lowercase).nfkc().collect();
    let chars: Vec<char> = folded.chars().collect();
    chars
        .chunk_by(|a, b| unspaced(*a) == unspaced(*b))
        .flat_map(|run| {
            if !unspaced(run[0]) {
                let run: String = run.iter().collect();
                return run.unicode_words().map(str::to_owned).collect();
            }
            let size = run.len().min(2);
            run.windows(size).map(|pair| pair.iter().collect()).collect::<Vec<String>>()
        })
        .collect()
}

fn found(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    // What the buffer held before must not matter.
    for_each_word(text, &mut "left over".to_owned(), |word| words.push(word.to_owned()));
    words
}

/// Text of characters that matter to some rule, most of them plain, so that plain and hard stretches take turns.
fn text() -> impl Strategy<Value = String> {
    let ascii = "[a-zA-Z0-9_.':,;\" \t\r\n!-]{1,6}";
    let plain = "[éÉßÖłŁжЖёÿŸ“”‘’–—…«»€\u{a0}]{1,3}";
    let hard = "[新华社東カナかな々〇ｶﾞ\u{3099}ー．　ΣσςİıĳŉſK№㎏㌔½ﬁﷺ´×·‿\u{ad}\u{200d}\u{301}\u{308}\u{903}\u{e31}\u{1680}\u{2003}\u{2028}\u{85}\u{0}אב״٣हिंनชภ한국👩🏽🇩🇪©\u{fe0f}\u{e0100}葛]{1,3}";
    let piece = prop_oneof![
        8 => ascii.prop_map(String::from),
        4 => plain.prop_map(String::from),
        3 => hard.prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
        3 => Just(" ".to_owned()),
    ];
    prop_oneof![vec(piece, 0..20).prop_map(|pieces| pieces.concat()), any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ascii_is_cut_as_unicode_says(text in prop_oneof!["[abYZ019_.':,; ]{0,40}", "[\\x00-\\x7f]{0,80}"]) {
        let expected: Vec<String> = text.unicode_words().map(str::to_ascii_lowercase).collect();
        prop_assert_eq!(&found(&text), &expected);
        // The library has a way of its own for ASCII, and must not be the only witness.
        let with_tables: Vec<String> = format!("{text} é").unicode_words().map(str::to_ascii_lowercase).collect();
        prop_assert_eq!(&expected[..], &with_tables[..expected.len()]);
        prop_assert_eq!(with_tables.len(), expected.len() + 1);
    }

    #[test]
    fn words_are_those_of_the_book(text in text()) {
        let expected = reference(&text);
        prop_assert_eq!(&found(&text), &expected);
        prop_assert_eq!(&words::words(&text).collect::<Vec<_>>(), &expected);
        prop_assert_eq!(words::search_text(&text), expected.join(" "));
    }

    #[test]
    fn pieces_are_the_text_and_carry_its_words(text in text()) {
        let pieces = pieces(&text);
        prop_assert_eq!(pieces.iter().map(|piece| piece.text).collect::<String>(), text.as_str());
        prop_assert!(pieces.iter().all(|piece| !piece.text.is_empty()));
        let known: HashSet<String> = reference(&text).into_iter().collect();
        prop_assert!(pieces.iter().flat_map(|piece| &piece.words).all(|word| known.contains(word)), "{:?}", pieces);
    }

    #[test]
    fn pieces_of_simple_text_miss_nothing(text in "([a-zA-Z0-9_.':,;“”’–…éŁж \n新华社タワー한국-]|ｶﾞ|№5){0,40}") {
        let carried: Vec<String> = pieces(&text).into_iter().flat_map(|piece| piece.words).collect();
        prop_assert_eq!(carried, found(&text));
    }
}

#[test]
fn every_character_is_cut_right_wherever_it_stands() {
    // Everything below the Han characters; the plain ones, for which there is a short cut, are all among them.
    for c in '\0'..'\u{3400}' {
        for text in [
            format!("a{c}b 1{c}2 {c} x"),
            format!("A{c} \u{903}{c}"),
            format!("a.{c} _{c}_ {c}\u{301}\u{903}"),
        ] {
            assert_eq!(found(&text), reference(&text), "{text:?}");
        }
    }
}

#[test]
fn a_text_is_pieces_to_point_at() {
    let shown = |text| {
        pieces(text)
            .into_iter()
            .map(|piece| (piece.text.to_owned(), piece.words.join("|")))
            .collect::<Vec<_>>()
    };
    let expect = |text, pieces: &[(&str, &str)]| {
        let pieces: Vec<_> =
            pieces.iter().map(|(text, words)| ((*text).to_owned(), (*words).to_owned())).collect();
        assert_eq!(shown(text), pieces);
    };
    expect("", &[]);
    expect(
        "“It’s 3.5%,” she SAID.",
        &[
            ("“", ""),
            ("It’s", "it’s"),
            (" ", ""),
            ("3.5", "3.5"),
            ("%,” ", ""),
            ("she", "she"),
            (" ", ""),
            ("SAID", "said"),
            (".", ""),
        ],
    );
    expect(
        "（新华社）电 Ok",
        &[
            ("（", ""),
            ("新", "新华"),
            ("华", "华社"),
            ("社", ""),
            ("）", ""),
            ("电", "电"),
            (" ", ""),
            ("Ok", "ok"),
        ],
    );
    expect("№5 ｶﾞｽ ㌔", &[("№5", "no5"), (" ", ""), ("ｶﾞ", "ガス"), ("ｽ", ""), (" ", ""), ("㌔", "キロ")]);
}
