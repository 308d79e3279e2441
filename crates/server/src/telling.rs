//! Rules as people are told them: with names instead of ids, apart from the knowledge base they came from.

use jiff::Timestamp;
use knowledge::{Attribute, Base, Cornerstone, Field, Literal, Mode, Polarity, Rule};
use model::{ArticleId, CornerstoneId, FolderId, RuleId};

/// A folder with its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToldFolder {
    pub(crate) id: FolderId,
    pub(crate) path: String,
}

/// A literal with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToldLiteral {
    pub(crate) lacks: bool,
    pub(crate) about: About,
}

/// What a literal is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum About {
    Words { field: Field, mode: Mode, text: String },
    Folder(ToldFolder),
}

/// The article that prompted a rule.
#[derive(Debug, Clone)]
pub(crate) struct ToldCornerstone {
    pub(crate) id: CornerstoneId,
    pub(crate) article: Option<ArticleId>,
    pub(crate) title: String,
}

/// A rule.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) id: RuleId,
    pub(crate) parent: RuleId,
    pub(crate) condition: Vec<ToldLiteral>,
    /// Where it files; `None` stops.
    pub(crate) folder: Option<ToldFolder>,
    /// How many exceptions hang directly under it.
    pub(crate) exceptions: usize,
    /// Another rule takes it out of service.
    pub(crate) retired: bool,
    pub(crate) author: Option<String>,
    pub(crate) at: Option<Timestamp>,
    pub(crate) note: Option<String>,
    pub(crate) cornerstone: Option<ToldCornerstone>,
}

impl ToldFolder {
    pub(crate) fn of(base: &Base, id: FolderId) -> Self {
        Self { id, path: base.folders().path(id) }
    }
}

impl ToldLiteral {
    pub(crate) fn of(base: &Base, literal: &Literal) -> Self {
        let about = match &literal.attribute {
            Attribute::Folder(folder) => About::Folder(ToldFolder::of(base, *folder)),
            Attribute::Term(term) => {
                About::Words { field: term.field(), mode: term.mode(), text: term.text().to_owned() }
            }
        };
        Self { lacks: literal.polarity == Polarity::Lacks, about }
    }
}

impl ToldCornerstone {
    pub(crate) fn of(cornerstone: &Cornerstone) -> Self {
        let fields = &cornerstone.fields;
        let title = [&fields.title, &fields.anchor, &fields.url].into_iter().flatten();
        let title = title.map(|text| text.trim()).find(|text| !text.is_empty());
        Self {
            id: cornerstone.id,
            article: cornerstone.article,
            title: title.unwrap_or("an article without a title").chars().take(300).collect(),
        }
    }
}

impl Told {
    pub(crate) fn of(base: &Base, rule: &Rule) -> Self {
        let tree = base.tree();
        let cornerstone = rule.origin.cornerstone.and_then(|id| base.cornerstones().get(id));
        Self {
            id: rule.id,
            parent: rule.parent,
            condition: rule.condition.iter().map(|literal| ToldLiteral::of(base, literal)).collect(),
            folder: rule.conclusion.folder().map(|folder| ToldFolder::of(base, folder)),
            exceptions: tree.children(rule.id).count(),
            retired: tree.children(rule.id).any(Rule::is_retirement),
            author: rule.origin.author.clone(),
            at: rule.origin.at,
            note: rule.origin.note.clone(),
            cornerstone: cornerstone.map(ToldCornerstone::of),
        }
    }

    /// The rules from the top down to this one.
    pub(crate) fn path(base: &Base, id: RuleId) -> Vec<Self> {
        base.tree().path(id).into_iter().map(|rule| Self::of(base, rule)).collect()
    }

    /// Whether it only takes another rule out of service.
    pub(crate) fn is_retirement(&self) -> bool {
        self.condition.is_empty()
    }
}
