//! A lesson as it was typed, and what it would be.

use crate::cli::{Accept, RuleAdd};
use crate::exit::bad_input;
use crate::rule_words::in_words;
use jiff::Timestamp;
use knowledge::{
    Attribute, Base, Conclusion, Conflict, Correction, Draft, Field, Folders, Lesson, Literal, Mode, Origin,
    Polarity, Prompt, ROOT, Rule, TeachError, Term,
};
use model::{CornerstoneId, FolderId, RuleId};
use std::collections::BTreeSet;
use store::StoreError;

/// What is to be taught.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    pub(super) what: What,
    pub(super) condition: Vec<Wanted>,
    pub(super) accept: Accept,
    pub(super) origin: Origin,
}

#[derive(Debug, Clone)]
pub(super) enum What {
    /// An article is filed wrongly.
    Correct { prompt: Prompt, folder: Option<String>, instead_of: Option<String>, under: Option<RuleId> },
    /// A rule that no article prompted.
    Rule { folder: Option<String>, under: RuleId },
    /// A rule that is to be taken out of service.
    Retire(RuleId),
}

/// A literal as it was typed.
#[derive(Debug, Clone)]
pub(super) enum Wanted {
    Term(Literal),
    Folder(Polarity, String),
}

/// What it would be.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) folders: Folders,
    pub(super) new_folders: Vec<String>,
    pub(super) rules: Vec<Rule>,
    pub(super) conflicts: Vec<Conflict>,
    /// With an article only.
    pub(super) draft: Option<Draft>,
    /// Refused if cornerstones would change that were not accepted.
    pub(super) lesson: Result<Lesson, TeachError>,
}

impl Wish {
    pub(super) fn of(options: &RuleAdd, prompt: Option<Prompt>) -> anyhow::Result<Self> {
        let condition =
            literals(Polarity::Has, &options.has)?.chain(literals(Polarity::Lacks, &options.lacks)?);
        let folder = options.folder.clone();
        let what = match (prompt, options.under) {
            (Some(prompt), under) => {
                What::Correct { prompt, folder, instead_of: options.instead_of.clone(), under }
            }
            (None, None) if options.stop => {
                return Err(bad_input(
                    "a stop needs something to stop: name an article with --article, or a rule with --under",
                ));
            }
            (None, under) => What::Rule { folder, under: under.unwrap_or(ROOT) },
        };
        Ok(Self {
            what,
            condition: condition.collect(),
            accept: options.accept.clone(),
            origin: origin(options.note.clone()),
        })
    }

    /// The lesson for a base as it is now.
    pub(super) fn plan(&self, base: &Base) -> Result<Planned, StoreError> {
        let mut folders = base.folders().clone();
        let mut new_folders = Vec::new();
        let mut make = |path: &String| {
            let (id, made) = folders.create(path)?;
            new_folders.extend(made.iter().map(|folder| folders.path(folder.id)));
            Ok::<FolderId, StoreError>(id)
        };
        let demand = |path: &String| Ok::<_, StoreError>(base.folders().demand(path)?);
        let condition = self.resolve(base)?;
        let known = |rule: RuleId| match rule {
            ROOT => Ok(()),
            rule if base.tree().get(rule).is_some() => Ok(()),
            rule => Err(StoreError::NotFound { what: format!("rule {rule}") }),
        };
        if let Some(unknown) = self.accept.ids.iter().find(|id| base.cornerstones().get(**id).is_none()) {
            return Err(StoreError::NotFound { what: format!("cornerstone {unknown}") });
        }
        let (draft, rules) = match &self.what {
            What::Correct { prompt, folder, instead_of, under } => {
                let correction = match (folder, instead_of) {
                    (Some(to), None) => Correction::Add(make(to)?),
                    (Some(to), Some(from)) => Correction::Replace { from: demand(from)?, to: make(to)? },
                    (None, Some(from)) => Correction::Remove(demand(from)?),
                    (None, None) => return Err(TeachError::NotThere.into()),
                };
                let mut draft = Draft::new(base, prompt.clone(), correction)?;
                if let Some(under) = under {
                    known(*under)?;
                    draft.place_under(base, *under)?;
                }
                draft.set_condition(condition)?;
                let rules = draft.rules(base, &self.origin);
                (Some(draft), rules)
            }
            What::Rule { folder, under } => {
                known(*under)?;
                let conclusion = match folder {
                    Some(path) => Conclusion::Folder(make(path)?),
                    None => Conclusion::Stop,
                };
                let (id, origin) = (base.next_rule(), self.origin.clone());
                (None, vec![Rule { id, parent: *under, condition, conclusion, origin }])
            }
            What::Retire(rule) => {
                known(*rule)?;
                (None, vec![base.retirement(*rule, self.origin.clone())])
            }
        };
        if rules.iter().any(Rule::is_retirement) && !matches!(self.what, What::Retire(_)) {
            return Err(TeachError::NoCondition.into());
        }
        // Words are not enough to see a circle of folders: the tree itself says.
        if rules.iter().flat_map(|rule| &rule.condition).any(|literal| literal.folder().is_some()) {
            base.tree().clone().extend(rules.iter().cloned()).map_err(TeachError::Tree)?;
        }
        let conflicts = match &draft {
            Some(draft) => draft.conflicts(base)?,
            None => base.conflicts_with(&rules)?,
        };
        let accepted: BTreeSet<CornerstoneId> = if self.accept.all {
            conflicts.iter().map(|conflict| conflict.cornerstone).collect()
        } else {
            self.accept.ids.iter().copied().collect()
        };
        let lesson = match &draft {
            Some(draft) => draft.lesson(base, &accepted, &self.origin),
            None => base.lesson_of(rules.clone(), &accepted),
        };
        let lesson = match lesson {
            Err(error) if !matches!(error, TeachError::Conflicts(_)) => return Err(error.into()),
            lesson => lesson,
        };
        Ok(Planned { folders, new_folders, rules, conflicts, draft, lesson })
    }

