//! When is an event over? Kleinberg's automaton with two states: as usual, and bursting.

use crate::statistics::ln_gamma;
use serde::{Deserialize, Serialize};

/// How the automaton is set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// How many times the usual a burst is.
    pub scale: f64,
    /// What it costs to believe in a burst: so many times ln n, of n windows.
    pub gamma: f64,
}

impl Default for Settings {
    fn default() -> Self {
        // Kleinberg's own.
        Self { scale: 2.0, gamma: 1.0 }
    }
}

/// The likeliest states, 0 as usual and 1 bursting, of windows that each brought r of d. What is usual is taken from
/// all of them together.
pub fn states(windows: &[(u64, u64)], settings: Settings) -> Vec<u8> {
    let (r, d) = windows.iter().fold((0.0, 0.0), |(r, d), (of, all)| (r + *of as f64, d + *all as f64));
    let usual = (r / f64::max(d, 1.0)).clamp(0.0, 1.0);
    // Certainty would make everything else impossible.
    let chances = [usual, usual * settings.scale.max(1.0)].map(|chance: f64| chance.clamp(1e-12, 0.9999));
    let costs = windows.iter().map(|(of, all)| chances.map(|chance| binomial_cost(*of, *all, chance)));
    likeliest(costs, settings.gamma.max(0.0) * (windows.len().max(1) as f64).ln())
}

/// Viterbi: the cheapest way through, where going up costs `up` and coming down nothing.
fn likeliest(costs: impl Iterator<Item = [f64; 2]>, up: f64) -> Vec<u8> {
    let mut sums = [0.0, f64::INFINITY];
    let mut came_from: Vec<[u8; 2]> = Vec::new();
    for [quiet, burst] in costs {
        let to_quiet = if sums[0] <= sums[1] { (sums[0], 0) } else { (sums[1], 1) };
        let to_burst = if sums[0] + up <= sums[1] { (sums[0] + up, 0) } else { (sums[1], 1) };
        came_from.push([to_quiet.1, to_burst.1]);
        sums = [to_quiet.0 + quiet, to_burst.0 + burst];
    }
    let mut state = u8::from(sums[1] < sums[0]);
    let mut states = vec![0; came_from.len()];
    for (place, [quiet, burst]) in states.iter_mut().zip(came_from).rev() {
        *place = state;
        state = if state == 0 { quiet } else { burst };
    }
    states
}

/// −ln of the chance of r of d.
fn binomial_cost(r: u64, d: u64, chance: f64) -> f64 {
    let (d, r) = (d.max(r) as f64, r as f64);
    let ways = ln_gamma(d + 1.0) - ln_gamma(r + 1.0) - ln_gamma(d - r + 1.0);
    -(ways + r * chance.ln() + (d - r) * (-chance).ln_1p())
}

/// Follows one event window by window where an expectation is known for each: it takes no memory of the windows. The
/// event is over when the likeliest way through all windows so far is certain to be back to the usual, whatever
/// comes: when even a burst that began right now would be told from there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Ongoing {
    /// By how much the way that ends as usual is costlier than the way that ends bursting.
    lead: f64,
}

/// A day of windows is what the cost of going up is counted by: an event is not told from the noise of years.
const WINDOWS: f64 = 12.0;
/// Expectations below this are not told apart: a folder that never has anything is quiet after a day without.
const LEAST: f64 = 0.25;

impl Ongoing {
    /// An event begins: it bursts.
    pub fn new(settings: Settings) -> Self {
        Self { lead: up(settings) }
    }

    /// Takes in a window; whether the event is over.
    #[must_use]
    pub fn step(&mut self, observed: f64, expected: f64, settings: Settings) -> bool {
        let expected = if expected.is_finite() { expected.max(LEAST) } else { LEAST };
        let observed = if observed.is_finite() { observed.max(0.0) } else { 0.0 };
        let scale = settings.scale.max(1.0);
        // Poisson: ln of how much likelier the count is of a burst.
        let burst = observed * scale.ln() - expected * (scale - 1.0);
        let quiet_before = self.lead.min(0.0);
        let burst_before = (self.lead + up(settings)).min(0.0);
        self.lead = (quiet_before - burst_before + burst).clamp(-1e6, 1e6);
        self.lead + up(settings) <= 0.0
    }
}

