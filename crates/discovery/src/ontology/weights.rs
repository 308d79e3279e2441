//! Distances and weights: equation (1).

use super::{ClassId, Ontology};
use std::collections::VecDeque;

/// The fewest steps from the topic class to each class; `None` where no way leads.
pub(super) fn distances(ontology: &Ontology, topic: ClassId) -> Vec<Option<u32>> {
    let neighbours = ontology.neighbours();
    let mut distances = vec![None; neighbours.len()];
    let mut queue = VecDeque::new();
    if let Some(start) = distances.get_mut(topic.0 as usize) {
        *start = Some(0);
        queue.push_back((topic, 0));
    }
    while let Some((class, distance)) = queue.pop_front() {
        for next in &neighbours[class.0 as usize] {
            let place = &mut distances[next.0 as usize];
            if place.is_none() {
                *place = Some(distance + 1);
                queue.push_back((*next, distance + 1));
            }
        }
    }
    distances
}

/// Equation (1): W = n^d; 0 where no way leads.
pub(super) fn weight(discount: f64, distance: Option<u32>) -> f64 {
    distance.map_or(0.0, |distance| discount.powi(distance.min(1_000) as i32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::Class;

    #[test]
    fn equation_1_weighs_by_distance() {
        // book –below– product –below– goods; alone stands apart.
        let mut ontology = Ontology::default();
        let mut class = |name: &str, parents: Vec<ClassId>| {
            ontology.add_class(Class { name: name.into(), parents, ..Class::default() })
        };
        let goods = class("goods", vec![]);
        let product = class("product", vec![goods]);
        let book = class("book", vec![product]);
        class("alone", vec![]);
        let weights: Vec<f64> = distances(&ontology, book).into_iter().map(|d| weight(0.5, d)).collect();
        assert_eq!(weights, [0.25, 0.5, 1.0, 0.0]);
    }
}