    fn resolve(&self, base: &Base) -> Result<Vec<Literal>, StoreError> {
        let literal = |wanted: &Wanted| {
            Ok(match wanted {
                Wanted::Term(literal) => literal.clone(),
                Wanted::Folder(polarity, path) => Literal {
                    polarity: *polarity,
                    attribute: Attribute::Folder(base.folders().demand(path)?),
                },
            })
        };
        self.condition.iter().map(literal).collect()
    }
}

/// What a person should know before a rule is written that can never fire.
pub(super) fn contradiction(base: &Base, planned: &Planned) -> Option<String> {
    let rule = planned.rules.first()?;
    let own = |at: usize| rule.condition[..at].iter().map(|literal| (None, literal));
    let path = base.tree().path(rule.parent);
    let above =
        || path.iter().flat_map(|above| above.condition.iter().map(|literal| (Some(above.id), literal)));
    for (at, literal) in rule.condition.iter().enumerate() {
        if let Some((place, other)) = own(at).chain(above()).find(|(_, other)| literal.contradicts(other)) {
            let (literal, other) = (in_words(&planned.folders, literal), in_words(&planned.folders, other));
            return Some(match place {
                Some(id) => format!(
                    "the rule could never fire: it asks for {literal}, but rule {id} above it for {other}"
                ),
                None => format!("the rule could never fire: it asks for both {other} and {literal}"),
            });
        }
    }
    None
}

/// Whether a rule is out of service.
pub(super) fn is_retired(base: &Base, rule: RuleId) -> bool {
    base.tree().children(rule).any(Rule::is_retirement)
}

/// Who writes, and when.
fn origin(note: Option<String>) -> Origin {
    Origin { author: author(), at: Some(Timestamp::now()), cornerstone: None, note }
}

impl Wish {
    /// Takes a rule out of service.
    pub(super) fn retire(rule: RuleId, accept: Accept, note: Option<String>) -> Self {
        Self { what: What::Retire(rule), condition: Vec::new(), accept, origin: origin(note) }
    }
}

/// Who writes: the name of the person logged in.
pub(super) fn author() -> Option<String> {
    ["USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()))
}

fn literals(polarity: Polarity, texts: &[String]) -> anyhow::Result<impl Iterator<Item = Wanted> + use<>> {
    let wanted = texts.iter().map(|text| literal(polarity, text)).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(wanted.into_iter())
}

/// `title:cup`, `body:stem:run`, `folder:Sports/Soccer`.
fn literal(polarity: Polarity, text: &str) -> anyhow::Result<Wanted> {
    let shown: String = text.chars().take(60).collect();
    let Some((field, rest)) = text.split_once(':') else {
        return Err(bad_input(format!(
            "“{shown}” names no field: write FIELD:WORD, for example title:{shown}"
        )));
    };
    if field == "folder" {
        return Ok(Wanted::Folder(polarity, rest.to_owned()));
    }
    let field = Field::from_word(field).ok_or_else(|| {
        bad_input(format!(
            "“{shown}” names no field: there are title, body, anchor, url, source, language and folder"
        ))
    })?;
    let mode = rest.split_once(':').and_then(|(mode, word)| Some((Mode::from_word(mode)?, word)));
    if let (None, Some((typed, _))) = (mode, rest.split_once(':'))
        && typed.chars().all(char::is_alphabetic)
    {
        return Err(bad_input(format!(
            "“{typed}” is no mode: there are exact, stem, phrase and prefix. For the words themselves, write {field}:exact:… or {field}:phrase:…"
        )));
    }
    let term = match mode {
        Some((mode, word)) => Term::new(field, mode, word),
        None => Term::natural(field, rest),
    };
    let term = term.map_err(|error| bad_input(error.to_string()))?;
    Ok(Wanted::Term(Literal { polarity, attribute: Attribute::Term(term) }))
}

/// As it would be typed.
pub(super) fn as_typed(folders: &Folders, literal: &Literal) -> String {
    let text = match &literal.attribute {
        Attribute::Term(term) if term.mode() == Mode::Exact => format!("{}:{}", term.field(), term.text()),
        Attribute::Term(term) => format!("{}:{}:{}", term.field(), term.mode().word(), term.text()),
        Attribute::Folder(folder) => format!("folder:{}", folders.path(*folder)),
    };
    let quote = if text.contains(char::is_whitespace) { "'" } else { "" };
    format!("--{} {quote}{text}{quote}", literal.polarity.word())
}
