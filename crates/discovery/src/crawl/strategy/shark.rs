//! Shark-Search (Hersovici 1998): a URL inherits its parents' relevance, fading with each page off the topic, and is
//! judged by its anchor and the text around: γ·inherited + (1−γ)·(β·anchor + (1−β)·context).

use super::{LinkFacts, Memory, Spot, Strategy};

/// What is left of relevance after one link.
const FADE: f32 = 0.5;
/// Anchor against context.
const BETA: f32 = 0.8;
/// Inheritance against neighbourhood.
const GAMMA: f32 = 0.5;

#[derive(Debug, Default)]
pub(super) struct Shark {
    /// By spot: what it inherits, and its neighbourhood.
    known: Vec<(f32, f32)>,
}

impl Strategy for Shark {
    fn link(&mut self, memory: &mut Memory, page: u32, to: Spot, link: &LinkFacts) {
        let Some(page) = memory.pages.get(page) else { return };
        let own = self.known.get(page.spot.0 as usize).map_or(0.0, |known| known.0);
        let inherited = FADE * if page.cosine > 0.0 { page.cosine } else { own };
        let anchor = memory.relevance(link.words.iter().copied());
        let context = if anchor > 0.0 { 1.0 } else { memory.relevance(link.context.iter().copied()) };
        let around = BETA * anchor + (1.0 - BETA) * context;
        if self.known.len() <= to.0 as usize {
            self.known.resize(to.0 as usize + 1, (0.0, 0.0));
        }
        let known = &mut self.known[to.0 as usize];
        *known = (known.0.max(inherited), known.1.max(around));
    }

    fn worth(&self, _memory: &Memory, spot: Spot) -> f32 {
        let (inherited, around) = self.known.get(spot.0 as usize).copied().unwrap_or_default();
        GAMMA * inherited + (1.0 - GAMMA) * around
    }
}
