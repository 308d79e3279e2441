//! Pages that say the same words again and again, to be found or to be believed: they have no vote.

use crate::ontology::Term;

/// Fewer words say nothing about how often one uses to come.
const LEAST_WORDS: u32 = 80;
/// A word that is more of a page than this is stuffed.
const MOST_OF_ONE: f64 = 0.2;
/// So much of a page five words may be.
const MOST_OF_FIVE: f64 = 0.5;

/// Whether a page repeats itself far beyond what honest pages do.
pub(super) fn is_stuffed(terms: &[Term]) -> bool {
    let all: u32 = terms.iter().map(|term| term.count).fold(0, u32::saturating_add);
    if all < LEAST_WORDS {
        return false;
    }
    let mut counts: Vec<u32> = terms.iter().map(|term| term.count).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let share =
        |words: usize| counts.iter().take(words).map(|count| f64::from(*count)).sum::<f64>() / f64::from(all);
    share(1) > MOST_OF_ONE || share(5) > MOST_OF_FIVE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::Kind;

    fn page(counts: &[u32]) -> Vec<Term> {
        let term = |(at, count): (usize, &u32)| Term {
            stem: format!("w{at}").into(),
            word: format!("w{at}").into(),
            count: *count,
            strength: 1.0,
            kind: Kind::Noun,
        };
        counts.iter().enumerate().map(term).collect()
    }

    #[test]
    fn a_page_of_few_words_again_and_again_is_stuffed() {
        assert!(is_stuffed(&page(&[60, 60, 60, 60])));
        let mut hidden = vec![2; 100];
        hidden.push(60);
        assert!(is_stuffed(&page(&hidden)), "one word among honest ones");
        let mut honest = vec![2; 100];
        honest.extend([20, 12, 9, 8]);
        assert!(!is_stuffed(&page(&honest)));
        assert!(!is_stuffed(&page(&[5, 3, 2, 1])), "a short note");
    }
}
