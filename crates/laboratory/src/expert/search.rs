//! The choice of a condition: literal by literal, the best so far made longer.

mod cover;
mod lacking;

use super::evidence::{Evidence, Kind, Tally};
use super::lexicon::{Choice, FIELDS, Lexicon, Reading};
use super::memory::Memory;
use super::settings::Settings;
use knowledge::Polarity;
use std::collections::BTreeSet;

/// A doubt about every rate: what was never seen may come.
const DOUBT: f64 = 0.5;
/// The precision of a condition that nothing is known about, counted as one article.
const FIRST_GUESS: f64 = 0.1;

/// The search for the condition of one rule.
pub(super) struct Search<'a> {
    pub(super) memory: &'a Memory,
    /// The article that prompts the rule.
    pub(super) reading: &'a Reading,
    pub(super) evidence: &'a Evidence,
    pub(super) settings: &'a Settings,
    /// The words of the folder's name.
    pub(super) name: &'a BTreeSet<String>,
}

/// A literal that may be picked.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    choice: Choice,
    taste: f64,
    /// How often it holds where the rule should not fire.
    rate: f64,
}

/// A condition in the making.
#[derive(Debug, Clone)]
struct Partial {
    choices: Vec<Choice>,
    /// By article: its kinds if the condition holds of it, else nothing.
    kinds: Vec<Tally>,
    /// All of them together, and by the field that they have.
    all: Tally,
    totals: [Tally; FIELDS.len()],
    taste: f64,
    rate: f64,
    score: f64,
    conflicts: u32,
}

/// A candidate seen as the next literal of a condition.
#[derive(Debug, Clone, Copy)]
struct Extension {
    candidate: Candidate,
    score: f64,
    conflicts: u32,
}

