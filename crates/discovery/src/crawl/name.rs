//! Every strategy by its name.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The strategies, as settings, command line and reports name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyName {
    /// In the order of discovery.
    BreadthFirst,
    /// Best first by how well the parent matches the topic's words.
    Keyword,
    /// The most linked-to first.
    #[serde(rename = "pagerank")]
    PageRank,
    /// De Bra 1994: fish that find food have many children, others die out.
    FishSearch,
    /// Hersovici 1998: inherited relevance fades, anchor and context decide.
    SharkSearch,
    /// Chakrabarti 1999: a classifier's verdict on the parent, and hubs found by a distiller.
    Distiller,
    /// Diligenti 2000: how many links away from the topic a page looks to be.
    ContextGraph,
    /// Altingövde 2004: rules between classes of pages, also through pages off the topic.
    Tunnelling,
    /// Rennie 1999: the discounted reward that a link's words have led to.
    QLearning,
    /// Ehrig 2003: the ontology as it was given.
    OntologyFixed,
    /// Ours: the ontology learns, and so does the value of links.
    #[default]
    Ontology,
}

impl StrategyName {
    /// All, in the order of reports.
    pub const ALL: [Self; 11] = [
        Self::BreadthFirst,
        Self::Keyword,
        Self::PageRank,
        Self::FishSearch,
        Self::SharkSearch,
        Self::Distiller,
        Self::ContextGraph,
        Self::Tunnelling,
        Self::QLearning,
        Self::OntologyFixed,
        Self::Ontology,
    ];

    /// As it is written in settings and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth-first",
            Self::Keyword => "keyword",
            Self::PageRank => "pagerank",
            Self::FishSearch => "fish-search",
            Self::SharkSearch => "shark-search",
            Self::Distiller => "distiller",
            Self::ContextGraph => "context-graph",
            Self::Tunnelling => "tunnelling",
            Self::QLearning => "q-learning",
            Self::OntologyFixed => "ontology-fixed",
            Self::Ontology => "ontology",
        }
    }
}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl std::str::FromStr for StrategyName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|name| name.word() == text);
        found.ok_or_else(|| {
            // Whoever stops in the middle of a word means that word.
            let distance = |name: &Self| (!name.word().starts_with(text), steps_between(text, name.word()));
            let nearest = Self::ALL.into_iter().min_by_key(distance);
            // A third of the letters may be wrong; beyond that it is another word.
            let is_near = |name: &Self| {
                let begins = text.len() >= 3 && name.word().starts_with(text);
                begins || 3 * steps_between(text, name.word()) <= text.chars().count()
            };
            let meant = nearest
                .filter(is_near)
                .map_or_else(String::new, |name| format!("did you mean {:?}? ", name.word()));
            format!(
                "there is no strategy {text:?}; {meant}there are {}",
                Self::ALL.map(Self::word).join(", ")
            )
        })
    }
}

/// Letters to insert, drop or change to get from one word to the other.
fn steps_between(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (done, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = done + 1;
        for (place, other) in to.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[place + 1];
            row[place + 1] = change.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for name in StrategyName::ALL {
            assert_eq!(name.word().parse(), Ok(name));
            assert_eq!(serde_json::to_string(&name).unwrap(), format!("\"{name}\""));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        let nearest = |text: &str| {
            let error = text.parse::<StrategyName>().unwrap_err();
            error.split('"').nth(3).unwrap().to_owned()
        };
        let far = "random".parse::<StrategyName>().unwrap_err();
        assert!(!far.contains("did you mean") && far.contains("breadth-first"), "{far}");
        assert_eq!(nearest("ontolgy"), "ontology");
        assert_eq!(nearest("shark"), "shark-search");
        assert_eq!(nearest("breadth"), "breadth-first");
        assert_eq!(nearest("page-rank"), "pagerank");
    }
}
