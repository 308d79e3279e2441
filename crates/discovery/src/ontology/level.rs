//! The score from which a page is on the topic.

use super::Topic;

/// How far above a usual page, on the way to the examples, the topic begins. Set on the development topics for
/// precision: see `cargo run --release -p discovery --example topic_quality`.
const WAY: f64 = 0.2;
/// Without examples: the cosine from which a page is on the topic.
const WITHOUT_EXAMPLES: f64 = 0.1;
/// The score of a usual page before any was seen, as a share of the examples': as long as no word is known to be
/// common, all pages are much alike.
const UNSEEN: f64 = 0.4;

/// The level of a topic whose examples score so.
pub(super) fn level(topic: &Topic, examples: &[f64]) -> f64 {
    if examples.is_empty() {
        // Not against what is usual here: on a site of the topic, pages on it are usual.
        return WITHOUT_EXAMPLES;
    }
    let mean = examples.iter().sum::<f64>() / examples.len() as f64;
    let usual = topic.experience.usual.unwrap_or(UNSEEN * mean);
    usual + WAY * (mean - usual)
}
