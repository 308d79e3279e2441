//! Rules between classes, with tunnelling (Altingövde and Ulusoy 2004): pages have classes, and the crawl counts how
//! often a link from one class leads to another. A URL is worth the chance that its parent's class leads to the topic,
//! at once or, tunnelling, through one more page.
//!
//! A page's class is the ontology's class that most of its evidence is of, and how relevant it is in quarters.

use super::{Memory, PageFacts, Spot, Strategy};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(super) struct Tunnelling {
    /// By page: its class.
    classes: Vec<u32>,
    /// From class to class: links followed.
    rules: HashMap<(u32, u32), f32>,
    /// By class: links followed from it, and how many led to the topic.
    from: HashMap<u32, (f32, f32)>,
}

/// The class of pages that nothing is known about.
const UNKNOWN: u32 = u32::MAX - 3;

/// Links as good as any that stand for what is not known yet.
const DOUBT: f32 = 3.0;

impl Strategy for Tunnelling {
    fn page(&mut self, memory: &mut Memory, page: u32, facts: &PageFacts) {
        let Some(read) = memory.pages.get(page) else { return };
        let class = facts.reading.evidence.first().map_or(u32::MAX >> 2, |evidence| evidence.class.0);
        let class = class.wrapping_mul(4) + (facts.reading.normalised * 3.99).clamp(0.0, 3.0) as u32;
        // Pages read before a restart have no class any more.
        self.classes.resize(page as usize, UNKNOWN);
        self.classes.push(class);
        let on_topic = f32::from(read.on_topic);
        let parents: Vec<u32> = memory.links.parents(&memory.knowns, read.spot).collect();
        for parent in parents {
            let Some(parent) = self.classes.get(parent as usize).copied() else { continue };
            *self.rules.entry((parent, class)).or_default() += 1.0;
            let from = self.from.entry(parent).or_default();
            from.0 += 1.0;
            from.1 += on_topic;
        }
    }

    fn done(&mut self, _memory: &mut Memory, page: u32, _again: &mut Vec<Spot>) -> bool {
        page.is_multiple_of(10)
    }

    fn worth(&self, memory: &Memory, spot: Spot) -> f32 {
        let parents = memory.links.parents(&memory.knowns, spot);
        let worth = |number: u32| {
            let class = self.classes.get(number as usize).copied()?;
            Some(self.leads(class) + 0.5 * self.tunnel(class))
        };
        parents.filter_map(worth).fold(0.0, f32::max)
    }
}

impl Tunnelling {
    /// The chance that a link from this class leads to the topic.
    fn leads(&self, class: u32) -> f32 {
        let (all, good) =
            self.from.values().fold((0.0, 0.0), |sums, from| (sums.0 + from.0, sums.1 + from.1));
        let base = (good + 0.5) / (all + 1.0);
        let (followed, hits) = self.from.get(&class).copied().unwrap_or_default();
        // A more relevant class is likelier to, as long as nothing else is known.
        let guess = base * (0.5 + (class % 4) as f32 / 2.0);
        (hits + DOUBT * guess) / (followed + DOUBT)
    }

    /// The same through one more page.
    fn tunnel(&self, class: u32) -> f32 {
        let followed = self.from.get(&class).map_or(0.0, |from| from.0);
        let through = self.rules.iter().filter(|((from, _), _)| *from == class);
        let sum: f32 = through.map(|((_, to), links)| links / followed.max(1.0) * self.leads(*to)).sum();
        sum
    }
}
