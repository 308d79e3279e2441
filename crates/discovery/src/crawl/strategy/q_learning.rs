//! Q-learning (Rennie 1999): the words of a link stand for the discounted reward that followed. A page on the
//! topic is a reward of 1, a link further on counts γ of what it promises. The original learns from finished crawls of
//! other sites; here it learns as it goes, by temporal differences.

use super::{LinkFacts, Memory, Spot, Strategy};
use std::collections::HashMap;

/// What a reward one link further on counts.
const GAMMA: f32 = 0.5;
/// How fast a word's value moves.
const RATE: f32 = 0.3;

#[derive(Debug, Default)]
pub(super) struct QLearning {
    values: HashMap<u32, f32>,
    mean: f32,
    promised: f32,
}

impl Strategy for QLearning {
    fn link(&mut self, memory: &mut Memory, _page: u32, to: Spot, _link: &LinkFacts) {
        self.promised = self.promised.max(self.worth(memory, to));
    }

    fn done(&mut self, memory: &mut Memory, page: u32, _again: &mut Vec<Spot>) -> bool {
        let promised = std::mem::take(&mut self.promised);
        let Some(read) = memory.pages.get(page) else { return false };
        let reward = f32::from(read.on_topic) + GAMMA * promised;
        self.mean += (reward - self.mean) / (page + 1).min(100) as f32;
        let words = memory.known(read.spot).map(|known| known.words).unwrap_or_default();
        for word in words.iter() {
            let value = self.values.entry(word).or_insert(self.mean);
            *value += RATE * (reward - *value);
        }
        page.is_multiple_of(10)
    }

    fn worth(&self, memory: &Memory, spot: Spot) -> f32 {
        let Some(known) = memory.known(spot) else { return 0.0 };
        // A word seen for the first time promises what the topic's words do.
        let value = |word: u32| {
            self.values.get(&word).copied().unwrap_or_else(|| {
                self.mean
                    + memory.topic.get(&word).copied().unwrap_or_default()
                        / memory.topic_square.sqrt().max(1e-6)
            })
        };
        let (sum, count) =
            known.words.iter().fold((0.0, 0.0), |(sum, count), word| (sum + value(word), count + 1.0));
        if count > 0.0 { sum / count } else { self.mean }
    }
}
