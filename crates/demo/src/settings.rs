//! What a world is made from.

use jiff::{SignedDuration, Timestamp};

/// What a world is made from. Equal settings make equal worlds, down to the last word.
#[derive(Debug, Clone)]
pub struct WorldSettings {
    /// The seed of everything.
    pub seed: u64,
    /// How many sites.
    pub sites: usize,
    /// When the world begins. Articles exist for a week before, as back catalogue.
    pub start: Timestamp,
    /// Articles a day on a site of mean pace, bursts not counted.
    pub articles_per_day: f64,
    /// Whether bursts are staged.
    pub bursts: bool,
    /// How long after `start` the first burst begins; further ones follow daily.
    pub first_burst_after: SignedDuration,
}

impl WorldSettings {
    /// The default of `articles_per_day`, against which bursts are scaled.
    pub(crate) const MEAN_ARTICLES_PER_DAY: f64 = 18.0;
}

/// Monday, 2 March 2026, 06:00 UTC: a working morning, so that every rhythm shows within a day.
const START_SECOND: i64 = 1_772_431_200;

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            seed: 1,
            sites: 30,
            start: Timestamp::from_second(START_SECOND).unwrap_or_default(),
            articles_per_day: Self::MEAN_ARTICLES_PER_DAY,
            bursts: true,
            first_burst_after: SignedDuration::from_hours(6),
        }
    }
}
