//! Which leads go with which headline.

use super::theme;
use crate::subject::Topic;
use std::sync::LazyLock;

/// For each topic and headline the leads that share most with it.
static LEADS: LazyLock<Vec<Vec<Vec<&'static str>>>> = LazyLock::new(|| {
    Topic::ALL
        .iter()
        .map(|topic| {
            theme(*topic).headlines.iter().map(|headline| closest(headline, theme(*topic).leads)).collect()
        })
        .collect()
});

/// The leads that go with a topic's headline of this number; at least one.
pub(crate) fn leads(topic: Topic, headline: usize) -> &'static [&'static str] {
    &LEADS[topic as usize][headline]
}

fn closest(headline: &str, leads: &[&'static str]) -> Vec<&'static str> {
    let most = leads.iter().map(|lead| kinship(headline, lead)).max().unwrap_or_default();
    leads.iter().copied().filter(|lead| kinship(headline, lead) == most).collect()
}

/// How much two templates have in common: their longer words, which slots are too. A word counts by its
/// beginning, so that "seize" and "seized" are one.
fn kinship(headline: &str, lead: &str) -> usize {
    fn stems(template: &str) -> impl Iterator<Item = &str> {
        let words = template.split(|letter: char| !letter.is_alphabetic()).filter(|word| word.len() >= 4);
        words.map(|word| word.get(..5).unwrap_or(word)).filter(|stem| !COMMONPLACE.contains(stem))
    }
    stems(headline).filter(|stem| stems(lead).any(|other| other.eq_ignore_ascii_case(stem))).count()
}

/// Stems that say nothing about what a sentence tells.
const COMMONPLACE: [&str; 8] = ["town", "count", "perso", "surna", "regio", "capit", "numbe", "after"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seizure_is_told_as_a_seizure() {
        let crime = theme(Topic::Crime);
        let close = closest("{adj} customs seize {number} crates of {loot}", crime.leads);
        assert_eq!(close.len(), 1);
        assert!(close[0].starts_with("Customs officers"));
    }
}
