//! One source's next visit.

use crate::history::Histories;
use crate::price::Prices;
use crate::recursion::Recursion;
use crate::week::{HOURS, after_hours, cell, clock_time, hour_of_week, hours_between};
use jiff::Timestamp;

/// Where decisions are worked out. Kept between them so that nothing is allocated.
#[derive(Debug, Default)]
pub(super) struct Desk {
    pub(super) recursion: Recursion,
    pub(super) multipliers: Vec<f64>,
    /// The price of a visit as each slot begins.
    prices: Vec<f64>,
}

/// When to come, and what is expected by then.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decision {
    pub(super) at: Timestamp,
    since: Timestamp,
    articles: f64,
    /// How many times the usual articles are expected at present.
    pub(super) factor: f64,
    floor: bool,
}

/// The slots that a source's future is cut into.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    /// When the first slot begins: the last visit.
    pub(super) start: Timestamp,
    /// Its hour of the week.
    pub(super) hour: f64,
    /// The length of a slot in hours.
    pub(super) slot: f64,
    pub(super) slots: usize,
    first: usize,
    last: usize,
}

/// Slots until the longest gap: a floor visit after a month needs no minutes.
const MOST_SLOTS: f64 = 600.0;
/// Rare visits need a farther look, or the end of it would be felt.
const BEYOND_IN_MEANS: f64 = 3.0;
/// Frequent visits need finer slots: so many to a mean interval.
const SLOTS_IN_MEAN: f64 = 6.0;
/// Nothing is gained by counting what was published longer ago.
const LONGEST_BACKLOG: f64 = 24.0;
/// A visit is compared with coming up to so many hours later.
const LOOK_AHEAD: f64 = 24.0;
/// From this factor on the reason speaks of a burst.
const BURST: f64 = 1.5;

impl Grid {
    pub(super) fn new(histories: &Histories, place: usize, now: Timestamp, soonest: Timestamp) -> Self {
        let settings = &histories.settings;
        let tuning = settings.tuning.planner;
        let longest = settings.longest().as_secs_f64() / 3600.0;
        let shortest = settings.shortest_gap.as_secs_f64() / 3600.0;
        let mean = settings.mean_interval().as_secs_f64() / 3600.0;
        let slot = slot(tuning.slot_minutes / 60.0, mean, shortest).max(longest / MOST_SLOTS);
        let start = histories.list[place].until.unwrap_or(now).clamp(after_hours(now, -LONGEST_BACKLOG), now);
        let slots_until = |hours: f64| (hours / slot - 1e-6).ceil().max(1.0) as usize;
        let first = slots_until(hours_between(start, soonest).max(shortest));
        let last = ((longest / slot) as usize).max(first);
        let slots = last + slots_until(tuning.beyond_hours.max(longest.min(BEYOND_IN_MEANS * mean)));
        Self { start, hour: hour_of_week(&settings.zone, start), slot, slots, first, last }
    }

    /// The hour of the week at which a slot begins.
    pub(super) fn hour_of(&self, slot: usize) -> f64 {
        (self.hour + slot as f64 * self.slot) % HOURS as f64
    }

    pub(super) fn time(&self, slot: f64) -> Timestamp {
        after_hours(self.start, slot * self.slot)
    }
}

/// Hours of a slot: the usual ones, or at a high budget finer ones that end with the shortest gap, and half of it at the least.
fn slot(usual: f64, mean: f64, shortest: f64) -> f64 {
    if usual <= mean / SLOTS_IN_MEAN {
        return usual;
    }
    let fine = (mean / SLOTS_IN_MEAN).max(shortest / 2.0);
    usual.min(shortest / (shortest / fine - 1e-6).ceil().max(1.0))
}

