//! Rules as a tree that is unfolded on demand.

use super::sentence::{sentence, usage};
use super::trail;
use crate::telling::Told;
use jiff::Timestamp;
use knowledge::{Base, Rule, Usage};
use maud::{Markup, html};
use model::RuleId;
use std::collections::HashMap;

/// At most so many rules are on a page from the start; what is below is fetched when it is unfolded.
const MOST_AT_ONCE: usize = 200;

/// Some rules with what hangs under them.
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

/// A rule in the tree.
pub(crate) struct Node {
    told: Told,
    /// The rules above it, where the tree does not show them.
    path: Vec<Told>,
    /// As far as there was room.
    exceptions: Vec<Self>,
}

impl Tree {
    /// These rules. `whole` ones come with their exceptions; others with the path that leads to them.
    pub(crate) fn of<'b>(base: &Base, rules: impl Iterator<Item = &'b Rule>, whole: bool) -> Self {
        let rules: Vec<&Rule> = rules.collect();
        let mut room = if whole { MOST_AT_ONCE.saturating_sub(rules.len()) } else { 0 };
        let mut nodes: Vec<Node> = rules.into_iter().map(|rule| Node::of(base, rule)).collect();
        for node in &mut nodes {
            if whole {
                node.unfold(base, &mut room);
            } else {
                node.path = Told::path(base, node.told.parent);
            }
        }
        Self { nodes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(crate) fn show(&self, used: &HashMap<RuleId, Usage>, now: Timestamp) -> Markup {
        html! { ul .tree.rules { @for node in &self.nodes { (node.show(used, now)) } } }
    }
}

impl Node {
    fn of(base: &Base, rule: &Rule) -> Self {
        Self { told: Told::of(base, rule), path: Vec::new(), exceptions: Vec::new() }
    }

    /// Adds what hangs under it, as long as there is room for all of it.
    fn unfold(&mut self, base: &Base, room: &mut usize) {
        if self.told.exceptions > *room {
            return;
        }
        *room -= self.told.exceptions;
        self.exceptions = base.tree().children(self.told.id).map(|rule| Self::of(base, rule)).collect();
        for node in &mut self.exceptions {
            node.unfold(base, room);
        }
    }

    fn show(&self, used: &HashMap<RuleId, Usage>, now: Timestamp) -> Markup {
        let id = self.told.id;
        let lazy = self.exceptions.is_empty().then(|| format!("/rules/{id}"));
        html! {
            li {
                @if self.told.exceptions == 0 {
                    div .row { (self.line(used, now)) }
                } @else {
                    details id={ "rule-" (id) } data-fetch=[lazy] {
                        summary .row { (self.line(used, now)) }
                        ul {
                            @if self.exceptions.is_empty() {
                                li { div .row { a href={ "/rules/" (id) "#exceptions" } { "Show what hangs under it" } } }
                            }
                            @for node in &self.exceptions { (node.show(used, now)) }
                        }
                    }
                }
            }
        }
    }

    fn line(&self, used: &HashMap<RuleId, Usage>, now: Timestamp) -> Markup {
        let told = &self.told;
        html! {
            span .says {
                @if !self.path.is_empty() { span .quiet.trail { (trail(&self.path)) } }
                a .rule-number href={ "/rules/" (told.id) } { (told.id) } " "
                (sentence(told))
                span .why {
                    (usage(used.get(&told.id), now))
                    @if told.exceptions > 0 { " · " (crate::words::plural(told.exceptions as u64, "exception")) }
                    @if let Some(article) = told.cornerstone.as_ref().and_then(|stone| stone.article) {
                        " · " a href={ "/articles/" (article) } { "its cornerstone" }
                    }
                }
            }
        }
    }
}
