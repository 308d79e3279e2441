//! In the order of discovery, seeds first: no strategy at all, and what the others are measured from.

use super::{Memory, Spot, Strategy};

#[derive(Debug)]
pub(super) struct BreadthFirst;

impl Strategy for BreadthFirst {
    fn worth(&self, memory: &Memory, spot: Spot) -> f32 {
        // Among equals the frontier takes the older.
        memory.known(spot).map_or(0.0, |known| -f32::from(known.depth))
    }
}
