//! Teaching: from "this is wrong" to a rule that breaks nothing.
//!
//! What is wrong with an article's folders says where new rules go. Literals that hold of the article are picked until
//! no cornerstone would change, or the changes are accepted. Then the draft becomes a lesson.

mod conflicts;
mod difference;
mod fix;
mod stops;

pub use conflicts::{Conflict, Conflicts};
pub use difference::{Suggestion, Unwanted};
pub use fix::Fix;

use crate::archive::{Archive, Effect};
use crate::base::{Base, Lesson, Verdict};
use crate::cornerstone::Cornerstone;
use crate::field::Fields;
use crate::literal::{Attribute, Literal, Polarity};
use crate::rule::{Conclusion, MOST_LITERALS, Origin, ROOT, Rule};
use crate::tree::{Filer, Filing, TreeError};
use crate::words::Words;
use model::{ArticleId, CornerstoneId, FolderId, RuleId};
use roaring::RoaringBitmap;
use std::collections::BTreeSet;

/// The article that prompts a lesson.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// The stored article, if there is one.
    pub article: Option<ArticleId>,
    /// What it says.
    pub fields: Fields<'static>,
}

/// What is wrong with an article's folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correction {
    /// It belongs here as well.
    Add(FolderId),
    /// It does not belong here, nor anywhere instead.
    Remove(FolderId),
    /// It belongs there instead of here.
    Replace {
        /// Where it is.
        from: FolderId,
        /// Where it belongs.
        to: FolderId,
    },
}

/// A lesson in the making.
#[derive(Debug, Clone)]
pub struct Draft {
    prompt: Prompt,
    words: Words,
    filing: Filing,
    correction: Correction,
    places: Vec<RuleId>,
    condition: Vec<Literal>,
    stops: Vec<Vec<Literal>>,
}

