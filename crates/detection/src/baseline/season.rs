//! The hours of the week: when a folder is busy.

use serde::{Deserialize, Serialize};

pub(super) const WEEK: usize = 168;
/// Parts over more hours say little about which of them were busy.
pub(super) const LONGEST: f64 = 12.0;
/// Hours after which a lesson counts half: ten weeks; the drift follows what changes faster.
const HALF_LIFE: f64 = 10.0 * 168.0;
/// 1970-01-01 was a Thursday; weeks begin on Monday.
const THURSDAY: f64 = 72.0;

/// How busy each hour of the week is against the mean hour, in one folder.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Season {
    /// Stories seen in each hour of the week; older ones count less.
    counts: Vec<f32>,
    /// Stories that were to be expected in it, were all hours alike.
    flat: Vec<f32>,
    /// How often the hour of the day was seen.
    days: Vec<f32>,
    /// Each hour against the mean hour.
    shape: Vec<f32>,
}

impl Default for Season {
    fn default() -> Self {
        Self { counts: vec![0.0; WEEK], flat: vec![0.0; WEEK], days: vec![0.0; 24], shape: vec![1.0; WEEK] }
    }
}

impl Season {
    /// The season summed up, for who asks for many spans.
    pub(super) fn sums(&self) -> Sums<'_> {
        let mut before = [0.0; WEEK + 1];
        let mut sum = 0.0;
        for (hour, before) in before.iter_mut().enumerate() {
            *before = sum;
            sum += self.busy(hour);
        }
        Sums { season: self, before }
    }

    /// Hours from `start`, each weighted by how busy it is.
    pub(super) fn over(&self, start: f64, hours: f64) -> f64 {
        self.sums().over(start, hours)
    }

    fn busy(&self, hour: usize) -> f64 {
        self.shape.get(hour).copied().map_or(1.0, f64::from)
    }

    /// Relative variance of the season in these hours: a half before they were ever seen, little after some days.
    pub(super) fn doubt(&self, start: f64, hours: f64) -> f64 {
        let (mut seen, mut all) = (0.0, 0.0);
        each_hour(start, hours.min(24.0), |hour, share| {
            seen += share * self.days.get(hour % 24).copied().map_or(0.0, f64::from);
            all += share;
        });
        let days = if all > 0.0 { seen / all } else { 0.0 };
        0.5 / (1.0 + 2.0 * days)
    }

    pub(super) fn forget(&mut self, hours: f64) {
        let keep = (-hours.clamp(0.0, 1e6) / HALF_LIFE).exp2() as f32;
        for value in self.counts.iter_mut().chain(&mut self.flat).chain(&mut self.days) {
            *value *= keep;
        }
    }

    /// Takes in what parts over the same span brought; `rate` is what they bring in a mean hour.
    pub(super) fn learn(&mut self, start: f64, hours: f64, count: f64, rate: f64) {
        each_hour(start, hours, |hour, share| {
            if let Some(counts) = self.counts.get_mut(hour) {
                *counts += (count * share / hours) as f32;
            }
            if let Some(flat) = self.flat.get_mut(hour) {
                *flat += (rate * share) as f32;
            }
            if let Some(days) = self.days.get_mut(hour % 24) {
                *days += share as f32;
            }
        });
    }

    /// Draws the shape anew: hours of the day, refined by weekday or weekend, refined by the hour of the week; each
    /// refinement only as far as it differs by more than chance does.
    pub(super) fn shape(&mut self, phi: f64) {
        let total: f64 = self.counts.iter().map(|count| f64::from(*count)).sum();
        let flat: f64 = self.flat.iter().map(|flat| f64::from(*flat)).sum();
        if total <= 0.0 || flat <= 0.0 {
            return;
        }
        let mut shape = vec![1.0; WEEK];
        let mean = total / flat;
        for cell in [hour_of_day, weekend_and_hour, hour_of_week] {
            self.refine(&mut shape, mean, phi, cell);
        }
        let sum: f64 = shape.iter().sum();
        for (to, from) in self.shape.iter_mut().zip(&shape) {
            *to = (from * WEEK as f64 / sum.max(1e-9)) as f32;
        }
    }

    /// Empirical Bayes: the variance between the true factors of the cells is what their counts vary beyond chance.
    fn refine(&self, shape: &mut [f64], mean: f64, phi: f64, cell: fn(usize) -> usize) {
        let mut seen = vec![(0.0, 0.0); WEEK];
        for (hour, shape) in shape.iter().enumerate() {
            if let Some((count, expected)) = seen.get_mut(cell(hour)) {
                *count += self.counts.get(hour).copied().map_or(0.0, f64::from);
                *expected += self.flat.get(hour).copied().map_or(0.0, f64::from) * mean * shape;
            }
        }
        let apart: f64 = seen.iter().map(|(count, expected)| (count - expected).powi(2)).sum();
        let chance: f64 = seen.iter().map(|(_, expected)| phi * expected).sum();
        let squares: f64 = seen.iter().map(|(_, expected)| expected * expected).sum();
        if apart <= chance || squares <= 0.0 {
            return;
        }
        // As many stories as the prior is worth.
        let prior = phi * squares / (apart - chance);
        for (hour, shape) in shape.iter_mut().enumerate() {
            if let Some((count, expected)) = seen.get(cell(hour)) {
                *shape *= (count + prior) / (expected + prior);
            }
        }
    }
}

