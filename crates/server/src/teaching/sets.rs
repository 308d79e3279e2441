//! Between lists of ids and sets of articles.

use roaring::RoaringBitmap;

/// The articles with these ids; ids that no archive can hold are of no article.
pub(crate) fn numbers(ids: impl IntoIterator<Item = i64>) -> RoaringBitmap {
    ids.into_iter().filter_map(|id| u32::try_from(id).ok()).collect()
}