/// Why something cannot be taught.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TeachError {
    /// Nothing to do.
    #[error("the article is in this folder already")]
    AlreadyThere,
    /// Nothing to take away.
    #[error("the article is not in the folder it is to be taken out of")]
    NotThere,
    /// The two folders are one.
    #[error("the article cannot be moved to the folder it is in")]
    SameFolder,
    /// A place where the rule would not fire.
    #[error("rule {0} does not fire for this article: a rule under it would never file it")]
    WrongPlace(RuleId),
    /// Another place is only for another folder.
    #[error(
        "only a rule that adds a folder can be put elsewhere: exceptions go under the rules they correct"
    )]
    FixedPlace,
    /// A literal that the article itself does not fulfil.
    #[error("{0} does not hold of this article: the rule would not fire for it")]
    DoesNotHold(String),
    /// A generated stop that would stop the article itself.
    #[error("a stopping rule under the new rule would also stop this article")]
    StopsItself,
    /// A stop that can never fire.
    #[error("a stopping rule that asks for {0} would never fire: the rule above it asks for the opposite")]
    NeverStops(String),
    /// Nothing was picked.
    #[error("pick at least one word: a rule without a condition would catch everything")]
    NoCondition,
    /// Too much was picked.
    #[error("a condition may have at most {MOST_LITERALS} words")]
    TooManyLiterals,
    /// Earlier decisions would change.
    #[error(
        "{} cornerstone(s) would change: add a word that tells them apart, or accept the change for each",
        .0.len()
    )]
    Conflicts(Vec<CornerstoneId>),
    /// A stop under a stop changes nothing.
    #[error(
        "rule {0} is a stopping rule: retiring it would change nothing. Teach an exception under it instead"
    )]
    RetiresStop(RuleId),
    /// The rules cannot stand together.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl Draft {
    /// Begins: where do rules go that make this correction?
    pub fn new(base: &Base, prompt: Prompt, correction: Correction) -> Result<Self, TeachError> {
        let filing = Filer::default().file(base.tree(), &prompt.fields);
        let is_given = |folder: FolderId| filing.folders.contains(&folder);
        let giving = |folder| {
            let concludes = |id: &&RuleId| {
                base.tree().get(**id).is_some_and(|rule| rule.conclusion == Conclusion::Folder(folder))
            };
            filing.live.iter().filter(concludes).copied().collect()
        };
        let places = match correction {
            Correction::Add(folder) if is_given(folder) => return Err(TeachError::AlreadyThere),
            Correction::Add(_) => vec![ROOT],
            Correction::Replace { from, to } if from == to => return Err(TeachError::SameFolder),
            Correction::Replace { to, .. } if is_given(to) => return Err(TeachError::AlreadyThere),
            Correction::Remove(from) | Correction::Replace { from, .. } if !is_given(from) => {
                return Err(TeachError::NotThere);
            }
            Correction::Remove(from) | Correction::Replace { from, .. } => giving(from),
        };
        let words = Words::of(&prompt.fields);
        Ok(Self { prompt, words, filing, correction, places, condition: Vec::new(), stops: Vec::new() })
    }

    /// The article.
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }

    /// Its words.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// Where it is filed now.
    pub fn filing(&self) -> &Filing {
        &self.filing
    }

    /// What is corrected.
    pub fn correction(&self) -> Correction {
        self.correction
    }

    /// The rules that new ones go under.
    pub fn places(&self) -> &[RuleId] {
        &self.places
    }

    /// What has been picked.
    pub fn condition(&self) -> &[Literal] {
        &self.condition
    }

    /// Conditions of stopping rules that go under the new one.
    pub fn stops(&self) -> &[Vec<Literal>] {
        &self.stops
    }

    /// The rules that fire for the article: a new folder's rule may go under any of them, or under the root.
    pub fn possible_places(&self, base: &Base) -> Vec<RuleId> {
        let mut places = vec![ROOT];
        for live in &self.filing.live {
            places.extend(base.tree().path(*live).iter().map(|rule| rule.id));
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Puts the rule of an added folder elsewhere.
    pub fn place_under(&mut self, base: &Base, rule: RuleId) -> Result<(), TeachError> {
        if !matches!(self.correction, Correction::Add(_)) {
            return Err(TeachError::FixedPlace);
        }
        if !self.possible_places(base).contains(&rule) {
            return Err(TeachError::WrongPlace(rule));
        }
        self.places = vec![rule];
        Ok(())
    }

    /// Sets what was picked. Every literal must hold of the article.
    pub fn set_condition(&mut self, condition: Vec<Literal>) -> Result<(), TeachError> {
        for literal in &condition {
            if !self.holds(literal) {
                return Err(TeachError::DoesNotHold(describe(literal)));
            }
        }
        self.condition.clear();
        for literal in condition {
            self.pick(literal);
        }
        if self.condition.len() > MOST_LITERALS { Err(TeachError::TooManyLiterals) } else { Ok(()) }
    }

    /// Sets the stopping rules under the new one. None may stop the article itself.
    pub fn set_stops(&mut self, stops: Vec<Vec<Literal>>) -> Result<(), TeachError> {
        for stop in &stops {
            if stop.is_empty() {
                return Err(TeachError::NoCondition);
            }
            if stop.iter().all(|literal| self.holds(literal)) {
                return Err(TeachError::StopsItself);
            }
            let above = |literal: &&Literal| self.condition.iter().any(|other| other.contradicts(literal));
            if let Some(never) = stop.iter().find(above) {
                return Err(TeachError::NeverStops(describe(never)));
            }
        }
        self.stops = stops;
        Ok(())
    }

    /// Whether a literal holds of the article.
    pub fn holds(&self, literal: &Literal) -> bool {
        match literal.attribute {
            Attribute::Folder(folder) => {
                self.filing.folders.contains(&folder) == (literal.polarity == Polarity::Has)
            }
            Attribute::Term(_) => self.words.hold(literal),
        }
    }

    /// The rules as they would be added, parents first.
    pub fn rules(&self, base: &Base, origin: &Origin) -> Vec<Rule> {
        let conclusion = match self.correction {
            Correction::Remove(_) => Conclusion::Stop,
            Correction::Add(folder) | Correction::Replace { to: folder, .. } => Conclusion::Folder(folder),
        };
        let mut rules: Vec<Rule> = Vec::new();
        let first = base.next_rule().0;
        for place in &self.places {
            let id = RuleId(first + rules.len() as i64);
            let condition = self.condition.clone();
            rules.push(Rule { id, parent: *place, condition, conclusion, origin: origin.clone() });
        }
        for parent in rules.iter().map(|rule| rule.id).collect::<Vec<_>>() {
            for stop in &self.stops {
                let id = RuleId(first + rules.len() as i64);
                let condition = stop.clone();
                rules.push(Rule {
                    id,
                    parent,
                    condition,
                    conclusion: Conclusion::Stop,
                    origin: origin.clone(),
                });
            }
        }
        rules
    }

    /// Where the article will be.
    pub fn expected(&self, base: &Base) -> BTreeSet<FolderId> {
        let asks = self.condition.iter().any(|literal| literal.folder().is_some());
        if asks || base.tree().has_folder_literals() {
            // One folder may bring or take others.
            let mut tree = base.tree().clone();
            if tree.extend(self.rules(base, &Origin::default())).is_ok() {
                return Filer::default().file(&tree, &self.prompt.fields).folders.into_iter().collect();
            }
        }
        let kept = self.filing.live.iter().filter(|live| !self.places.contains(live));
        let kept = kept.filter_map(|live| base.tree().get(*live)?.conclusion.folder());
        let new = match self.correction {
            Correction::Remove(_) => None,
            Correction::Add(folder) | Correction::Replace { to: folder, .. } => Some(folder),
        };
        kept.chain(new).collect()
    }

    /// What would change in an archive.
    pub fn what_if(&self, base: &Base, archive: &Archive) -> Result<Effect, TeachError> {
        Ok(archive.what_if(base.tree(), &self.rules(base, &Origin::default()))?)
    }

    /// The cornerstones that would be filed elsewhere than they belong.
    pub fn conflicting<'b>(&self, base: &'b Base) -> Result<Conflicts<'b>, TeachError> {
        let effect = self.what_if(base, base.cornerstones().archive(base.tree()))?;
        Ok(Conflicts::new(base, effect, self.cornerstone(base).map(|own| own.id)))
    }

    /// The same, each with where it is and would be.
    pub fn conflicts(&self, base: &Base) -> Result<Vec<Conflict>, TeachError> {
        Ok(self.conflicting(base)?.iter().collect())
    }

    /// Makes the lesson. Every cornerstone that would change must be among the accepted ones.
    pub fn lesson(
        &self,
        base: &Base,
        accepted: &BTreeSet<CornerstoneId>,
        origin: &Origin,
    ) -> Result<Lesson, TeachError> {
        if self.condition.is_empty() {
            return Err(TeachError::NoCondition);
        }
        let conflicts = self.conflicts(base)?;
        let before = self.cornerstone(base).cloned();
        let own = Cornerstone {
            id: before.as_ref().map_or(base.next_cornerstone(), |before| before.id),
            article: self.prompt.article,
            fields: self.prompt.fields.clone(),
            expected: self.expected(base),
        };
        let origin = Origin { cornerstone: Some(own.id), ..origin.clone() };
        let mut verdicts = accept(base, &conflicts, accepted)?;
        verdicts.push(Verdict { before, after: own });
        Ok(Lesson { rules: self.rules(base, &origin), verdicts })
    }

    fn pick(&mut self, literal: Literal) {
        if !self.condition.contains(&literal) {
            self.condition.push(literal);
        }
    }

    /// The cornerstone this article already is.
    fn cornerstone<'b>(&self, base: &'b Base) -> Option<&'b Cornerstone> {
        base.cornerstones().of_article(self.prompt.article?, &self.prompt.fields)
    }

    /// The cornerstones in conflict, as a set.
    fn conflict_set(&self, base: &Base) -> Result<RoaringBitmap, TeachError> {
        Ok(self.conflicting(base)?.into_set())
    }
}

