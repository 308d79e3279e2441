//! Articles as the world knows them: the truth against which a monitor is judged.

use crate::prose::Plot;
use crate::subject::Topic;
use jiff::Timestamp;

/// Names a story that several sites tell in their own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StoryId(pub u64);

/// An article of the generated world.
#[derive(Debug, Clone)]
pub struct KnownArticle {
    /// The index of its site.
    pub site: usize,
    /// Path, and query if its site names articles so, on its site.
    pub path: String,
    /// The headline; no other article of the site has it.
    pub title: String,
    /// When it appears: before that it is not found, from then on it is.
    pub published_at: Timestamp,
    /// The slug of the section it belongs to.
    pub section: &'static str,
    /// Its topic.
    pub topic: Topic,
    /// The country it is about.
    pub country: &'static str,
    /// The sport it is about, if its topic is sport.
    pub sport: Option<&'static str>,
    /// The story it tells, if other sites may tell it too.
    pub story: Option<StoryId>,
    /// Who signed it.
    pub author: String,
    pub(crate) serial: u64,
    pub(crate) plot: Plot,
}

impl KnownArticle {
    /// The text, paragraphs separated by blank lines. Written on demand; always the same.
    pub fn text(&self) -> String {
        self.paragraphs().join("\n\n")
    }

    /// The first sentence, as lists and feeds show it.
    pub fn summary(&self) -> String {
        self.plot.lead()
    }

    pub(crate) fn paragraphs(&self) -> Vec<String> {
        self.plot.paragraphs()
    }
}
