//! Rules as the API shows them.

use crate::telling::{About, Told, ToldLiteral};
use jiff::Timestamp;
use knowledge::{Base, Finding, Misfiled, Report, Usage};
use model::RuleId;
use serde::Serialize;
use std::collections::HashMap;
use store::LessonInfo;
use utoipa::ToSchema;

/// A rule.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Rule {
    id: i64,
    /// The rule it is an exception to; 0 is the root.
    parent: i64,
    /// When it fires, given that its parent does: all must hold. None at all retires its parent.
    #[serde(rename = "if")]
    condition: Vec<Literal>,
    /// Where it files; null stops.
    folder: Option<FolderName>,
    author: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<Timestamp>,
    note: Option<String>,
    /// The cornerstone made of the article that prompted it.
    cornerstone: Option<i64>,
    /// That article, if it is still stored.
    article_id: Option<i64>,
    /// How many exceptions hang directly under it.
    exceptions: usize,
    /// Whether it is out of service.
    retired: bool,
}

/// A folder with its path.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FolderName {
    pub(crate) id: i64,
    pub(crate) path: String,
}

/// One test of a condition: either `has` or `lacks` is there.
#[derive(Debug, Serialize, ToSchema)]
struct Literal {
    /// `title`, `body`, `anchor`, `url`, `source`, `language`, or `folder`.
    field: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    has: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks: Option<String>,
    /// `exact`, `stem`, `phrase` or `prefix`; none for folders.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
}

/// A rule with its use and its neighbours.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RuleDetail {
    #[serde(flatten)]
    rule: Rule,
    usage: RuleUse,
    /// The rules above it, the outermost first.
    path: Vec<Rule>,
    /// The exceptions directly under it.
    children: Vec<i64>,
}

/// How a rule has been used, by the articles that are kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RuleUse {
    /// Articles it fired for, at most.
    fired: u64,
    /// Articles it decided.
    concluded: u64,
    /// How often a person said that it was right.
    confirmed: u64,
    /// How often it was corrected.
    overturned: u64,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used: Option<Timestamp>,
}

/// A base in numbers.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Statistics {
    rules: usize,
    /// Directly under the root.
    root_rules: usize,
    /// Exceptions that give another folder.
    refinements: usize,
    /// Rules that give nothing, those that retire another included.
    stops: usize,
    retirements: usize,
    /// Literals a rule on average.
    mean_literals: f64,
    /// The longest path.
    depth: usize,
    folders: usize,
    cornerstones: usize,
    /// Lessons that can be undone.
    lessons: usize,
    /// Rules that fired for no stored article.
    unused: usize,
    confirmed: u64,
    overturned: u64,
}

/// What a look over all rules has found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RuleReport {
    /// Rules that can never fire.
    unreachable: Vec<RuleFinding>,
    /// Rules without which everything would be filed the same.
    subsumed: Vec<RuleFinding>,
    /// Rules that have not been used for long.
    stale: Vec<RuleFinding>,
}

/// A rule, and why it is in the report.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RuleFinding {
    rule: i64,
    /// Why, in a sentence that goes on after "rule 7".
    reason: String,
}

/// What was taught at once.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Lesson {
    /// The version of the knowledge it made.
    version: i64,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    author: Option<String>,
    /// The rules it added.
    rules: Vec<i64>,
    #[schema(value_type = Option<String>, format = DateTime)]
    undone_at: Option<Timestamp>,
}

/// Whether all cornerstones hold.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CheckedCornerstones)]
pub(crate) struct Checked {
    pub(crate) cornerstones: u64,
    pub(crate) hold: bool,
    pub(crate) wrong: Vec<WrongCornerstone>,
}

/// A cornerstone that is not where it belongs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WrongCornerstone {
    id: i64,
    article_id: Option<i64>,
    /// Paths of folders.
    expected: Vec<String>,
    given: Vec<String>,
}

