//! Ours: the value of a link is learned, from the scores the judge gives to pages.
//!
//! The signs of a link: the scores of its parents (each weighed by how few links it has: a page that links to
//! everything says nothing), how its words fit the topic's profile, whether titles with such words were good, the text
//! around it, how often it is linked, what its part of the site, its place on the page and its host have brought, and what
//! the other links of its parents have (λ, 8). They are the paper's (6) to (9) with every part weighed for itself.

use super::{Memory, Part, Spot, Strategy};
use crate::crawl::facts::{LinkFacts, PageFacts};
use crate::crawl::link_model::{LinkModel, SIGN_NAMES, SIGNS, Signs};
use crate::crawl::settings::CrawlSettings;
use serde_json::Value;

/// A parent as good as any with so small a share stands for those that are not known.
const DOUBT: f32 = 0.2;

/// Parents whose other links are looked at: the newest.
const SIBLINGS: f32 = 8.0;

#[derive(Debug)]
pub(super) struct Ours {
    learning: bool,
    hub: f32,
    model: LinkModel,
}

impl Ours {
    pub(super) fn new(settings: &CrawlSettings) -> Self {
        let tuning = &settings.tuning;
        let model = LinkModel::new(tuning.signs, tuning.rate, tuning.pull);
        Self { learning: settings.learning, hub: tuning.hub, model }
    }

    fn signs(&self, memory: &Memory, spot: Spot) -> Signs {
        let Some(known) = memory.known(spot) else { return [0.0; SIGNS] };
        // Of nothing there is no logarithm.
        let base = memory.judge.base().max(0.01);
        let (mut sum, mut weight, mut siblings, mut parents) = (DOUBT * base, DOUBT, 0.0, 0.0);
        for page in memory.parents(spot) {
            sum += page.score * page.share;
            weight += page.share;
            if parents < SIBLINGS {
                siblings += ((page.good_children + 4.0 * base) / (page.children as f32 + 4.0) / base).ln();
                parents += 1.0;
            }
        }
        if !self.learning {
            let likeness = memory.judge.likeness(known.words.iter());
            let context = f32::from(known.context) / 65_535.0;
            let often = f32::from(known.links).max(1.0).ln();
            return [1.0, sum / weight, likeness, 0.0, context, often, 0.0, 0.0, 0.0, 0.0];
        }
        [
            1.0,
            sum / weight,
            memory.judge.likeness(known.words.iter()),
            memory.judge.lift(known.words.iter()),
            f32::from(known.context) / 65_535.0,
            f32::from(known.links).max(1.0).ln(),
            memory.prefixes.lift(known.prefix, base),
            memory.places.lift(u32::from(known.path), base),
            memory.hosts.lift(known.host, base),
            if parents > 0.0 { siblings / parents } else { 0.0 },
        ]
    }
}

impl Strategy for Ours {
    fn page(&mut self, memory: &mut Memory, page: u32, _facts: &PageFacts) {
        let Some(read) = memory.pages.get(page) else { return };
        // Seeds were not chosen by any sign.
        if self.learning && memory.known(read.spot).is_some_and(|known| known.depth > 0) {
            self.model.learn(&self.signs(memory, read.spot), read.score);
        }
    }

    fn link(&mut self, memory: &mut Memory, _page: u32, to: Spot, link: &LinkFacts) {
        let fits = memory.judge.likeness(link.context.iter().copied()).clamp(0.0, 1.0);
        if let Some(known) = memory.knowns.get_mut(to) {
            let count = f32::from(known.links.max(1));
            let mean = f32::from(known.context) / 65_535.0;
            known.context = ((mean + (fits - mean) / count) * 65_535.0) as u16;
        }
    }

    fn done(&mut self, memory: &mut Memory, page: u32, _again: &mut Vec<Spot>) -> bool {
        if let Some(read) = memory.pages.get_mut(page) {
            read.share = (read.links.max(1) as f32).powf(-self.hub);
        }
        // Early pages change much, late ones little.
        let every = match page {
            0..100 => 10,
            100..400 => 20,
            400..2_000 => 64,
            _ => 256,
        };
        if !(page + 1).is_multiple_of(every) {
            return false;
        }
        for (number, score) in memory.judge.revise() {
            if let Some(page) = memory.pages.get_mut(number) {
                page.score = score;
            }
        }
        true
    }

    fn worth(&self, memory: &Memory, spot: Spot) -> f32 {
        self.model.worth(&self.signs(memory, spot))
    }

    fn parts(&self, memory: &Memory, spot: Spot) -> Vec<Part> {
        let signs = self.signs(memory, spot);
        let weighed = SIGN_NAMES.iter().zip(signs).zip(self.model.weights());
        weighed.map(|((name, sign), weight)| Part::new(name, sign, *weight)).collect()
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.model).unwrap_or_default()
    }

    fn restore(&mut self, state: Value) {
        if let Ok(model) = serde_json::from_value(state) {
            self.model = model;
        }
    }
}
