//! Statistical learning: equations (3) and (4), and how they spread along the graph.

use crate::ontology::{ClassId, Ontology, Ratio};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How many pages' worth of "as usual" a class begins with, and how many its neighbours are worth to it.
const PRIOR: f64 = 4.0;
/// A factor stays between this and its inverse: a crawl re-weighs an ontology, it does not overthrow it.
const LEAST: f64 = 1.0 / 3.0;

/// What was counted: Nc, Nt, and for each class `n_o` and `n_to`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Counts {
    pub(super) pages: u32,
    pub(super) on_topic: u32,
    pub(super) classes: BTreeMap<ClassId, (u32, u32)>,
    /// Who says so.
    #[serde(default)]
    pub(super) witnesses: BTreeMap<ClassId, Witnesses>,
}

/// Where a class was seen on pages on the topic.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Witnesses {
    /// The first sites: two are several.
    pub(super) sites: BTreeSet<String>,
    /// The first pages, by number.
    pub(super) pages: Vec<u64>,
}

/// Of each kind so many are remembered.
const MOST_WITNESSES: usize = 3;

impl Counts {
    /// Counts a page with these classes on it.
    pub(super) fn add(
        &mut self,
        classes: impl IntoIterator<Item = ClassId>,
        on_topic: bool,
        number: u64,
        site: &str,
    ) {
        self.pages += 1;
        self.on_topic += u32::from(on_topic);
        let mut classes: Vec<ClassId> = classes.into_iter().collect();
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            let (pages, hits) = self.classes.entry(class).or_default();
            *pages += 1;
            *hits += u32::from(on_topic);
            let known = self.witnesses.entry(class).or_default();
            if on_topic && known.pages.len() < MOST_WITNESSES {
                known.pages.push(number);
            }
            if on_topic && known.sites.len() < MOST_WITNESSES && !known.sites.contains(site) {
                known.sites.insert(site.to_owned());
            }
        }
    }

    /// How often a class was seen, and on pages on the topic; not at all if too few sites say so.
    fn seen(&self, class: ClassId, several: bool) -> (u32, u32) {
        let sites = self.witnesses.get(&class).map_or(0, |known| known.sites.len());
        let counted = self.classes.get(&class).copied().unwrap_or_default();
        // Never on the topic: nobody gains by that, and nobody need bear witness.
        if several && sites == 1 { (0, 0) } else { counted }
    }

    /// σ of each class: its own experience, smoothed, and where it has little of its own what it had before and what
    /// its neighbours have. The second value says whether it comes from these for the most part.
    pub(super) fn factors(
        &self,
        ontology: &Ontology,
        ratio: Ratio,
        before: &BTreeMap<ClassId, f64>,
        several: bool,
    ) -> Vec<(f64, bool)> {
        let (pages, on_topic) = (f64::from(self.pages), f64::from(self.on_topic));
        let inherited = |at: usize| {
            before.get(&ClassId(at as u32)).map_or(1.0, |factor| factor.clamp(LEAST, 1.0 / LEAST))
        };
        if self.pages == 0 || self.on_topic == 0 {
            return (0..ontology.classes().len()).map(|at| (inherited(at), true)).collect();
        }
        let own: Vec<(f64, f64)> = (0..ontology.classes().len())
            .map(|at| {
                let (seen, hits) = self.seen(ClassId(at as u32), several);
                let (seen, hits) = (f64::from(seen), f64::from(hits));
                let smoothed = (seen + PRIOR, hits + PRIOR * on_topic / pages);
                (seen, sigma(ratio, pages, on_topic, smoothed.0, smoothed.1).ln())
            })
            .collect();
        let neighbours = ontology.neighbours();
        let spread = |at: usize| {
            let (seen, log) = own[at];
            let near = &neighbours[at];
            let weight: f64 = near.iter().map(|id| own[id.0 as usize].0).sum();
            let sum: f64 = near.iter().map(|id| own[id.0 as usize].0 * own[id.0 as usize].1).sum();
            // Half of what the neighbours say, and the less of it the more the class has seen itself.
            let said = if weight > 0.0 { 0.5 * sum / weight } else { 0.0 };
            let factor = ((seen * log + PRIOR * (said + inherited(at).ln())) / (seen + PRIOR))
                .exp()
                .clamp(LEAST, 1.0 / LEAST);
            (factor, seen < PRIOR)
        };
        (0..own.len()).map(spread).collect()
    }
}

