//! What end tags do.

use super::names::{is_block, is_formatting, is_heading, is_special, is_table_part};
use super::{Stage, Stream};
use html5ever::{LocalName, local_name};

impl Stream<'_> {
    pub(super) fn end(&mut self, name: &LocalName) {
        if self.end_foreign(name) {
            return;
        }
        if self.stage == Stage::Body || self.templates > 0 || !self.end_early(name) {
            self.end_in_body(name);
        }
    }

    /// Whether the end tag was for something in SVG or `MathML`.
    fn end_foreign(&mut self, name: &LocalName) -> bool {
        let mut found = None;
        for (at, open) in self.open.iter().enumerate().rev() {
            self.looks += 1;
            if !open.foreign {
                break;
            }
            if open.name == *name {
                found = Some(at);
                break;
            }
        }
        if let Some(at) = found {
            self.pop_to(at);
        }
        found.is_some()
    }

    /// Before the body. Returns whether that was all; else the body has begun.
    fn end_early(&mut self, name: &LocalName) -> bool {
        match (self.stage, name) {
            (Stage::Frames, &local_name!("frameset")) if self.open.len() > 2 => self.pop(),
            (Stage::Frames, _) => {}
            (Stage::Head, &local_name!("noscript")) if self.is_in(|open| open == name) => self.pop(),
            (Stage::Head, &local_name!("head")) => {
                self.pop_to(1);
                self.stage = Stage::AfterHead;
            }
            (_, &(local_name!("body") | local_name!("html") | local_name!("br"))) => {
                self.reach_body();
                return false;
            }
            _ => {}
        }
        true
    }

    fn end_in_body(&mut self, name: &LocalName) {
        match *name {
            // What comes after still belongs to the body.
            local_name!("body") | local_name!("html") | local_name!("head") => {}
            local_name!("p") => {
                // With no paragraph to end, it is an empty one.
                if self.in_scope_within(name, &[local_name!("button")]).is_none() {
                    self.push_implied(name.clone());
                }
                self.close_paragraph();
            }
            local_name!("br") => {
                self.push_implied(name.clone());
                self.pop();
            }
            local_name!("li") => {
                let open = self.in_scope_within(name, &[local_name!("ol"), local_name!("ul")]);
                self.pop_found(open);
            }
            local_name!("form") => self.end_form(),
            local_name!("template") => {
                if self.templates > 0 {
                    let open = self.find(|open| open == name, |_| false);
                    self.pop_found(open);
                }
            }
            local_name!("table") => {
                let open = self.in_table(|open| open == name);
                self.pop_found(open);
            }
            local_name!("colgroup") => {
                if self.is_in(|open| open == name) {
                    self.pop();
                }
            }
            _ if is_formatting(name) => self.end_formatting(name),
            _ if is_table_part(name) => {
                let open = self.in_table(|open| open == name);
                self.pop_found(open);
            }
            _ if is_heading(name) => {
                let open = self.in_scope(is_heading);
                self.pop_found(open);
            }
            _ if is_block(name) || is_scoped(name) => {
                let open = self.in_scope(|open| open == name);
                self.pop_found(open);
            }
            _ => self.end_other(name),
        }
    }

    fn pop_found(&mut self, found: Option<usize>) {
        if let Some(at) = found {
            self.pop_to(at);
        }
    }

    fn end_other(&mut self, name: &LocalName) {
        let open = self.find(|open| open == name, |open| is_special(&open.name));
        self.pop_found(open);
    }

    /// A form that ends before what was opened in it ends with that.
    fn end_form(&mut self) {
        let name = local_name!("form");
        let was_open = std::mem::take(&mut self.form) || self.templates > 0;
        let Some(at) = self.in_scope(|open| *open == name).filter(|_| was_open) else {
            return;
        };
        self.pop_implied(None);
        if self.open.len() == at + 1 {
            self.pop();
        } else {
            self.open[at].name = local_name!("");
        }
    }

    /// Formatting that ends before a block opened in it: it ends with that block's end.
    fn end_formatting(&mut self, name: &LocalName) {
        if !self.end_formatting_before(name)
            && let Some(at) = self.in_scope(|open| open == name)
        {
            self.open[at].name = local_name!("");
        }
    }

    /// Ends formatting, unless a block was opened in it. Returns whether it did.
    pub(super) fn end_formatting_before(&mut self, name: &LocalName) -> bool {
        let open = self.find(|open| open == name, |open| is_special(&open.name));
        self.pop_found(open);
        open.is_some()
    }
}

/// Further elements whose end tags reach as far as scope does.
fn is_scoped(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("button")
            | local_name!("select")
            | local_name!("dd")
            | local_name!("dt")
            | local_name!("applet")
            | local_name!("marquee")
            | local_name!("object")
    )
}
