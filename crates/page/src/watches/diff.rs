//! What changed between two parts: words that went and came, with some that stand around them.

mod hunks;
mod steps;
mod tokens;

use super::Part;
use hunks::Gatherer;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use steps::{MOST, Step, steps};
use tokens::{Token, tokens};

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Diff {
    /// The places where it changed, in order.
    pub hunks: Vec<Hunk>,
    /// Words that went.
    pub removed: u32,
    /// Words that came.
    pub added: u32,
    /// Words that changed: one put for another counts once.
    pub changed: u32,
    /// There is more than is shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// One place of change with what stands around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk(pub Vec<Piece>);

/// A stretch of words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Stands in both.
    Same(String),
    /// Went.
    Removed(String),
    /// Came.
    Added(String),
}

impl Diff {
    /// What changed from one part to another.
    pub fn between(old: &Part, new: &Part) -> Self {
        if old.unordered && new.unordered { of_sets(old, new) } else { of_lines(&old.lines, &new.lines) }
    }

    /// In words: `3 words came, 1 went`.
    pub fn summary(&self) -> String {
        let words = |count: u32| if count == 1 { "1 word".into() } else { format!("{count} words") };
        match (self.added, self.removed) {
            (0, 0) => "nothing changed".into(),
            (added, 0) => format!("{} came", words(added)),
            (0, removed) => format!("{} went", words(removed)),
            (added, removed) => format!("{} came, {removed} went", words(added)),
        }
    }

    /// As text: `[-what went-]` and `{+what came+}`, as other word diffs write it; a line for each place.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (place, hunk) in self.hunks.iter().enumerate() {
            if place > 0 {
                text.push_str("\n…\n");
            }
            for piece in &hunk.0 {
                match piece {
                    Piece::Same(words) => text.push_str(words),
                    Piece::Removed(words) => text.push_str(&marked(words, "[-", "-]")),
                    Piece::Added(words) => text.push_str(&marked(words, "{+", "+}")),
                }
            }
        }
        if self.cut {
            text.push_str("\n… and more");
        }
        text
    }
}

/// Marks stand at the words, not at the spaces around them.
fn marked(words: &str, open: &str, close: &str) -> String {
    let inner = words.trim();
    let start = words.len() - words.trim_start().len();
    let (before, after) = (&words[..start], &words[start + inner.len()..]);
    format!("{before}{open}{inner}{close}{after}")
}

/// The words that are compared.
pub(super) fn words(lines: &[String]) -> Vec<&str> {
    tokens(lines).into_iter().map(|token| token.text).collect()
}

fn of_sets(old: &Part, new: &Part) -> Diff {
    let known = |part: &Part| part.lines.iter().cloned().collect::<HashSet<_>>();
    let (in_old, in_new) = (known(old), known(new));
    let mut gatherer = Gatherer::default();
    for line in old.lines.iter().filter(|line| !in_new.contains(*line)) {
        gatherer.whole(&tokens(std::slice::from_ref(line)), &[]);
    }
    for line in new.lines.iter().filter(|line| !in_old.contains(*line)) {
        gatherer.whole(&[], &tokens(std::slice::from_ref(line)));
    }
    gatherer.finish()
}

fn of_lines(old: &[String], new: &[String]) -> Diff {
    let mut gatherer = Gatherer::default();
    // Lines that both begin and end with cost nothing.
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let ends = old[start..].iter().rev().zip(new[start..].iter().rev());
    let end = ends.take_while(|(old, new)| old == new).count();
    let (middle_old, middle_new) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    gatherer.same(&tokens(&old[..start]));
    let (old_words, new_words) = (tokens(middle_old), tokens(middle_new));
    if old_words.len() + new_words.len() <= MOST {
        compare(&mut gatherer, &old_words, &new_words);
    } else {
        // Long parts line by line, and word by word only where lines differ.
        for step in steps(middle_old, middle_new) {
            match step {
                Step::Same(range) => gatherer.same(&tokens(&middle_old[range])),
                Step::Change(went, came) => {
                    compare(&mut gatherer, &tokens(&middle_old[went]), &tokens(&middle_new[came]));
                }
            }
        }
    }
    gatherer.same(&tokens(&old[old.len() - end..]));
    gatherer.finish()
}

/// Compares two stretches word by word.
fn compare(gatherer: &mut Gatherer, old: &[Token], new: &[Token]) {
    for step in steps(old, new) {
        match step {
            Step::Same(range) => gatherer.same(&old[range]),
            Step::Change(went, came) => gatherer.change(&old[went], &new[came]),
        }
    }
}

#[cfg(test)]
#[path = "diff/tests.rs"]
mod tests;
