//! What a report says of random bases is true.

use crate::properties::{article, tree};
use knowledge::{Base, Cornerstones, Filer, Folders, ROOT, Rule, RuleTree, STALE_DAYS, report};
use model::{CornerstoneId, RuleId};
use proptest::prelude::*;
use std::collections::HashMap;

proptest! {
    #[test]
    fn what_can_never_fire_does_not_and_what_adds_nothing_could_go(
        tree in tree(), articles in prop::collection::vec(article(), 20),
    ) {
        let base = Base::restore(
            Folders::default(), tree.clone(), Cornerstones::default(), Vec::new(), RuleId(99), CornerstoneId(0),
        );
        let report = report(&base, &HashMap::new(), "2026-11-15T10:00:00Z".parse().unwrap(), STALE_DAYS);
        // All at once: no two of them lean on each other.
        let is_kept = |rule: &&Rule| report.subsumed.iter().all(|found| found.rule != rule.id);
        let kept: Vec<Rule> = tree.rules().iter().filter(is_kept).cloned().collect();
        let without = RuleTree::new(kept).unwrap();
        let mut filer = Filer::default();
        for article in &articles {
            let filing = filer.file(&tree, article);
            prop_assert_eq!(&filer.file(&without, article).folders, &filing.folders);
            for found in &report.unreachable {
                prop_assert!(!filing.live.contains(&found.rule));
                prop_assert_ne!(found.rule, ROOT);
            }
        }
    }
}
