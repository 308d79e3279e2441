//! RSS 2.0.

use super::text::{as_html, clean, rss_date};
use super::{Entry, Feed};
use jiff::Timestamp;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

type Out = Writer<Vec<u8>>;

pub(super) fn write(feed: &Feed, updated: Timestamp) -> io::Result<Vec<u8>> {
    let mut out = Writer::new_with_indent(Vec::new(), b' ', 1);
    out.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
    let rss = out
        .create_element("rss")
        .with_attribute(("version", "2.0"))
        .with_attribute(("xmlns:atom", "http://www.w3.org/2005/Atom"))
        .with_attribute(("xmlns:dc", "http://purl.org/dc/elements/1.1/"));
    rss.write_inner_content(|out| {
        out.create_element("channel").write_inner_content(|out| channel(out, feed, updated))?;
        Ok(())
    })?;
    Ok(out.into_inner())
}

fn channel(out: &mut Out, feed: &Feed, updated: Timestamp) -> io::Result<()> {
    element(out, "title", &feed.title)?;
    element(out, "link", feed.page.as_ref().map_or("", |page| page.as_str()))?;
    element(out, "description", &feed.title)?;
    element(out, "generator", "Ripplewatch")?;
    element(out, "lastBuildDate", &rss_date(updated))?;
    if let Some(own) = &feed.own {
        out.create_element("atom:link")
            .with_attribute(("rel", "self"))
            .with_attribute(("type", "application/rss+xml"))
            .with_attribute(("href", own.as_str()))
            .write_empty()?;
    }
    feed.entries.iter().try_for_each(|entry| item(out, entry))
}

fn item(out: &mut Out, entry: &Entry) -> io::Result<()> {
    out.create_element("item").write_inner_content(|out| {
        // Readers take titles and descriptions for HTML.
        element(out, "title", &as_html(&entry.title))?;
        if let Some(url) = &entry.url {
            element(out, "link", url.as_str())?;
        }
        out.create_element("guid")
            .with_attribute(("isPermaLink", "false"))
            .write_text_content(BytesText::new(&clean(&entry.id)))?;
        element(out, "pubDate", &rss_date(entry.published))?;
        if let Some(author) = &entry.author {
            element(out, "dc:creator", author)?;
        }
        for category in &entry.categories {
            element(out, "category", category)?;
        }
        if let Some(summary) = &entry.summary {
            element(out, "description", &as_html(summary))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn element(out: &mut Out, name: &str, text: &str) -> io::Result<()> {
    out.create_element(name).write_text_content(BytesText::new(&clean(text)))?;
    Ok(())
}
