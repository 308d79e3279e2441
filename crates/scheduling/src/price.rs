//! What a visit costs, so that the visits planned at that price meet the budget.

use crate::history::Histories;
use crate::recursion::Recursion;
use crate::settings::{Pace, PlanSettings};
use crate::week::HOURS;

/// The price of a visit in hours of waiting, for each hour of the week.
#[derive(Debug, Clone)]
pub(crate) struct Prices {
    hours: [f64; HOURS],
    shape: [f64; HOURS],
    pace: Pace,
    solved: bool,
}

/// Prices need no more sources than this: they are drawn evenly from all.
const SAMPLE: usize = 256;
/// Slots of half an hour are fine enough to count visits.
const SLOTS_AN_HOUR: usize = 2;
/// A week, a day before it until the start is forgotten, and one and a half after it that the end is not felt.
const LEAD: usize = 24 * SLOTS_AN_HOUR;
const SLOTS: usize = LEAD + HOURS * SLOTS_AN_HOUR + 36 * SLOTS_AN_HOUR;

impl Prices {
    pub(crate) fn new(settings: &PlanSettings) -> Self {
        Self { hours: [1.0; HOURS], shape: [1.0; HOURS], pace: settings.pace, solved: false }
    }

    /// The price at an hour of the week, without jumps from hour to hour: everybody would wait for the cheaper one.
    pub(crate) fn at(&self, hour: f64) -> f64 {
        let middle = hour + HOURS as f64 - 0.5;
        let (before, share) = (middle as usize, middle.fract());
        self.hours[before % HOURS] * (1.0 - share) + self.hours[(before + 1) % HOURS] * share
    }

    pub(crate) fn shape(&self) -> &[f64; HOURS] {
        &self.shape
    }

    /// Works out the prices for these sources.
    pub(crate) fn solve(&mut self, histories: &Histories, sources: &[usize], recursion: &mut Recursion) {
        let stride = sources.len().div_ceil(SAMPLE).max(1);
        let rates: Vec<Vec<f32>> = sources
            .iter()
            .step_by(stride)
            .map(|place| {
                let worth = histories.worth(*place) as f32;
                histories.rates(*place).iter().map(|rate| rate * worth).collect()
            })
            .collect();
        let settings = &histories.settings;
        let longest = settings.longest_gap.as_secs_f64() / 3600.0;
        let target = settings.visits_per_source_day * 7.0 * rates.len() as f64;
        if !self.solved {
            // Constant rates have their visits √(2c/λ) apart.
            let roots: f64 = rates.iter().flatten().map(|rate| f64::from(*rate).sqrt()).sum();
            let price = (roots / target).powi(2) / 2.0;
            self.hours = [price.max(1e-12); HOURS];
            self.solved = true;
        }
        // First the hours are levelled out, then the whole is brought to the budget.
        let levelling = if self.pace == Pace::Hourly { 24 } else { 0 };
        for turn in 0..levelling + 6 {
            let visits = self.visits(&rates, longest, recursion);
            let total: f64 = visits.iter().sum();
            let all = ((total / target).ln() * 1.8).clamp(-3.0, 3.0).exp();
            if turn >= levelling && (total / target - 1.0).abs() < 0.004 {
                break;
            }
            for price in &mut self.hours {
                *price *= all;
            }
            if turn < levelling {
                self.level_out(&visits);
            }
        }
        let visits = self.visits(&rates, longest, recursion);
        if self.pace == Pace::Free {
            let mean = visits.iter().sum::<f64>() / HOURS as f64;
            for (shape, visits) in self.shape.iter_mut().zip(visits) {
                *shape = visits / mean.max(1e-9);
            }
        }
    }

    /// Dearer where more visits were planned than on average, by hour of the day on weekdays and on the weekend.
    fn level_out(&mut self, visits: &[f64; HOURS]) {
        let mut kinds = [[0.0; 24]; 2];
        for (hour, visits) in visits.iter().enumerate() {
            kinds[usize::from(hour >= 120)][hour % 24] += visits / if hour >= 120 { 2.0 } else { 5.0 };
        }
        let mean = visits.iter().sum::<f64>() / HOURS as f64;
        let mut logs = self.hours.map(f64::ln);
        for (hour, log) in logs.iter_mut().enumerate() {
            let planned = kinds[usize::from(hour >= 120)][hour % 24];
            *log += 0.3 * ((planned + 0.1 * mean) / (1.1 * mean)).ln();
        }
        for (hour, price) in self.hours.iter_mut().enumerate() {
            // Smooth, or neighbouring hours would drive each other's prices apart.
            let beside = logs[(hour + 1) % HOURS] + logs[(hour + HOURS - 1) % HOURS];
            *price = (0.5 * logs[hour] + 0.25 * beside).exp();
        }
    }

    /// Visits planned in each hour of a week.
    fn visits(&self, rates: &[Vec<f32>], longest: f64, recursion: &mut Recursion) -> [f64; HOURS] {
        let longest = ((longest * SLOTS_AN_HOUR as f64) as usize).max(1);
        let hour_of = |slot: usize| (slot + HOURS * SLOTS_AN_HOUR - LEAD) / SLOTS_AN_HOUR % HOURS;
        let time_of = |slot: usize| {
            ((slot + HOURS * SLOTS_AN_HOUR - LEAD) % (HOURS * SLOTS_AN_HOUR)) as f64 / SLOTS_AN_HOUR as f64
        };
        let mut visits = [0.0; HOURS];
        for rates in rates {
            let expected = (0..SLOTS).map(|slot| f64::from(rates[hour_of(slot)]) / SLOTS_AN_HOUR as f64);
            recursion.solve(expected, |slot| self.at(time_of(slot)) * SLOTS_AN_HOUR as f64);
            let mut slot = 0;
            while slot < LEAD + HOURS * SLOTS_AN_HOUR {
                slot = recursion.next(slot).min(slot + longest);
                if (LEAD..LEAD + HOURS * SLOTS_AN_HOUR).contains(&slot) {
                    visits[hour_of(slot)] += 1.0;
                }
            }
        }
        visits
    }
}
