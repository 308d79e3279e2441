//! An article's main text.

use crate::Caps;
use crate::jsonld::Named;
use crate::outline::{At, Outline, Zones};
use crate::text::{cut, half_words, one_line};
use dom_query::Document;
use dom_smoothie::{Config, Readability, TextMode};
use url::Url;

/// The extractor recurses; beyond this depth it is not asked. It is tested at this depth on a small stack.
const EXTRACTOR_DEPTH: usize = 400;

/// The extractor walks the tree many times; larger pages take the simple way.
const EXTRACTOR_ELEMENTS: usize = 30_000;

/// A text this short, in half words, is a caption or a cookie notice rather than an article.
const SHORT: usize = 50;

/// The main text, paragraphs separated by blank lines.
pub(super) fn of(
    document: Document,
    outline: &Outline,
    url: &Url,
    named: Option<&Named>,
    caps: &Caps,
    notes: &mut Vec<String>,
) -> String {
    let simple = outline.deepest > EXTRACTOR_DEPTH || outline.elements.len() > EXTRACTOR_ELEMENTS;
    let extracted = if simple { None } else { extract(document, url) };
    let mut text = extracted.map(|text| tidy(&text)).unwrap_or_default();
    if half_words(&text) < SHORT {
        let plain = paragraphs(outline);
        let given = named.and_then(|named| named.text.as_deref()).map(tidy).unwrap_or_default();
        text = [text, plain, given].into_iter().max_by_key(|text| half_words(text)).unwrap_or_default();
    }
    if text.len() > caps.text_bytes {
        notes.push(format!("only the first {} bytes of the text are kept", caps.text_bytes));
        text.truncate(cut(&text, caps.text_bytes).len());
    }
    text
}

fn extract(document: Document, url: &Url) -> Option<String> {
    let config = Config { text_mode: TextMode::Formatted, disable_json_ld: true, ..Config::default() };
    let mut reader = Readability::with_document(document, Some(url.as_str()), Some(config)).ok()?;
    Some(reader.parse().ok()?.text_content.to_string())
}

/// Paragraphs without the space around and the blank lines between.
fn tidy(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(one_line).filter(|line| !line.is_empty()).collect();
    lines.join("\n\n")
}

/// The simple way: the paragraphs of the main matter, or all text outside menus and edges.
fn paragraphs(outline: &Outline) -> String {
    let elsewhere = Zones::FURNITURE | Zones::ASIDE | Zones::META;
    let text = |wanted: fn(&Outline, At) -> bool| {
        let mut lines = Vec::new();
        let mut at = 0;
        while let Some(element) = outline.elements.get(at) {
            if element.zones.has(elsewhere) {
                at = element.end;
            } else if wanted(outline, at) {
                lines.extend(outline.text_of(at).lines().map(one_line).filter(|line| !line.is_empty()));
                at = element.end;
            } else {
                at += 1;
            }
        }
        lines.join("\n\n")
    };
    let prose = text(|outline, at| matches!(outline.tag(at), "p" | "blockquote" | "pre"));
    if half_words(&prose) >= SHORT { prose } else { text(|outline, at| outline.elements[at].end == at + 1) }
}
