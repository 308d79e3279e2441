//! Broken feeds: the parts that can still be read.
//!
//! A feed cut off in transfer, or with one bad entry, fails as a whole. Each entry by itself, put back between
//! the feed's own opening tags, usually does not: a broken entry then costs only itself.

/// Each entry as a small feed of its own.
pub(crate) fn parts(body: &str, limit: usize) -> impl Iterator<Item = String> {
    let frame = Frame::of(body);
    let mut rest = body;
    std::iter::from_fn(move || {
        let frame = frame.as_ref()?;
        let start = find_open(rest, frame.entry)?;
        let close = format!("</{}>", frame.entry);
        let inside = &rest[start..];
        let end = inside.find(&close).map_or(inside.len(), |end| end + close.len());
        // An entry that was never closed must not swallow the next one.
        let next = find_open(&inside[1..], frame.entry).map_or(end, |next| end.min(next + 1));
        rest = &inside[next..];
        Some(format!("{}{}{}", frame.open, escape_strays(&inside[..next]), frame.close))
    })
    .take(limit)
}

/// What stands around the entries.
struct Frame {
    open: String,
    entry: &'static str,
    close: &'static str,
}

impl Frame {
    fn of(body: &str) -> Option<Self> {
        let root = &body[..=body.find('>')?];
        let name = crate::xml::root_name(body)?;
        let (channel, entry, close) = match name {
            "rss" => ("<channel>", "item", "</channel></rss>"),
            "feed" => ("", "entry", "</feed>"),
            "RDF" => ("", "item", "</rdf:RDF>"),
            _ => return None,
        };
        // The title is what a reader would miss most.
        let head = &body[..find_open(body, entry).unwrap_or(body.len())];
        let title = head
            .find("<title")
            .and_then(|at| Some(&head[at..at + head[at..].find("</title>")? + "</title>".len()]));
        Some(Self {
            open: format!("{root}{channel}{}", title.map(escape_strays).unwrap_or_default()),
            entry,
            close,
        })
    }
}

fn find_open(text: &str, name: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find('<') {
        let at = from + at;
        let after = text[at + 1..].strip_prefix(name);
        if after.is_some_and(|after| after.starts_with(|c: char| c.is_whitespace() || c == '>')) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// Escapes ampersands that begin no reference, and drops characters XML forbids.
fn escape_strays(text: &str) -> String {
    let mut mended = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        match c {
            '&' if !begins_reference(&text[at + 1..]) => mended.push_str("&amp;"),
            c if c.is_control() && !c.is_whitespace() => {}
            c => mended.push(c),
        }
    }
    mended
}

fn begins_reference(text: &str) -> bool {
    let name = text.bytes().take(10).position(|byte| byte == b';').map(|end| &text[..end]);
    name.is_some_and(|name| {
        matches!(name, "amp" | "lt" | "gt" | "quot" | "apos")
            || name.strip_prefix('#').is_some_and(|code| {
                !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'x')
            })
    })
}
