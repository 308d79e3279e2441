//! The paper's own crawler without learning (Ehrig and Maedche 2003 for the content): priority (9) from the content
//! relevance of the parents by the ontology as it was given, and the link score (6) with PageRank over topic pages.

use super::{Memory, Part, Spot, Strategy};
use crate::crawl::equations::{link_score, priority, priority_in_logarithms};
use crate::crawl::settings::CrawlSettings;

/// Links along which rank flows for one page.
const FLOW: usize = 1_000;

#[derive(Debug)]
pub(super) struct OntologyFixed {
    r1: f64,
    r2: f64,
    logarithms: bool,
    /// Rank above the least counts as much as this share of a cosine: PageRank grows without bound, cosines do not.
    rank: f64,
}

impl OntologyFixed {
    pub(super) fn new(settings: &CrawlSettings) -> Self {
        Self { r1: settings.r1, r2: settings.r2, logarithms: settings.logarithms, rank: 0.1 }
    }

    /// Content, link context, inherited, rank.
    fn look(memory: &Memory, spot: Spot) -> (f64, f64, f64) {
        let Some(known) = memory.known(spot) else { return (0.0, 0.0, 0.0) };
        let (sum, count) = memory
            .parents(spot)
            .fold((0.0, 0.0), |(sum, count), page| (sum + f64::from(page.content), count + 1.0));
        let content = if count > 0.0 { sum / count } else { 0.0 };
        let relevant = memory.parents(spot).filter(|page| page.on_topic);
        let passed = relevant.map(|page| (f64::from(memory.reinforcement(page)), f64::from(page.cosine)));
        let link = link_score(f64::from(memory.relevance(known.words.iter())), passed);
        let rank = f64::from(memory.ranks.of(spot) - memory.ranks.least());
        (content, link, rank / (rank + 1.0))
    }
}

impl Strategy for OntologyFixed {
    fn done(&mut self, memory: &mut Memory, page: u32, again: &mut Vec<Spot>) -> bool {
        if memory.pages.get(page).is_some_and(|page| page.on_topic) {
            memory.ranks.counts(&mut memory.pages, page);
        }
        memory.ranks.flow(&memory.knowns, &mut memory.pages, &memory.links, FLOW);
        // λ of the parents moved with this child: their other children move, too.
        let spot = memory.pages.get(page).map(|page| page.spot);
        let parents =
            spot.into_iter().flat_map(|spot| memory.parents(spot)).filter(|page| page.on_topic).take(4);
        again.extend(parents.flat_map(|page| memory.links.children(page.first_link, page.links).take(100)));
        false
    }

    fn worth(&self, memory: &Memory, spot: Spot) -> f32 {
        let (content, link, rank) = Self::look(memory, spot);
        let score = if self.logarithms { priority_in_logarithms } else { priority };
        score(content, link + self.rank * rank, self.r1, self.r2) as f32
    }

    fn parts(&self, memory: &Memory, spot: Spot) -> Vec<Part> {
        let (content, link, rank) = Self::look(memory, spot);
        vec![
            Part::new("content of its parents (2)", content as f32, self.r1 as f32),
            Part::new("its links (6)", link as f32, self.r2 as f32),
            Part::new("PageRank (5)", rank as f32, (self.r2 * self.rank) as f32),
        ]
    }
}
