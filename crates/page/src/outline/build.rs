//! The walk that lays a page flat. Iterative: a tree's depth is the page's choice, the stack's is not.

use super::attributes::Attributes;
use super::tags::{is_emphasis, is_hidden, is_inline, is_invisible, kind};
use super::zones::{of_classes, of_role, of_tag};
use super::{At, Element, Image, Link, Outline, Time, Zones};
use crate::text::push_squeezed;
use dom_query::{Document, NodeData, NodeId, TreeNode};
use html5ever::LocalName;

/// Lays a document flat.
pub(crate) fn outline(document: &Document) -> Outline {
    let mut builder = Builder::default();
    let tree = &document.tree;
    let mut open: Vec<Open> = Vec::new();
    let mut next = Some(document.root().id);
    while let Some(id) = next {
        let (entered, first_child) = tree
            .query_node(&id, |node| (builder.enter(node), node.first_child))
            .unwrap_or((Entered::Skip, None));
        builder.outline.deepest = builder.outline.deepest.max(open.len());
        next = first_child.filter(|_| !matches!(entered, Entered::Skip));
        open.push(Open { id, element: if let Entered::Element(at) = entered { Some(at) } else { None } });
        while next.is_none()
            && let Some(done) = open.pop()
        {
            if let Some(at) = done.element {
                builder.leave(at);
            }
            next = tree.query_node(&done.id, |node| node.next_sibling).flatten();
        }
    }
    builder.finish()
}

struct Open {
    id: NodeId,
    element: Option<At>,
}

/// What came of a node.
pub(super) enum Entered {
    /// A visible element.
    Element(At),
    /// Nothing by itself, but its children count.
    Through,
    /// Nothing in here is visible.
    Skip,
}

/// Lays flat what is told to it in document order: elements, text, ends.
#[derive(Default)]
pub(super) struct Builder {
    outline: Outline,
    /// The innermost open element.
    current: At,
    /// A boundary that shows as a gap was passed since the last text.
    gap: bool,
    /// What the next text is, if it is not for reading.
    capture: Option<Capture>,
    /// What class names hint at, to be believed or not once all text is known.
    hints: Vec<(At, Zones)>,
}

#[derive(Clone, Copy)]
enum Capture {
    Title,
    JsonLd,
}

/// A hint about an element with more than this part of the page's text is not believed.
const HINT_SHARE: f64 = 0.4;

impl Builder {
    fn enter(&mut self, node: &TreeNode) -> Entered {
        match &node.data {
            NodeData::Document | NodeData::Fragment => Entered::Through,
            NodeData::Text { contents } => {
                self.text(contents);
                Entered::Skip
            }
            NodeData::Element(element) => {
                self.element(Some(node.id), &element.name.local, element.attrs.as_slice())
            }
            _ => Entered::Skip,
        }
    }

    /// A piece of text. A title or a JSON-LD block must come in one piece.
    pub(super) fn text(&mut self, contents: &str) {
        match self.capture.take() {
            Some(Capture::Title) => return self.outline.head.note_title(contents),
            Some(Capture::JsonLd) => return self.outline.head.note_json_ld(contents),
            None => {}
        }
        let text = &mut self.outline.text;
        if self.gap && text.ends_with(char::is_alphanumeric) && contents.starts_with(char::is_alphanumeric) {
            text.push(' ');
        }
        self.gap = false;
        push_squeezed(text, contents);
    }

    /// The beginning of an element. Whoever gets an [`Entered::Element`] must [`Builder::leave`] it.
    pub(super) fn element<A: Attributes + ?Sized>(
        &mut self,
        node: Option<NodeId>,
        name: &LocalName,
        attributes: &A,
    ) -> Entered {
        let tag: &str = name;
        self.capture = None;
        match tag {
            "html" | "base" | "meta" | "link" => self.outline.head.note_element(name, attributes),
            "title" => {
                self.capture = Some(Capture::Title);
                return Entered::Through;
            }
            "head" => return Entered::Through,
            "script"
                if attributes
                    .said("type")
                    .is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json")) =>
            {
                self.capture = Some(Capture::JsonLd);
                return Entered::Through;
            }
            _ => {}
        }
        if is_invisible(tag) || is_hidden(attributes) {
            return Entered::Skip;
        }
        self.separate(tag);
        let at = self.outline.elements.len();
        let start = self.outline.text.len();
        let class = attributes.value("class").unwrap_or_default();
        let zones = self.zones(at, tag, &class, attributes);
        let first_class = class.split_ascii_whitespace().next().unwrap_or_default();
        let class_start = self.outline.classes.len();
        self.outline.classes.push_str(first_class);
        self.outline.elements.push(Element {
            node,
            tag: name.clone(),
            parent: self.current,
            end: at + 1,
            text: start..start,
            zones,
            kind: kind(tag, first_class),
            class: class_start..self.outline.classes.len(),
        });
        self.note_carried(at, tag, attributes);
        self.current = at;
        Entered::Element(at)
    }