/// Equation (3), in either reading.
pub(super) fn sigma(ratio: Ratio, pages: f64, on_topic: f64, with: f64, hits: f64) -> f64 {
    match ratio {
        Ratio::AsPrinted => on_topic * with / (pages * hits),
        Ratio::Lift => (hits / with) / (on_topic / pages),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::{Class, Topic};
    use proptest::prelude::*;

    #[test]
    fn equation_3_in_both_readings() {
        // 100 pages, 20 on the topic; the class is on 10 pages, 5 of them on the topic.
        assert!((sigma(Ratio::AsPrinted, 100.0, 20.0, 10.0, 5.0) - 0.4).abs() < 1e-12);
        assert!((sigma(Ratio::Lift, 100.0, 20.0, 10.0, 5.0) - 2.5).abs() < 1e-12);
    }

    fn chain() -> Ontology {
        let mut ontology = Ontology::default();
        for (at, name) in ["topic", "near", "far", "farther"].into_iter().enumerate() {
            let parents = if at == 0 { vec![] } else { vec![ClassId(at as u32 - 1)] };
            ontology.add_class(Class { name: name.into(), parents, ..Class::default() });
        }
        ontology
    }

    #[test]
    fn equation_4_applies_to_the_weight_by_distance() {
        let mut topic = Topic::new("topic", chain(), "topic").unwrap();
        topic.factors.insert(ClassId(1), 2.5);
        assert_eq!(topic.weights(), [1.0, 1.25, 0.25, 0.125]);
        // Learned again, the same: it does not compound.
        topic.factors.insert(ClassId(1), 2.5);
        assert!((topic.weights()[1] - 1.25).abs() < 1e-12);
    }

    #[test]
    fn learning_spreads_to_neighbours_and_fades() {
        let mut counts = Counts::default();
        for page in 0..100 {
            let classes = if page < 20 { vec![ClassId(1)] } else { vec![] };
            counts.add(classes, page < 20, page, "a.example");
        }
        let factors: Vec<f64> = counts
            .factors(&chain(), Ratio::Lift, &BTreeMap::new(), false)
            .into_iter()
            .map(|(factor, _)| factor)
            .collect();
        assert!(factors[1] > 2.0 && factors[1] <= 3.0, "{factors:?}");
        assert!(factors[0] > 1.2 && factors[0] < factors[1], "{factors:?}");
        assert!((factors[2] - factors[0]).abs() < 1e-9);
        assert!((factors[3] - 1.0).abs() < 1e-9);
        let printed = counts.factors(&chain(), Ratio::AsPrinted, &BTreeMap::new(), false)[1].0;
        assert!(printed < 0.5, "{printed}");
        // Where other sites could say so too, the word of one is not enough.
        let alone = counts.factors(&chain(), Ratio::Lift, &BTreeMap::new(), true);
        assert!(alone.iter().all(|(factor, _)| (factor - 1.0).abs() < 1e-9), "{alone:?}");
    }

    proptest! {
        #[test]
        fn factors_are_bounded_and_the_readings_are_inverse(pages in prop::collection::vec((prop::collection::vec(0u32..4, 0..4), any::<bool>()), 0..60)) {
            let mut counts = Counts::default();
            for (classes, on_topic) in &pages {
                counts.add(classes.iter().map(|id| ClassId(*id)), *on_topic, 0, "a.example");
            }
            let lift = counts.factors(&chain(), Ratio::Lift, &BTreeMap::new(), false);
            let printed = counts.factors(&chain(), Ratio::AsPrinted, &BTreeMap::new(), false);
            for ((lift, _), (printed, _)) in lift.into_iter().zip(printed) {
                prop_assert!((LEAST..=1.0 / LEAST).contains(&lift));
                prop_assert!((lift * printed - 1.0).abs() < 1e-9);
            }
        }
    }
}
