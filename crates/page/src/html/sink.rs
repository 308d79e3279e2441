//! The tree sink with gates: depth, nodes, and questions asked.

use crate::Caps;
use dom_query::{Document, NodeId};
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode};
use html5ever::tendril::StrTendril;
use html5ever::tree_builder::TreeSink;
use html5ever::{Attribute, QualName};
use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// An element keeps this many attributes; no honest one has more, and re-opened ones are copied whole.
const ATTRIBUTES: usize = 64;

/// Questions the tree builder may ask for each allowed node. Honest pages ask about 20; a page of unmatched
/// end tags under a deep stack asks hundreds for every four bytes.
const QUESTIONS_PER_NODE: u64 = 25;

/// Attributes for each allowed node.
const ATTRIBUTES_PER_NODE: usize = 8;

/// Passes everything on to the document and counts what it costs.
pub(super) struct GatedSink {
    document: Document,
    /// How deep each element is. Text needs no entry: nothing is put into it.
    depths: RefCell<HashMap<NodeId, u32, BuildHasherDefault<IdHasher>>>,
    deepest: Cell<u32>,
    nodes: Cell<usize>,
    attributes: Cell<usize>,
    questions: Cell<u64>,
    deeds: Cell<u64>,
    caps: Caps,
}

/// Node ids are small numbers in order, chosen by us and not by the page: one multiplication spreads them.
#[derive(Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(8) ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl GatedSink {
    pub(super) fn new(caps: &Caps) -> Self {
        Self {
            document: Document::default(),
            depths: RefCell::default(),
            deepest: Cell::new(0),
            nodes: Cell::new(0),
            attributes: Cell::new(0),
            questions: Cell::new(0),
            deeds: Cell::new(0),
            caps: *caps,
        }
    }

    /// Why no more may be fed, once a gate has closed.
    pub(super) fn closed(&self) -> Option<&'static str> {
        if self.deepest.get() as usize > self.caps.depth {
            Some("the page is nested too deeply; read up to there")
        } else if self.nodes.get() > self.caps.nodes
            || self.attributes.get() > self.caps.nodes * ATTRIBUTES_PER_NODE
        {
            Some("the page has too many elements; read up to there")
        } else if self.questions.get() > self.caps.nodes as u64 * QUESTIONS_PER_NODE {
            Some("the page's markup is too tangled; read up to there")
        } else {
            None
        }
    }

    /// The deepest nesting so far.
    pub(super) fn deepest(&self) -> usize {
        self.deepest.get() as usize
    }

    /// Grows with everything the tree builder does or asks, so it stands still inside a tag.
    pub(super) fn deeds(&self) -> u64 {
        self.deeds.get() + self.questions.get()
    }

    fn count_node(&self) {
        self.nodes.set(self.nodes.get() + 1);
        self.count_deed();
    }

    fn count_deed(&self) {
        self.deeds.set(self.deeds.get() + 1);
    }

    fn count_question(&self) {
        self.questions.set(self.questions.get() + 1);
    }

    fn depth_of(&self, node: NodeId) -> u32 {
        self.depths.borrow().get(&node).copied().unwrap_or(0)
    }

    fn place(&self, node: NodeId, depth: u32) {
        self.depths.borrow_mut().insert(node, depth);
        self.deepest.set(self.deepest.get().max(depth));
    }

    fn place_child(&self, parent: NodeId, child: &NodeOrText<NodeId>) {
        self.count_deed();
        match child {
            NodeOrText::AppendNode(node) => self.place(*node, self.depth_of(parent) + 1),
            NodeOrText::AppendText(_) => self.nodes.set(self.nodes.get() + 1),
        }
    }
}

impl TreeSink for GatedSink {
    type Handle = NodeId;
    type Output = Document;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Document {
        self.document
    }

    /// Every second page has hundreds; nobody reads them.
    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        self.document.get_document()
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Self::ElemName<'a> {
        self.count_question();
        self.document.elem_name(target)
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        self.count_question();
        self.document.same_node(x, y)
    }

    fn create_element(&self, name: QualName, mut attrs: Vec<Attribute>, flags: ElementFlags) -> NodeId {
        self.count_node();
        self.attributes.set(self.attributes.get() + attrs.len());
        attrs.truncate(ATTRIBUTES);
        self.document.create_element(name, attrs, flags)
    }

    fn create_comment(&self, _: StrTendril) -> NodeId {
        self.count_node();
        // Nobody reads comments; their text would only cost memory.
        self.document.create_comment(StrTendril::new())
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> NodeId {
        self.count_node();
        self.document.create_pi(target, data)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.place_child(*parent, &child);
        self.document.append(parent, child);
    }

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        let parent = self.document.tree.parent_of(sibling).map_or(*sibling, |parent| parent.id);
        self.place_child(parent, &child);
        self.document.append_before_sibling(sibling, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        prev_element: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        if self.document.tree.parent_of(element).is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        self.count_node();
        self.document.append_doctype_to_document(name, public_id, system_id);
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        let contents = self.document.get_template_contents(target);
        // The contents hang outside the tree, but are nested all the same.
        self.place(contents, self.depth_of(*target) + 1);
        contents
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.document.set_quirks_mode(mode);
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attrs: Vec<Attribute>) {
        self.count_deed();
        self.attributes.set(self.attributes.get() + attrs.len());
        // Repeated <html> and <body> tags may add attributes for ever.
        let has = self
            .document
            .tree
            .query_node(target, |node| node.as_element().map_or(0, |element| element.attrs.len()));
        if has.is_some_and(|has| has + attrs.len() <= ATTRIBUTES) {
            self.document.add_attrs_if_missing(target, attrs);
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.count_deed();
        self.document.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        self.count_deed();
        // The moved children may now be deeper than noted; [`crate::outline`] measures the finished tree.
        self.document.reparent_children(node, new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &NodeId) -> bool {
        self.document.is_mathml_annotation_xml_integration_point(handle)
    }
}
