//! What a visit costs, so that the visits planned at that price meet the budget.

use crate::history::Histories;
use crate::market::Demand;
use crate::recursion::Recursion;
use crate::settings::{Pace, PlanSettings};
use crate::week::HOURS;

/// The price of a visit in hours of waiting, for each hour of the week.
#[derive(Debug, Clone)]
pub(crate) struct Prices {
    hours: [f64; HOURS],
    shape: [f64; HOURS],
    pace: Pace,
}

/// Prices need no more sources than this: they are drawn evenly from all.
const SAMPLE: usize = 256;
/// Prices stay within e to this of what constant rates would need: a budget that cannot be met leads nowhere else.
const WIDEST: f64 = 9.0;
/// Hours differ by no more than e to this from each other's mean when they are taken over.
const WIDEST_HOUR: f64 = 3.0;
/// Steps in which the hours are levelled out, and at most in which the whole is brought to the budget.
const LEVELLING: usize = 24;
const STEPS: usize = 12;
/// Where demand is told, as changes of the logarithm of the price: closer where it is likely to be.
const DEMAND_AT: [f64; 15] =
    [-6.0, -4.0, -3.0, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
/// Near enough.
const CLOSE: f64 = 0.004;

impl Prices {
    pub(crate) fn new(settings: &PlanSettings) -> Self {
        Self { hours: [1.0; HOURS], shape: [1.0; HOURS], pace: settings.pace }
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
        self.meet(&sample(histories, sources), &histories.settings, recursion);
    }

    /// How many visits these sources ask for at which price, around the one that constant rates would need.
    pub(crate) fn demand(
        &self,
        histories: &Histories,
        sources: &[usize],
        recursion: &mut Recursion,
    ) -> Option<Demand> {
        let (settings, rates) = (&histories.settings, sample(histories, sources));
        let slots = Slots::new(settings);
        let base = plain(&rates, settings.visits_per_source_day * 7.0 * rates.len() as f64);
        let mut prices = self.clone();
        prices.restart(base);
        let (hours, scale) = (prices.hours, sources.len() as f64 / rates.len() as f64 / 7.0);
        let points = DEMAND_AT.map(|change| {
            prices.hours = hours.map(|price| price * change.exp());
            (base.ln() + change, prices.visits(&rates, &slots, recursion).iter().sum::<f64>() * scale)
        });
        (!rates.is_empty()).then(|| Demand { sources: sources.len(), points: points.to_vec() })
    }

    /// Works out the prices for sources with these rates.
    fn meet(&mut self, rates: &[Vec<f32>], settings: &PlanSettings, recursion: &mut Recursion) {
        let slots = Slots::new(settings);
        let (least, most) = slots.limits();
        let target = (settings.visits_per_source_day * 7.0).max(least).min(most) * rates.len() as f64;
        let plain = plain(rates, target);
        self.restart(plain);
        // First the hours are levelled out, then the whole is brought to the budget.
        if self.pace == Pace::Hourly {
            for _ in 0..LEVELLING {
                let visits = self.visits(rates, &slots, recursion);
                let change = step((visits.iter().sum::<f64>() / target).ln());
                self.hours = self.hours.map(|price| price * change.exp());
                self.level_out(&visits);
                let (low, high) = (plain * (-WIDEST).exp(), plain * WIDEST.exp());
                self.hours = self.hours.map(|price| price.clamp(low, high));
            }
        }
        self.bring_to(target, |prices| prices.visits(rates, &slots, recursion));
        let visits = self.visits(rates, &slots, recursion);
        let mean = visits.iter().sum::<f64>() / HOURS as f64;
        if self.pace == Pace::Free && mean > 0.0 {
            self.shape = visits.map(|visits| visits / mean);
        }
    }

    /// Begins at the price that constant rates would need. Of earlier prices only the differences between hours are taken over: what
    /// could not be met once must not move them for ever.
    fn restart(&mut self, plain: f64) {
        if self.pace == Pace::Free {
            self.hours = [plain; HOURS];
            return;
        }
        let mean = self.hours.iter().map(|price| price.ln()).sum::<f64>() / HOURS as f64;
        self.hours =
            self.hours.map(|price| plain * (price.ln() - mean).clamp(-WIDEST_HOUR, WIDEST_HOUR).exp());
    }

    /// Changes all prices by one factor until so many visits are planned, or as near as it gets.
    fn bring_to(&mut self, target: f64, mut visits: impl FnMut(&Self) -> [f64; HOURS]) {
        let base = self.hours;
        let (mut low, mut change, mut high) = (-WIDEST, 0.0, WIDEST);
        for _ in 0..STEPS {
            let excess = (visits(self).iter().sum::<f64>() / target).ln();
            if excess.abs() < CLOSE {
                break;
            }
            if excess > 0.0 {
                low = change;
            } else {
                high = change;
            }
            change += step(excess);
            if change <= low || change >= high {
                change = f64::midpoint(low, high);
            }
            self.hours = base.map(|price| price * change.exp());
        }
    }

    /// Dearer where more visits were planned than on average, by hour of the day on weekdays and on the weekend.
    fn level_out(&mut self, visits: &[f64; HOURS]) {
        let mut kinds = [[0.0; 24]; 2];
        for (hour, visits) in visits.iter().enumerate() {
            kinds[usize::from(hour >= 120)][hour % 24] += visits / if hour >= 120 { 2.0 } else { 5.0 };
        }
        let mean = visits.iter().sum::<f64>() / HOURS as f64;
        if mean <= 0.0 {
            return;
        }
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
    fn visits(&self, rates: &[Vec<f32>], slots: &Slots, recursion: &mut Recursion) -> [f64; HOURS] {
        let an_hour = slots.an_hour as f64;
        let prices: Vec<f64> = (0..=slots.all).map(|slot| self.at(slots.time(slot)) * an_hour).collect();
        let mut visits = [0.0; HOURS];
        for rates in rates {
            let expected = (0..slots.all).map(|slot| f64::from(rates[slots.hour(slot)]) / an_hour);
            recursion.solve(expected, |slot| prices[slot]);
            let mut slot = 0;
            while slot < slots.end {
                slot = recursion.next(slot).clamp(slot + slots.shortest, slot + slots.longest);
                if (slots.lead..slots.end).contains(&slot) {
                    visits[slots.hour(slot)] += 1.0 / slots.weeks as f64;
                }
            }
        }
        visits
    }
}

/// The rates of some of these sources, weighted by what their articles are worth.
fn sample(histories: &Histories, sources: &[usize]) -> Vec<Vec<f32>> {
    let rates = |place: &usize| {
        let worth = histories.worth(*place) as f32;
        histories.rates(*place).iter().map(|rate| rate * worth).collect()
    };
    sources.iter().step_by(sources.len().div_ceil(SAMPLE).max(1)).map(rates).collect()
}

/// By how much the logarithm of the price is to rise where the logarithm of the visits is too high by `excess`. Visits go with the
/// root of the price, and a little faster where it is bounded.
fn step(excess: f64) -> f64 {
    (1.8 * excess).clamp(-3.0, 3.0)
}

/// The price at which constant rates, with visits √(2c/λ) apart, have so many visits a week.
fn plain(rates: &[Vec<f32>], target: f64) -> f64 {
    let roots: f64 = rates.iter().flatten().map(|rate| f64::from(*rate).sqrt()).sum();
    let price = (roots / target).powi(2) / 2.0;
    if price.is_finite() { price.clamp(1e-12, 1e12) } else { 1.0 }
}

/// The slots in which visits are counted: whole weeks, a day before each until the start is forgotten, and time after them that the
/// end is not felt. Frequent visits need finer slots, rare ones more weeks.
#[derive(Debug)]
struct Slots {
    an_hour: usize,
    weeks: usize,
    lead: usize,
    end: usize,
    all: usize,
    shortest: usize,
    longest: usize,
}

impl Slots {
    fn new(settings: &PlanSettings) -> Self {
        let hours = |gap: std::time::Duration| gap.as_secs_f64() / 3600.0;
        let (mean, longest) = (hours(settings.mean_interval()), hours(settings.longest()));
        // Six to a mean interval, of five minutes to half an hour: a week has 2016 at most.
        let an_hour = (6.0 / mean - 1e-6).ceil().clamp(2.0, 12.0) as usize;
        // As many weeks as have seventeen visits, six at most.
        let weeks = (mean / 10.0 - 1e-6).ceil().clamp(1.0, 6.0) as usize;
        let lead = weeks * 24 * an_hour;
        let end = lead + weeks * HOURS * an_hour;
        let tail = (3.0 * mean).min(longest).max(36.0) as usize * an_hour;
        let slots = |hours: f64| ((hours * an_hour as f64 + 1e-6) as usize).max(1);
        let shortest = slots(hours(settings.shortest_gap)).min(end);
        Self { an_hour, weeks, lead, end, all: end + tail, shortest, longest: slots(longest).max(shortest) }
    }

    /// Visits a week that a source has at least, and at most.
    fn limits(&self) -> (f64, f64) {
        let week = (HOURS * self.an_hour) as f64;
        (week / self.longest as f64, week / self.shortest as f64)
    }

    /// The hour of the week in which a slot lies.
    fn hour(&self, slot: usize) -> usize {
        (slot + (self.weeks * HOURS * self.an_hour) - self.lead) / self.an_hour % HOURS
    }

    /// The hour of the week at which a slot begins.
    fn time(&self, slot: usize) -> f64 {
        let week = HOURS * self.an_hour;
        ((slot + self.weeks * week - self.lead) % week) as f64 / self.an_hour as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sources with from one to a hundred articles a day, twice as many by day as by night.
    fn rates() -> Vec<Vec<f32>> {
        let hour = |hour: usize| if hour % 24 < 12 { 4.0 / 3.0 } else { 2.0 / 3.0 };
        let source = |index: i32| (0..HOURS).map(|at| 1.26_f32.powi(index) / 24.0 * hour(at)).collect();
        (0..20).map(source).collect()
    }

    fn settings(visits_per_source_day: f64, pace: Pace) -> PlanSettings {
        PlanSettings { visits_per_source_day, pace, ..PlanSettings::default() }
    }

    fn planned(prices: &Prices, rates: &[Vec<f32>], settings: &PlanSettings) -> f64 {
        let visits = prices.visits(rates, &Slots::new(settings), &mut Recursion::default());
        visits.iter().sum::<f64>() / 7.0 / rates.len() as f64
    }

    #[test]
    fn every_budget_is_met_and_solving_again_changes_nothing() {
        for budget in [0.5, 4.8, 24.0, 48.0, 200.0] {
            let settings = settings(budget, Pace::Free);
            let mut prices = Prices::new(&settings);
            prices.meet(&rates(), &settings, &mut Recursion::default());
            let (first, visits) = (prices.at(12.0), planned(&prices, &rates(), &settings));
            assert!((visits / budget - 1.0).abs() < 0.025, "{visits} of {budget}");
            for _ in 0..2 {
                prices.meet(&rates(), &settings, &mut Recursion::default());
            }
            assert!((prices.at(12.0) / first - 1.0).abs() < 1e-9, "{first} became {}", prices.at(12.0));
        }
    }

    #[test]
    fn what_cannot_be_met_leaves_prices_that_are_numbers() {
        let silent = vec![vec![0.0; HOURS]; 3];
        for budget in [0.0, 1e-9, 1e9, f64::NAN, f64::INFINITY] {
            for pace in [Pace::Free, Pace::Hourly] {
                for rates in [&rates()[17..], &silent[..]] {
                    let settings = settings(budget, pace);
                    let mut prices = Prices::new(&settings);
                    for _ in 0..2 {
                        prices.meet(rates, &settings, &mut Recursion::default());
                    }
                    let sound = |price: &f64| price.is_finite() && *price > 0.0;
                    assert!(prices.hours.iter().all(sound), "{budget} {pace:?} {:?}", prices.at(0.0));
                    assert!(prices.shape.iter().all(|shape| shape.is_finite()), "{budget} {pace:?}");
                }
            }
        }
    }
}
