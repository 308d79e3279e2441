//! The most linked-to first (Cho 1998): PageRank (5) over all pages read so far, whatever they are about.

use super::{Memory, Spot, Strategy};

/// Links along which rank flows for one page; the rest flows with the next.
const FLOW: usize = 2_000;

#[derive(Debug)]
pub(super) struct PageRank;

impl Strategy for PageRank {
    fn done(&mut self, memory: &mut Memory, page: u32, _again: &mut Vec<Spot>) -> bool {
        memory.ranks.counts(&mut memory.pages, page);
        memory.ranks.flow(&memory.knowns, &mut memory.pages, &memory.links, FLOW);
        // Every page moves ranks a little everywhere; looking at all of them each time would cost too much.
        page.is_multiple_of(10)
    }

    fn worth(&self, memory: &Memory, spot: Spot) -> f32 {
        memory.ranks.of(spot)
    }
}
