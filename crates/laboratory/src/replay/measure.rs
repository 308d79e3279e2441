//! What visits are worth: how long articles waited for them.

use super::bursts::in_bursts;
use super::span::Span;
use super::trace::Trace;
use super::visits::Visits;
use scheduling::Interests;

/// Measures visits to one history; what does not depend on them is found once.
#[derive(Debug)]
pub(super) struct Measure<'a> {
    trace: &'a Trace,
    span: &'a Span,
    page_size: usize,
    bursts: Vec<bool>,
    weights: Vec<f64>,
}

/// Delays of the articles of the test weeks, in minutes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Delays {
    pub(super) mean: f64,
    pub(super) median: f64,
    pub(super) p95: f64,
    pub(super) burst_mean: f64,
    pub(super) interest_mean: f64,
    pub(super) coverage: f64,
    pub(super) articles: usize,
    /// For each day of the test.
    pub(super) days: Vec<Day>,
}

/// Delays of the articles published on one day.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Day {
    /// Sum of the delays, minutes.
    pub minutes: f64,
    /// How many articles.
    pub articles: f64,
    /// Sum of the delays, each times its article's weight.
    pub weighted_minutes: f64,
    /// Sum of the weights.
    pub weights: f64,
}

impl<'a> Measure<'a> {
    pub(super) fn new(trace: &'a Trace, span: &'a Span, interests: &Interests, page_size: usize) -> Self {
        let weights = trace.articles().iter().map(|article| interests.weight(&article.folders)).collect();
        Self { trace, span, page_size, bursts: in_bursts(trace), weights }
    }

    /// How long the articles waited. One that is never met waits until the end.
    pub(super) fn delays(&self, visits: &Visits) -> Delays {
        let mut minutes = Vec::with_capacity(self.trace.articles().len());
        let mut days = vec![Day::default(); self.span.days().ceil() as usize];
        let (mut bursts, mut covered) = (Mean::default(), 0_usize);
        for (number, source) in self.trace.sources().iter().enumerate() {
            let articles =
                source.articles.iter().filter_map(|at| Some((*at, self.trace.articles().get(*at)?)));
            for (rank, (place, article)) in articles.enumerate() {
                if !self.span.counts(article.at) {
                    continue;
                }
                let met = visits.first_from(number, article.at);
                let delay = met.unwrap_or(self.span.end).duration_since(article.at).as_secs_f64() / 60.0;
                minutes.push(delay);
                if self.bursts.get(place).is_some_and(|is_in| *is_in) {
                    bursts.add(delay, 1.0);
                }
                if let Some(met) = met {
                    let is_out = |at: &usize| self.trace.articles().get(*at).is_some_and(|one| one.at <= met);
                    let newer = source.articles.partition_point(is_out) - rank - 1;
                    covered += usize::from(newer < self.page_size);
                }
                if let Some(day) = days.get_mut(self.span.day(article.at)) {
                    let weight = self.weights.get(place).copied().unwrap_or(0.0);
                    day.minutes += delay;
                    day.articles += 1.0;
                    day.weighted_minutes += delay * weight;
                    day.weights += weight;
                }
            }
        }
        minutes.sort_by(f64::total_cmp);
        let (mut mean, mut interest) = (Mean::default(), Mean::default());
        for day in &days {
            mean.add_sum(day.minutes, day.articles);
            interest.add_sum(day.weighted_minutes, day.weights);
        }
        Delays {
            mean: mean.get(),
            median: quantile(&minutes, 0.5),
            p95: quantile(&minutes, 0.95),
            burst_mean: bursts.get(),
            interest_mean: interest.get(),
            coverage: covered as f64 / minutes.len().max(1) as f64,
            articles: minutes.len(),
            days,
        }
    }
}

#[derive(Debug, Default)]
struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    fn add(&mut self, value: f64, weight: f64) {
        self.add_sum(value * weight, weight);
    }

    fn add_sum(&mut self, sum: f64, weight: f64) {
        self.sum += sum;
        self.weight += weight;
    }

    fn get(&self) -> f64 {
        if self.weight > 0.0 { self.sum / self.weight } else { 0.0 }
    }
}

/// The value below which a share of the sorted values lies.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((share * last as f64).round() as usize).copied().unwrap_or(0.0)
}
