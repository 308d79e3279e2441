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

pub(super) fn outlook(planner: &Planner, source: SourceId, now: Timestamp) -> Option<Outlook> {
    let standing = planner.roster.get(source)?;
    let histories = &planner.histories;
    let place = histories.find(source)?;
    let correction = planner.correction();
    let mut desk = Desk::default();
    let soonest = standing.earliest.max(now);
    let decision = desk.decide(histories, &planner.prices, correction, place, now, soonest);
    let grid = Grid::new(histories, place, now, soonest);
    let shown = ((HOURS_SHOWN / grid.slot) as usize).min(grid.slots);
    let every = ((MINUTES / 60.0 / grid.slot) as usize).max(1);
    let recursion = &desk.recursion;
    let point = |slot: usize| Point {
        at: grid.time(slot as f64),
        backlog: recursion.expected(0, slot),
        threshold: desk.threshold(&grid, slot),
    };
    Some(Outlook {
        week: histories.rates(place).iter().map(|rate| f64::from(*rate)).collect(),
        points: (0..shown).step_by(every).map(point).collect(),
        price: planner.prices.at(grid.hour) * correction * 60.0,
        burst: decision.factor,
    })
}
