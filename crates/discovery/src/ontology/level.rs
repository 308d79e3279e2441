//! The score from which a page is on the topic.

use super::Topic;

/// How far above a usual page, on the way to the examples, the topic begins. Set on the development topics for
/// precision: see `cargo run --release -p discovery --example topic_quality`.
const WAY: f64 = 0.17;
/// Without examples: the cosine from which a page is on the topic.
const WITHOUT_EXAMPLES: f64 = 0.1;
/// The score of a usual page before any was seen.
const USUAL: f64 = 0.02;

/// The level of a topic whose examples score so.
pub(super) fn level(topic: &Topic, examples: &[f64]) -> f64 {
    let usual = topic.experience.usual.unwrap_or(USUAL);
    if examples.is_empty() {
        return usual.max(0.0) + WITHOUT_EXAMPLES;
    }
    let mean = examples.iter().sum::<f64>() / examples.len() as f64;
    usual + WAY * (mean - usual)
}
