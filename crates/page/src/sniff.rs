//! What a document is, from what it says rather than from what its headers claim.

use crate::xml;

/// Kinds of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Document {
    /// RSS, Atom or RDF.
    XmlFeed,
    JsonFeed,
    Sitemap,
    SitemapIndex,
    Html,
    /// Text to be taken as it is.
    Plain,
    /// Nothing that can be read: pictures, archives, PDF.
    Binary,
}

pub(crate) fn sniff(text: &str, content_type: Option<&str>) -> Document {
    let content_type =
        content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let start = text.trim_start();
    if start.starts_with('<') {
        match xml::root_name(start) {
            Some("rss" | "feed" | "RDF") => return Document::XmlFeed,
            Some("urlset") => return Document::Sitemap,
            Some("sitemapindex") => return Document::SitemapIndex,
            // An entity bomb has no readable root; its reader says why.
            None if content_type.ends_with("xml") && !content_type.contains("html") => {
                return Document::XmlFeed;
            }
            _ => {}
        }
    }
    if start.starts_with('{') && crate::text::cut(start, 4096).contains("jsonfeed.org/version") {
        return Document::JsonFeed;
    }
    if start.starts_with("%PDF") || is_binary(start) {
        return Document::Binary;
    }
    match content_type.as_str() {
        kind if kind.contains("html") || kind.is_empty() => Document::Html,
        "text/plain" | "text/markdown" | "text/csv" | "application/json" => Document::Plain,
        kind if kind.starts_with("image/") || kind.starts_with("video/") || kind.starts_with("audio/") => {
            Document::Binary
        }
        _ => Document::Html,
    }
}

/// Text has no zero bytes, and few replacement characters.
fn is_binary(text: &str) -> bool {
    let start = crate::text::cut(text, 1024);
    let odd = start
        .chars()
        .filter(|c| matches!(c, '\0' | '\u{fffd}') || (c.is_control() && !c.is_whitespace()))
        .count();
    odd * 10 > start.chars().count()
}