fn up(settings: Settings) -> f64 {
    settings.gamma.max(0.0) * WINDOWS.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_vector_of_the_design() {
        let r = [1, 2, 1, 2, 12, 15, 11, 3, 1, 2];
        let windows: Vec<(u64, u64)> = r.iter().map(|r| (*r, 100)).collect();
        assert_eq!(states(&windows, Settings::default()), [0, 0, 0, 0, 1, 1, 1, 0, 0, 0]);
    }

    #[test]
    fn odd_counts_do_not_trip_it() {
        assert_eq!(states(&[], Settings::default()), Vec::<u8>::new());
        assert_eq!(states(&[(0, 0), (5, 3), (0, 0)], Settings::default()).len(), 3);
        assert_eq!(states(&[(0, 10); 4], Settings::default()), [0; 4]);
    }

    #[test]
    fn an_event_is_over_when_the_folder_is_quiet_again() {
        let mut event = Ongoing::new(Settings::default());
        let settings = Settings::default();
        for count in [12.0, 15.0, 11.0, 9.0] {
            assert!(!event.step(count, 4.0, settings));
        }
        // One quiet window is 4 − 3·ln 2 = 1.9 of evidence, and ln 12 = 2.5 is needed.
        assert!(!event.step(3.0, 4.0, settings));
        assert!(event.step(3.0, 4.0, settings));
        let mut silent = Ongoing::new(settings);
        let windows = (1..100).find(|_| silent.step(0.0, 0.0, settings));
        assert!(windows.is_some_and(|windows| windows <= 24), "{windows:?}");
        assert!(!Ongoing::new(settings).step(f64::NAN, f64::NAN, settings));
    }

    proptest! {
        /// Against all sequences of states, tried one by one.
        #[test]
        fn no_other_states_are_likelier(windows in prop::collection::vec((0u64..20, 10u64..40), 1..9)) {
            let settings = Settings::default();
            let (r, d) = windows.iter().fold((0, 0), |(r, d), (of, all)| (r + of, d + all));
            let usual = (r as f64 / d as f64).clamp(1e-12, 0.9999);
            let burst = (r as f64 / d as f64 * 2.0).clamp(1e-12, 0.9999);
            let up = (windows.len() as f64).ln();
            let cost = |states: &[u8]| {
                let mut before = 0;
                states.iter().zip(&windows).map(|(state, (r, d))| {
                    let step = if *state > before { up } else { 0.0 };
                    before = *state;
                    step + binomial_cost(*r, *d, if *state == 0 { usual } else { burst })
                }).sum::<f64>()
            };
            let found = cost(&states(&windows, settings));
            for bits in 0..1u32 << windows.len() {
                let other: Vec<u8> = (0..windows.len()).map(|n| (bits >> n & 1) as u8).collect();
                prop_assert!(found <= cost(&other) + 1e-9);
            }
        }

        /// Where the incremental form says over, the whole series says 0 there, whatever follows.
        #[test]
        fn over_is_never_taken_back(counts in prop::collection::vec(0u32..12, 1..12), later in prop::collection::vec(0u32..40, 0..6)) {
            let settings = Settings::default();
            let expected = 3.0;
            let mut event = Ongoing::new(settings);
            let over = counts.iter().position(|count| event.step(f64::from(*count), expected, settings));
            if let Some(over) = over {
                let cost = |count: &u32| {
                    let count = f64::from(*count);
                    [expected - count * expected.ln(), 2.0 * expected - count * (2.0 * expected).ln()]
                };
                // The event was on when it was opened, which is as if a window had said so loudly.
                let costs = std::iter::once([1e3, 0.0]).chain(counts.iter().chain(&later).map(cost));
                prop_assert_eq!(likeliest(costs, up(settings))[over + 1], 0);
            }
        }
    }
}
