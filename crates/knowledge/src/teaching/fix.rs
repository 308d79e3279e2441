//! "Fix it for me": the fewest literals that exclude every conflict, found greedily.

use super::{Draft, TeachError, Unwanted};
use crate::archive::Archive;
use crate::base::Base;
use crate::cornerstone;
use crate::literal::Literal;
use crate::rule::MOST_LITERALS;
use model::CornerstoneId;

/// A proposal; nothing is committed by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// Literals to add to the condition.
    pub add: Vec<Literal>,
    /// Cornerstones that no literal can exclude: they say the same and belong elsewhere. A person must decide which
    /// verdict stands.
    pub contradictions: Vec<CornerstoneId>,
    /// Unwanted articles that no literal can exclude.
    pub inseparable: Vec<u32>,
}

impl Draft {
    /// Proposes literals that exclude all conflicts and unwanted articles.
    pub fn fix(
        &self,
        base: &Base,
        archive: Option<&Archive>,
        unwanted: Option<Unwanted<'_>>,
    ) -> Result<Fix, TeachError> {
        let mut draft = self.clone();
        let mut conflicts = draft.conflict_set(base)?;
        let mut unwanted = draft.still_caught(base, unwanted)?;
        let cornerstones = base.cornerstones().archive(base.tree());
        let mut add = Vec::new();
        let open = |unwanted: &Option<(&Archive, roaring::RoaringBitmap)>| {
            unwanted.as_ref().is_some_and(|(_, set)| !set.is_empty())
        };
        while (!conflicts.is_empty() || open(&unwanted)) && draft.condition.len() < MOST_LITERALS {
            let ranked = draft.rank(base, archive, &conflicts, unwanted.as_ref());
            let Some(best) = ranked.into_iter().next().filter(|best| best.excludes > 0) else { break };
            // A longer condition catches less: what was no conflict stays none.
            conflicts &= cornerstones.holding(base.tree(), &best.literal);
            if let Some((archive, set)) = &mut unwanted {
                *set &= archive.holding(base.tree(), &best.literal);
            }
            draft.pick(best.literal.clone());
            add.push(best.literal);
        }
        Ok(Fix {
            add,
            contradictions: conflicts.iter().map(cornerstone::id).collect(),
            inseparable: unwanted.map(|(_, set)| set.iter().collect()).unwrap_or_default(),
        })
    }
}