impl From<Told> for Rule {
    fn from(told: Told) -> Self {
        let stone = told.cornerstone.as_ref();
        Self {
            id: told.id.0,
            parent: told.parent.0,
            cornerstone: stone.map(|stone| stone.id.0),
            article_id: stone.and_then(|stone| stone.article).map(|article| article.0),
            condition: told.condition.into_iter().map(Literal::from).collect(),
            folder: told.folder.map(|folder| FolderName { id: folder.id.0, path: folder.path }),
            author: told.author,
            at: told.at,
            note: told.note,
            exceptions: told.exceptions,
            retired: told.retired,
        }
    }
}

impl From<ToldLiteral> for Literal {
    fn from(literal: ToldLiteral) -> Self {
        let (field, mode, text) = match literal.about {
            About::Words { field, mode, text } => (field.word(), Some(mode.word()), text),
            About::Folder(folder) => ("folder", None, folder.path),
        };
        let (has, lacks) = if literal.lacks { (None, Some(text)) } else { (Some(text), None) };
        Self { field, has, lacks, mode }
    }
}

impl RuleDetail {
    pub(crate) fn of(base: &Base, id: RuleId, usage: Usage) -> Option<Self> {
        let rule = base.tree().get(id)?;
        Some(Self {
            rule: Told::of(base, rule).into(),
            usage: usage.into(),
            path: Told::path(base, rule.parent).into_iter().map(Rule::from).collect(),
            children: base.tree().children(id).map(|child| child.id.0).collect(),
        })
    }
}

impl From<Usage> for RuleUse {
    fn from(usage: Usage) -> Self {
        let Usage { fired, concluded, confirmed, overturned, last_used } = usage;
        Self { fired, concluded, confirmed, overturned, last_used }
    }
}

impl Statistics {
    pub(crate) fn of(base: &Base, usage: &HashMap<RuleId, Usage>) -> Self {
        let unused = |rule: &&knowledge::Rule| usage.get(&rule.id).is_none_or(|usage| usage.fired == 0);
        let counted = knowledge::Statistics::of(base);
        Self {
            rules: counted.rules,
            root_rules: counted.root_rules,
            refinements: counted.refinements,
            stops: counted.stops,
            retirements: counted.retirements,
            mean_literals: counted.mean_literals,
            depth: counted.depth,
            folders: counted.folders,
            cornerstones: counted.cornerstones,
            lessons: base.lessons(),
            unused: base.tree().rules().iter().filter(unused).count(),
            confirmed: usage.values().map(|usage| usage.confirmed).sum(),
            overturned: usage.values().map(|usage| usage.overturned).sum(),
        }
    }
}

impl From<Report> for RuleReport {
    fn from(report: Report) -> Self {
        let told = |findings: Vec<Finding>| {
            let told = |finding: Finding| RuleFinding { rule: finding.rule.0, reason: finding.reason };
            findings.into_iter().map(told).collect()
        };
        Self {
            unreachable: told(report.unreachable),
            subsumed: told(report.subsumed),
            stale: told(report.stale),
        }
    }
}

impl From<LessonInfo> for Lesson {
    fn from(lesson: LessonInfo) -> Self {
        Self {
            version: lesson.version,
            at: lesson.at,
            author: lesson.author,
            rules: lesson.rules.into_iter().map(|rule| rule.0).collect(),
            undone_at: lesson.undone_at,
        }
    }
}

impl WrongCornerstone {
    pub(crate) fn of(base: &Base, misfiled: &Misfiled) -> Self {
        let paths = |folders: &std::collections::BTreeSet<_>| {
            folders.iter().map(|folder| base.folders().path(*folder)).collect()
        };
        let stone = base.cornerstones().get(misfiled.id);
        Self {
            id: misfiled.id.0,
            article_id: stone.and_then(|stone| stone.article).map(|article| article.0),
            expected: paths(&misfiled.expected),
            given: paths(&misfiled.given),
        }
    }
}
