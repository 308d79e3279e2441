//! Takes parts out of what a page says.

mod elements;

use super::aim::compile;
use super::part::has_words;
use super::{Aim, Part, Sight, What};
use crate::Listing;
use crate::list::{main_text, matcher, resolve};
use crate::outline::{At, Element, Outline, Zones};
use crate::text::cut;
use dom_query::{Document, NodeId};
use std::collections::HashMap;
use unicode_segmentation::UnicodeSegmentation;
use url::Url;

/// Text that regular expressions are tried on; matches that are taken.
const REGEX_BYTES: usize = 256 << 10;
const MOST_MATCHES: usize = 1_000;

/// An HTML page to look at, laid out once for all who look.
pub(crate) struct Looking<'a> {
    document: &'a Document,
    outline: &'a Outline,
    base: &'a Url,
    places: HashMap<NodeId, At>,
}

/// Where on a page to look.
struct Scope {
    /// The elements, none inside another.
    roots: Vec<At>,
    /// All of the page: then menus and adverts are passed over where that is sensible.
    whole: bool,
}

impl<'a> Looking<'a> {
    pub(crate) fn at(document: &'a Document, outline: &'a Outline, base: &'a Url) -> Self {
        let with_node = |(at, element): (At, &Element)| Some((element.node?, at));
        let places = outline.elements.iter().enumerate().filter_map(with_node).collect();
        Self { document, outline, base, places }
    }

    /// What each sees.
    pub(crate) fn sights(&self, aims: &[Aim]) -> Vec<Sight> {
        aims.iter().map(|aim| sight(aim, self.part(aim))).collect()
    }

    fn part(&self, aim: &Aim) -> Result<Part, String> {
        let scope = self.scope(aim)?;
        let part = match &aim.what {
            What::Text if scope.whole => Part::new(lines(main_text(self.outline))),
            What::Text => Part::new(self.text(&scope)),
            What::Links => Part::new(self.links(&scope)).without_order(),
            What::Images => Part::new(self.images(&scope)).without_order(),
            What::Keyword(words) | What::Phrase(words) => Part::new(sentences(&self.text(&scope), words)),
            What::Table(place) => Part::new(self.table(&scope, *place)?),
            What::List(place) => Part::new(self.list(&scope, *place)?),
            What::Css { selector, attribute } => {
                Part::new(self.selected(&scope, selector, attribute.as_deref())?)
            }
            What::Regex(pattern) => matches(&self.text(&scope).join("\n"), pattern)?,
        };
        Ok(part)
    }

    fn scope(&self, aim: &Aim) -> Result<Scope, String> {
        let Some(css) = &aim.within else {
            return Ok(Scope { roots: vec![0], whole: true });
        };
        let selector = matcher(css).map_err(|error| error.to_string())?;
        let selected = self.document.select_matcher(&selector);
        let mut places: Vec<At> =
            selected.nodes().iter().filter_map(|node| self.places.get(&node.id).copied()).collect();
        places.sort_unstable();
        let roots = self.outermost(places);
        if roots.is_empty() {
            Err(format!("nothing matches `{css}`"))
        } else {
            Ok(Scope { roots, whole: false })
        }
    }

    /// Without those inside another. In document order, the inside follows.
    fn outermost(&self, sorted: Vec<At>) -> Vec<At> {
        let mut end = 0;
        let outside = |at: &At| {
            let is_outside = *at >= end;
            end = end.max(self.outline.inside(*at).end);
            is_outside
        };
        sorted.into_iter().filter(outside).collect()
    }

    fn text(&self, scope: &Scope) -> Vec<String> {
        lines(scope.roots.iter().map(|root| self.outline.text_of(*root)))
    }

    fn links(&self, scope: &Scope) -> Vec<String> {
        let line = |link: &crate::outline::Link| {
            let url = resolve(&link.href, self.base)?;
            let text = self.outline.text_of(link.at);
            let text = if text.is_empty() { link.label.as_deref().unwrap_or_default() } else { text };
            Some(described(text, url.as_str()))
        };
        let all = scope.roots.iter().flat_map(|root| {
            let within = Outline::within(&self.outline.links, &self.outline.inside(*root), |link| link.at);
            &self.outline.links[within]
        });
        let (inner, furniture): (Vec<_>, Vec<_>) =
            all.partition(|link| !scope.whole || !self.is_furniture(link.at));
        let links = if inner.is_empty() { furniture } else { inner };
        links.into_iter().filter_map(line).collect()
    }

