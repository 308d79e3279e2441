//! Each policy over all seeds, and how sure its distance from the reference is.

use super::contestant::Contestant;
use super::row::Row;
use crate::amoc::Interval;
use scheduling::{Pace, PolicyName};
use serde::Serialize;

/// A policy with one budget, over all seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The means of all rows; its seed means nothing.
    #[serde(flatten)]
    pub mean: Row,
    /// How far the mean delays of single seeds lie apart: their standard deviation.
    pub spread_minutes: f64,
    /// Its delay minus the reference's, with a paired bootstrap of days; nothing for the reference itself.
    pub minus_reference: Option<Interval>,
    /// The same with each article's weight.
    pub interest_minus_reference: Option<Interval>,
}

impl Summary {
    /// What is told of its distance: of all articles, or with their weights where these differ.
    pub fn told_interval(&self) -> Option<&Interval> {
        let is_weighted = (self.mean.interest_mean_minutes - self.mean.mean_minutes).abs() > 1e-6;
        if is_weighted { self.interest_minus_reference.as_ref() } else { self.minus_reference.as_ref() }
    }
}

/// For resampling: the same intervals in every run.
const SEED: u64 = 5;

/// One summary for each budget, pace and policy, in the order of the rows.
pub fn summaries(rows: &[Row]) -> Vec<Summary> {
    let groups: Vec<&[Row]> = rows.chunk_by(|one, next| key(one) == key(next)).collect();
    groups
        .iter()
        .map(|group| {
            let mut summary = over_seeds(group);
            let reference = reference(&groups, group);
            if let Some(reference) = reference.filter(|reference| key_of(reference) != key_of(group)) {
                summary.minus_reference = Some(distance(group, reference, false));
                summary.interest_minus_reference = Some(distance(group, reference, true));
            }
            summary
        })
        .collect()
}

/// The planner if it takes part, else the best policy by what articles are worth.
fn reference<'a>(groups: &[&'a [Row]], of: &[Row]) -> Option<&'a [Row]> {
    let same = |one: &[Row]| match (one.first(), of.first()) {
        (Some(one), Some(of)) => one.budget.total_cmp(&of.budget).is_eq() && one.pace == of.pace,
        _ => false,
    };
    let rivals = groups.iter().copied().filter(|group| same(group) && !is_limit(group));
    let rank = |group: &[Row]| (group.first().map(|row| row.contestant) != Some(PLANNER), mean(group));
    rivals.min_by(|one, other| {
        let (one, other) = (rank(one), rank(other));
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
    })
}

const PLANNER: Contestant = Contestant::Policy(PolicyName::Planner);

fn over_seeds(group: &[Row]) -> Summary {
    let mean = mean_row(group);
    let squares: f64 = group.iter().map(|row| (row.mean_minutes - mean.mean_minutes).powi(2)).sum();
    let spread_minutes = (squares / group.len().saturating_sub(1).max(1) as f64).sqrt();
    Summary { mean, spread_minutes, minus_reference: None, interest_minus_reference: None }
}

fn mean_row(group: &[Row]) -> Row {
    let count = group.len().max(1) as f64;
    let of = |field: fn(&Row) -> f64| group.iter().map(field).sum::<f64>() / count;
    let gaps: Option<Vec<f64>> = group.iter().map(|row| row.gap_closed).collect();
    let first = group.first();
    Row {
        policy: first.map_or("", |row| row.policy),
        seed: 0,
        budget: first.map_or(0.0, |row| row.budget),
        pace: first.map_or(Pace::Free, |row| row.pace),
        visits_per_source_day: of(|row| row.visits_per_source_day),
        mean_minutes: of(|row| row.mean_minutes),
        median_minutes: of(|row| row.median_minutes),
        p95_minutes: of(|row| row.p95_minutes),
        burst_mean_minutes: of(|row| row.burst_mean_minutes),
        interest_mean_minutes: of(|row| row.interest_mean_minutes),
        coverage: of(|row| row.coverage),
        visits_per_article: of(|row| row.visits_per_article),
        gap_closed: gaps.map(|gaps| gaps.iter().sum::<f64>() / count),
        days: Vec::new(),
        contestant: first.map_or(PLANNER, |row| row.contestant),
    }
}

/// One's delay minus the other's: day by day, summed over the seeds.
fn distance(one: &[Row], other: &[Row], weighted: bool) -> Interval {
    let days = one.first().map_or(0, |row| row.days.len());
    let sums = |rows: &[Row], day: usize| {
        rows.iter().filter_map(|row| row.days.get(day)).fold((0.0, 0.0), |sums, day| {
            let (minutes, count) =
                if weighted { (day.weighted_minutes, day.weights) } else { (day.minutes, day.articles) };
            (sums.0 + minutes / rows.len() as f64, sums.1 + count / rows.len() as f64)
        })
    };
    let block = |day: usize| {
        let ((one, count), (other, _)) = (sums(one, day), sums(other, day));
        (one - other, count)
    };
    Interval::of_blocks(&(0..days).map(block).collect::<Vec<_>>(), SEED)
}

fn mean(group: &[Row]) -> f64 {
    group.iter().map(|row| row.interest_mean_minutes).sum::<f64>() / group.len().max(1) as f64
}

fn is_limit(group: &[Row]) -> bool {
    group.first().is_some_and(|row| row.contestant.is_limit())
}

fn key_of(group: &[Row]) -> Option<(u64, Pace, Contestant)> {
    group.first().map(key)
}

fn key(row: &Row) -> (u64, Pace, Contestant) {
    (row.budget.to_bits(), row.pace, row.contestant)
}
