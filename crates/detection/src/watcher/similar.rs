//! How alike sources are in a folder, from what was filed there (paper 000).

use super::Watcher;
use model::{FolderId, SourceId};

/// A source that covers a folder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Covering {
    /// The source.
    pub source: SourceId,
    /// Its articles in the folder.
    pub articles: u32,
    /// min(n, m) / max(n, m) with the source it is compared to; 1 for itself.
    pub similarity: f64,
}

impl Watcher {
    /// The sources that cover a folder, most articles first, compared with `to`.
    pub fn covering(&self, folder: FolderId, to: Option<SourceId>) -> Vec<Covering> {
        let Some(watch) = self.folders.get(&folder) else { return Vec::new() };
        let own = to.and_then(|source| watch.sources.get(&source)).copied().unwrap_or(0);
        let mut covering: Vec<Covering> = watch
            .sources
            .iter()
            .filter(|(_, articles)| **articles > 0)
            .map(|(source, articles)| Covering {
                source: *source,
                articles: *articles,
                similarity: similarity(own, *articles),
            })
            .collect();
        covering.sort_by_key(|covering| (std::cmp::Reverse(covering.articles), covering.source));
        covering
    }

    /// The folders a source covers, with its articles there, most first.
    pub fn covered_by(&self, source: SourceId) -> Vec<(FolderId, u32)> {
        let folders = self.sources.get(&source).map(|sight| sight.folders.as_slice()).unwrap_or_default();
        let articles =
            |id: &FolderId| self.folders.get(id).and_then(|watch| watch.sources.get(&source)).copied();
        let mut covered: Vec<_> =
            folders.iter().filter_map(|covered| Some((covered.folder, articles(&covered.folder)?))).collect();
        covered.sort_by_key(|(id, articles)| (std::cmp::Reverse(*articles), *id));
        covered
    }
}

/// min / max of two counts; 0 if one is.
fn similarity(a: u32, b: u32) -> f64 {
    f64::from(a.min(b)) / f64::from(a.max(b).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's example: 17, 15 and 4 articles.
    #[test]
    fn picks_the_one_that_is_alike() {
        assert!((similarity(17, 15) - 0.88).abs() < 0.005);
        assert!((similarity(17, 4) - 0.24).abs() < 0.005);
        assert!(similarity(0, 4).abs() < f64::EPSILON);
    }
}
