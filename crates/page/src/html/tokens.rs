//! A page as a run of tags and text, for readers that need no tree.
//!
//! Reads as the HTML standard's tokenizer does, but hands out slices of the page: nothing is copied, and what
//! nobody asks for (attributes, character references, comments) is not even decoded. Every byte is looked at a
//! bounded number of times.

mod names;
mod raw;
pub(crate) mod references;

use html5ever::LocalName;
use memchr::memchr;
use names::Names;

/// What comes next.
pub(crate) enum Token<'a> {
    /// Text as written: its character references are not resolved.
    Text(&'a str),
    /// A start tag; its attributes are in [`Tokens::attributes`].
    Start { name: LocalName, closed: bool },
    /// An end tag.
    End(LocalName),
    /// What a `<!doctype …>` says.
    Doctype(&'a str),
}

/// An attribute as written.
#[derive(Clone, Copy)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

/// A tag's further attributes are not kept; no honest one has more.
const ATTRIBUTES: usize = 64;

/// Reads a page from its beginning.
pub(crate) struct Tokens<'a> {
    rest: &'a str,
    names: Names,
    /// The last tag's.
    pub(crate) attributes: Vec<Attribute<'a>>,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(page: &'a str) -> Self {
        Self { rest: page, names: Names::default(), attributes: Vec::new() }
    }

    /// The next token. Only `foreign` content (SVG, `MathML`) has CDATA sections; their text is passed over.
    pub(crate) fn next(&mut self, foreign: bool) -> Option<Token<'a>> {
        loop {
            let markup = markup(self.rest);
            if markup > 0 {
                return Some(Token::Text(self.take(markup)));
            }
            match self.rest.as_bytes() {
                [] => return None,
                [_, b'!', ..] => {
                    if let Some(doctype) = self.declaration(foreign) {
                        return Some(Token::Doctype(doctype));
                    }
                }
                [_, b'/', first, ..] if first.is_ascii_alphabetic() => {
                    self.take(2);
                    return self.tag().map(|(name, _)| Token::End(name));
                }
                [_, b'/' | b'?', ..] => drop(self.take_past(">")),
                _ => {
                    self.take(1);
                    return self.tag().map(|(name, closed)| Token::Start { name, closed });
                }
            }
        }
    }

    /// Everything that is left, as text.
    pub(crate) fn remainder(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    /// The text of an element that holds no markup, up to its end tag, which is taken as well.
    pub(crate) fn raw(&mut self, name: &LocalName) -> &'a str {
        let end = raw::end(self.rest, name);
        let text = self.take(end);
        if !self.rest.is_empty() {
            self.take(2);
            self.tag();
        }
        text
    }

    fn take(&mut self, count: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// What stands before the next `mark`, or everything.
    fn take_past(&mut self, mark: &str) -> &'a str {
        let (before, after) = self.rest.split_once(mark).unwrap_or((self.rest, ""));
        self.rest = after;
        before
    }

    /// Passes over `<!…`; returns what it says if it is a doctype.
    fn declaration(&mut self, foreign: bool) -> Option<&'a str> {
        let inside = &self.rest[2..];
        if let Some(comment) = inside.strip_prefix("--") {
            self.rest = after_comment(comment);
        } else if foreign && inside.starts_with("[CDATA[") {
            self.take_past("]]>");
        } else if inside.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("doctype")) {
            self.take(9);
            return Some(self.take_past(">"));
        } else {
            self.take_past(">");
        }
        None
    }

    /// A tag from its name on, and whether it closes itself. A page that ends within a tag ends before it.
    fn tag(&mut self) -> Option<(LocalName, bool)> {
        let page = std::mem::take(&mut self.rest);
        let bytes = page.as_bytes();
        self.attributes.clear();
        let mut at = bytes.iter().position(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))?;
        let name = self.names.of(&page[..at]);
        loop {
            match *bytes.get(at)? {
                b'>' => {
                    self.rest = &page[at + 1..];
                    return Some((name, false));
                }
                b'/' if bytes.get(at + 1) == Some(&b'>') => {
                    self.rest = &page[at + 2..];
                    return Some((name, true));
                }
                b'/' => at += 1,
                byte if is_space(byte) => at += 1,
                _ => at = self.attribute(page, at)?,
            }
        }
    }

    /// Reads the attribute at `start`; returns where it ends.
    fn attribute(&mut self, page: &'a str, start: usize) -> Option<usize> {
        let bytes = page.as_bytes();
        let find = |from: usize, wanted: &dyn Fn(u8) -> bool| {
            bytes.get(from..)?.iter().position(|byte| wanted(*byte)).map(|found| from + found)
        };
        let past_space = |from: usize| find(from, &|byte| !is_space(byte));
        // An equals sign in the first place belongs to the name.
        let name_end = find(start + 1, &|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='))?;
        let mut value = "";
        let mut at = past_space(name_end)?;
        if bytes[at] == b'=' {
            at = past_space(at + 1)?;
            match bytes[at] {
                quote @ (b'"' | b'\'') => {
                    let end = find(at + 1, &|byte| byte == quote)?;
                    value = &page[at + 1..end];
                    at = end + 1;
                }
                b'>' => {}
                _ => {
                    let end = find(at, &|byte| is_space(byte) || byte == b'>')?;
                    value = &page[at..end];
                    at = end;
                }
            }
        }
        if self.attributes.len() < ATTRIBUTES {
            self.attributes.push(Attribute { name: &page[start..name_end], value });
        }
        Some(at)
    }
}

/// What HTML takes for white space.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

/// Where the first markup begins: a `<` by itself is text.
fn markup(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(found) = memchr(b'<', &bytes[from..]) {
        let at = from + found;
        match bytes.get(at + 1) {
            Some(b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z') => return at,
            Some(b'/') if bytes.len() > at + 2 => return at,
            _ => from = at + 1,
        }
    }
    text.len()
}

/// What follows a comment, given what follows its `<!--`.
fn after_comment(comment: &str) -> &str {
    if let Some(after) = comment.strip_prefix('>').or_else(|| comment.strip_prefix("->")) {
        return after;
    }
    let mut rest = comment;
    while let Some((_, after)) = rest.split_once("--") {
        let end = after.trim_start_matches('-');
        if let Some(after) = end.strip_prefix('>').or_else(|| end.strip_prefix("!>")) {
            return after;
        }
        rest = end;
    }
    ""
}
