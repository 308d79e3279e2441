//! When no short condition spares all cornerstones: literals that exclude the most, until none is left.

use super::{Candidate, Partial, Search};
use crate::expert::lexicon::Choice;
use knowledge::MOST_LITERALS;

impl Search<'_> {
    /// `None` if some cornerstone cannot be told from the article: they say the same and belong elsewhere.
    pub(super) fn cover(
        &self,
        start: &Partial,
        mut partial: Partial,
        own: &[Candidate],
    ) -> Option<Vec<Choice>> {
        while partial.conflicts > 0 && partial.choices.len() < MOST_LITERALS {
            let lacking = self.rank_lacking(&partial).into_iter().map(Choice::lacks);
            let lacking: Vec<Candidate> = lacking.map(|choice| self.candidate(start, choice)).collect();
            let extensions = own.iter().chain(&lacking).map(|candidate| self.extension(&partial, *candidate));
            let fewer = extensions.filter(|extension| extension.conflicts < partial.conflicts);
            let best = fewer
                .min_by(|a, b| a.conflicts.cmp(&b.conflicts).then_with(|| b.score.total_cmp(&a.score)))?;
            partial = self.extend(&partial, &best);
        }
        (partial.conflicts == 0).then_some(partial.choices)
    }
}
