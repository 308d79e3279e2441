//! Every policy by its name.

use crate::adaptive::{Adaptive, Verdict};
use crate::bright::Bright;
use crate::cam::Cam;
use crate::even::Even;
use crate::fixed::{Fixed, Order};
use crate::intervals::{Intervals, Rule};
use crate::planner::Planner;
use crate::policy::Policy;
use crate::reaction::Reaction;
use crate::settings::PlanSettings;
use crate::wic::Wic;
use detection::DetectorName;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The policies, as settings, command line and reports name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolicyName {
    /// The same interval for all sources, staggered.
    Even,
    /// 2, 4, 8, 12 and 24 hours, the shortest for the sources with most classified articles.
    StaticTopDown,
    /// 2, 4, 8, 12 and 24 hours, the shortest for the sources with fewest classified articles.
    StaticBottomUp,
    /// 2, 4, 8, 12 and 24 hours, by lot.
    StaticRandom,
    /// Paper 000: even polling, and an event sends visits to the similar sources at once.
    DayHour,
    /// Paper 001: even polling, and an alarm sends visits to the whole folder every ten minutes.
    Dc1,
    /// As `dc1`, with Grubbs' test.
    Grubbs,
    /// Pandey 2003: each epoch, the instants at which a change is likeliest.
    Cam,
    /// Pandey 2004: at each instant, the sources with most unseen updates.
    Wic,
    /// Bright 2006: when a change is as good as certain.
    Bright,
    /// Visits in proportion to the square root of the rate: the best for constant rates.
    Sqrt,
    /// Miniflux: a week divided by the week's entries.
    EntryFrequency,
    /// Nutch: the interval shrinks with each change and grows with each visit in vain.
    Nutch,
    /// Media Cloud: the interval follows the share of articles already seen.
    DuplicateShare,
    /// Kolobov 2019: harmonic staleness under a budget.
    LambdaCrawl,
    /// Azar 2018: the chance that a page is fresh when it is asked for.
    Azar,
    /// Ours: one price per visit, and each source's visits where they save most waiting for it.
    #[default]
    Planner,
}

impl PolicyName {
    /// All, in the order of reports.
    pub const ALL: [Self; 17] = [
        Self::Even,
        Self::StaticTopDown,
        Self::StaticBottomUp,
        Self::StaticRandom,
        Self::DayHour,
        Self::Dc1,
        Self::Grubbs,
        Self::Cam,
        Self::Wic,
        Self::Bright,
        Self::Sqrt,
        Self::EntryFrequency,
        Self::Nutch,
        Self::DuplicateShare,
        Self::LambdaCrawl,
        Self::Azar,
        Self::Planner,
    ];

    /// As it is written in settings and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::StaticTopDown => "static-top-down",
            Self::StaticBottomUp => "static-bottom-up",
            Self::StaticRandom => "static-random",
            Self::DayHour => "day-hour",
            Self::Dc1 => "dc1",
            Self::Grubbs => "grubbs",
            Self::Cam => "cam",
            Self::Wic => "wic",
            Self::Bright => "bright",
            Self::Sqrt => "sqrt",
            Self::EntryFrequency => "entry-frequency",
            Self::Nutch => "nutch",
            Self::DuplicateShare => "duplicate-share",
            Self::LambdaCrawl => "lambda-crawl",
            Self::Azar => "azar",
            Self::Planner => "planner",
        }
    }

    /// The policy itself.
    pub fn build(self, settings: &PlanSettings) -> Box<dyn Policy> {
        match self {
            Self::Even | Self::DayHour | Self::Dc1 | Self::Grubbs => {
                Box::new(Even::new(settings.mean_interval()))
            }
            Self::StaticTopDown => Box::new(Fixed::new(Order::TopDown, settings)),
            Self::StaticBottomUp => Box::new(Fixed::new(Order::BottomUp, settings)),
            Self::StaticRandom => Box::new(Fixed::new(Order::Random, settings)),
            Self::Cam => Box::new(Cam::new(settings)),
            Self::Wic => Box::new(Wic::new(settings)),
            Self::Bright => Box::new(Bright::new(settings)),
            Self::Sqrt => Box::new(Intervals::new(Rule::Sqrt, settings)),
            Self::EntryFrequency => Box::new(Intervals::new(Rule::EntryFrequency, settings)),
            Self::Nutch => Box::new(Adaptive::new(Verdict::Changed, settings)),
            Self::DuplicateShare => Box::new(Adaptive::new(Verdict::DuplicateShare, settings)),
            Self::LambdaCrawl => Box::new(Intervals::new(Rule::LambdaCrawl, settings)),
            Self::Azar => Box::new(Intervals::new(Rule::Azar, settings)),
            Self::Planner => Box::new(Planner::new(settings)),
        }
    }

    /// What whoever drives the policy lets events do on top of it, and which detector finds them.
    pub fn reaction(self) -> Option<(Reaction, DetectorName)> {
        match self {
            Self::DayHour => Some((Reaction::DayHour, DetectorName::DayHour)),
            Self::Dc1 => Some((Reaction::Dc1, DetectorName::Dc1)),
            Self::Grubbs => Some((Reaction::Dc1, DetectorName::Grubbs)),
            _ => None,
        }
    }
}

impl fmt::Display for PolicyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl std::str::FromStr for PolicyName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|name| name.word() == text);
        found.ok_or_else(|| {
            // Whoever stops in the middle of a word means that word.
            let distance = |name: &Self| (!name.word().starts_with(text), steps_between(text, name.word()));
            let nearest = Self::ALL.into_iter().min_by_key(distance);
            format!(
                "there is no policy {text:?}; did you mean {:?}? There are {}",
                nearest.unwrap_or_default().word(),
                Self::ALL.map(Self::word).join(", ")
            )
        })
    }
}

/// Letters to insert, drop or change to get from one word to the other.
fn steps_between(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (done, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = done + 1;
        for (place, other) in to.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[place + 1];
            row[place + 1] = change.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for name in PolicyName::ALL {
            assert_eq!(name.word().parse(), Ok(name));
            assert_eq!(name.to_string(), name.word());
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        let nearest = |text: &str| {
            let error = text.parse::<PolicyName>().unwrap_err();
            error.split('"').nth(3).unwrap().to_owned()
        };
        assert_eq!(nearest("planer"), "planner");
        assert_eq!(nearest("sqr"), "sqrt");
        assert_eq!(nearest("static-topdown"), "static-top-down");
        assert_eq!(nearest("lambda"), "lambda-crawl");
    }
}
