//! From a lesson to the next article filed by it, in a large base.

use anyhow::Context;
use knowledge::{Base, Cornerstone, Cornerstones, Fields, Filer, Folders, Lesson, Rule, RuleTree, Verdict};
use model::{CornerstoneId, RuleId};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const COMMITS: usize = 200;

/// How long commits took.
pub(crate) struct Commits {
    times: Vec<Duration>,
    pub(crate) cornerstones: usize,
}

impl Commits {
    /// Teaches the last rules one by one to a base of the others, each of which has a cornerstone.
    pub(crate) fn measure(articles: &[Fields<'static>], rules: &[Rule]) -> anyhow::Result<Self> {
        let (old, new) = rules.split_at(rules.len() - COMMITS);
        let tree = RuleTree::new(old.iter().cloned())?;
        let mut filer = Filer::default();
        let cornerstone = |filer: &mut Filer, tree: &RuleTree, n: usize| {
            let fields = articles[n % articles.len()].clone();
            let expected: BTreeSet<_> = filer.file(tree, &fields).folders.into_iter().collect();
            Cornerstone { id: CornerstoneId(n as i64 + 1), article: None, fields, expected }
        };
        let kept: Vec<_> = (0..old.len()).map(|n| cornerstone(&mut filer, &tree, n)).collect();
        let count = kept.len();
        let last = (RuleId(old.len() as i64), CornerstoneId(count as i64));
        let mut base =
            Base::restore(Folders::default(), tree, Cornerstones::restore(kept), vec![], last.0, last.1);
        // Warm: whoever teaches has looked at the cornerstones before.
        base.cornerstones().archive(base.tree());
        let mut times = Vec::with_capacity(COMMITS);
        for (n, rule) in new.iter().enumerate() {
            let after = cornerstone(&mut filer, base.tree(), count + n);
            let prompt = rule.origin.cornerstone.context("a rule without an origin")?;
            let next = &articles[prompt.0 as usize - 1];
            let lesson =
                Lesson { rules: vec![rule.clone()], verdicts: vec![Verdict { before: None, after }] };
            let began = Instant::now();
            base.apply(lesson)?;
            let filing = filer.file(base.tree(), next);
            times.push(began.elapsed());
            anyhow::ensure!(filing.live.contains(&rule.id), "rule {} is not in force", rule.id);
        }
        times.sort();
        Ok(Self { times, cornerstones: count })
    }

    /// The time that so many in a hundred stayed within.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        self.times[(self.times.len() * percent / 100).min(self.times.len() - 1)]
    }

    pub(crate) fn count(&self) -> usize {
        self.times.len()
    }
}
