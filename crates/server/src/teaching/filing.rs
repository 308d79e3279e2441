//! Where an article is filed now, and why.

use super::in_words;
use knowledge::{Base, Filing, Rule};
use model::{ArticleId, RuleId};

/// One rule that decides where an article is, with the way to it.
#[derive(Debug, Clone)]
pub(crate) struct Reason {
    /// The folder it gives; `None` if it stops.
    pub(crate) folder: Option<String>,
    /// From the root down to the rule that decides.
    pub(crate) path: Vec<Step>,
}

/// One rule on the way.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) rule: RuleId,
    /// Its condition, a literal each, in words.
    pub(crate) condition: Vec<String>,
    pub(crate) folder: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) at: Option<jiff::Timestamp>,
    pub(crate) note: Option<String>,
    /// The stored article that prompted it, if it is known.
    pub(crate) prompted_by: Option<ArticleId>,
}

/// Why an article is filed so, a reason for each live rule; those that give a folder first.
pub(crate) fn reasons(base: &Base, filing: &Filing) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = filing
        .live
        .iter()
        .filter(|id| base.tree().get(**id).is_some())
        .map(|id| {
            let path: Vec<Step> = base.tree().path(*id).into_iter().map(|rule| step(base, rule)).collect();
            Reason { folder: path.last().and_then(|step| step.folder.clone()), path }
        })
        .collect();
    reasons.sort_by_key(|reason| (reason.folder.is_none(), reason.folder.clone()));
    reasons
}

/// A rule in words.
pub(crate) fn step(base: &Base, rule: &Rule) -> Step {
    let prompt = rule.origin.cornerstone.and_then(|id| base.cornerstones().get(id));
    Step {
        rule: rule.id,
        condition: rule.condition.iter().map(|literal| in_words(literal, base.folders())).collect(),
        folder: rule.conclusion.folder().map(|folder| base.folders().path(folder)),
        author: rule.origin.author.clone(),
        at: rule.origin.at,
        note: rule.origin.note.clone(),
        prompted_by: prompt.and_then(|cornerstone| cornerstone.article),
    }
}
