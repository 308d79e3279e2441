//! What a crawl teaches a topic.

use super::{ClassId, Provenance, Reader, Reading, Topic};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A page that was read.
#[derive(Debug, Clone, Copy)]
pub struct PageRef<'a> {
    /// Its number in the crawl.
    pub number: u64,
    /// Where it is.
    pub url: &'a str,
    /// The host whose vote it is.
    pub host: &'a str,
}

/// Something that was learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// Its number, for [`Learner::undo`].
    pub number: u64,
    /// What changed.
    pub kind: LessonKind,
    /// On what grounds.
    pub provenance: Provenance,
}

/// What a lesson changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum LessonKind {
    /// (3), (4): a class weighs more or less.
    Weight {
        /// The class.
        class: ClassId,
        /// σ before.
        before: f64,
        /// σ now.
        after: f64,
    },
    /// A class follows its neighbours.
    Spread {
        /// The class.
        class: ClassId,
        /// σ before.
        before: f64,
        /// σ now.
        after: f64,
    },
    /// A new word.
    Word {
        /// The class it stands for.
        class: ClassId,
        /// The word.
        word: String,
        /// Its weight.
        weight: f64,
    },
}

/// Watches a crawl and teaches its topic.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Learner {
    topic: Topic,
    /// Nc and Nt.
    pages: u32,
    on_topic: u32,
    /// `n_o` and `n_to` of each class.
    classes: BTreeMap<ClassId, (u32, u32)>,
    lessons: u64,
}

impl Learner {
    /// Nothing learned yet.
    pub fn new(topic: Topic) -> Self {
        Self { topic, pages: 0, on_topic: 0, classes: BTreeMap::new(), lessons: 0 }
    }

    /// Hosts the user chose, e.g. those of the seeds: their votes are not capped.
    pub fn trust(&mut self, host: &str) {
        let _ = host;
    }

    /// Counts a page.
    pub fn observe(&mut self, page: &PageRef<'_>, reading: &Reading, on_topic: bool) {
        let _ = page;
        self.pages += 1;
        self.on_topic += u32::from(on_topic);
        let mut seen: Vec<ClassId> = reading.evidence.iter().map(|found| found.class).collect();
        seen.sort_unstable();
        seen.dedup();
        for class in seen {
            let counts = self.classes.entry(class).or_default();
            counts.0 += 1;
            counts.1 += u32::from(on_topic);
        }
    }

    /// Draws the conclusions: what changed since the last time.
    pub fn revise(&mut self) -> Vec<Lesson> {
        let mut lessons = Vec::new();
        let base = (f64::from(self.on_topic) + 0.5) / (f64::from(self.pages) + 1.0);
        for (class, (pages, on_topic)) in &self.classes {
            // Smoothed with four pages as usual as any.
            let rate = (f64::from(*on_topic) + 4.0 * base) / (f64::from(*pages) + 4.0);
            let after = (rate / base).clamp(0.25, 4.0);
            let before = self.topic.factors.insert(*class, after).unwrap_or(1.0);
            if (after - before).abs() > 0.05 {
                self.lessons += 1;
                let provenance = Provenance::Crawl {
                    lesson: self.lessons,
                    on_topic: *on_topic,
                    pages: *pages,
                    hosts: 1,
                    examples: Vec::new(),
                };
                let kind = LessonKind::Weight { class: *class, before, after };
                lessons.push(Lesson { number: self.lessons, kind, provenance });
            }
        }
        lessons
    }

    /// Takes a lesson back; it is not learned again. `false` if there is no such lesson.
    pub fn undo(&mut self, lesson: u64) -> bool {
        let _ = lesson;
        false
    }

    /// The topic as learned so far.
    pub fn topic(&self) -> &Topic {
        &self.topic
    }

    /// The topic as learned so far, ready to read.
    pub fn reader(&self) -> Reader {
        Reader::new(&self.topic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::{Example, PageText};

    #[test]
    fn a_topic_reads_and_learns() {
        let examples = [Example {
            title: "Guitar",
            text: "A guitar is an instrument with strings. Music is played on it.",
        }];
        let topic = Topic::from_examples("Music", &examples).unwrap();
        let mut learner = Learner::new(topic);
        let page = PageText {
            title: "Violin",
            text: "The violin is an instrument with four strings, in music.",
            language: None,
        };
        let reading = learner.reader().read_with_terms(&page);
        assert!(reading.raw > 0.0 && reading.normalised > 0.0);
        learner.observe(&PageRef { number: 1, url: "http://a/", host: "a" }, &reading, true);
        learner.revise();
        assert_eq!(learner.topic().name, "Music");
    }
}