impl Base {
    /// What adding rules that no article prompted would do to the cornerstones.
    pub fn conflicts_with(&self, rules: &[Rule]) -> Result<Vec<Conflict>, TeachError> {
        let effect = self.cornerstones().archive(self.tree()).what_if(self.tree(), rules)?;
        Ok(Conflicts::new(self, effect, None).iter().collect())
    }

    /// A lesson of rules that no article prompted. Every cornerstone that would change must be among the accepted ones.
    pub fn lesson_of(
        &self,
        rules: Vec<Rule>,
        accepted: &BTreeSet<CornerstoneId>,
    ) -> Result<Lesson, TeachError> {
        for parent in rules.iter().filter(|rule| rule.is_retirement()).map(|rule| rule.parent) {
            if self.tree().get(parent).is_some_and(|rule| rule.conclusion == Conclusion::Stop) {
                return Err(TeachError::RetiresStop(parent));
            }
        }
        let conflicts = self.conflicts_with(&rules)?;
        Ok(Lesson { verdicts: accept(self, &conflicts, accepted)?, rules })
    }

    /// The rule that takes another out of service.
    pub fn retirement(&self, rule: RuleId, origin: Origin) -> Rule {
        Rule {
            id: self.next_rule(),
            parent: rule,
            condition: Vec::new(),
            conclusion: Conclusion::Stop,
            origin,
        }
    }
}

fn accept(
    base: &Base,
    conflicts: &[Conflict],
    accepted: &BTreeSet<CornerstoneId>,
) -> Result<Vec<Verdict>, TeachError> {
    let open: Vec<CornerstoneId> =
        conflicts.iter().map(|conflict| conflict.cornerstone).filter(|id| !accepted.contains(id)).collect();
    if !open.is_empty() {
        return Err(TeachError::Conflicts(open));
    }
    let verdict = |conflict: &Conflict| {
        let before = base.cornerstones().get(conflict.cornerstone)?.clone();
        let after = Cornerstone { expected: conflict.after.clone(), ..before.clone() };
        Some(Verdict { before: Some(before), after })
    };
    Ok(conflicts.iter().filter_map(verdict).collect())
}

/// A literal in words, as far as it can be told without the folders' names.
fn describe(literal: &Literal) -> String {
    match &literal.attribute {
        Attribute::Term(term) => format!("{} {} {term}", term.field(), literal.polarity.word()),
        Attribute::Folder(folder) => format!("folder {} {folder}", literal.polarity.word()),
    }
}
