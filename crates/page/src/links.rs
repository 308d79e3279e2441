//! All links of an HTML page, each with its text and its place in the tree: what a selector is written from,
//! and what a crawl goes on with.

use crate::list::{base_of, resolve};
use crate::outline::{At, Outline, outline};
use crate::{Caps, Input, charset, html};
use url::Url;

/// A link on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLink {
    /// Where it leads, normalised.
    pub url: Url,
    /// Its text, on one line.
    pub text: String,
    /// Its place: tags from the outside in, each with its first class, e.g. `main > article.card > h2 > a`.
    pub path: String,
    /// Paid for, or disowned: `rel=sponsored`, `rel=nofollow`.
    pub disowned: bool,
}

/// The visible links of an HTML page in its order.
pub fn read_links(input: &Input<'_>, caps: &Caps) -> Vec<PageLink> {
    let text = charset::text(input.bytes, input.content_type);
    let html = html::parse(&text, caps);
    let outline = outline(&html.document);
    let base = base_of(&outline, input.url);
    let link = |link: &crate::outline::Link| {
        Some(PageLink {
            url: resolve(&link.href, &base)?,
            text: outline.text_of(link.at).split_whitespace().collect::<Vec<_>>().join(" "),
            path: path(&outline, link.at),
            disowned: link.disowned,
        })
    };
    outline.links.iter().filter_map(link).take(caps.items).collect()
}

fn path(outline: &Outline, at: At) -> String {
    let inside_out = std::iter::once(at).chain(outline.ancestors(at));
    let mut steps: Vec<String> = inside_out
        .filter(|at| !matches!(outline.tag(*at), "html" | "body" | ""))
        .map(|at| step(outline, at))
        .collect();
    steps.reverse();
    steps.join(" > ")
}

fn step(outline: &Outline, at: At) -> String {
    match (outline.tag(at), outline.class(at)) {
        (tag, "") => tag.to_owned(),
        (tag, class) => format!("{tag}.{class}"),
    }
}
