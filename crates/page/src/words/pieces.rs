//! A text as its reader sees it, with the words that each part of it stands for.

use super::{cut_hard, fold, for_each_word, is_unspaced, pairs, plain};
use std::collections::HashSet;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// A part of a text: a word that can be pointed at, or what lies between words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The part as it is in the text.
    pub text: &'a str,
    /// The folded words it stands for, in order; none for what lies between words.
    pub words: Vec<String>,
}

/// Cuts a text into consecutive pieces, which together are the whole text.
///
/// A character of a run of Han or kana is a piece, with the pair that begins at it. The last of a run has no
/// pair, and so no words. Every word is one of [`super::words`] of the text.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut done = 0;
    for mark in marks(text) {
        if done < mark.place.start {
            pieces.push(Piece { text: &text[done..mark.place.start], words: Vec::new() });
        }
        done = mark.place.end;
        pieces.push(Piece { text: &text[mark.place], words: mark.words });
    }
    if done < text.len() {
        pieces.push(Piece { text: &text[done..], words: Vec::new() });
    }
    pieces
}

/// A place in a text that is a piece of its own.
struct Mark {
    place: Range<usize>,
    words: Vec<String>,
}

fn marks(text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut folded = String::new();
    let mut at = 0;
    while at < text.len() {
        let split = plain::split(&text[at..], &mut folded);
        plain::cut(&folded, |range| {
            let words = vec![folded[range.clone()].to_owned()];
            marks.push(Mark { place: at + range.start..at + range.end, words });
        });
        at += split.plain.len();
        mark_hard(split.hard, at, &mut marks);
        at += split.hard.len();
    }
    marks
}

/// Marks a stretch of text that is not plain, which begins at `base`.
fn mark_hard(hard: &str, base: usize, marks: &mut Vec<Mark>) {
    // Normalisation can move boundaries and join what is apart here, so whatever is found must be among these.
    let mut known = HashSet::new();
    cut_hard(hard, &mut |word: &str| {
        known.insert(word.to_owned());
    });
    // What a reader takes for one character: `ｶﾞ` is two, and one when folded.
    let cells: Vec<Cell<'_>> = hard.grapheme_indices(true).map(Cell::new).collect();
    let before = marks.len();
    for run in cells.chunk_by(|a, b| a.unspaced == b.unspaced) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        if first.unspaced {
            mark_unspaced(run, base, marks);
        } else {
            let text = &hard[first.at..last.at + last.text.len()];
            mark_spaced(text, base + first.at, marks);
        }
    }
    for mark in &mut marks[before..] {
        mark.words.retain(|word| known.contains(word));
    }
}

/// A character as its reader sees it.
struct Cell<'a> {
    at: usize,
    text: &'a str,
    unspaced: bool,
}

impl<'a> Cell<'a> {
    fn new((at, text): (usize, &'a str)) -> Self {
        Self { at, text, unspaced: fold(text).chars().all(is_unspaced) }
    }
}

/// Marks each character of a run of Han or kana with the pairs that begin at it.
fn mark_unspaced(run: &[Cell<'_>], base: usize, marks: &mut Vec<Mark>) {
    let mut folded = String::new();
    let ends: Vec<usize> = run
        .iter()
        .map(|cell| {
            folded.push_str(&fold(cell.text));
            folded.len()
        })
        .collect();
    let mut pairs = pairs(&folded).zip(folded.char_indices()).peekable();
    for (cell, end) in run.iter().zip(ends) {
        let begun = std::iter::from_fn(|| pairs.next_if(|(_, (start, _))| *start < end));
        let words = begun.map(|(pair, _)| pair.to_owned()).collect();
        marks.push(Mark { place: base + cell.at..base + cell.at + cell.text.len(), words });
    }
}

/// Marks the words of text without Han or kana.
fn mark_spaced(text: &str, base: usize, marks: &mut Vec<Mark>) {
    let mut at = 0;
    for token in text.split_inclusive(char::is_whitespace) {
        let start = base + at;
        at += token.len();
        let token = token.trim_end();
        let segments: Vec<Mark> = token
            .split_word_bound_indices()
            .map(|(at, segment)| Mark {
                place: start + at..start + at + segment.len(),
                words: collect(segment),
            })
            .filter(|mark| !mark.words.is_empty())
            .collect();
        let whole = collect(token);
        if segments.iter().flat_map(|mark| &mark.words).eq(&whole) {
            marks.extend(segments);
        } else {
            // Folding joined or parted what stands here: `№5` is the word `no5`.
            marks.push(Mark { place: start..start + token.len(), words: whole });
        }
    }
}

fn collect(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for_each_word(text, &mut String::new(), |word| words.push(word.to_owned()));
    words
}
