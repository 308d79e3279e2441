//! HTML to a tree, with gates that close *while* the tree is built.
//!
//! A page of 100 KB can ask for hours of work and gigabytes of memory. The parser cannot be stopped from
//! inside, so text is fed in small chunks and the gate is looked at between them.

mod sink;
pub(crate) mod tokens;

use crate::Caps;
use dom_query::Document;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::TokenizerOpts;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use sink::GatedSink;

/// A parsed page.
pub(crate) struct Html {
    pub(crate) document: Document,
    /// Why the tree is not the whole page, if it is not.
    pub(crate) stopped: Option<&'static str>,
}

/// While little is open: one such chunk opens or re-opens at most some 20,000 elements.
const CHUNK: usize = 2048;

/// Once much is open: at the depth cap, one such chunk re-opens at most some 8,000 formatting elements.
const SMALL_CHUNK: usize = 256;

/// "Much" is this depth. Real pages stay under 40.
const SHALLOW: usize = 64;

/// Comparisons the tokenizer may spend on finding duplicate attributes: it compares each with all before it.
const ATTRIBUTE_WORK: u64 = 1 << 26;

/// Parses as much of a page as the caps allow.
pub(crate) fn parse(text: &str, caps: &Caps) -> Html {
    let options = ParseOpts {
        tokenizer: TokenizerOpts::default(),
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
    };
    let mut parser = parse_document(GatedSink::new(caps), options);
    let mut tag = TagWatch::default();
    let mut rest = text;
    let mut stopped = None;
    while !rest.is_empty() && stopped.is_none() {
        let size = if parser.tokenizer.sink.sink.deepest() < SHALLOW { CHUNK } else { SMALL_CHUNK };
        let (chunk, after) = rest.split_at(rest.floor_char_boundary(size));
        rest = after;
        parser.process(StrTendril::from_slice(chunk));
        let sink = &parser.tokenizer.sink.sink;
        stopped = sink.closed().or_else(|| tag.look(chunk, sink.deeds()));
    }
    Html { document: parser.finish(), stopped }
}

/// Watches for one tag with a flood of attributes: while inside a tag the tokenizer tells the tree nothing.
#[derive(Default)]
struct TagWatch {
    deeds: u64,
    separators: u64,
    work: u64,
}

impl TagWatch {
    fn look(&mut self, chunk: &str, deeds: u64) -> Option<&'static str> {
        if deeds != self.deeds {
            *self = Self { deeds, separators: 0, ..*self };
            return None;
        }
        // Every attribute needs one of these before it, so their number bounds the attributes'.
        let separators = chunk
            .bytes()
            .filter(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' | b'/' | b'"' | b'\''))
            .count();
        self.separators += separators as u64;
        self.work += self.separators * separators as u64;
        (self.work > ATTRIBUTE_WORK).then_some("the page has tags with too many attributes; read up to there")
    }
}
