//! The links of a page with what stands on and around them, and where.

use crate::Caps;
use crate::list::resolve;
use crate::outline::{At, Link, Outline, Zones};
use crate::text::cut;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use url::Url;

/// A link as a crawl weighs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebLink {
    /// Where it leads, normalised.
    pub url: Url,
    /// Its text on one line; its label if it shows only a picture.
    pub text: String,
    /// What is written around it in its block, without itself; may be empty.
    pub context: String,
    /// Its place: tags from the outside in, each with its first class, e.g. `main > article.card > h2 > a`.
    pub path: String,
    /// The part of the page it stands in.
    pub zone: Zone,
    /// Paid for, or disowned: `rel=sponsored`, `rel=nofollow`, `rel=ugc`.
    pub disowned: bool,
}

/// The parts of a page links stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zone {
    /// The main matter, outside of running text: lists, grids, tables.
    #[default]
    Main,
    /// Running text.
    Prose,
    /// A heading.
    Heading,
    /// Menus, breadcrumbs, pagination.
    Navigation,
    /// The page's own header and footer.
    Footer,
    /// Beside the main matter.
    Aside,
    /// Adverts, partners.
    Advert,
    /// Log-in, search, cookie boxes, and what is about an article: authors, tags, share buttons.
    Box,
}

/// Text kept around a link.
pub(super) const CONTEXT_BYTES: usize = 160;

/// A link's own text.
const TEXT_BYTES: usize = 200;

/// Steps kept of a link's place, the innermost.
const STEPS: usize = 8;

/// A class name longer than this was made by a machine, for one build.
const CLASS_BYTES: usize = 32;

pub(super) fn of(outline: &Outline, base: &Url, caps: &Caps) -> Vec<WebLink> {
    let mut places = Places { outline, known: HashMap::default() };
    let mut links = Vec::with_capacity(outline.links.len().min(caps.items));
    for link in &outline.links {
        if links.len() == caps.items {
            break;
        }
        let Some(url) = resolve(&link.href, base) else { continue };
        links.push(WebLink {
            url,
            text: text(outline, link),
            context: context(outline, link.at),
            path: places.of(link.at),
            zone: zone(outline.elements[link.at].zones),
            disowned: link.disavowed,
        });
    }
    links
}

fn text(outline: &Outline, link: &Link) -> String {
    let shown = outline.text_of(link.at);
    let shown = if shown.is_empty() { link.label.as_deref().unwrap_or_default() } else { shown };
    flat(cut(shown, TEXT_BYTES))
}

/// The outline's text has single spaces already; only its lines are joined.
fn flat(text: &str) -> String {
    if text.contains('\n') { text.replace('\n', " ") } else { text.to_owned() }
}

fn zone(zones: Zones) -> Zone {
    let order = [
        (Zones::AD, Zone::Advert),
        (Zones::NAV, Zone::Navigation),
        (Zones::EDGE, Zone::Footer),
        (Zones::BOX | Zones::META, Zone::Box),
        (Zones::ASIDE, Zone::Aside),
        (Zones::HEADING, Zone::Heading),
        (Zones::PROSE, Zone::Prose),
    ];
    order.iter().find(|(set, _)| zones.has(*set)).map_or(Zone::Main, |(_, zone)| *zone)
}

/// What stands before and after the link in the smallest enclosing element that says more than the link does,
/// three steps up at most: beyond that it is the page's text, not the link's.
fn context(outline: &Outline, at: At) -> String {
    let own = &outline.elements[at].text;
    let says_more = |around: &At| outline.elements[*around].text.len() > own.len() + 4;
    let Some(around) = outline.ancestors(at).take(3).find(says_more) else {
        return String::new();
    };
    let around = &outline.elements[around].text;
    let half = CONTEXT_BYTES / 2;
    let before = &outline.text[around.start..own.start];
    let before = &before[before.ceil_char_boundary(before.len().saturating_sub(half))..];
    let after = cut(&outline.text[own.end..around.end], half);
    let mut context = String::with_capacity(before.len() + after.len() + 1);
    context.push_str(before.trim());
    if !context.is_empty() {
        context.push(' ');
    }
    context.push_str(after.trim());
    flat(context.trim_end())
}

/// Writes places, each enclosing element's once.
struct Places<'a> {
    outline: &'a Outline,
    known: HashMap<At, String, foldhash::fast::FixedState>,
}

impl Places<'_> {
    fn of(&mut self, at: At) -> String {
        let parent = self.outline.elements[at].parent;
        let outline = self.outline;
        let prefix = self.known.entry(parent).or_insert_with(|| prefix(outline, parent));
        let mut path = String::with_capacity(prefix.len() + 12);
        path.push_str(prefix);
        push_step(&mut path, outline, at);
        path
    }
}

/// The steps down to an element and with it, ending in ` > ` unless empty.
fn prefix(outline: &Outline, at: At) -> String {
    let inside_out = std::iter::once(at).chain(outline.ancestors(at));
    let mut steps: Vec<At> =
        inside_out.filter(|at| !matches!(outline.tag(*at), "html" | "body" | "")).take(STEPS).collect();
    steps.reverse();
    let mut path = String::new();
    for at in steps {
        push_step(&mut path, outline, at);
        path.push_str(" > ");
    }
    path
}

fn push_step(path: &mut String, outline: &Outline, at: At) {
    path.push_str(outline.tag(at));
    let class = outline.class(at);
    if !class.is_empty() && class.len() <= CLASS_BYTES {
        path.push('.');
        path.push_str(class);
    }
}
