//! Plain text: what the Unicode tables have nothing surprising to say about.
//!
//! ASCII, the Latin and Cyrillic letters of Europe, and the punctuation of newspapers. Such text is folded
//! character by character, keeping the place of every byte, and cut into words with a table of byte classes.

use std::ops::Range;

const LETTER: u8 = 1;
const DIGIT: u8 = 2;
/// The underscore: joins whatever stands next to it, and is no word by itself.
const LINE: u8 = 4;
/// What can be inside a word.
const CORE: u8 = LETTER | DIGIT | LINE;
/// Joins two letters. Three bits above the class it joins, so that one shift tells.
const MID_LETTER: u8 = LETTER << 3;
/// Joins two digits.
const MID_NUMBER: u8 = DIGIT << 3;
/// Begins punctuation of more than one byte.
const WIDE: u8 = 32;

/// The class of every byte of plain text. Letters beyond ASCII are letters in each of their bytes.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | 0x80..=0xbf | 0xc3..=0xc5 | 0xd0 | 0xd1 => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => LINE,
            b':' => MID_LETTER,
            b',' | b';' => MID_NUMBER,
            b'.' | b'\'' => MID_LETTER | MID_NUMBER,
            0xc2 | 0xe2 => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Text from its beginning: a plain stretch, then a hard one, then what is still to be split.
pub(super) struct Split<'a> {
    pub plain: &'a str,
    pub hard: &'a str,
    pub rest: &'a str,
}

/// Splits off the first plain and the first hard stretch, and puts the folded plain one in `folded`, where every
/// byte has the place it has in the text.
///
/// A stretch begins and ends at white space, which no rule of normalisation, case or word boundaries looks
/// across. Hard text takes the white space right before it along: a combining mark can be attached to it.
pub(super) fn split<'a>(text: &'a str, folded: &mut String) -> Split<'a> {
    folded.clear();
    let mut at = 0;
    let hard = loop {
        let rest = &text[at..];
        let (ascii, rest) = rest.split_at(ascii_length(rest.as_bytes()));
        folded.push_str(ascii);
        at += ascii.len();
        match rest.chars().next().map(fold) {
            None => break None,
            Some(None) => break Some(at),
            Some(Some(c)) => {
                folded.push(c);
                at += c.len_utf8();
            }
        }
    };
    let (start, end) =
        hard.map_or((text.len(), text.len()), |at| (hard_start(&text[..at]), hard_end(text, at)));
    folded.truncate(start);
    folded.make_ascii_lowercase();
    Split { plain: &text[..start], hard: &text[start..end], rest: &text[end..] }
}

/// How many bytes come before the first that is not ASCII.
fn ascii_length(bytes: &[u8]) -> usize {
    // Blocks first: the compiler looks at a whole block at once.
    let (blocks, _) = bytes.as_chunks::<32>();
    let sure = blocks.iter().take_while(|block| block.is_ascii()).count() * 32;
    bytes[sure..].iter().position(|byte| !byte.is_ascii()).map_or(bytes.len(), |more| sure + more)
}

/// A plain character beyond ASCII in lower case, with as many bytes; `None` if it is not plain.
///
/// Plain is what normalisation leaves alone, unless it makes no difference to words (no-break space, ellipsis),
/// what is neither a mark nor joined with one before it, and what [`CLASSES`] and [`mid`] have the right class for.
fn fold(c: char) -> Option<char> {
    match c {
        '\u{a0}' | '£' | '§' | '«' | '°' | '»' // of two bytes
        | '‐' | '\u{2012}'..='\u{2016}' | '\u{2018}'..='\u{2023}' | '…' | '€' => Some(c),
        // Signs in the midst of letters, those that become others when folded, and ligatures.
        '×' | '÷' | 'ß' | 'İ' | 'ı' | 'Ĳ' | 'ĳ' | 'Ŀ' | 'ŀ' | 'ŉ' => None,
        'À'..='ž' | 'Ѐ'..='џ' => c.to_lowercase().next(),
        _ => None,
    }
}

/// Where the hard stretch begins whose first hard character comes right after `before`.
fn hard_start(before: &str) -> usize {
    let trimmed = before.trim_end().len();
    if trimmed < before.len() { trimmed } else { before.rfind(is_ascii_space).map_or(0, |space| space + 1) }
}

/// Where the hard stretch with a hard character at `at` ends: at the next space, but not within a row of them.
fn hard_end(text: &str, at: usize) -> usize {
    let mut after_space = true;
    let end = text[at..].find(|c: char| {
        let ends = is_ascii_space(c) && !after_space;
        after_space = c.is_whitespace();
        ends
    });
    end.map_or(text.len(), |more| at + more)
}

fn is_ascii_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// Calls `f` with the place of each word of folded plain text: UAX 29, segments with a letter or a digit.
pub(super) fn cut(folded: &str, mut f: impl FnMut(Range<usize>)) {
    let bytes = folded.as_bytes();
    let class = |at: usize| bytes.get(at).map_or(0, |byte| CLASSES[usize::from(*byte)]);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let first = CLASSES[usize::from(byte)];
        if first & CORE == 0 {
            at += length(byte);
            continue;
        }
        let start = at;
        let mut previous = first;
        let mut seen = first;
        at += 1;
        loop {
            let next = class(at);
            if next & CORE != 0 {
                seen |= next;
                previous = next;
                at += 1;
                continue;
            }
            if next == 0 {
                break;
            }
            let (joined, length) = mid(&bytes[at..], next);
            if joined & previous & class(at + length) == 0 {
                break;
            }
            at += length;
        }
        if seen & (LETTER | DIGIT) != 0 {
            f(start..at);
        }
    }
}

/// Which class the character at the beginning of `bytes` joins to its like, and how long it is.
fn mid(bytes: &[u8], class: u8) -> (u8, usize) {
    match bytes {
        // ‘ and ’
        [0xe2, 0x80, 0x98 | 0x99, ..] => (LETTER | DIGIT, 3),
        [0xe2, ..] => (0, 3),
        [0xc2, ..] => (0, 2),
        _ => (class >> 3, 1),
    }
}

/// How many bytes the punctuation has that begins with `byte`.
fn length(byte: u8) -> usize {
    match byte {
        0xc2 => 2,
        0xe2 => 3,
        _ => 1,
    }
}
