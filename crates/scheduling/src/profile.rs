//! A source's rhythm: articles expected in each hour of the week.

use crate::week::{HOURS, cell};
use serde::{Deserialize, Serialize};

/// Counts per hour of the week. Old weeks count less and less: by half after each half-life.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    cells: [f32; HOURS],
    /// Weeks the counts come from, older ones counted as the counts are.
    weeks: f32,
}

/// How counts become rates. The defaults were chosen on training weeks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ProfileTuning {
    /// Weeks after which a count is worth half.
    pub half_life: f64,
    /// How many weeks the hours of all weekdays, or of the weekend, are worth against the hour of the week.
    pub cell_prior: f64,
    /// How many weeks the shape of all sources is worth against the own hours.
    pub day_prior: f64,
    /// How many weeks the mean rate of all sources is worth against the own.
    pub mean_prior: f64,
    /// The share of an hour's count that is spread to the hours beside it.
    pub spread: f64,
}

/// After so many weeks the hours of similar sources foretell no more than those of all (docs/evaluation.md).
const KNOWN_WEEKS: f32 = 4.0;

/// Rates in articles an hour, for each hour of the week.
pub(crate) type Rates = [f32; HOURS];

impl Profile {
    pub(crate) fn new() -> Self {
        Self { cells: [0.0; HOURS], weeks: 0.0 }
    }

    /// Time passes: `weeks` more have been watched.
    pub(crate) fn age(&mut self, weeks: f64, half_life: f64) {
        let keep = (-weeks / half_life).exp2() as f32;
        for cell in &mut self.cells {
            *cell *= keep;
        }
        // The integral of the weights over the new time.
        let added = half_life / std::f64::consts::LN_2 * (1.0 - f64::from(keep));
        self.weeks = self.weeks * keep + added as f32;
    }

    /// An article of `age` weeks ago.
    pub(crate) fn add(&mut self, hour: f64, age: f64, half_life: f64) {
        self.cells[cell(hour)] += (-age.max(0.0) / half_life).exp2() as f32;
    }

    /// An article of `age` weeks ago whose hour is not to be trusted: it counts in all hours, by the shape of all sources.
    pub(crate) fn spread(&mut self, age: f64, half_life: f64, shape: &Rates) {
        let worth = (-age.max(0.0) / half_life).exp2() as f32 / HOURS as f32;
        for (cell, shape) in self.cells.iter_mut().zip(shape) {
            *cell += worth * shape;
        }
    }

    /// Whether its own weeks tell its hours well enough.
    pub(crate) fn is_known(&self) -> bool {
        self.weeks >= KNOWN_WEEKS
    }

    /// Counts in all.
    pub(crate) fn total(&self) -> f32 {
        self.cells.iter().sum()
    }

    pub(crate) fn cells(&self) -> &[f32; HOURS] {
        &self.cells
    }

    /// Articles an hour on average, drawn to `usual` while little is known.
    pub(crate) fn mean(&self, usual: f32, tuning: &ProfileTuning) -> f32 {
        let prior = tuning.mean_prior as f32;
        (self.total() / HOURS as f32 + prior * usual) / (self.weeks + prior).max(f32::MIN_POSITIVE)
    }

    /// The rates, shrunk: hour of week → (weekday or weekend) × hour → the shape of all sources × the own mean.
    pub(crate) fn rates(&self, shape: &Rates, usual: f32, tuning: &ProfileTuning) -> Rates {
        let mean = self.mean(usual, tuning);
        let (cell_prior, day_prior) = (tuning.cell_prior as f32, tuning.day_prior as f32);
        let mut days = [[0.0_f32; 24]; 2];
        let mut base = [[0.0_f32; 24]; 2];
        let smooth = self.smooth(tuning.spread as f32);
        for (hour, count) in smooth.iter().enumerate() {
            let kind = usize::from(hour >= 120);
            days[kind][hour % 24] += count;
            base[kind][hour % 24] += shape[hour];
        }
        for (kind, length) in [(0, 5.0), (1, 2.0)] {
            for (day, base) in days[kind].iter_mut().zip(&base[kind]) {
                let expected = mean * base / length;
                *day = shrunk(*day, self.weeks * length, expected, day_prior);
            }
        }
        let mut rates = [0.0; HOURS];
        for (hour, rate) in rates.iter_mut().enumerate() {
            let usual = days[usize::from(hour >= 120)][hour % 24];
            *rate = shrunk(smooth[hour], self.weeks, usual, cell_prior);
        }
        rates
    }

    fn smooth(&self, spread: f32) -> Rates {
        let mut smooth = [0.0; HOURS];
        for (hour, cell) in smooth.iter_mut().enumerate() {
            let before = self.cells[(hour + HOURS - 1) % HOURS];
            let after = self.cells[(hour + 1) % HOURS];
            *cell = (1.0 - spread) * self.cells[hour] + spread / 2.0 * (before + after);
        }
        smooth
    }
}

/// A rate from `count` in `weeks`, drawn to the `usual` one as if that had been seen for `prior` weeks.
fn shrunk(count: f32, weeks: f32, usual: f32, prior: f32) -> f32 {
    (count + prior * usual) / (weeks + prior).max(f32::MIN_POSITIVE)
}
