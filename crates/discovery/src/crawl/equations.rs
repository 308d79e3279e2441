//! The paper's equations (6) to (9), each for itself. (1) to (4) are the ontology's, (5) is in `rank`.

/// λ (8), online link reinforcement: how much a page's children have been worth. `good` of `crawled` were relevant.
pub fn reinforcement(good: f64, crawled: f64, theta: f64) -> f64 {
    (good + theta) / (crawled + theta)
}

/// PRS (7): the cosine of counted words with the topic's weights. `topic_square` is Σω² over the whole topic: were it
/// only over the words that occur, any one-word text would score 1. Nothing compared with anything is 0.
pub fn positive_relevance(words: impl Iterator<Item = (f64, f64)>, topic_square: f64) -> f64 {
    let (dot, square) = words
        .fold((0.0, 0.0), |(dot, square), (count, weight)| (dot + count * weight, square + count * count));
    let norm = (square * topic_square).sqrt();
    if norm > 0.0 { dot / norm } else { 0.0 }
}

/// `S_pl` (6): the link context's relevance, and what the relevant parents pass on: the mean of λ·PRS.
pub fn link_score(context: f64, parents: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, count) =
        parents.fold((0.0, 0.0), |(sum, count), (lambda, relevance)| (sum + lambda * relevance, count + 1.0));
    context + if count > 0.0 { sum / count } else { 0.0 }
}

/// `S_p` (9).
pub fn priority(content: f64, link: f64, r1: f64, r2: f64) -> f64 {
    r1 * content + r2 * link
}

/// `S_p` (9b), the sum of weighted logarithms: a product, so that neither factor can be done without.
pub fn priority_in_logarithms(content: f64, link: f64, r1: f64, r2: f64) -> f64 {
    r1 * content.max(FLOOR).ln() + r2 * link.max(FLOOR).ln()
}

/// The logarithm of nothing is no number.
const FLOOR: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) {
        assert!((one - other).abs() < 5e-5, "{one} is not {other}");
    }

    #[test]
    fn three_good_children_of_four() {
        near(reinforcement(3.0, 4.0, 0.5), 0.7778);
        near(reinforcement(0.0, 0.0, 0.5), 1.0);
        near(reinforcement(0.0, 4.0, 0.5), 0.1111);
    }

    #[test]
    fn relevance_is_a_cosine_with_the_whole_topic() {
        // Topic: book 3, author 4, so Σω² = 25. Text: book twice, river once.
        near(positive_relevance([(2.0, 3.0), (1.0, 0.0)].into_iter(), 25.0), 6.0 / (5.0_f64 * 25.0).sqrt());
        // One word of the topic alone is not the whole topic.
        near(positive_relevance([(1.0, 3.0)].into_iter(), 25.0), 0.6);
        near(positive_relevance(std::iter::empty(), 25.0), 0.0);
        near(positive_relevance([(1.0, 0.0)].into_iter(), 0.0), 0.0);
    }

    #[test]
    fn a_link_takes_from_its_text_and_its_parents() {
        near(link_score(0.6, [(0.7778, 0.5), (1.0, 0.3)].into_iter()), 0.6 + f64::midpoint(0.3889, 0.3));
        near(link_score(0.6, std::iter::empty()), 0.6);
    }

    #[test]
    fn priorities() {
        near(priority(0.4, 0.9, 0.5, 0.5), 0.65);
        near(priority_in_logarithms(0.4, 0.9, 0.5, 0.5), 0.5 * (0.4_f64 * 0.9).ln());
        assert!(priority_in_logarithms(0.0, 0.9, 0.5, 0.5).is_finite());
    }
}
