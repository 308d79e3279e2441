//! Best first by keywords (Cho 1998, Menczer 2004): a URL is worth what its best parent is, and that is the cosine (7)
//! of the parent's text with the topic's words.

use super::{Memory, Spot, Strategy};

#[derive(Debug)]
pub(super) struct Keyword;

impl Strategy for Keyword {
    fn worth(&self, memory: &Memory, spot: Spot) -> f32 {
        memory.parents(spot).map(|page| page.cosine).fold(0.0, f32::max)
    }
}
