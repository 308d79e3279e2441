//! The strategies: each a way to say what a known URL is worth, behind one trait.

mod breadth_first;
mod context_graph;
mod distiller;
mod fish;
mod keyword;
mod ontology_fixed;
mod ours;
mod page_rank;
mod q_learning;
mod shark;
mod tunnelling;

use super::explain::Part;
use super::facts::{LinkFacts, PageFacts};
use super::known::Spot;
use super::memory::Memory;
use super::name::StrategyName;
use super::settings::CrawlSettings;
use serde_json::Value;

/// A way to choose.
pub(crate) trait Strategy: std::fmt::Debug + Send + Sync {
    /// A page was read and judged; its links are not entered yet.
    fn page(&mut self, memory: &mut Memory, page: u32, facts: &PageFacts) {
        let _ = (memory, page, facts);
    }

    /// A page links to a URL.
    fn link(&mut self, memory: &mut Memory, page: u32, to: Spot, link: &LinkFacts) {
        let _ = (memory, page, to, link);
    }

    /// All links of the page are entered. Answers whether everything that waits should be looked at again.
    fn done(&mut self, memory: &mut Memory, page: u32, again: &mut Vec<Spot>) -> bool {
        let _ = (memory, page, again);
        false
    }

    /// What a known URL is worth now.
    fn worth(&self, memory: &Memory, spot: Spot) -> f32;

    /// What that is made of.
    fn parts(&self, memory: &Memory, spot: Spot) -> Vec<Part> {
        vec![Part::new("worth", self.worth(memory, spot), 1.0)]
    }

    /// What should survive a restart.
    fn state(&self) -> Value {
        Value::Null
    }

    /// Goes on from there; what cannot be read is left out.
    fn restore(&mut self, state: Value) {
        let _ = state;
    }
}

/// The strategy of a name.
pub(crate) fn build(settings: &CrawlSettings) -> Box<dyn Strategy> {
    match settings.strategy {
        StrategyName::BreadthFirst => Box::new(breadth_first::BreadthFirst),
        StrategyName::Keyword => Box::new(keyword::Keyword),
        StrategyName::PageRank => Box::new(page_rank::PageRank),
        StrategyName::FishSearch => Box::new(fish::Fish::default()),
        StrategyName::SharkSearch => Box::new(shark::Shark::default()),
        StrategyName::Distiller => Box::new(distiller::Distiller::default()),
        StrategyName::ContextGraph => Box::new(context_graph::ContextGraph::default()),
        StrategyName::Tunnelling => Box::new(tunnelling::Tunnelling::default()),
        StrategyName::QLearning => Box::new(q_learning::QLearning::default()),
        StrategyName::OntologyFixed => Box::new(ontology_fixed::OntologyFixed::new(settings)),
        StrategyName::Ontology => Box::new(ours::Ours::new(settings)),
    }
}
