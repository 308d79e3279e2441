//! Classifier and distiller (Chakrabarti 1999): soft focus, a URL is worth what the classifier gives its best parent;
//! now and then the distiller finds hubs (Kleinberg's, with links weighed by relevance), and what they have not yet
//! shown comes to the front.

use super::{Memory, Spot, Strategy};

/// Pages between two distillations.
const EVERY: u32 = 50;
/// Rounds of hubs and authorities; more change the order no more.
const ROUNDS: usize = 5;

#[derive(Debug, Default)]
pub(super) struct Distiller {
    /// By page number: how good a hub, at most 1.
    hubs: Vec<f32>,
}

impl Strategy for Distiller {
    fn done(&mut self, memory: &mut Memory, page: u32, _again: &mut Vec<Spot>) -> bool {
        let time = (page + 1).is_multiple_of(EVERY);
        if time {
            self.distil(memory);
        }
        time
    }

    fn worth(&self, memory: &Memory, spot: Spot) -> f32 {
        let hub = |number: u32| self.hubs.get(number as usize).copied().unwrap_or(0.0);
        let parents = memory.links.parents(&memory.knowns, spot);
        parents
            .filter_map(|number| Some(memory.pages.get(number)?.content.max(hub(number))))
            .fold(0.0, f32::max)
    }
}

impl Distiller {
    fn distil(&mut self, memory: &Memory) {
        let count = memory.pages.len();
        let mut hubs = vec![1.0_f32; count as usize];
        let mut authorities = vec![0.0_f32; count as usize];
        for _ in 0..ROUNDS {
            authorities.fill(0.0);
            each_link(memory, |from, to| {
                // A hub passes on as much as it is relevant; links to pages off the topic count less.
                let weight = memory.pages.get(from).map_or(0.0, |page| page.content);
                authorities[to as usize] += hubs[from as usize] * weight;
            });
            hubs.fill(0.0);
            each_link(memory, |from, to| {
                let weight = memory.pages.get(to).map_or(0.0, |page| page.content);
                hubs[from as usize] += authorities[to as usize] * weight;
            });
            let most = hubs.iter().copied().fold(1e-9, f32::max);
            for hub in &mut hubs {
                *hub /= most;
            }
        }
        self.hubs = hubs;
    }
}

/// Every link between two pages that were read.
fn each_link(memory: &Memory, mut f: impl FnMut(u32, u32)) {
    for (from, page) in memory.pages.iter().enumerate() {
        for child in memory.links.children(page.first_link, page.links) {
            if let Some(to) = memory.known(child).and_then(|known| memory.pages.of(known)) {
                f(from as u32, to);
            }
        }
    }
}