impl Desk {
    /// Solves the recursion for a source on a grid.
    pub(super) fn solve(
        &mut self,
        histories: &Histories,
        place: usize,
        grid: &Grid,
        prices: &Prices,
        correction: f64,
    ) {
        self.prices.clear();
        let price = |slot: usize| prices.at(grid.hour_of(slot)) * correction / grid.slot;
        self.prices.extend((0..=grid.slots).map(price));
        let rates = histories.rates(place);
        let worth = histories.worth(place);
        let hours = (grid.slots as f64 * grid.slot).ceil() as usize + 2;
        histories.multipliers(place, grid.start, hours, &mut self.multipliers);
        let multipliers = &self.multipliers;
        let expected = (0..grid.slots).map(|slot| {
            let ahead = (slot as f64 + 0.5) * grid.slot;
            let multiplier = multipliers[(grid.hour.fract() + ahead) as usize];
            f64::from(rates[cell(grid.hour + ahead)]) * multiplier * worth * grid.slot
        });
        self.recursion.solve(expected, |slot| self.prices[slot]);
    }

    /// How many articles must be waiting for a visit as the slot begins to be worth its price.
    pub(super) fn threshold(&self, grid: &Grid, slot: usize) -> f64 {
        let recursion = &self.recursion;
        let end = (slot + ((LOOK_AHEAD / grid.slot) as usize).max(1)).min(grid.slots);
        // Coming k slots later saves the difference of what follows, and costs k for each article waiting.
        let here = self.prices[slot] + recursion.value(slot);
        let later =
            |later: usize| self.prices[later] + recursion.value(later) + recursion.waiting(slot, later);
        let gain = |then: usize| (here - later(then)) / (then - slot) as f64;
        // Close by every slot counts, farther away every fourth is enough.
        let near = (slot + 1..=end.min(slot + 8)).map(gain).fold(0.0, f64::max);
        (slot + 12..=end).step_by(4).map(gain).fold(near, f64::max)
    }

    /// The visit at which waiting, its price and all that follows cost least.
    pub(super) fn decide(
        &mut self,
        histories: &Histories,
        prices: &Prices,
        correction: f64,
        place: usize,
        now: Timestamp,
        soonest: Timestamp,
    ) -> Decision {
        let grid = Grid::new(histories, place, now, soonest);
        self.solve(histories, place, &grid, prices, correction);
        let recursion = &self.recursion;
        let cost = |slot: usize| recursion.waiting(0, slot) + self.prices[slot] + recursion.value(slot);
        // Where no cost is a number, the longest gap is the least harm.
        let (mut best, mut least) = (grid.last, f64::INFINITY);
        for slot in grid.first..=grid.last {
            let cost = cost(slot);
            if cost < least {
                (best, least) = (slot, cost);
            }
        }
        let mut exact = best as f64;
        if best > grid.first && best < grid.last {
            // Between the slots: the minimum of the parabola through the three.
            let (before, after) = (cost(best - 1), cost(best + 1));
            let bend = before + after - 2.0 * least;
            if bend > 0.0 {
                exact += ((before - after) / (2.0 * bend)).clamp(-0.5, 0.5);
            }
        }
        Decision {
            at: grid.time(exact),
            since: grid.start,
            articles: recursion.expected(0, best) / histories.worth(place).max(1e-12),
            factor: self.multipliers[0],
            floor: best == grid.last,
        }
    }
}

impl Decision {
    /// Why then, in words.
    pub(super) fn reason(&self, histories: &Histories, place: usize) -> String {
        let since = clock_time(&histories.settings.zone, self.since);
        let expected = match self.articles {
            many if many >= 9.95 => format!("{many:.0} articles expected since {since}"),
            few => format!("{few:.1} articles expected since {since}"),
        };
        if self.floor {
            let longest = crate::even::in_words(histories.settings.longest());
            return format!("at least once in {longest}; {expected}");
        }
        let (seen, usual) = histories.list[place].bursts.standing_out(&histories.tuning().bursts);
        if self.factor >= BURST && seen > usual {
            return format!("burst: {seen:.0} against {usual:.1} expected; {expected}");
        }
        expected
    }
}
