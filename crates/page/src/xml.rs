//! XML before it is read: no document type definitions, no entities, no towers of elements.

use thiserror::Error;

/// Why XML is not read at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum Refusal {
    #[error("the document defines entities, which are never expanded")]
    Entities,
    #[error("the document is nested too deeply")]
    TooDeep,
}

/// The document without its XML declaration and document type. Text is UTF-8 here, whatever the declaration
/// still says. A bare document type is harmless and old feeds have one; one with definitions is refused.
pub(crate) fn body(text: &str, depth: usize) -> Result<&str, Refusal> {
    let root = root_start(text)?;
    let body = &text[root..];
    if nesting(body) > depth { Err(Refusal::TooDeep) } else { Ok(body) }
}

/// The name of the root element, without its prefix.
pub(crate) fn root_name(text: &str) -> Option<&str> {
    let root = text.get(root_start(text).ok()? + 1..)?;
    let name = &root[..root.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))?];
    Some(name.rsplit(':').next().unwrap_or(name))
}

/// Where the root element begins: past declarations, instructions, comments and a bare document type.
fn root_start(text: &str) -> Result<usize, Refusal> {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let Some(open) = rest.find('<') else {
            return Ok(text.len());
        };
        let tag = &rest[open..];
        let skipped = if tag.starts_with("<!--") {
            tag.find("-->").map(|end| end + 3)
        } else if tag.starts_with("<?") {
            tag.find("?>").map(|end| end + 2)
        } else if tag.starts_with("<!") {
            let end = tag.find(['>', '[']);
            if end.is_some_and(|end| tag[end..].starts_with('[')) {
                return Err(Refusal::Entities);
            }
            end.map(|end| end + 1)
        } else {
            return Ok(at + open);
        };
        match skipped {
            Some(skipped) => at += open + skipped,
            None => return Ok(text.len()),
        }
    }
}

/// How deep the elements nest. Character data and comments are stepped over, so markup in them counts nothing.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let end = if rest.starts_with("<![CDATA[") {
            rest.find("]]>")
        } else if rest.starts_with("<!--") {
            rest.find("-->")
        } else {
            let end = rest.find('>');
            if rest.starts_with("</") {
                depth = depth.saturating_sub(1);
            } else if !rest.starts_with("<!")
                && !rest.starts_with("<?")
                && !end.is_some_and(|end| rest[..end].ends_with('/'))
            {
                depth += 1;
                deepest = deepest.max(depth);
            }
            end
        };
        let Some(end) = end else { break };
        rest = &rest[end..];
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_refused_and_bare_types_are_not() {
        assert_eq!(
            body("<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'>]><rss/>", 9),
            Err(Refusal::Entities)
        );
        assert_eq!(body("<?xml version='1.0'?><!DOCTYPE rss PUBLIC 'x' 'y'><rss/>", 9), Ok("<rss/>"));
        assert_eq!(root_name("\n<!-- <feed> --><rdf:RDF xmlns='x'>"), Some("RDF"));
        assert_eq!(root_name("<html>"), Some("html"));
        assert_eq!(root_name("no markup"), None);
    }

    #[test]
    fn towers_are_refused() {
        let tower = "<a>".repeat(300);
        assert_eq!(body(&tower, 256), Err(Refusal::TooDeep));
        let wide = format!("<a>{}</a>", "<b/><c>x</c><![CDATA[<p><p><p>]]>".repeat(300));
        assert_eq!(body(&wide, 256), Ok(wide.as_str()));
    }
}