    fn is_furniture(&self, at: At) -> bool {
        self.outline.elements.get(at).is_some_and(|element| element.zones.has(Zones::FURNITURE))
    }
}

/// What is seen of a feed or a sitemap.
pub(crate) fn of_listing(aims: &[Aim], listing: &Listing) -> Vec<Sight> {
    let text = |found: &model::Found| {
        let summary = found.summary.as_deref().map(|summary| format!("\n{summary}")).unwrap_or_default();
        format!("{}{summary}", if found.title.is_empty() { found.url.as_str() } else { &found.title })
    };
    let text = lines(listing.articles.iter().map(text));
    let links: Vec<String> =
        listing.articles.iter().map(|found| described(&found.title, found.url.as_str())).collect();
    aims.iter().map(|aim| sight(aim, flat(aim, &text, Some(&links), listing.format))).collect()
}

/// What is seen of plain text.
pub(crate) fn of_plain(aims: &[Aim], text: &str) -> Vec<Sight> {
    let text = lines([text]);
    aims.iter().map(|aim| sight(aim, flat(aim, &text, None, "text"))).collect()
}

/// What is seen of a picture, an archive, a PDF: that it is another.
pub(crate) fn of_binary(aims: &[Aim], bytes: &[u8]) -> Vec<Sight> {
    let line = [format!("a file of {} bytes, {:016x}", bytes.len(), crate::content_hash(bytes))];
    let part = |aim: &Aim| match aim.what {
        What::Text => Ok(Part::new(&line)),
        _ => Err("it is a file, not a page".to_owned()),
    };
    aims.iter().map(|aim| sight(aim, part(aim))).collect()
}

fn flat(aim: &Aim, text: &[String], links: Option<&[String]>, format: &str) -> Result<Part, String> {
    let no = |what: &str| Err(format!("{format} has no {what}"));
    if aim.within.is_some() {
        return no("elements to select");
    }
    match (&aim.what, links) {
        (What::Text, _) => Ok(Part::new(text)),
        (What::Keyword(words) | What::Phrase(words), _) => Ok(Part::new(sentences(text, words))),
        (What::Regex(pattern), _) => matches(&text.join("\n"), pattern),
        (What::Links | What::List(1), Some(links)) => Ok(Part::new(links).without_order()),
        (What::Css { .. }, _) => no("elements to select"),
        (what, _) => no(what.word()),
    }
}

/// Leaves out what is to be ignored.
fn sight(aim: &Aim, part: Result<Part, String>) -> Sight {
    let ignored = aim.ignore.as_deref().map(compile);
    match (part, ignored) {
        (Err(why), _) => Sight::Gone(why),
        (Ok(part), None) => Sight::Part(part),
        (Ok(mut part), Some(Ok(ignored))) => {
            part.lines.retain(|line| !ignored.is_match(line));
            Sight::Part(part)
        }
        (Ok(_), Some(Err(error))) => Sight::Gone(error.to_string()),
    }
}

/// The sentences that hold these words. That there is none is an answer, not a loss.
fn sentences(lines: &[String], words: &str) -> Vec<String> {
    let holds = |text: &str| has_words(text, words);
    let mut found = Vec::new();
    for line in lines.iter().filter(|line| holds(line)) {
        let before = found.len();
        found.extend(line.split_sentence_bounds().filter(|sentence| holds(sentence)).map(str::to_owned));
        if found.len() == before {
            // A phrase over the end of a sentence.
            found.push(line.clone());
        }
    }
    found
}

fn matches(text: &str, pattern: &str) -> Result<Part, String> {
    let regex = compile(pattern).map_err(|error| error.to_string())?;
    let found = regex.captures_iter(cut(text, REGEX_BYTES)).take(MOST_MATCHES);
    let found =
        found.filter_map(|groups| groups.get(1).or_else(|| groups.get(0)).map(|found| found.as_str()));
    let found: Vec<&str> = found.collect();
    if found.is_empty() { Err(format!("nothing matches `{pattern}`")) } else { Ok(Part::new(found)) }
}

fn lines<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<String> {
    let mut out = Vec::new();
    for text in texts {
        out.extend(text.as_ref().lines().map(crate::text::one_line).filter(|line| !line.is_empty()));
    }
    out
}

fn described(text: &str, url: &str) -> String {
    let text = crate::text::one_line(cut(text, 300));
    if text.is_empty() || text == url { url.to_owned() } else { format!("{text} — {url}") }
}
