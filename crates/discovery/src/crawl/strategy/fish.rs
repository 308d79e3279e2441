//! Fish-Search (De Bra 1994): URLs are fish. The children of a page with food (on the topic) live on for as many links as
//! the search is deep, in larger number and near the front; without food each generation is weaker, and dies out.

use super::{LinkFacts, Memory, PageFacts, Spot, Strategy};

/// Generations that live without food.
const DEPTH: f32 = 3.0;
/// Children of a page that are taken at once; half as many again if it had food.
const WIDTH: u32 = 10;

#[derive(Debug, Default)]
pub(super) struct Fish {
    /// By spot: generations left, and how near the front.
    fish: Vec<(f32, f32)>,
    born: u32,
}

impl Strategy for Fish {
    fn page(&mut self, _memory: &mut Memory, _page: u32, _facts: &PageFacts) {
        self.born = 0;
    }

    fn link(&mut self, memory: &mut Memory, page: u32, to: Spot, _link: &LinkFacts) {
        let Some(page) = memory.pages.get(page) else { return };
        let own = self.fish.get(page.spot.0 as usize).map_or(DEPTH, |fish| fish.0);
        self.born += 1;
        let (depth, front) = if page.on_topic {
            (DEPTH, if self.born <= WIDTH * 3 / 2 { 1.0 } else { 0.25 })
        } else {
            (own - 1.0, if self.born <= WIDTH { 0.5 } else { 0.0 })
        };
        if self.fish.len() <= to.0 as usize {
            self.fish.resize(to.0 as usize + 1, (-1.0, -1.0));
        }
        let fish = &mut self.fish[to.0 as usize];
        *fish = (fish.0.max(depth), fish.1.max(front));
    }

    fn worth(&self, _memory: &Memory, spot: Spot) -> f32 {
        // The dead are asked last, not never: a crawl that ends early would seem to be choosy.
        let (depth, front) = self.fish.get(spot.0 as usize).copied().unwrap_or((DEPTH, 1.0));
        if depth <= 0.0 { -1.0 } else { front + 0.01 * depth }
    }
}
