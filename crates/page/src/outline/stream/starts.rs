//! What start tags do.

use super::names::{
    is_block, is_breakout, is_heading, is_of_head, is_special, is_table_body, is_table_level, is_table_part,
    is_void, is_void_in_head,
};
use super::{Stage, Stream};
use html5ever::{LocalName, local_name};

impl Stream<'_> {
    pub(super) fn start(&mut self, name: LocalName, closed: bool) {
        if self.is_foreign() {
            if !is_breakout(&name) {
                return self.start_foreign(name, closed);
            }
            while self.is_foreign() {
                self.pop();
            }
        }
        if self.stage == Stage::Body || self.templates > 0 || !self.start_early(&name) {
            self.start_in_body(name, closed);
        }
    }

    fn start_foreign(&mut self, name: LocalName, closed: bool) {
        self.push(name);
        if closed {
            self.pop();
        }
    }

    /// Before the body. Returns whether that was all; else the body has begun.
    fn start_early(&mut self, name: &LocalName) -> bool {
        if *name == local_name!("html") {
            if self.stage == Stage::Start {
                self.push(name.clone());
                self.stage = Stage::BeforeHead;
            } else {
                self.note_html();
            }
            return true;
        }
        if self.stage == Stage::Frames {
            match *name {
                local_name!("frameset") => self.push(name.clone()),
                local_name!("frame") => self.push_void(name.clone()),
                local_name!("noframes") => self.push_raw(name),
                _ => {}
            }
            return true;
        }
        if self.stage == Stage::Start {
            self.push_implied(local_name!("html"));
            self.stage = Stage::BeforeHead;
        }
        if self.stage == Stage::BeforeHead {
            self.stage = Stage::Head;
            if *name == local_name!("head") {
                self.push(name.clone());
                return true;
            }
            self.push_implied(local_name!("head"));
        }
        if self.stage == Stage::Head {
            // What cannot stand in a head's <noscript> ends it.
            if self.is_in(|open| *open == local_name!("noscript"))
                && !(is_void_in_head(name) || matches!(*name, local_name!("noframes") | local_name!("style")))
            {
                self.pop();
            }
            if *name == local_name!("noscript") {
                self.push(name.clone());
                return true;
            }
        }
        match *name {
            local_name!("head") => {}
            local_name!("body") => {
                self.pop_to(1);
                self.stage = Stage::Body;
                self.push(name.clone());
            }
            local_name!("frameset") => {
                self.pop_to(1);
                self.stage = Stage::Frames;
                self.push(name.clone());
            }
            _ if is_of_head(name) => self.start_of_head(name.clone()),
            _ => {
                self.reach_body();
                return false;
            }
        }
        true
    }

    /// A second `<html>` may still say what the first did not.
    fn note_html(&mut self) {
        self.builder.note_again(&local_name!("html"), self.tokens.attributes.as_slice());
    }

    fn start_of_head(&mut self, name: LocalName) {
        if is_void_in_head(&name) {
            self.push_void(name);
        } else if name == local_name!("template") {
            self.push(name);
        } else {
            self.push_raw(&name);
        }
    }

    fn start_in_body(&mut self, name: LocalName, closed: bool) {
        match name {
            local_name!("html") => self.note_html(),
            local_name!("body") | local_name!("head") | local_name!("frameset") | local_name!("frame") => {}
            local_name!("a") => {
                self.end_formatting_before(&name);
                self.push(name);
            }
            local_name!("li") => self.start_item(name, |open| *open == local_name!("li")),
            local_name!("dd") | local_name!("dt") => {
                self.start_item(name, |open| matches!(*open, local_name!("dd") | local_name!("dt")));
            }
            local_name!("form") => self.start_form(name),
            local_name!("button") => {
                if let Some(at) = self.in_scope(|open| *open == local_name!("button")) {
                    self.pop_to(at);
                }
                self.push(name);
            }
            local_name!("table") => self.start_table(name),
            local_name!("image") => self.push_void(local_name!("img")),
            local_name!("hr") => {
                self.close_paragraph();
                self.push_void(name);
            }
            local_name!("xmp") => {
                self.close_paragraph();
                self.push_raw(&name);
            }
            local_name!("textarea") | local_name!("iframe") | local_name!("noembed") => self.push_raw(&name),
            local_name!("plaintext") => {
                self.close_paragraph();
                self.push(name);
                let text = self.tokens.remainder();
                if self.hidden.is_none() {
                    self.builder.text(text);
                }
            }
            local_name!("select") => {
                // Selects do not nest: the tag of a second ends the first.
                match self.find(|open| *open == name, |open| open.name == local_name!("html")) {
                    Some(at) => self.pop_to(at),
                    None => self.push(name),
                }
            }
            local_name!("option") | local_name!("optgroup") => {
                if self.is_in(|open| *open == local_name!("option")) {
                    self.pop();
                }
                self.push(name);
            }
            local_name!("rb") | local_name!("rtc") | local_name!("rp") | local_name!("rt") => {
                if self.in_scope(|open| *open == local_name!("ruby")).is_some() {
                    let stays = matches!(name, local_name!("rp") | local_name!("rt"));
                    self.pop_implied(stays.then_some(&local_name!("rtc")));
                }
                self.push(name);
            }
            local_name!("svg") | local_name!("math") => self.start_foreign(name, closed),
            _ if is_void(&name) => self.push_void(name),
            _ if is_block(&name) => {
                self.close_paragraph();
                self.push(name);
            }
            _ if is_heading(&name) => {
                self.close_paragraph();
                if self.is_in(is_heading) {
                    self.pop();
                }
                self.push(name);
            }
            _ if is_of_head(&name) => self.start_of_head(name),
            _ if is_table_part(&name) => self.start_table_part(name),
            _ => self.push(name),
        }
    }

    /// An item ends the one before it in the same list.
    fn start_item(&mut self, name: LocalName, same: impl Fn(&LocalName) -> bool) {
        let passes = |name: &LocalName| {
            matches!(*name, local_name!("address") | local_name!("div") | local_name!("p"))
        };
        if let Some(at) = self.find(same, |open| is_special(&open.name) && !passes(&open.name)) {
            self.pop_to(at);
        }
        self.close_paragraph();
        self.push(name);
    }

    fn start_form(&mut self, name: LocalName) {
        if self.form && self.templates == 0 {
            return;
        }
        self.form = true;
        if self.is_in(is_table_level) {
            // Between a table's parts it holds nothing.
            return self.push_void(name);
        }
        self.close_paragraph();
        self.push(name);
    }

    fn start_table(&mut self, name: LocalName) {
        if self.is_in(is_table_level)
            && let Some(at) = self.in_table(|open| *open == local_name!("table"))
        {
            self.pop_to(at);
        }
        if !self.quirks {
            self.close_paragraph();
        }
        self.push(name);
    }

    /// Ends what stands between it and its place, and opens what is left out there.
    fn start_table_part(&mut self, name: LocalName) {
        let Some(table) =
            self.in_table(|open| matches!(*open, local_name!("table") | local_name!("template")))
        else {
            return;
        };
        let is_row = |open: &LocalName| *open == local_name!("tr");
        let place = match name {
            local_name!("td") | local_name!("th") => {
                self.in_table(|open| is_row(open) || is_table_body(open))
            }
            local_name!("tr") => self.in_table(is_table_body),
            local_name!("col") => self.in_table(|open| *open == local_name!("colgroup")),
            _ => None,
        };
        self.pop_to(place.unwrap_or(table) + 1);
        let in_table = self.is_in(|open| *open == local_name!("table"));
        match name {
            local_name!("td") | local_name!("th") => {
                if in_table {
                    self.push_implied(local_name!("tbody"));
                }
                if !self.is_in(is_row) {
                    self.push_implied(local_name!("tr"));
                }
                self.push(name);
            }
            local_name!("tr") => {
                if in_table {
                    self.push_implied(local_name!("tbody"));
                }
                self.push(name);
            }
            local_name!("col") => {
                if in_table {
                    self.push_implied(local_name!("colgroup"));
                }
                self.push_void(name);
            }
            _ => self.push(name),
        }
    }
}
