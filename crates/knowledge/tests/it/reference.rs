//! The semantics as they are written down, recursive and slow: what the index is judged by.

use knowledge::{Attribute, Conclusion, Fields, Literal, Mode, Polarity, ROOT, Rule, Words};
use model::{FolderId, RuleId};
use std::collections::BTreeSet;

pub(crate) struct Reference<'a> {
    pub(crate) rules: &'a [Rule],
    article: &'a Fields<'static>,
}

impl<'a> Reference<'a> {
    pub(crate) fn new(rules: &'a [Rule], article: &'a Fields<'static>) -> Self {
        Self { rules, article }
    }

    pub(crate) fn folders(&self) -> BTreeSet<FolderId> {
        self.live().iter().filter_map(|rule| rule.conclusion.folder()).collect()
    }

    pub(crate) fn live_ids(&self) -> BTreeSet<RuleId> {
        self.live().iter().map(|rule| rule.id).collect()
    }

    pub(crate) fn fired_ids(&self) -> BTreeSet<RuleId> {
        self.rules.iter().filter(|rule| self.fires(rule)).map(|rule| rule.id).collect()
    }

    fn live(&self) -> Vec<&Rule> {
        self.rules.iter().filter(|rule| self.is_live(rule)).collect()
    }

    fn is_live(&self, rule: &Rule) -> bool {
        self.fires(rule) && !self.rules.iter().any(|child| child.parent == rule.id && self.fires(child))
    }

    fn fires(&self, rule: &Rule) -> bool {
        let parent = self.rules.iter().find(|parent| parent.id == rule.parent);
        rule.condition.iter().all(|literal| self.holds(literal))
            && (rule.parent == ROOT || parent.is_some_and(|parent| self.fires(parent)))
    }

    fn holds(&self, literal: &Literal) -> bool {
        let there = match &literal.attribute {
            Attribute::Folder(folder) => Some(
                self.rules
                    .iter()
                    .any(|rule| rule.conclusion == Conclusion::Folder(*folder) && self.is_live(rule)),
            ),
            Attribute::Term(term) => self.article.get(term.field()).map(|text| {
                let words: Vec<String> = page::words::words(text).map(std::borrow::Cow::into_owned).collect();
                match term.mode() {
                    Mode::Exact => words.iter().any(|word| word == term.text()),
                    Mode::Prefix => words.iter().any(|word| word.starts_with(term.text())),
                    Mode::Phrase => format!(" {} ", words.join(" ")).contains(&format!(" {} ", term.text())),
                    // Stems themselves are a library's; that they are asked for in the right tongue is tested apart.
                    Mode::Stem => Words::of(self.article).find(term) == Some(true),
                }
            }),
        };
        there == Some(literal.polarity == Polarity::Has)
    }
}
