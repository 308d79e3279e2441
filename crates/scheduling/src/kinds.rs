//! Kinds of sources: those whose weeks have the same shape. A source that is little known yet is expected to keep the hours of
//! its kind, not those of all sources.

use crate::profile::Rates;
use crate::week::HOURS;

/// At most so many kinds: morning papers, late ones, those that rest at weekends …
const MOST: usize = 8;
/// Sources that it takes to make a kind of its own.
const SOURCES_OF_A_KIND: usize = 5;
/// Rounds of finding kinds; few sources change their kind after that.
const ROUNDS: usize = 6;
/// Articles that the shape of all sources is worth in each hour of a kind's week.
const PRIOR: f32 = 4.0;
/// Sources with fewer articles do not shape a kind.
const FEWEST: f32 = 20.0;
/// More sources than these change no kind's shape any more.
const SHAPED_BY: usize = 2_000;

/// The shapes of weeks that were found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kinds {
    shapes: Vec<Rates>,
    /// Their logarithms, to tell kinds apart.
    logs: Vec<Rates>,
}

impl Kinds {
    /// Finds the kinds of these sources, by their counts in each hour of the week.
    pub(crate) fn of<'a>(sources: impl Iterator<Item = &'a [f32; HOURS]>, all: &Rates) -> Self {
        let known: Vec<&[f32; HOURS]> = sources.filter(|counts| total(counts) >= FEWEST).collect();
        let step = known.len().div_ceil(SHAPED_BY).max(1);
        let known: Vec<&[f32; HOURS]> = known.into_iter().step_by(step).collect();
        let wanted = MOST.min(known.len() / SOURCES_OF_A_KIND);
        if wanted < 2 {
            return Self::default();
        }
        let mut kinds = Self::from_shapes(vec![*all]);
        while kinds.shapes.len() < wanted {
            let Some(odd) = kinds.least_fitting(&known) else { break };
            let mut shapes = kinds.shapes.clone();
            shapes.push(shape_of([odd].into_iter(), all));
            kinds = Self::from_shapes(shapes);
            kinds.settle(&known, all, 2);
        }
        kinds.settle(&known, all, ROUNDS);
        kinds
    }

    fn from_shapes(shapes: Vec<Rates>) -> Self {
        let logs = shapes.iter().map(|shape| shape.map(|rate| rate.max(1e-6).ln())).collect();
        Self { shapes, logs }
    }

    /// Each source goes to the kind that fits it, and each kind takes the shape of its sources.
    fn settle(&mut self, known: &[&[f32; HOURS]], all: &Rates, rounds: usize) {
        for _ in 0..rounds {
            let own: Vec<Option<u8>> = known.iter().map(|counts| self.kind_of(counts)).collect();
            let shapes = (0..self.shapes.len()).map(|kind| {
                let mine = known.iter().zip(&own).filter(|(_, own)| **own == Some(kind as u8));
                shape_of(mine.map(|(counts, _)| *counts), all)
            });
            *self = Self::from_shapes(shapes.collect());
        }
    }

    /// The source whose counts its kind explains least, for an article.
    fn least_fitting<'a>(&self, known: &[&'a [f32; HOURS]]) -> Option<&'a [f32; HOURS]> {
        let misfit = |counts: &[f32; HOURS]| {
            let total = total(counts);
            let own: f32 = counts
                .iter()
                .map(|count| (count + 0.5) * ((count + 0.5) * HOURS as f32 / (total + 84.0)).ln())
                .sum();
            let best = (0..self.shapes.len()).map(|kind| self.fit(counts, kind)).fold(f32::MIN, f32::max);
            (own - best) / total.sqrt()
        };
        known.iter().copied().max_by(|a, b| misfit(a).total_cmp(&misfit(b)))
    }

    /// How well a kind explains a source's counts: a logarithm of likelihood.
    fn fit(&self, counts: &[f32; HOURS], kind: usize) -> f32 {
        counts.iter().zip(&self.logs[kind]).map(|(count, log)| count * log).sum()
    }

    /// The kind that a source's counts fit best.
    pub(crate) fn kind_of(&self, counts: &[f32; HOURS]) -> Option<u8> {
        let fit = |kind: &usize| self.fit(counts, *kind);
        (0..self.shapes.len()).max_by(|a, b| fit(a).total_cmp(&fit(b)).then(b.cmp(a))).map(|kind| kind as u8)
    }

    /// The shape of a kind's weeks: 1 on average.
    pub(crate) fn shape(&self, kind: u8) -> Option<&Rates> {
        self.shapes.get(usize::from(kind))
    }
}

fn total(counts: &[f32; HOURS]) -> f32 {
    counts.iter().sum()
}

/// The shape that some sources have in common, drawn to that of all.
fn shape_of<'a>(sources: impl Iterator<Item = &'a [f32; HOURS]>, all: &Rates) -> Rates {
    let mut shape = all.map(|rate| PRIOR * rate);
    for counts in sources {
        for (rate, count) in shape.iter_mut().zip(counts) {
            *rate += count;
        }
    }
    let mean = shape.iter().sum::<f32>() / HOURS as f32;
    shape.map(|rate| rate / mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A source with one article in each of these hours of every day, for so many weeks.
    fn daily(hours: std::ops::Range<usize>, weeks: f32) -> [f32; HOURS] {
        std::array::from_fn(|hour| if hours.contains(&(hour % 24)) { weeks } else { 0.0 })
    }

    #[test]
    fn a_source_of_two_days_is_taken_for_its_kind() {
        let known: Vec<_> =
            (0..20).map(|index| daily(if index % 2 == 0 { 5..9 } else { 18..22 }, 8.0)).collect();
        let kinds = Kinds::of(known.iter(), &[1.0; HOURS]);
        let mut young = [0.0; HOURS];
        (young[6], young[24 + 7]) = (1.0, 1.0);
        let shape = kinds.shape(kinds.kind_of(&young).unwrap()).unwrap();
        assert!(shape[5] > 2.0 && shape[20] < 0.5, "{shape:?}");
    }

    #[test]
    fn a_handful_of_sources_has_no_kinds() {
        let known = [daily(5..9, 8.0), daily(18..22, 8.0)];
        assert_eq!(Kinds::of(known.iter(), &[1.0; HOURS]).kind_of(&known[0]), None);
    }

    proptest! {
        #[test]
        fn shapes_are_one_on_average_and_the_kind_is_the_likeliest(
            sources in prop::collection::vec(prop::collection::vec(0_u8..6, HOURS), 10..40),
        ) {
            let sources: Vec<[f32; HOURS]> =
                sources.iter().map(|counts| std::array::from_fn(|hour| f32::from(counts[hour]))).collect();
            let kinds = Kinds::of(sources.iter(), &[1.0; HOURS]);
            prop_assert!(!kinds.shapes.is_empty());
            for shape in &kinds.shapes {
                prop_assert!((shape.iter().sum::<f32>() / HOURS as f32 - 1.0).abs() < 1e-3);
                prop_assert!(shape.iter().all(|rate| *rate > 0.0));
            }
            for counts in &sources {
                let likelihood = |shape: &Rates| -> f64 {
                    counts.iter().zip(shape).map(|(count, rate)| f64::from(*count) * f64::from(*rate).ln()).sum()
                };
                let own = likelihood(kinds.shape(kinds.kind_of(counts).unwrap()).unwrap());
                let best = kinds.shapes.iter().map(likelihood).fold(f64::MIN, f64::max);
                prop_assert!(own >= best - 0.05 * best.abs().max(1.0) * 1e-2, "{} {}", own, best);
            }
        }
    }
}
