//! JSON-LD: what a page says about itself to machines. Read as plain JSON; no contexts, no expressions.

use crate::dates;
use crate::text::strip_markup;
use jiff::Timestamp;
use serde_json::Value;

/// Objects looked at in all blocks of a page; a front page with 100 articles has about 1,000.
const OBJECTS: usize = 20_000;

/// An article a page names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Named {
    pub(crate) url: Option<String>,
    pub(crate) headline: Option<String>,
    pub(crate) published_at: Option<Timestamp>,
    pub(crate) language: Option<String>,
    /// Its text, if given whole.
    pub(crate) text: Option<String>,
    /// It stands in a list of articles, not for the page itself.
    pub(crate) listed: bool,
}

/// The articles named in a page's JSON-LD blocks, in their order.
pub(crate) fn articles(blocks: &[String]) -> Vec<Named> {
    let mut found = Vec::new();
    for block in blocks {
        // serde_json refuses nesting beyond 128.
        if let Ok(value) = serde_json::from_str::<Value>(block.trim().trim_end_matches(';')) {
            walk(&value, &mut found);
        }
    }
    found
}

fn walk(root: &Value, found: &mut Vec<Named>) {
    let mut open = vec![(root, false)];
    let mut seen = 0;
    while let Some((value, listed)) = open.pop() {
        seen += 1;
        if seen > OBJECTS {
            return;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().rev().map(|item| (item, listed))),
            Value::Object(thing) => {
                let kind = Kind::of(value);
                if kind == Kind::Article || (listed && kind == Kind::Item) {
                    found.extend(named(value, listed));
                }
                // A list's items may be articles, or items that hold or only name them.
                let lists = [
                    ("itemListElement", kind == Kind::List),
                    ("blogPost", true),
                    ("blogPosts", true),
                    ("hasPart", listed),
                ];
                let parts = [
                    ("item", listed),
                    ("@graph", listed),
                    ("mainEntity", listed),
                    ("mainEntityOfPage", listed),
                ];
                for (name, listed) in lists.into_iter().chain(parts).rev() {
                    if let Some(part @ (Value::Array(_) | Value::Object(_))) = thing.get(name)
                        && kind != Kind::Other
                    {
                        open.push((part, listed));
                    }
                }
            }
            _ => {}
        }
    }
}

#[derive(PartialEq, Clone, Copy)]
enum Kind {
    Article,
    /// A list of things.
    List,
    /// An item of a list, a page, or untyped: looked into.
    Item,
    /// Menus, breadcrumbs, organisations: never articles.
    Other,
}

impl Kind {
    fn of(value: &Value) -> Self {
        let types: Vec<&str> = match value.get("@type") {
            Some(Value::String(kind)) => vec![kind.as_str()],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => return Self::Item,
        };
        let any = |test: fn(&str) -> bool| types.iter().any(|kind| test(kind));
        if any(|kind| {
            kind.ends_with("Article") || kind.ends_with("Posting") && kind != "JobPosting" || kind == "Report"
        }) {
            Self::Article
        } else if any(|kind| kind == "ItemList") {
            Self::List
        } else if any(|kind| {
            kind == "ListItem" || kind.ends_with("Page") || kind == "WebSite" || kind == "Blog"
        }) {
            Self::Item
        } else {
            Self::Other
        }
    }
}

fn named(thing: &Value, listed: bool) -> Option<Named> {
    let text = |name: &str| {
        thing.get(name).and_then(Value::as_str).map(strip_markup).filter(|text| !text.is_empty())
    };
    let address = |name: &str| match thing.get(name) {
        Some(Value::String(url)) => Some(url.trim().to_owned()),
        Some(object) => object.get("@id").and_then(Value::as_str).map(|url| url.trim().to_owned()),
        None => None,
    };
    let named = Named {
        url: address("url").or_else(|| address("mainEntityOfPage")).filter(|url| !url.is_empty()),
        headline: text("headline").or_else(|| text("name")),
        published_at: thing.get("datePublished").and_then(Value::as_str).and_then(dates::parse),
        language: text("inLanguage"),
        text: thing.get("articleBody").and_then(Value::as_str).map(str::to_owned),
        listed,
    };
    (named.url.is_some() || named.headline.is_some()).then_some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_are_found_in_graphs_and_lists() {
        let graph = r#"{"@graph":[{"@type":"WebSite","name":"X"},{"@type":["NewsArticle"],"headline":"A &amp; B","datePublished":"2026-11-15T10:00:00+01:00"}]}"#;
        let list = r#"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","url":"/a"},{"@type":"ListItem","item":{"@type":"Article","url":"/b","name":"B"}}]}"#;
        let crumbs = r#"{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","item":"/home"}]}"#;
        let found = articles(&[graph.to_owned(), list.to_owned(), crumbs.to_owned(), "{broken".to_owned()]);
        let brief: Vec<_> = found
            .iter()
            .map(|named| (named.headline.as_deref(), named.url.as_deref(), named.listed))
            .collect();
        assert_eq!(
            brief,
            [(Some("A & B"), None, false), (None, Some("/a"), true), (Some("B"), Some("/b"), true)]
        );
        assert!(found[0].published_at.is_some());
    }
}
