//! What an article is about: a topic, a country, and for sport which one.

use crate::vocabulary::countries::{COUNTRIES, Country};
use crate::vocabulary::sports::{SPORTS, Sport};
use std::fmt;

/// The broad topic of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// Parliaments, ministers, elections, laws.
    Politics,
    /// Companies, markets, jobs, trade.
    Business,
    /// Chips, software, networks, research.
    Technology,
    /// Storms, heat, floods, forecasts.
    Weather,
    /// Courts, police, fraud, theft.
    Crime,
    /// One of the 28 summer sports.
    Sport,
}

impl Topic {
    /// Every topic, in the order in which sites state their interests.
    pub const ALL: [Self; 6] =
        [Self::Politics, Self::Business, Self::Technology, Self::Weather, Self::Crime, Self::Sport];

    /// A short machine word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Politics => "politics",
            Self::Business => "business",
            Self::Technology => "technology",
            Self::Weather => "weather",
            Self::Crime => "crime",
            Self::Sport => "sport",
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Topic, country and sport together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) topic: Topic,
    pub(crate) country: &'static Country,
    /// Some exactly when the topic is sport.
    pub(crate) sport: Option<&'static Sport>,
}

/// The names of the ten countries the world reports on.
pub fn countries() -> impl Iterator<Item = &'static str> {
    COUNTRIES.iter().map(|country| country.name)
}

/// The names of the 28 summer sports, in lower case.
pub fn sports() -> impl Iterator<Item = &'static str> {
    SPORTS.iter().map(|sport| sport.name)
}
