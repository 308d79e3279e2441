//! How a base grows: quality against rules and corrections, block by block.

use crate::plot::{Line, Plot};
use serde::Serialize;

/// What is counted in one block of articles, each judged *before* it is corrected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Block {
    /// Articles judged so far, this block included.
    pub articles: usize,
    /// Folders given rightly.
    pub right: u64,
    /// Folders given wrongly.
    pub wrong: u64,
    /// Folders that should have been given and were not.
    pub missed: u64,
    /// Rules at the end of the block.
    pub rules: usize,
    /// Stopping rules among them.
    pub stops: usize,
    /// Literals of all rules.
    pub literals: usize,
    /// Lessons given so far.
    pub lessons: usize,
}

/// The whole curve.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Growth {
    /// Articles in a block.
    pub block: usize,
    /// The blocks, in order.
    pub blocks: Vec<Block>,
}

impl Block {
    /// Micro-averaged F1: the harmonic mean of precision and recall over all folders.
    pub fn f1(&self) -> f64 {
        let twice = 2 * self.right;
        let all = twice + self.wrong + self.missed;
        if all == 0 { 0.0 } else { twice as f64 / all as f64 }
    }

    /// Mean literals of a rule.
    pub fn literals_per_rule(&self) -> f64 {
        if self.rules == 0 { 0.0 } else { self.literals as f64 / self.rules as f64 }
    }
}

impl Growth {
    /// The last block that is full.
    pub fn last_full(&self) -> Option<&Block> {
        self.blocks.iter().rev().find(|block| block.articles.is_multiple_of(self.block.max(1)))
    }

    /// F1 against rules and against lessons, as a picture.
    pub fn svg(&self) -> String {
        let line = |name: &'static str, x: fn(&Block) -> usize| Line {
            name: name.into(),
            points: self.blocks.iter().map(|block| (x(block) as f64, block.f1())).collect(),
        };
        Plot {
            title: "Quality grows with what was taught".into(),
            x: "rules, lessons, articles so far".into(),
            y: "micro-F1 of the block, before correction".into(),
            lines: vec![
                line("by rules", |block| block.rules),
                line("by lessons", |block| block.lessons),
                line("by articles", |block| block.articles),
            ],
        }
        .svg()
    }
}