    /// What tags and roles say; hints are kept for later.
    fn zones<A: Attributes + ?Sized>(&mut self, at: At, tag: &str, class: &str, attributes: &A) -> Zones {
        let enclosing =
            self.outline.elements.get(self.current).map_or(Zones::default(), |parent| parent.zones);
        let mut zones = enclosing | of_tag(tag, enclosing);
        if let Some(role) = attributes.said("role") {
            zones |= of_role(&role);
        }
        if attributes
            .said("itemtype")
            .is_some_and(|kind| kind.ends_with("Article") || kind.ends_with("Posting"))
        {
            zones |= Zones::ARTICLE;
        }
        if !matches!(tag, "html" | "body" | "main") {
            let hints = of_classes(class) | of_classes(&attributes.value("id").unwrap_or_default());
            if hints != Zones::default() {
                self.hints.push((at, hints));
            }
        }
        zones
    }

    /// Links, times and images are found again without looking at the tree.
    fn note_carried<A: Attributes + ?Sized>(&mut self, at: At, tag: &str, attributes: &A) {
        let outline = &mut self.outline;
        if tag == "a"
            && let Some(href) = attributes.kept("href")
        {
            let rel = attributes.said("rel").unwrap_or_default();
            let says = |words: &[&str]| rel.split_ascii_whitespace().any(|word| words.contains(&word));
            let disavowed = says(&["sponsored", "nofollow", "ugc"]);
            let disowned = says(&["sponsored", "nofollow", "author", "tag"]);
            let label = attributes.kept("title").or_else(|| attributes.kept("aria-label"));
            outline.links.push(Link { at, href, label, disowned, disavowed });
        }
        let time = match tag {
            "time" => attributes.said("datetime"),
            "span" | "abbr" | "td" => attributes.said("title").filter(|title| title.starts_with("20")),
            _ => None,
        };
        let dated = || {
            attributes
                .said("itemprop")
                .filter(|name| name == "datePublished")
                .and_then(|_| attributes.said("content"))
        };
        if let Some(value) = time.or_else(dated) {
            outline.times.push(Time { at, value: value.into_owned() });
        }
        if tag == "img"
            && let Some(alt) = attributes.kept("alt")
        {
            outline.images.push(Image { at, alt });
        }
    }

    /// Notes what a repeated tag says about the page.
    pub(super) fn note_again<A: Attributes + ?Sized>(&mut self, name: &LocalName, attributes: &A) {
        self.outline.head.note_element(name, attributes);
    }

    /// The end of an element.
    pub(super) fn leave(&mut self, at: At) {
        let end = self.outline.elements.len();
        let text_end = self.outline.text.len();
        let Some(element) = self.outline.elements.get_mut(at) else {
            return;
        };
        element.end = end;
        element.text.end = text_end;
        self.current = element.parent;
        let tag = element.tag.clone();
        self.separate(&tag);
    }

    /// Between blocks a line ends; between other elements words do not run together; emphasis separates nothing.
    fn separate(&mut self, tag: &str) {
        if is_emphasis(tag) {
            return;
        }
        if is_inline(tag) {
            self.gap = true;
        } else if !self.outline.text.is_empty() && !self.outline.text.ends_with('\n') {
            self.outline.text.push('\n');
        }
    }

    /// Believes hints where they are plausible, and hands everything down.
    pub(super) fn finish(mut self) -> Outline {
        let whole = self.outline.text.len() as f64;
        let mut hints = self.hints.into_iter().peekable();
        for at in 0..self.outline.elements.len() {
            let parent = self.outline.elements[at].parent;
            let inherited = self.outline.elements[parent].zones;
            let element = &mut self.outline.elements[at];
            element.zones |= inherited;
            let Some((_, hint)) = hints.next_if(|(hinted, _)| *hinted == at) else {
                continue;
            };
            let small = (element.text.len() as f64) <= whole * HINT_SHARE;
            element.zones |= match &*element.tag {
                // A card's class says what it is about, not where it stands.
                "article" => Zones::only_ads(hint),
                _ if small => hint,
                _ => Zones::default(),
            };
        }
        self.outline
    }
}