/// A season with the sum of the hours before each hour of the week: a span's hours are a difference.
pub(super) struct Sums<'a> {
    season: &'a Season,
    before: [f64; WEEK + 1],
}

impl Sums<'_> {
    /// Hours from `start`, each weighted by how busy it is.
    pub(super) fn over(&self, start: f64, hours: f64) -> f64 {
        // A week's worth is taken off first: sums over all weeks since 1970 would lose digits.
        let start = start + THURSDAY;
        let start = start - (start / WEEK as f64).floor() * WEEK as f64;
        self.until(start + hours) - self.until(start)
    }

    /// Weighted hours from the beginning of a week.
    fn until(&self, hours: f64) -> f64 {
        let weeks = (hours / WEEK as f64).floor();
        let in_week = hours - weeks * WEEK as f64;
        let hour = (in_week as usize).min(WEEK - 1);
        let [.., week] = self.before;
        let before = self.before.get(hour).copied().unwrap_or(0.0);
        weeks * week + before + (in_week - hour as f64) * self.season.busy(hour)
    }
}

fn hour_of_day(hour: usize) -> usize {
    hour % 24
}

fn weekend_and_hour(hour: usize) -> usize {
    if hour >= 5 * 24 { 24 + hour % 24 } else { hour % 24 }
}

fn hour_of_week(hour: usize) -> usize {
    hour
}

/// The hours of the week from `start` (local hours since 1970), with the part of each that lies in the span.
fn each_hour(start: f64, hours: f64, mut visit: impl FnMut(usize, f64)) {
    let mut at = start + THURSDAY;
    let end = at + hours;
    // A span is at most a week here; a bound all the same, whatever rounding does.
    for _ in 0..=WEEK + 1 {
        if at >= end {
            break;
        }
        let next = (at.floor() + 1.0).min(end);
        visit(at.floor().rem_euclid(WEEK as f64) as usize % WEEK, next - at);
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_span_is_the_sum_of_its_hours(
            shape in prop::collection::vec(0.0f32..5.0, WEEK), start in 0.0..600_000.0f64, hours in 0.0..400.0f64
        ) {
            let season = Season { shape, ..Season::default() };
            let mut naive = 0.0;
            let weeks = (hours / WEEK as f64) as u32;
            for week in 0..weeks {
                each_hour(start + f64::from(week) * WEEK as f64, WEEK as f64, |hour, share| naive += share * season.busy(hour));
            }
            let rest = hours - f64::from(weeks) * WEEK as f64;
            each_hour(start + hours - rest, rest, |hour, share| naive += share * season.busy(hour));
            prop_assert!((season.over(start, hours) - naive).abs() < 1e-6, "{} {naive}", season.over(start, hours));
        }
    }
}
