//! OPML: outlines in outlines, some of which are sources.

use super::{MOST, Problem, Subscription};
use crate::text::one_line;
use crate::urls::parse_address;
use crate::xml;
use quick_xml::Reader;
use quick_xml::escape::{escape, resolve_predefined_entity, unescape_with};
use quick_xml::events::{BytesStart, Event};
use std::fmt::Write;

/// Folders in folders; deeper lists are not made by people.
const DEPTH: usize = 32;

/// What joins the names of folders in folders.
const JOIN: &str = " / ";

pub(super) fn read(text: &str) -> (Vec<Subscription>, Vec<Problem>) {
    let whole = |reason: String| (Vec::new(), vec![Problem::new("the file", reason)]);
    let body = match xml::body(text, DEPTH) {
        Ok(body) => body,
        Err(refusal) => return whole(format!("{refusal}: export it again without")),
    };
    if xml::root_name(body) != Some("opml") {
        return whole("it is neither OPML nor a list of addresses, one a line".to_owned());
    }
    let mut outlines = Outlines::default();
    let mut reader = Reader::from_str(body);
    let mut closed = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) if tag.name().as_ref() == "outline" => outlines.open(&tag, true),
            Ok(Event::Empty(tag)) if tag.name().as_ref() == "outline" => outlines.open(&tag, false),
            Ok(Event::End(tag)) if tag.name().as_ref() == "outline" => {
                outlines.folders.pop();
            }
            Ok(Event::Eof) => {
                if !closed {
                    let why = "the file ends before </opml>: it was cut off".to_owned();
                    outlines.problems.push(Problem::new("the end of the file".to_owned(), why));
                }
                break;
            }
            Ok(Event::End(tag)) if tag.name().as_ref() == "opml" => closed = true,
            Ok(Event::Empty(tag)) if tag.name().as_ref() == "opml" => closed = true,
            Ok(_) => {}
            Err(error) => {
                let line = body[..body.floor_char_boundary(reader.buffer_position() as usize)]
                    .lines()
                    .count()
                    .max(1);
                outlines
                    .problems
                    .push(Problem::new(format!("near line {line}"), format!("the XML is broken ({error})")));
                break;
            }
        }
        if outlines.found.len() > MOST {
            return whole(format!("more than {MOST} sources: split the list"));
        }
    }
    (outlines.found, outlines.problems)
}

#[derive(Default)]
struct Outlines {
    found: Vec<Subscription>,
    problems: Vec<Problem>,
    /// Names of the open outlines; `None` for a source that has outlines inside.
    folders: Vec<Option<String>>,
    count: usize,
}

impl Outlines {
    fn open(&mut self, tag: &BytesStart<'_>, has_inside: bool) {
        self.count += 1;
        let attribute =
            |names: &[&str]| names.iter().find_map(|name| value(tag, name)).filter(|text| !text.is_empty());
        let title = attribute(&["title", "text"]);
        let address = attribute(&["xmlUrl", "xmlurl", "xmlURL", "url", "htmlUrl"]);
        if let Some(address) = &address {
            match parse_address(address) {
                Ok(url) => {
                    let folder =
                        self.folders.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(JOIN);
                    // Some programs write the address where the title belongs.
                    let title = title.clone().filter(|title| title != address);
                    self.found.push(Subscription {
                        url,
                        title,
                        folder: (!folder.is_empty()).then_some(folder),
                    });
                }
                Err(error) => {
                    let name = title.as_deref().unwrap_or("no title");
                    self.problems
                        .push(Problem::new(format!("outline {} ({name})", self.count), error.to_string()));
                }
            }
        }
        if has_inside {
            self.folders.push(title.filter(|_| address.is_none()));
        }
    }
}

/// An attribute's value. Only the five predefined entities and numbers are resolved; others stay as written.
fn value(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute =
        tag.attributes().with_checks(false).flatten().find(|attribute| attribute.key.as_ref() == name)?;
    let raw: &str = &attribute.value;
    let text = unescape_with(raw, resolve_predefined_entity)
        .map_or_else(|_| raw.to_owned(), std::borrow::Cow::into_owned);
    Some(one_line(&text))
}

/// Writes sources as OPML 2.0, folders in the order they first appear.
pub fn write_opml(title: &str, subscriptions: &[Subscription]) -> String {
    let mut folders: Vec<Option<&str>> = Vec::new();
    for subscription in subscriptions {
        if !folders.contains(&subscription.folder.as_deref()) {
            folders.push(subscription.folder.as_deref());
        }
    }
    let mut opml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n  <head><title>{}</title></head>\n  <body>\n",
        escape(one_line(title))
    );
    for folder in folders {
        let inside = subscriptions.iter().filter(|subscription| subscription.folder.as_deref() == folder);
        if let Some(folder) = folder {
            line(&mut opml, 4, format_args!("<outline text=\"{}\">", escape(folder)));
        }
        for subscription in inside {
            let title = subscription.title.as_deref().unwrap_or(subscription.url.as_str());
            let url = escape(subscription.url.as_str());
            line(
                &mut opml,
                6,
                format_args!("<outline type=\"rss\" text=\"{}\" xmlUrl=\"{url}\"/>", escape(title)),
            );
        }
        if folder.is_some() {
            line(&mut opml, 4, format_args!("</outline>"));
        }
    }
    opml.push_str("  </body>\n</opml>\n");
    opml
}

fn line(out: &mut String, indent: usize, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{:indent$}{text}", "");
}
