//! A page laid flat from its tokens, without a tree: what a crawl reads.
//!
//! A stack of open elements is all the tree construction needed: ends that are implied, parts that tags leave
//! out (`<tbody>`), text without markup. What only mends broken pages (moving what stands wrongly in tables,
//! re-opening formatting) is left out: nothing is lost by that, it only stays where it was written.

mod ends;
mod names;
mod open;
mod starts;

use super::Outline;
use super::build::Builder;
use crate::Caps;
use crate::html::tokens::{Attribute, Token, Tokens, is_space, references};
use html5ever::{LocalName, local_name};
use open::Open;

/// Lays a page flat, as far as the caps allow.
pub(crate) fn outline_of_text(page: &str, caps: &Caps) -> Outline {
    let mut stream = Stream::new(page.strip_prefix('\u{feff}').unwrap_or(page));
    while stream.is_within(caps)
        && let Some(token) = stream.tokens.next(stream.is_foreign())
    {
        match token {
            Token::Text(text) => stream.text(text),
            Token::Start { name, closed } => stream.start(name, closed),
            Token::End(name) => stream.end(&name),
            Token::Doctype(doctype) => stream.quirks = is_quirky(doctype),
        }
    }
    stream.finish()
}

/// Looks at open elements for each allowed node; honest pages take about five.
const LOOKS_PER_NODE: usize = 25;

/// How far the page has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Start,
    BeforeHead,
    Head,
    AfterHead,
    Body,
    Frames,
}

struct Stream<'a> {
    tokens: Tokens<'a>,
    builder: Builder,
    open: Vec<Open>,
    /// The outermost open element that is not shown: nothing inside is told to the builder.
    hidden: Option<usize>,
    stage: Stage,
    /// A form is open, or was and has not been ended by its tag: forms do not nest.
    form: bool,
    /// Open templates.
    templates: usize,
    /// Tables may stand in paragraphs.
    quirks: bool,
    nodes: usize,
    looks: usize,
}

impl<'a> Stream<'a> {
    fn new(page: &'a str) -> Self {
        Self {
            tokens: Tokens::new(page),
            builder: Builder::default(),
            open: Vec::new(),
            hidden: None,
            stage: Stage::Start,
            form: false,
            templates: 0,
            quirks: true,
            nodes: 0,
            looks: 0,
        }
    }

    fn is_within(&self, caps: &Caps) -> bool {
        self.open.len() <= caps.depth
            && self.nodes <= caps.nodes
            && self.looks <= caps.nodes.saturating_mul(LOOKS_PER_NODE)
    }

    fn text(&mut self, text: &str) {
        self.nodes += 1;
        let blank = text.bytes().all(is_space);
        match self.stage {
            Stage::Start | Stage::BeforeHead if blank => return,
            Stage::Frames => return,
            Stage::Body => {}
            _ if blank || self.templates > 0 => {}
            _ => self.reach_body(),
        }
        if self.hidden.is_none() {
            references::pieces(text, |piece| self.builder.text(piece));
        }
    }

    /// Opens an element with the attributes of the tag just read.
    fn push(&mut self, name: LocalName) {
        // Taken out and put back: the builder looks at them while the stack changes.
        let attributes = std::mem::take(&mut self.tokens.attributes);
        self.push_with(name, &attributes);
        self.tokens.attributes = attributes;
    }

    /// Opens an element the page does not write out.
    fn push_implied(&mut self, name: LocalName) {
        self.push_with(name, &[]);
    }

    /// An element without an inside.
    fn push_void(&mut self, name: LocalName) {
        self.push(name);
        self.pop();
    }

    /// An element that holds text without markup, with its end.
    fn push_raw(&mut self, name: &LocalName) {
        let is_resolved = matches!(*name, local_name!("title") | local_name!("textarea"));
        self.push(name.clone());
        let text = self.tokens.raw(name);
        if self.hidden.is_none() && !text.is_empty() {
            if is_resolved {
                self.builder.text(&references::resolved(text));
            } else {
                self.builder.text(text);
            }
        }
        self.pop();
    }

    /// Content has come that only a body can have.
    fn reach_body(&mut self) {
        if self.stage == Stage::Start {
            self.push_implied(local_name!("html"));
        }
        if matches!(self.stage, Stage::Start | Stage::BeforeHead | Stage::Head) {
            self.pop_to(1);
        }
        if !matches!(self.stage, Stage::Body | Stage::Frames) {
            self.stage = Stage::Body;
            self.push_implied(local_name!("body"));
        }
    }

    fn push_with(&mut self, name: LocalName, attributes: &[Attribute<'_>]) {
        let element = self.enter(&name, attributes);
        self.open_up(name, element);
    }

    fn finish(mut self) -> Outline {
        if !matches!(self.stage, Stage::Body | Stage::Frames) {
            self.pop_to(1);
            self.reach_body();
        }
        self.pop_to(0);
        self.builder.finish()
    }
}

/// Whether browsers show a page with this doctype as they did before there were standards.
fn is_quirky(doctype: &str) -> bool {
    let doctype = doctype.to_ascii_lowercase();
    let says = |part: &str| doctype.contains(part);
    !doctype.trim_start().starts_with("html")
        || says("//dtd html 2")
        || says("//dtd html 3")
        || says("//dtd html 4.0 transitional//")
        || says("//dtd html 4.0 frameset//")
        || says("//dtd html 4.01 ") && !says("http:") && !says("strict") && says("transitional//")
}

#[cfg(test)]
mod tests;
