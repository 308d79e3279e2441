//! The stack of open elements.

use super::super::At;
use super::super::build::Entered;
use super::Stream;
use super::names::{is_html_inside, is_implied, is_wall};
use crate::html::tokens::Attribute;
use html5ever::{LocalName, local_name};

/// An open element.
pub(super) struct Open {
    /// Empty once its end tag came too early: then it ends with what is open inside.
    pub(super) name: LocalName,
    element: Option<At>,
    /// Part of SVG or `MathML`.
    pub(super) foreign: bool,
}

impl Open {
    fn is_html_inside(&self) -> bool {
        is_html_inside(&self.name) || &*self.name == "foreignobject"
    }

    fn is_wall(&self) -> bool {
        if self.foreign { self.is_html_inside() } else { is_wall(&self.name) }
    }
}

impl Stream<'_> {
    /// Tells the builder, unless nobody will see it.
    pub(super) fn enter(&mut self, name: &LocalName, attributes: &[Attribute<'_>]) -> Option<At> {
        if self.hidden.is_some() {
            return None;
        }
        match self.builder.element(None, name, attributes) {
            Entered::Element(at) => return Some(at),
            Entered::Through => {}
            Entered::Skip => self.hidden = Some(self.open.len()),
        }
        None
    }

    pub(super) fn open_up(&mut self, name: LocalName, element: Option<At>) {
        self.nodes += 1;
        self.templates += usize::from(name == local_name!("template"));
        let foreign = matches!(name, local_name!("svg") | local_name!("math")) || self.is_foreign();
        self.open.push(Open { name, element, foreign });
    }

    pub(super) fn pop(&mut self) {
        self.pop_one();
        while self.is_in(|name| *name == local_name!("")) {
            self.pop_one();
        }
    }

    fn pop_one(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.templates -= usize::from(open.name == local_name!("template"));
        if self.hidden == Some(self.open.len()) {
            self.hidden = None;
        }
        if let Some(at) = open.element {
            self.builder.leave(at);
        }
    }

    /// Ends elements until so many are open.
    pub(super) fn pop_to(&mut self, count: usize) {
        while self.open.len() > count {
            self.pop();
        }
    }

    /// The innermost open element's name.
    pub(super) fn is_in(&self, test: impl Fn(&LocalName) -> bool) -> bool {
        self.open.last().is_some_and(|open| test(&open.name))
    }

    /// In SVG or `MathML`, and not in a part of it that holds HTML.
    pub(super) fn is_foreign(&self) -> bool {
        self.open.last().is_some_and(|open| open.foreign && !open.is_html_inside())
    }

    /// The innermost open element that passes the test, unless a wall stands before it.
    pub(super) fn find(
        &mut self,
        test: impl Fn(&LocalName) -> bool,
        wall: impl Fn(&Open) -> bool,
    ) -> Option<usize> {
        for (at, open) in self.open.iter().enumerate().rev() {
            self.looks += 1;
            if !open.foreign && test(&open.name) {
                return Some(at);
            }
            if wall(open) {
                return None;
            }
        }
        None
    }

    /// In what the standard calls scope.
    pub(super) fn in_scope(&mut self, test: impl Fn(&LocalName) -> bool) -> Option<usize> {
        self.find(test, Open::is_wall)
    }

    /// The same, with further walls.
    pub(super) fn in_scope_within(&mut self, name: &LocalName, walls: &[LocalName]) -> Option<usize> {
        self.find(|open| open == name, |open| open.is_wall() || walls.contains(&open.name))
    }

    /// In the innermost table.
    pub(super) fn in_table(&mut self, test: impl Fn(&LocalName) -> bool) -> Option<usize> {
        self.find(test, |open| {
            matches!(open.name, local_name!("html") | local_name!("table") | local_name!("template"))
        })
    }

    /// Ends what ends by itself.
    pub(super) fn pop_implied(&mut self, except: Option<&LocalName>) {
        while self.is_in(|name| is_implied(name) && Some(name) != except) {
            self.pop();
        }
    }

    /// Ends an open paragraph.
    pub(super) fn close_paragraph(&mut self) {
        if let Some(at) = self.in_scope_within(&local_name!("p"), &[local_name!("button")]) {
            self.pop_to(at);
        }
    }
}
