//! Sitemaps and indexes of sitemaps, read as a stream.

use crate::feed::TITLE_BYTES;
use crate::hash::Hash;
use crate::listing::{ChildSitemap, Listing};
use crate::text::{cut, strip_markup};
use crate::{Caps, dates, urls, xml};
use jiff::Timestamp;
use model::{Found, SourceKind};
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use std::collections::HashSet;
use url::Url;

/// Reads a sitemap.
pub(crate) fn read(text: &str, url: &Url, caps: &Caps) -> Listing {
    let mut listing = Listing { kind: SourceKind::Sitemap, format: "sitemap", ..Listing::default() };
    let limit = caps.items.max(Caps::SITEMAP_ITEMS);
    let mut seen = HashSet::new();
    let mut hash = Hash::new();
    entries(text, "url", caps, &mut listing.notes, |entry| {
        if let Some(url) = entry.url(url) {
            hash = hash.with(url.as_str().as_bytes()).with(entry.modified.as_bytes());
            if seen.insert(url.clone()) {
                let published_at = dates::parse(&entry.published).or_else(|| entry.modified());
                let title = cut(&strip_markup(&entry.title), TITLE_BYTES).to_owned();
                listing.articles.push(Found { url, title, published_at, summary: None });
            }
        }
        listing.articles.len() < limit
    });
    listing.text_hash = hash.finish() as i64;
    listing
}

/// Reads an index of sitemaps.
pub(crate) fn read_index(text: &str, url: &Url, caps: &Caps) -> Listing {
    let mut listing = Listing { kind: SourceKind::Sitemap, format: "sitemap index", ..Listing::default() };
    let mut hash = Hash::new();
    entries(text, "sitemap", caps, &mut listing.notes, |entry| {
        if let Some(url) = entry.url(url) {
            hash = hash.with(url.as_str().as_bytes()).with(entry.modified.as_bytes());
            listing.sitemaps.push(ChildSitemap { url, modified: entry.modified() });
        }
        listing.sitemaps.len() < Caps::SITEMAP_ITEMS
    });
    listing.text_hash = hash.finish() as i64;
    listing
}

/// What a `<url>` or `<sitemap>` says, as written.
#[derive(Default)]
struct Entry {
    location: String,
    modified: String,
    title: String,
    published: String,
}

impl Entry {
    fn url(&self, base: &Url) -> Option<Url> {
        let url = base.join(self.location.trim()).ok().filter(|_| !self.location.trim().is_empty())?;
        (matches!(url.scheme(), "http" | "https") && url.has_host()).then(|| urls::normalise(&url))
    }

    fn modified(&self) -> Option<Timestamp> {
        dates::parse(&self.modified)
    }

    fn field(&mut self, path: &[&str]) -> Option<&mut String> {
        match path {
            ["loc"] => Some(&mut self.location),
            ["lastmod"] => Some(&mut self.modified),
            ["news", "title"] => Some(&mut self.title),
            ["news", "publication_date"] => Some(&mut self.published),
            _ => None,
        }
    }
}

/// Text of one field; longer is no address and no title.
const FIELD_BYTES: usize = 4_096;

/// Calls `each` for every entry until it says stop. Damaged XML ends the reading with a note, not an error.
fn entries(
    text: &str,
    name: &str,
    caps: &Caps,
    notes: &mut Vec<String>,
    mut each: impl FnMut(&Entry) -> bool,
) {
    let body = match xml::body(text, caps.depth) {
        Ok(body) => body,
        Err(refusal) => return notes.push(format!("the sitemap was not read: {refusal}")),
    };
    let mut reader = Reader::from_str(body);
    let mut open: Vec<String> = Vec::new();
    let mut entry = Entry::default();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => open.push(local(tag.name().as_ref()).to_owned()),
            Ok(Event::Text(part)) => add(&mut entry, &open, &part),
            Ok(Event::CData(part)) => add(&mut entry, &open, &part),
            Ok(Event::GeneralRef(reference)) => {
                if let Ok(Some(c)) = reference.resolve_char_ref() {
                    add(&mut entry, &open, c.encode_utf8(&mut [0; 4]));
                } else if let Some(resolved) = resolve_predefined_entity(&reference) {
                    add(&mut entry, &open, resolved);
                }
            }
            Ok(Event::End(_)) => {
                let closed = open.pop();
                if closed.as_deref() == Some(name) && !each(&std::mem::take(&mut entry)) {
                    return notes.push("only the first part of the sitemap is read".to_owned());
                }
            }
            Ok(Event::Eof) => return,
            Ok(_) => {}
            Err(error) => return notes.push(format!("the sitemap is damaged ({error}); read up to there")),
        }
    }
}

fn add(entry: &mut Entry, open: &[String], text: &str) {
    // Root and entry are the outer two; what is left says which field it is.
    let path: Vec<&str> = open.iter().skip(2).map(String::as_str).collect();
    if let Some(field) = entry.field(&path)
        && field.len() + text.len() <= FIELD_BYTES
    {
        field.push_str(text);
    }
}

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}
