//! Context graph (Diligenti 2000): how many links away from the topic a page looks to be, by its words. The original
//! asks a search engine for pages that link to the examples; here the layers come from the crawl itself: a page on the
//! topic is layer 0, what links to it layer 1, what links there layer 2. A naive Bayes model of each layer's words says
//! where a new page belongs, and its links wait in that layer's queue.

use super::{Memory, PageFacts, Spot, Strategy};
use crate::crawl::words::BUCKETS;

/// Layers; the last is "elsewhere".
const LAYERS: usize = 4;

#[derive(Debug)]
pub(super) struct ContextGraph {
    /// By page: the layer it was seen to be in, the layer it looks like.
    layers: Vec<(u8, u8)>,
    /// For each layer: pages with each word, and pages.
    words: Vec<Vec<f32>>,
    pages: [f32; LAYERS],
    kept: Vec<Box<[u32]>>,
}

impl Default for ContextGraph {
    fn default() -> Self {
        Self {
            layers: Vec::new(),
            words: vec![vec![0.0; BUCKETS]; LAYERS],
            pages: [0.0; LAYERS],
            kept: Vec::new(),
        }
    }
}

impl Strategy for ContextGraph {
    fn page(&mut self, memory: &mut Memory, page: u32, facts: &PageFacts) {
        let words: Box<[u32]> = facts.signs.words.iter().map(|(word, _)| *word).collect();
        let on_topic = memory.pages.get(page).is_some_and(|page| page.on_topic);
        let seen = if on_topic { 0 } else { LAYERS as u8 - 1 };
        let looks = if on_topic { 0 } else { self.classify(&words) };
        // Pages read before a restart are not known here: they count as elsewhere, and say no words.
        self.layers.resize(page as usize, (LAYERS as u8 - 1, LAYERS as u8 - 1));
        self.kept.resize(page as usize, Box::default());
        self.layers.push((seen, looks));
        self.kept.push(words);
        self.count(page as usize, 1.0);
        if on_topic && let Some(spot) = memory.pages.get(page).map(|page| page.spot) {
            self.raise(memory, spot, 1);
        }
    }

    fn worth(&self, memory: &Memory, spot: Spot) -> f32 {
        let layer =
            |number: u32| self.layers.get(number as usize).map_or(LAYERS as u8 - 1, |layers| layers.1);
        let best = |number: u32| {
            let content = memory.pages.get(number).map_or(0.0, |page| page.content);
            // Within a layer the likelier first.
            (LAYERS as f32 - f32::from(layer(number))) + 0.5 * content
        };
        memory.links.parents(&memory.knowns, spot).map(best).fold(0.0, f32::max)
    }
}

impl ContextGraph {
    /// The parents of a page in a layer are at most one layer further out.
    fn raise(&mut self, memory: &Memory, spot: Spot, layer: u8) {
        if usize::from(layer) >= LAYERS - 1 {
            return;
        }
        let parents: Vec<u32> = memory.links.parents(&memory.knowns, spot).collect();
        for parent in parents {
            let Some(now) = self.layers.get(parent as usize).map(|layers| layers.0) else { continue };
            if now > layer {
                self.count(parent as usize, -1.0);
                self.layers[parent as usize].0 = layer;
                self.count(parent as usize, 1.0);
                if let Some(page) = memory.pages.get(parent) {
                    self.raise(memory, page.spot, layer + 1);
                }
            }
        }
    }

    fn count(&mut self, page: usize, by: f32) {
        let layer = usize::from(self.layers[page].0);
        self.pages[layer] += by;
        for word in &self.kept[page] {
            self.words[layer][*word as usize] += by;
        }
    }

    fn classify(&self, words: &[u32]) -> u8 {
        let total: f32 = self.pages.iter().sum();
        let logarithm = |layer: usize| {
            let pages = self.pages[layer];
            let prior = ((pages + 1.0) / (total + LAYERS as f32)).ln();
            let word = |word: &u32| ((self.words[layer][*word as usize] + 0.1) / (pages + 0.2)).ln();
            // Words are far from independent: their mean says as much as their sum, and does not shout.
            prior + words.iter().map(word).sum::<f32>() / words.len().max(1) as f32 * 20.0
        };
        let best = (0..LAYERS).max_by(|one, other| logarithm(*one).total_cmp(&logarithm(*other)));
        best.unwrap_or(LAYERS - 1) as u8
    }
}
