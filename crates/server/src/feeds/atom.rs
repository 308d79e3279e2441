//! Atom 1.0 (RFC 4287).

use super::text::{atom_date, clean};
use super::{Entry, Feed};
use jiff::Timestamp;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;
use url::Url;

type Out = Writer<Vec<u8>>;

pub(super) fn write(feed: &Feed, updated: Timestamp) -> io::Result<Vec<u8>> {
    let mut out = Writer::new_with_indent(Vec::new(), b' ', 1);
    out.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
    out.create_element("feed").with_attribute(("xmlns", "http://www.w3.org/2005/Atom")).write_inner_content(
        |out| {
            element(out, "id", &feed.id)?;
            element(out, "title", &feed.title)?;
            element(out, "updated", &atom_date(updated))?;
            element(out, "generator", "Ripplewatch")?;
            // An entry without an author needs one here.
            out.create_element("author").write_inner_content(|out| element(out, "name", "Ripplewatch"))?;
            link(out, "self", feed.own.as_ref())?;
            link(out, "alternate", feed.page.as_ref())?;
            feed.entries.iter().try_for_each(|one| entry(out, one))
        },
    )?;
    Ok(out.into_inner())
}

fn entry(out: &mut Out, entry: &Entry) -> io::Result<()> {
    out.create_element("entry").write_inner_content(|out| {
        element(out, "id", &entry.id)?;
        element(out, "title", &entry.title)?;
        element(out, "published", &atom_date(entry.published))?;
        element(out, "updated", &atom_date(entry.updated))?;
        link(out, "alternate", entry.url.as_ref())?;
        if let Some(author) = &entry.author {
            out.create_element("author").write_inner_content(|out| element(out, "name", author))?;
        }
        for category in &entry.categories {
            out.create_element("category")
                .with_attribute(("term", clean(category).as_str()))
                .write_empty()?;
        }
        if let Some(summary) = &entry.summary {
            element(out, "summary", summary)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn element(out: &mut Out, name: &str, text: &str) -> io::Result<()> {
    out.create_element(name).write_text_content(BytesText::new(&clean(text)))?;
    Ok(())
}

fn link(out: &mut Out, rel: &str, to: Option<&Url>) -> io::Result<()> {
    if let Some(to) = to {
        out.create_element("link")
            .with_attribute(("rel", rel))
            .with_attribute(("href", to.as_str()))
            .write_empty()?;
    }
    Ok(())
}
