//! What a page says about itself in its head.

use super::attributes::Attributes;
use html5ever::{LocalName, local_name};

/// Larger JSON-LD blocks are not read; a news front page's has some 50 KB.
const JSON_LD_BYTES: usize = 512 << 10;

/// More blocks are ignored.
const JSON_LD_BLOCKS: usize = 32;

/// What a page says about itself.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) title: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) base: Option<String>,
    pub(crate) canonical: Option<String>,
    /// `<meta>`: lower-case name or property, and content.
    pub(crate) metas: Vec<(String, String)>,
    /// Feeds it offers: address and title.
    pub(crate) feeds: Vec<(String, Option<String>)>,
    /// Its JSON-LD blocks, as written.
    pub(crate) json_ld: Vec<String>,
}

impl Head {
    pub(crate) fn meta(&self, name: &str) -> Option<&str> {
        self.metas
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, content)| content.trim())
            .filter(|text| !text.is_empty())
    }

    pub(super) fn note_element(&mut self, name: &LocalName, attributes: &(impl Attributes + ?Sized)) {
        match *name {
            // A tree has one such element, a run of tokens may have more.
            local_name!("html") if self.language.is_none() => {
                self.language = attributes.kept("lang").or_else(|| attributes.kept("xml:lang"));
            }
            local_name!("base") if self.base.is_none() => self.base = attributes.kept("href"),
            local_name!("meta") => self.note_meta(attributes),
            local_name!("link") => self.note_link(attributes),
            _ => {}
        }
    }

    pub(super) fn note_title(&mut self, text: &str) {
        // Inline SVG has titles too; the page's comes first.
        if self.title.is_none() {
            self.title = Some(crate::text::one_line(text)).filter(|title| !title.is_empty());
        }
    }

    pub(super) fn note_json_ld(&mut self, text: &str) {
        if text.len() <= JSON_LD_BYTES && self.json_ld.len() < JSON_LD_BLOCKS {
            self.json_ld.push(text.to_owned());
        }
    }

    fn note_meta(&mut self, attributes: &(impl Attributes + ?Sized)) {
        let name =
            ["property", "name", "itemprop", "http-equiv"].into_iter().find_map(|key| attributes.said(key));
        if let (Some(name), Some(content)) = (name, attributes.kept("content")) {
            self.metas.push((name.to_ascii_lowercase(), content));
        }
    }

    fn note_link(&mut self, attributes: &(impl Attributes + ?Sized)) {
        let (Some(rel), Some(href)) = (attributes.said("rel"), attributes.kept("href")) else {
            return;
        };
        let has = |word: &str| rel.split_ascii_whitespace().any(|part| part.eq_ignore_ascii_case(word));
        if has("canonical") && self.canonical.is_none() {
            self.canonical = Some(href);
        } else if has("alternate") && attributes.said("type").is_some_and(|kind| is_feed_type(&kind)) {
            self.feeds.push((href, attributes.kept("title")));
        }
    }
}

fn is_feed_type(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or(kind).trim().to_ascii_lowercase();
    matches!(
        kind.as_str(),
        "application/rss+xml" | "application/atom+xml" | "application/rdf+xml" | "application/feed+json"
    )
}