impl Search<'_> {
    /// The best condition that holds of the article and changes no cornerstone; `None` if there is none.
    pub(super) fn run(&self) -> Option<Vec<Choice>> {
        let start = self.start();
        let own = self.own(&start);
        // A pair of words never seen before is a coincidence; it may still have to tell two articles apart.
        let known: Vec<Candidate> =
            own.iter().filter(|candidate| self.is_known(**candidate)).copied().collect();
        let mut best: Option<Partial> = None;
        let mut partial = start.clone();
        for length in 1..=self.settings.patience.longest {
            let lacking = if length == 1 { Vec::new() } else { self.lacking(&start, &partial) };
            let extensions = self.extensions(&partial, known.iter().chain(&lacking));
            let clean = extensions.iter().filter(|extension| extension.conflicts == 0);
            if let Some(clean) = clean.max_by(|a, b| a.score.total_cmp(&b.score))
                && best.as_ref().is_none_or(|best| clean.score > best.score)
            {
                best = Some(self.extend(&partial, clean));
            }
            let promise = |extension: &Extension| {
                extension.score - self.settings.patience.conflict * f64::from(extension.conflicts).ln_1p()
            };
            let next = extensions.iter().max_by(|a, b| promise(a).total_cmp(&promise(b)));
            let Some(next) = next else { break };
            partial = self.extend(&partial, next);
        }
        match best {
            Some(best) => Some(best.choices),
            None => self.cover(&start, partial, &own),
        }
    }

    /// No literal yet: holds of everything.
    fn start(&self) -> Partial {
        let kinds = self.evidence.kinds.clone();
        Partial {
            choices: Vec::new(),
            all: kinds.iter().copied().sum(),
            totals: self.totals(&kinds),
            kinds,
            taste: 0.0,
            rate: 1.0,
            score: f64::NEG_INFINITY,
            conflicts: u32::MAX,
        }
    }

    fn own(&self, start: &Partial) -> Vec<Candidate> {
        let choices = self.reading.features.iter().map(|(feature, _)| Choice::has(*feature));
        choices.map(|choice| self.candidate(start, choice)).collect()
    }

    fn is_known(&self, candidate: Candidate) -> bool {
        let feature = candidate.choice.feature;
        self.lexicon().get(feature).stems.len() == 1 || !self.memory.with(feature).is_empty()
    }

    fn candidate(&self, start: &Partial, choice: Choice) -> Candidate {
        let strangers = f64::from(start.all.count(Kind::Stranger));
        let caught = f64::from(self.tally(start, choice).count(Kind::Stranger));
        let rate = (caught + DOUBT) / (strangers + 2.0 * DOUBT);
        let taste = self.settings.taste.of(choice, self.lexicon(), self.reading, self.name, rate);
        Candidate { choice, taste, rate }
    }

    fn extensions<'c>(
        &self,
        partial: &Partial,
        candidates: impl Iterator<Item = &'c Candidate>,
    ) -> Vec<Extension> {
        let says_more = |candidate: &&Candidate| {
            !partial.choices.iter().any(|chosen| self.lexicon().repeats(*chosen, candidate.choice))
        };
        candidates.filter(says_more).map(|candidate| self.extension(partial, *candidate)).collect()
    }

    fn extension(&self, partial: &Partial, candidate: Candidate) -> Extension {
        let tally = self.tally(partial, candidate.choice);
        let length = partial.choices.len() as f64 + 1.0;
        let taste = (partial.taste + candidate.taste) / length;
        let score = self.evidence.score(tally, partial.rate * candidate.rate) + taste
            - self.evidence.weights.length * length;
        Extension { candidate, score, conflicts: tally.count(Kind::Conflict) }
    }

    /// What a condition would catch with this literal.
    fn tally(&self, partial: &Partial, choice: Choice) -> Tally {
        let with =
            self.memory.with(choice.feature).iter().map(|article| partial.kinds[*article as usize]).sum();
        match choice.polarity {
            Polarity::Has => with,
            Polarity::Lacks => partial.totals[self.lexicon().field_place(choice.feature)] - with,
        }
    }

    fn extend(&self, partial: &Partial, extension: &Extension) -> Partial {
        let Candidate { choice, taste, rate } = extension.candidate;
        let mut kinds = vec![Tally::default(); partial.kinds.len()];
        match choice.polarity {
            Polarity::Has => {
                for article in self.memory.with(choice.feature) {
                    kinds[*article as usize] = partial.kinds[*article as usize];
                }
            }
            Polarity::Lacks => {
                for article in self.memory.with_field(self.lexicon().field_place(choice.feature)) {
                    kinds[article as usize] = partial.kinds[article as usize];
                }
                for article in self.memory.with(choice.feature) {
                    kinds[*article as usize] = Tally::default();
                }
            }
        }
        let mut choices = partial.choices.clone();
        choices.push(choice);
        Partial {
            choices,
            all: kinds.iter().copied().sum(),
            totals: self.totals(&kinds),
            kinds,
            taste: partial.taste + taste,
            rate: partial.rate * rate,
            score: extension.score,
            conflicts: extension.conflicts,
        }
    }

    fn totals(&self, kinds: &[Tally]) -> [Tally; FIELDS.len()] {
        let sum = |place| self.memory.with_field(place).iter().map(|article| kinds[article as usize]).sum();
        std::array::from_fn(sum)
    }

    fn lexicon(&self) -> &Lexicon {
        &self.memory.lexicon
    }
}

impl Evidence {
    /// How good it is to catch these, when a stranger is caught at this rate.
    fn score(&self, tally: Tally, rate: f64) -> f64 {
        let weights = &self.weights;
        let count = |kind| f64::from(tally.count(kind));
        // The article itself is one.
        let right = 1.0 + count(Kind::Friend) + weights.distant_friend * count(Kind::DistantFriend);
        let wrong = count(Kind::Foe)
            + weights.distant_foe * count(Kind::DistantFoe)
            + weights.to_come * (1.0 - self.share) * rate;
        let precision = (right + FIRST_GUESS) / (right + wrong + 1.0);
        weights.precision * precision.ln() + weights.reach * right.ln()
    }
}
