//! The difference list: what tells this article from those that the rule must not catch.

use super::{Correction, Draft, TeachError};
use crate::archive::Archive;
use crate::base::Base;
use crate::field::Field;
use crate::literal::{Literal, Mode, Polarity, Term};
use crate::rule::Conclusion;
use crate::words::Words;
use model::FolderId;
use roaring::RoaringBitmap;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// Words that this article lacks are looked for in so many of the others; more would hardly bring new ones.
const MOST_READ: usize = 30;

/// Articles of an archive that were ticked as not belonging.
#[derive(Debug, Clone, Copy)]
pub struct Unwanted<'a> {
    /// The archive.
    pub archive: &'a Archive,
    /// Which.
    pub articles: &'a RoaringBitmap,
}

/// A literal that would help.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The literal; it holds of the article.
    pub literal: Literal,
    /// How many cornerstones in conflict, and unwanted articles, it would exclude.
    pub excludes: u64,
    /// In how many rules for this folder it was used before.
    pub uses: u32,
    /// Of the archived articles it holds of, the share that is in this folder, drawn to nothing where there are few.
    pub precision: f64,
}

impl Draft {
    /// Literals that tell the article from the cornerstones in conflict and from unwanted articles: those that exclude
    /// most first, then those used for this folder before, then those that are precise in the archive.
    pub fn suggestions(
        &self,
        base: &Base,
        archive: Option<&Archive>,
        unwanted: Option<Unwanted<'_>>,
    ) -> Result<Vec<Suggestion>, TeachError> {
        let conflicts = self.conflict_set(base)?;
        let unwanted = self.still_caught(base, unwanted)?;
        Ok(self.rank(base, archive, &conflicts, unwanted.as_ref()))
    }

    /// Unwanted articles that the draft still catches.
    pub(super) fn still_caught<'a>(
        &self,
        base: &Base,
        unwanted: Option<Unwanted<'a>>,
    ) -> Result<Option<(&'a Archive, RoaringBitmap)>, TeachError> {
        let Some(unwanted) = unwanted else { return Ok(None) };
        let caught = self.what_if(base, unwanted.archive)?.caught;
        Ok(Some((unwanted.archive, caught & unwanted.articles)))
    }

    pub(super) fn rank(
        &self,
        base: &Base,
        archive: Option<&Archive>,
        conflicts: &RoaringBitmap,
        unwanted: Option<&(&Archive, RoaringBitmap)>,
    ) -> Vec<Suggestion> {
        let cornerstones = base.cornerstones().archive(base.tree());
        let past = Past::new(base, archive, self.correction);
        let count_excluded = |archive: &Archive, set: &RoaringBitmap, literal: &Literal| {
            set.len() - archive.count_holding(literal, set)
        };
        let mut suggestions: Vec<Suggestion> = self
            .candidates(cornerstones, conflicts, unwanted)
            .into_iter()
            .filter(|literal| !self.condition.contains(literal))
            .map(|literal| {
                let from_unwanted =
                    unwanted.map_or(0, |(archive, set)| count_excluded(archive, set, &literal));
                let excludes = count_excluded(cornerstones, conflicts, &literal) + from_unwanted;
                let (uses, precision) = past.of(&literal);
                Suggestion { literal, excludes, uses, precision }
            })
            .collect();
        suggestions.sort_by(|a, b| {
            let key = |s: &Suggestion| (Reverse(s.excludes), Reverse(s.uses), s.literal.polarity);
            let precision = || b.precision.total_cmp(&a.precision);
            key(a).cmp(&key(b)).then_with(precision).then_with(|| a.literal.cmp(&b.literal))
        });
        suggestions
    }

    /// The article's own words, and words of the others that it lacks.
    fn candidates(
        &self,
        cornerstones: &Archive,
        conflicts: &RoaringBitmap,
        unwanted: Option<&(&Archive, RoaringBitmap)>,
    ) -> Vec<Literal> {
        let mut literals = BTreeSet::new();
        for field in Field::ALL {
            literals
                .extend(self.words.distinct(field).filter_map(|word| literal(Polarity::Has, field, word)));
        }
        let others = conflicts.iter().rev().take(MOST_READ).filter_map(|number| cornerstones.text(number));
        let ticked = unwanted.iter().flat_map(|(archive, set)| {
            set.iter().rev().take(MOST_READ).filter_map(|number| archive.text(number))
        });
        for other in others.chain(ticked) {
            let other = Words::of(&other);
            // Where an article was found says less about it than what it says.
            for field in [Field::Title, Field::Body] {
                if self.words.is_missing(field) {
                    continue;
                }
                let lacked = other.distinct(field).filter_map(|word| literal(Polarity::Lacks, field, word));
                literals.extend(lacked.filter(|literal| self.words.hold(literal)));
            }
        }
        literals.into_iter().collect()
    }
}

fn literal(polarity: Polarity, field: Field, word: &str) -> Option<Literal> {
    let term = Term::new(field, Mode::Exact, word).ok()?;
    Some(Literal { polarity, attribute: crate::literal::Attribute::Term(term) })
}

/// What the past says about a literal and the folder.
struct Past<'a> {
    uses: HashMap<&'a Literal, u32>,
    archive: Option<(&'a Archive, RoaringBitmap)>,
}

impl<'a> Past<'a> {
    fn new(base: &'a Base, archive: Option<&'a Archive>, correction: Correction) -> Self {
        let (conclusion, folder): (Conclusion, Option<FolderId>) = match correction {
            Correction::Add(to) | Correction::Replace { to, .. } => (Conclusion::Folder(to), Some(to)),
            Correction::Remove(_) => (Conclusion::Stop, None),
        };
        let mut uses = HashMap::new();
        for rule in base.tree().rules().iter().filter(|rule| rule.conclusion == conclusion) {
            for literal in &rule.condition {
                *uses.entry(literal).or_default() += 1;
            }
        }
        // What is right about a stop is that articles are *not* in the folder.
        let in_folder = |archive: &Archive| match (correction, folder) {
            (Correction::Remove(from), _) => archive.articles() - archive.in_folder(base.tree(), from),
            (_, Some(folder)) => archive.in_folder(base.tree(), folder),
            (_, None) => RoaringBitmap::new(),
        };
        Self { uses, archive: archive.map(|archive| (archive, in_folder(archive))) }
    }

    fn of(&self, literal: &Literal) -> (u32, f64) {
        let uses = self.uses.get(literal).copied().unwrap_or(0);
        // Almost every article lacks almost every word: what a lacking word says about a folder is next to nothing.
        let archive = self.archive.as_ref().filter(|_| literal.polarity == Polarity::Has);
        let precision = archive.map_or(0.0, |(archive, right)| {
            let all = archive.count_holding(literal, archive.articles());
            let right = archive.count_holding(literal, right);
            right as f64 / (all as f64 + 2.0)
        });
        (uses, precision)
    }
}
