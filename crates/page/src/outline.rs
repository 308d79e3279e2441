//! A page laid flat: one walk over its tree or its tokens, and everything the readers ask is an index away.
//!
//! Elements lie in document order, so the inside of an element is a range of elements, and its text a slice of
//! one string. Invisible parts (scripts, templates, hidden elements) are left out.

mod attributes;
mod build;
mod head;
mod stream;
mod tags;
mod zones;

pub(crate) use build::outline;
pub(crate) use head::Head;
pub(crate) use stream::outline_of_text;
pub(crate) use zones::Zones;

use dom_query::NodeId;
use html5ever::LocalName;
use std::ops::Range;

/// Index of an element in the outline.
pub(crate) type At = usize;

/// A page laid flat.
#[derive(Default)]
pub(crate) struct Outline {
    pub(crate) head: Head,
    pub(crate) elements: Vec<Element>,
    /// All visible text; blocks on lines of their own.
    pub(crate) text: String,
    /// The elements' first classes, one after the other.
    classes: String,
    pub(crate) links: Vec<Link>,
    pub(crate) times: Vec<Time>,
    pub(crate) images: Vec<Image>,
    /// How deep the finished tree is.
    pub(crate) deepest: usize,
}

/// One visible element.
pub(crate) struct Element {
    /// Its node, if there is a tree.
    pub(crate) node: Option<NodeId>,
    pub(crate) tag: LocalName,
    /// The enclosing element; the first element encloses itself.
    pub(crate) parent: At,
    /// One past the last element inside.
    pub(crate) end: At,
    /// Its text in [`Outline::text`].
    pub(crate) text: Range<usize>,
    /// What parts of the page it lies in.
    pub(crate) zones: Zones,
    /// Tag and first class: elements made by the same template have the same.
    pub(crate) kind: u64,
    /// Its first class in [`Outline::classes`].
    class: Range<usize>,
}

/// An `<a href>`.
pub(crate) struct Link {
    pub(crate) at: At,
    pub(crate) href: String,
    /// Its `title` or `aria-label`.
    pub(crate) label: Option<String>,
    /// No article's link: not vouched for, or about its author or a tag.
    pub(crate) disowned: bool,
    /// Not vouched for: `rel=sponsored`, `rel=nofollow`, `rel=ugc`.
    pub(crate) disavowed: bool,
}

/// An element that carries a machine-readable time.
pub(crate) struct Time {
    pub(crate) at: At,
    pub(crate) value: String,
}

/// An image with a description.
pub(crate) struct Image {
    pub(crate) at: At,
    pub(crate) alt: String,
}

impl Outline {
    pub(crate) fn text_of(&self, at: At) -> &str {
        self.elements.get(at).map_or("", |element| self.text[element.text.clone()].trim())
    }

    /// The elements inside, and itself.
    pub(crate) fn inside(&self, at: At) -> Range<At> {
        at..self.elements.get(at).map_or(at, |element| element.end)
    }

    /// The enclosing elements, nearest first, without the root.
    pub(crate) fn ancestors(&self, at: At) -> impl Iterator<Item = At> {
        std::iter::successors(self.parent(at), |at| self.parent(*at))
    }

    fn parent(&self, at: At) -> Option<At> {
        self.elements.get(at).map(|element| element.parent).filter(|parent| *parent != at)
    }

    pub(crate) fn tag(&self, at: At) -> &str {
        self.elements.get(at).map_or("", |element| &element.tag)
    }

    /// Its first class; may be empty.
    pub(crate) fn class(&self, at: At) -> &str {
        self.elements.get(at).map_or("", |element| &self.classes[element.class.clone()])
    }

    /// The part of `sorted` that lies inside a range of elements. `at` must be ascending in it.
    pub(crate) fn within<T>(sorted: &[T], range: &Range<At>, at: impl Fn(&T) -> At) -> Range<usize> {
        let start = sorted.partition_point(|item| at(item) < range.start);
        start..start + sorted[start..].partition_point(|item| at(item) < range.end)
    }
}
