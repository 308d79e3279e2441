//! What people do to a topic while a crawl on it goes on.

use super::{Crawl, SEED, topic_words};
use crate::ontology::{Gain, Learner, Ontology, Reader, Topic};
use std::sync::Arc;

/// The best waiting URLs are looked at again at once; the others follow as pages come.
const AGAIN: usize = 5_000;

impl Crawl {
    /// The topic without what this crawl has taught it.
    pub fn given(&self) -> &Topic {
        &self.topic
    }

    /// Takes in another ontology, e.g. one derived from a database: pages are read with it from now on, and what waits is
    /// weighed anew.
    pub fn absorb(&mut self, other: &Ontology) -> Gain {
        let gain = self.topic.ontology.absorb(other);
        if let Some(learner) = &mut self.learner {
            learner.absorb(other);
        }
        self.read_anew();
        let words = topic_words(self.topic());
        self.memory.topic_square = words.values().map(|weight| weight * weight).sum();
        self.memory.topic = words;
        for spot in self.frontier.top(&self.memory.knowns, AGAIN) {
            if self.memory.knowns.get(spot).is_some_and(|known| known.priority < SEED) {
                let worth = self.strategy.worth(&self.memory, spot);
                self.frontier.reprice(&mut self.memory.knowns, spot, worth);
            }
        }
        gain
    }

    /// Takes a lesson of this crawl back; false if it is not known.
    pub fn undo(&mut self, lesson: u64) -> bool {
        let undone = self.learner.as_mut().is_some_and(|learner| learner.undo(lesson));
        if undone {
            self.read_anew();
        }
        undone
    }

    fn read_anew(&mut self) {
        let reader = self.learner.as_ref().map_or_else(|| Reader::new(&self.topic), Learner::reader);
        self.reader = Arc::new(reader);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::CrawlSettings;
    use crate::ontology::Entry;

    #[test]
    fn what_is_taken_in_is_read_from_then_on() {
        let given = Topic::from_words("Sailing", &["boat"]).unwrap();
        let mut other = given.ontology.clone();
        other.add_entry(given.class, Entry::new("spinnaker"));
        let mut crawl = Crawl::new(given, CrawlSettings::default()).unwrap();
        assert_eq!(crawl.absorb(&other).words, 1);
        assert_eq!(crawl.given().ontology, other);
        assert!(crawl.topic().ontology.entries().any(|entry| entry.text == "spinnaker"));
        assert!(crawl.memory.topic.len() >= 2);
        assert_eq!(crawl.absorb(&other).words, 0);
        assert!(!crawl.undo(7));
    }
}
