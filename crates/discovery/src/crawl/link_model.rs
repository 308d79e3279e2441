//! An online logistic model of what a link is worth.
//!
//! It starts from weights that were right on other topics, and moves with what the crawl sees: each page that comes is
//! an example of its link's signs and its own score. A pull back to the start keeps it from believing a few pages.

use serde::{Deserialize, Serialize};

/// The signs of a link that the model weighs.
pub(crate) const SIGNS: usize = 10;

/// What each sign is called, for people.
pub(crate) const SIGN_NAMES: [&str; SIGNS] = [
    "always",
    "parents",
    "words like the topic's",
    "words of good titles",
    "text around the link",
    "linked often",
    "this part of the site",
    "this place on pages",
    "this host",
    "other links of its parents",
];

/// The signs of one link.
pub(crate) type Signs = [f32; SIGNS];

/// A logistic model that learns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LinkModel {
    start: Signs,
    weights: Signs,
    /// Sums of squared gradients (Duchi 2011): signs that are seldom seen move faster.
    squares: Signs,
    rate: f32,
    pull: f32,
}

impl LinkModel {
    pub(crate) fn new(start: Signs, rate: f32, pull: f32) -> Self {
        Self { start, weights: start, squares: [1.0; SIGNS], rate, pull }
    }

    pub(crate) fn weights(&self) -> &Signs {
        &self.weights
    }

    /// The logit of a link's worth.
    pub(crate) fn worth(&self, signs: &Signs) -> f32 {
        self.weights.iter().zip(signs).map(|(weight, sign)| weight * sign).sum()
    }

    /// A link with these signs led to a page with this score.
    pub(crate) fn learn(&mut self, signs: &Signs, score: f32) {
        let wrong = 1.0 / (1.0 + (-self.worth(signs)).exp()) - score;
        let places = self.weights.iter_mut().zip(&mut self.squares).zip(self.start.iter().zip(signs));
        for ((weight, square), (start, sign)) in places {
            let gradient = wrong * sign + self.pull * (*weight - start);
            *square += gradient * gradient;
            *weight -= self.rate * gradient / square.sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_sign_that_tells() {
        let mut model = LinkModel::new([0.0; SIGNS], 0.3, 0.0);
        for round in 0..400_u32 {
            let mut signs = [0.0; SIGNS];
            signs[0] = 1.0;
            signs[3] = f32::from(round % 2 == 0);
            signs[5] = f32::from(round % 3 == 0);
            model.learn(&signs, signs[3]);
        }
        let weights = model.weights();
        assert!(weights[3] > 2.0 && weights[5].abs() < 0.7, "{weights:?}");
    }

    #[test]
    fn without_evidence_it_stays_where_it_began() {
        let start = [0.5; SIGNS];
        let mut model = LinkModel::new(start, 0.1, 0.1);
        for _ in 0..50 {
            model.learn(&[0.0; SIGNS], 1.0);
        }
        assert!(model.weights().iter().zip(&start).all(|(now, then)| (now - then).abs() < 1e-6));
    }
}
