//! What the planner thinks of one source, for people to look at.

use super::Planner;
use super::decision::{Desk, Grid};
use crate::policy::{Outlook, Point};
use jiff::Timestamp;
use model::SourceId;

/// The curves go so far.
const HOURS_SHOWN: f64 = 48.0;
/// Minutes between two points.
const MINUTES: f64 = 20.0;
/// A visit is compared with coming up to so many hours later.
const LOOK_AHEAD: f64 = 24.0;

pub(super) fn outlook(planner: &Planner, source: SourceId, now: Timestamp) -> Option<Outlook> {
    let standing = planner.roster.get(source)?;
    let histories = &planner.histories;
    let place = histories.find(source)?;
    let correction = planner.correction();
    let mut desk = Desk::default();
    let soonest = standing.earliest.max(now);
    let decision = desk.decide(histories, &planner.prices, correction, place, now, soonest);
    let grid = Grid::new(histories, place, now, soonest);
    let price = |slot: usize| planner.prices.at(grid.cell(slot)) * correction / grid.slot;
    let shown = ((HOURS_SHOWN / grid.slot) as usize).min(grid.slots);
    let every = ((MINUTES / 60.0 / grid.slot) as usize).max(1);
    let ahead = ((LOOK_AHEAD / grid.slot) as usize).max(1);
    let recursion = &desk.recursion;
    let threshold = |slot: usize| {
        // Coming k slots later saves the difference of what follows, and costs k for each article waiting.
        let here = price(slot) + recursion.value(slot);
        let later = |later: usize| price(later) + recursion.value(later) + recursion.waiting(slot, later);
        let end = (slot + ahead).min(grid.slots);
        let least = (slot + 1..=end).map(|then| (here - later(then)) / (then - slot) as f64);
        least.fold(0.0, f64::max)
    };
    let point = |slot: usize| Point {
        at: grid.time(slot as f64),
        backlog: recursion.expected(0, slot),
        threshold: threshold(slot),
    };
    Some(Outlook {
        week: histories.rates(place).iter().map(|rate| f64::from(*rate)).collect(),
        points: (0..shown).step_by(every).map(point).collect(),
        price: price(0) * grid.slot * 60.0,
        burst: decision.factor,
    })
}
