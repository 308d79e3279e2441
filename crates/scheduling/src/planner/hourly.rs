//! The same budget each hour: every few minutes the sources most worth a visit, as many as the budget has.
//!
//! Prices by the hour make visits dearer when all sources publish, so that planned visits are about the same each hour. How many
//! articles are expected of a source, over how many make a visit worth its price, then ranks all sources at each moment.

use super::decision::{Desk, Grid};
use crate::history::Histories;
use crate::price::Prices;
use crate::week::hours_between;
use jiff::Timestamp;
use model::SourceId;
use std::collections::BTreeMap;

/// Hours between two rounds.
pub(super) const STEP: f64 = 1.0 / 6.0;
/// Points of the curve that is kept for a source, and hours between them.
const POINTS: usize = 50;
const APART: f64 = 0.5;

/// What a visit to each source will be worth, from its last visit on.
#[derive(Debug, Default)]
pub(super) struct Hourly {
    curves: BTreeMap<SourceId, (Timestamp, Box<[f32]>)>,
    /// Visits saved up for the next round.
    allowed: f64,
}

impl Hourly {
    /// A source was visited: works out what the next visit is worth as time passes.
    pub(super) fn visited(
        &mut self,
        source: SourceId,
        desk: &mut Desk,
        histories: &Histories,
        prices: &Prices,
        place: usize,
        at: Timestamp,
    ) {
        let grid = Grid::new(histories, place, at, at);
        desk.solve(histories, place, &grid, prices, 1.0);
        let curve = (0..POINTS).map(|point| {
            let slot = ((point as f64 * APART / grid.slot) as usize).min(grid.slots - 1);
            let enough = desk.threshold(&grid, slot);
            (desk.recursion.expected(0, slot) / enough.max(1e-9)) as f32
        });
        self.curves.insert(source, (grid.start, curve.collect()));
    }

    /// What a visit to a source is worth now; 1 is worth its price.
    pub(super) fn worth(&self, source: SourceId, now: Timestamp) -> f64 {
        let Some((since, curve)) = self.curves.get(&source) else { return 0.0 };
        let point = (hours_between(*since, now) / APART).clamp(0.0, (POINTS - 2) as f64);
        let (before, share) = (point as usize, point.fract());
        f64::from(curve[before]) * (1.0 - share) + f64::from(curve[before + 1]) * share
    }

    /// So many visits may be made in the coming step, at so many a day.
    pub(super) fn allow(&mut self, a_day: f64) -> usize {
        self.allowed = (self.allowed + a_day / 24.0 * STEP).min(a_day.max(1.0));
        self.allowed as usize
    }

    pub(super) fn spend(&mut self, visits: usize) {
        self.allowed -= visits as f64;
    }

    pub(super) fn forget(&mut self, source: SourceId) {
        self.curves.remove(&source);
    }
}
