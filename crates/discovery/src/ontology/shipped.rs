//! Topics that come with the program.

use super::formats::Format;
use super::{Provenance, Topic};

const E_COMMERCE: &str = include_str!("shipped/e-commerce.ttl");
const NEWS: &str = include_str!("shipped/news.ttl");

/// Topics that come with the program: electronic commerce as in the paper, books as one of its goods, and news.
pub fn shipped() -> Vec<Topic> {
    [("E-commerce", E_COMMERCE, "Electronic commerce"), ("Book", E_COMMERCE, "Book"), ("News", NEWS, "News")]
        .into_iter()
        .filter_map(|(name, text, class)| {
            let mut topic = Topic::import(name, text, Format::Turtle, Some(class)).ok()?;
            topic.ontology.set_provenance(&Provenance::Given);
            Some(topic)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_them_can_be_read_and_are_rich() {
        let topics = shipped();
        let names: Vec<_> = topics.iter().map(|topic| topic.name.as_str()).collect();
        assert_eq!(names, ["E-commerce", "Book", "News"]);
        for topic in &topics {
            let words: usize = topic.ontology.classes().iter().map(|class| class.entries.len()).sum();
            assert!(topic.ontology.classes().len() >= 13 && words >= 80, "{}: {words}", topic.name);
            assert!(
                topic.distances().iter().all(Option::is_some),
                "{}: a class hangs from nothing",
                topic.name
            );
        }
    }

    #[test]
    fn payment_is_farther_from_books_than_authors_are() {
        let book = shipped().remove(1);
        let weights = book.weights();
        let weight = |name: &str| weights[book.ontology.class_named(name).unwrap().0 as usize];
        assert!(weight("Book") > weight("Author") && weight("Author") > weight("Payment"));
    }
}
