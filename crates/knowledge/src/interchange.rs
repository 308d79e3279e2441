//! Rules as files: everything that was taught, readable, comparable, and taken over into another base.
//!
//! There are two forms that say the same: JSON Lines for programs, indented text for people and for version
//! control. A file is taken whole or not at all, and every bad line is named.

mod article;
mod check;
mod import;
mod json_lines;
mod lexer;
mod node;
mod reading;
mod text;
mod text_reader;

pub use article::{ArticleLine, parse_article};
pub use import::{Import, ImportError, ImportOptions};

use crate::base::Base;
use crate::field::Fields;
use crate::folders::Folders;
use crate::literal::{Attribute, Literal, Polarity, Term};
use crate::rule::{Origin, Rule};
use model::{ArticleId, CornerstoneId, FolderId, RuleId};
use reading::Reading;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// More bad lines than these are not told: whoever mends them will ask again.
const MOST_ERRORS: usize = 20;

/// A knowledge base outside of any store: folders are named by their paths.
#[derive(Debug, Clone, Default)]
pub struct Interchange {
    /// The folders that neither a rule nor a cornerstone nor a folder inside mentions.
    pub folders: Vec<String>,
    /// The rules. From a base they come by id with parents first, from a file in its order.
    pub rules: Vec<PortableRule>,
    /// The cornerstones.
    pub cornerstones: Vec<PortableCornerstone>,
    rule_lines: HashMap<RuleId, usize>,
}

/// A rule that names folders by their paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortableRule {
    /// Its id.
    pub id: RuleId,
    /// The rule it is an exception to, or [`crate::ROOT`].
    pub parent: RuleId,
    /// When it fires; no literal at all is the mark of a retirement.
    pub condition: Vec<PortableLiteral>,
    /// The folder it gives; `None` stops.
    pub folder: Option<String>,
    /// Where it came from.
    pub origin: Origin,
}

/// A literal that names folders by their paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortableLiteral {
    /// There, or not there.
    pub polarity: Polarity,
    /// What.
    pub attribute: PortableAttribute,
}

/// What a [`PortableLiteral`] is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PortableAttribute {
    /// Words in a field.
    Term(Term),
    /// A folder that other rules have given to the article.
    Folder(String),
}

/// A cornerstone that names folders by their paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortableCornerstone {
    /// Its id.
    pub id: CornerstoneId,
    /// The stored article, as numbered where the file was written.
    pub article: Option<ArticleId>,
    /// What it said.
    pub fields: Fields<'static>,
    /// Where it belongs: all of these and no others.
    pub expected: BTreeSet<String>,
}

/// A line that cannot be read, or not together with the others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct LineError {
    /// Which, counted from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl Interchange {
    /// Everything a base knows.
    pub fn of(base: &Base) -> Self {
        let folders = base.folders();
        let rules: Vec<_> = base.tree().rules().iter().map(|rule| PortableRule::of(rule, folders)).collect();
        let order = check::parents_first(&rules, check::by_id);
        let rules = order.into_iter().map(|at| rules[at].clone()).collect();
        let cornerstones = base.cornerstones().iter().map(|cornerstone| PortableCornerstone {
            id: cornerstone.id,
            article: cornerstone.article,
            fields: cornerstone.fields.clone(),
            expected: cornerstone.expected.iter().map(|folder| folders.path(*folder)).collect(),
        });
        Self {
            folders: unmentioned(base),
            rules,
            cornerstones: cornerstones.collect(),
            rule_lines: HashMap::new(),
        }
    }

    /// Reads a file in either form.
    pub fn parse(file: &str) -> Result<Self, Vec<LineError>> {
        let file = file.strip_prefix('\u{feff}').unwrap_or(file);
        let mut reading = Reading::default();
        if file.trim_start().starts_with('{') {
            json_lines::read(file, &mut reading);
        } else {
            text_reader::read(file, &mut reading);
        }
        check::finish(reading)
    }

    /// As JSON Lines.
    pub fn to_json_lines(&self) -> String {
        json_lines::write(self)
    }

    /// As indented text.
    pub fn to_text(&self) -> String {
        text::write(self)
    }

    /// The line a rule was read from, if it was read.
    pub fn line_of(&self, rule: RuleId) -> Option<usize> {
        self.rule_lines.get(&rule).copied()
    }

    /// Every folder that is mentioned, each time it is.
    fn mentioned(&self) -> impl Iterator<Item = &String> {
        let by_rules = self.rules.iter().flat_map(|rule| {
            let asked = rule.condition.iter().filter_map(|literal| match &literal.attribute {
                PortableAttribute::Term(_) => None,
                PortableAttribute::Folder(path) => Some(path),
            });
            asked.chain(&rule.folder)
        });
        let by_cornerstones = self.cornerstones.iter().flat_map(|cornerstone| &cornerstone.expected);
        by_rules.chain(by_cornerstones).chain(&self.folders)
    }
}

/// The folders that would be lost with only the rules and cornerstones written: a path brings all above it along.
fn unmentioned(base: &Base) -> Vec<String> {
    let of_rules =
        base.tree().rules().iter().flat_map(|rule| {
            rule.condition.iter().filter_map(Literal::folder).chain(rule.conclusion.folder())
        });
    let of_cornerstones = base.cornerstones().iter().flat_map(|cornerstone| &cornerstone.expected).copied();
    let mentioned: BTreeSet<FolderId> = of_rules.chain(of_cornerstones).collect();
    let all = base.folders().list().into_iter();
    let lost = all.filter(|(_, folder)| {
        !mentioned.contains(&folder.id) && base.folders().children(Some(folder.id)).next().is_none()
    });
    lost.map(|(path, _)| path).collect()
}

impl PortableRule {
    fn of(rule: &Rule, folders: &Folders) -> Self {
        let literal = |literal: &Literal| PortableLiteral {
            polarity: literal.polarity,
            attribute: match &literal.attribute {
                Attribute::Term(term) => PortableAttribute::Term(term.clone()),
                Attribute::Folder(folder) => PortableAttribute::Folder(folders.path(*folder)),
            },
        };
        Self {
            id: rule.id,
            parent: rule.parent,
            condition: rule.condition.iter().map(literal).collect(),
            folder: rule.conclusion.folder().map(|folder| folders.path(folder)),
            origin: rule.origin.clone(),
        }
    }
}
