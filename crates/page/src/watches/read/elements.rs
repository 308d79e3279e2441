//! Parts that are elements: tables, lists, images, what a selector matches.

use super::{Looking, Scope, described};
use crate::list::matcher;
use crate::outline::At;
use crate::text::cut;
use dom_query::NodeRef;
use std::ops::Range;

/// Text of one hidden element that is read.
const HIDDEN_BYTES: usize = 64 << 10;

impl Looking<'_> {
    /// The rows of a table, cells beside each other.
    pub(super) fn table(&self, scope: &Scope, place: u32) -> Result<Vec<String>, String> {
        let is_table = |at: At| {
            let inside = self.outline.inside(at);
            let has = |tags: &[&str]| inside.clone().skip(1).any(|at| tags.contains(&self.outline.tag(at)));
            // Tables that lay out a page hold other tables.
            self.outline.tag(at) == "table" && has(&["td", "th"]) && !has(&["table"])
        };
        let table = self.nth(scope, place, "table", is_table)?;
        let rows = self.outline.inside(table).filter(|at| self.outline.tag(*at) == "tr");
        let cells = |row: At| {
            let cells = self.outline.inside(row).filter(|at| matches!(self.outline.tag(*at), "td" | "th"));
            cells.map(|cell| self.outline.text_of(cell).replace('\n', " ")).collect::<Vec<_>>()
        };
        Ok(rows.map(|row| cells(row).join(" | ")).collect())
    }

    /// The items of a list, a line each.
    pub(super) fn list(&self, scope: &Scope, place: u32) -> Result<Vec<String>, String> {
        let is_item = |at: &At| matches!(self.outline.tag(*at), "li" | "dt" | "dd");
        let is_list = |at: At| {
            matches!(self.outline.tag(at), "ul" | "ol" | "dl" | "menu")
                && self.outline.inside(at).any(|at| is_item(&at))
                && !self
                    .outline
                    .ancestors(at)
                    .any(|around| matches!(self.outline.tag(around), "ul" | "ol" | "dl"))
        };
        let list = self.nth(scope, place, "list", is_list)?;
        let items: Vec<At> = self.outline.inside(list).filter(is_item).collect();
        // An item that holds items says what stands before them; those follow by themselves.
        let own_text = |place: usize| {
            let text = self.outline.elements.get(items[place]).map_or(0..0, |element| element.text.clone());
            let inner = items.get(place + 1).and_then(|next| self.outline.elements.get(*next));
            let end = inner.map_or(text.end, |next| next.text.start.clamp(text.start, text.end));
            self.outline.text[text.start..end].replace('\n', " ")
        };
        Ok((0..items.len()).map(own_text).collect())
    }

    /// The element at this place, counted from 1, of those that are meant.
    fn nth(
        &self,
        scope: &Scope,
        place: u32,
        what: &str,
        is_meant: impl Fn(At) -> bool,
    ) -> Result<At, String> {
        let all = scope.roots.iter().flat_map(|root| self.outline.inside(*root)).filter(|at| is_meant(*at));
        let (inner, furniture): (Vec<At>, Vec<At>) =
            all.partition(|at| !scope.whole || !self.is_furniture(*at));
        let found = if inner.is_empty() { furniture } else { inner };
        found.get(place as usize - 1).copied().ok_or_else(|| match found.len() {
            0 => format!("the page has no {what}"),
            1 => format!("the page has only 1 {what}"),
            count => format!("the page has only {count} {what}s"),
        })
    }

    /// The images, each by what it shows and where it is.
    pub(super) fn images(&self, scope: &Scope) -> Vec<String> {
        let all = scope.roots.iter().flat_map(|root| self.outline.inside(*root));
        let all = all.filter(|at| self.outline.tag(*at) == "img");
        let (inner, furniture): (Vec<At>, Vec<At>) =
            all.partition(|at| !scope.whole || !self.is_furniture(*at));
        let images = if inner.is_empty() { furniture } else { inner };
        images.into_iter().filter_map(|at| self.image(at)).collect()
    }

    fn image(&self, at: At) -> Option<String> {
        let node = self.document.tree.get(&self.outline.elements.get(at)?.node?)?;
        let attr = |name: &str| {
            node.attr(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
        };
        let is_real = |src: &String| !src.starts_with("data:");
        // Pages that load late name the picture elsewhere.
        let src = attr("src").filter(is_real).or_else(|| attr("data-src")).or_else(|| {
            let set = attr("srcset").or_else(|| attr("data-srcset"))?;
            set.split_whitespace().next().map(|first| first.trim_end_matches(',').to_owned())
        });
        let alt = attr("alt").unwrap_or_default();
        match src.and_then(|src| self.base.join(cut(&src, 2_048)).ok()) {
            Some(url) => Some(described(&alt, url.as_str())),
            None => attr("src").map(|inline| {
                described(&alt, &format!("an inline image, {:016x}", crate::content_hash(inline.as_bytes())))
            }),
        }
    }

    /// The text, or an attribute, of what a selector matches.
    pub(super) fn selected(
        &self,
        scope: &Scope,
        css: &str,
        attribute: Option<&str>,
    ) -> Result<Vec<String>, String> {
        let selector = matcher(css).map_err(|error| error.to_string())?;
        let selected = self.document.select_matcher(&selector);
        let ranges: Vec<Range<At>> = scope.roots.iter().map(|root| self.outline.inside(*root)).collect();
        let within = |at: &At| scope.whole || ranges.iter().any(|range| range.contains(at));
        let mut lines = Vec::new();
        let (mut any, mut end) = (false, 0);
        for node in selected.nodes() {
            let place = self.places.get(&node.id).copied();
            // What is not visible is nowhere on the page.
            if !place.as_ref().map_or(scope.whole, within) {
                continue;
            }
            any = true;
            if let Some(name) = attribute {
                lines.extend(node.attr(name).map(|value| value.to_string()));
                continue;
            }
            match place {
                // Inside one that was taken already.
                Some(at) if at < end => {}
                Some(at) => {
                    end = self.outline.inside(at).end;
                    lines.extend(self.outline.text_of(at).lines().map(str::to_owned));
                }
                None => lines.extend(hidden_text(node)),
            }
        }
        match (any, attribute) {
            (false, _) => Err(format!("nothing matches `{css}`")),
            (true, Some(name)) if lines.is_empty() => Err(format!("what matches `{css}` has no {name}")),
            _ => Ok(lines),
        }
    }
}

/// What a selector names though nobody sees it: data for machines, mostly.
fn hidden_text(node: &NodeRef<'_>) -> Vec<String> {
    let text = node.text();
    cut(&text, HIDDEN_BYTES).lines().map(str::to_owned).collect()
}
