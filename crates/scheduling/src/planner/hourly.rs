//! The same budget each hour: every few minutes the sources most worth a visit, as many as the budget has.
//!
//! Prices by the hour make visits dearer when all sources publish, so that planned visits are about the same each hour. How many
//! articles are expected of a source, over how many make a visit worth its price, then ranks all sources at each moment.

use super::decision::{Desk, Grid};
use crate::history::Histories;
use crate::price::Prices;
use crate::settings::PlanSettings;
use crate::week::hours_between;
use jiff::Timestamp;
use model::SourceId;
use std::collections::BTreeMap;

/// Hours between two rounds: at most, and at the least.
const LONGEST_STEP: f64 = 1.0 / 6.0;
const SHORTEST_STEP: f64 = 1.0 / 60.0;
/// Rounds in a mean interval, at the least: in each a source is visited once at most.
const ROUNDS_IN_MEAN: f64 = 6.0;
/// Points of the curve that is kept for a source; it goes a little beyond the longest gap.
const POINTS: usize = 50;

/// Hours between two rounds.
pub(super) fn step(settings: &PlanSettings) -> f64 {
    let mean = settings.mean_interval().as_secs_f64() / 3600.0;
    (mean / ROUNDS_IN_MEAN).clamp(SHORTEST_STEP, LONGEST_STEP)
}

/// Hours between two points of a curve.
fn apart(settings: &PlanSettings) -> f64 {
    (settings.longest().as_secs_f64() / 3600.0 / (POINTS - 2) as f64).max(SHORTEST_STEP)
}

/// What a visit to each source will be worth, from its last visit on.
#[derive(Debug, Default)]
pub(super) struct Hourly {
    curves: BTreeMap<SourceId, Curve>,
    /// Visits saved up for the next round.
    allowed: f64,
}

/// What a visit is worth: since when, hours between two points, and the points.
type Curve = (Timestamp, f64, Box<[f32]>);

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
        let apart = apart(&histories.settings);
        let curve = (0..POINTS).map(|point| {
            let slot = ((point as f64 * apart / grid.slot) as usize).min(grid.slots - 1);
            let enough = desk.threshold(&grid, slot);
            (desk.recursion.expected(0, slot) / enough.max(1e-9)) as f32
        });
        self.curves.insert(source, (grid.start, apart, curve.collect()));
    }

    /// What a visit to a source is worth now; 1 is worth its price.
    pub(super) fn worth(&self, source: SourceId, now: Timestamp) -> f64 {
        let Some((since, apart, curve)) = self.curves.get(&source) else { return 0.0 };
        let point = (hours_between(*since, now) / apart).clamp(0.0, (POINTS - 2) as f64);
        let (before, share) = (point as usize, point.fract());
        f64::from(curve[before]) * (1.0 - share) + f64::from(curve[before + 1]) * share
    }

    /// So many visits may be made in the coming step of so many hours, at so many a day.
    pub(super) fn allow(&mut self, a_day: f64, step: f64) -> usize {
        self.allowed = (self.allowed + a_day / 24.0 * step).min(a_day.max(1.0));
        self.allowed as usize
    }

    pub(super) fn spend(&mut self, visits: usize) {
        self.allowed -= visits as f64;
    }

    pub(super) fn forget(&mut self, source: SourceId) {
        self.curves.remove(&source);
    }
}
