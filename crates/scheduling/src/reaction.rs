//! What an event causes: visits to the sources that may have more of it, on top of whatever the policy plans.

use detection::Covering;
use jiff::{SignedDuration, Timestamp};
use model::{EventId, SourceId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How an event is reacted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    /// Not at all: events are only told.
    None,
    /// Paper 000: the similar sources are visited at once, their own timers unchanged.
    #[default]
    DayHour,
    /// Paper 001: all sources of the folder are visited every ten minutes, each until it brings nothing.
    Dc1,
}

/// An event that has just opened.
#[derive(Debug, Clone)]
pub struct Trigger<'a> {
    /// The event.
    pub event: EventId,
    /// The folder's name.
    pub folder: &'a str,
    /// When it was noticed.
    pub at: Timestamp,
    /// The source whose visit showed it.
    pub shown_by: SourceId,
    /// Sources that are unusual by themselves.
    pub unusual: &'a [SourceId],
    /// Stories in the window, and how many were expected.
    pub observed: f64,
    /// Stories that would have been usual.
    pub expected: f64,
}

/// A visit that an event causes.
#[derive(Debug, Clone, PartialEq)]
pub struct Triggered {
    /// The source.
    pub source: SourceId,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub reason: String,
}

/// Sources are similar from this share on (paper 000).
const SIMILAR: f64 = 0.5;
/// At most so many similar sources are visited (paper 000's m).
const MOST_SIMILAR: usize = 5;
/// At most so many sources of a folder: beyond, the last ones would wait for the first ones' second visit.
const MOST_OF_FOLDER: usize = 50;
/// The paper's ten minutes.
const AGAIN: SignedDuration = SignedDuration::from_mins(10);
/// Visits of one source for one event: 10, 10, 20, 40 … minutes apart, ten hours in all. A busy site would
/// otherwise be revisited for ever.
const MOST_VISITS: u32 = 8;

impl Reaction {
    /// All, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::None, Self::DayHour, Self::Dc1];

    /// As it is written in settings and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::DayHour => "day-hour",
            Self::Dc1 => "dc1",
        }
    }

    /// The visits that an event causes when it opens, the most urgent first. `covering` holds the sources of the folder,
    /// compared with the one whose visit showed the event.
    pub fn react(self, trigger: &Trigger<'_>, covering: &[Covering]) -> Vec<Triggered> {
        let chosen = match self {
            Self::None => Vec::new(),
            Self::DayHour => similar(trigger, covering),
            Self::Dc1 if trigger.unusual == [trigger.shown_by] && covering.len() > 1 => {
                // One source alone: only it can have more.
                return vec![triggered(trigger, trigger.shown_by, later(trigger.at, AGAIN))];
            }
            Self::Dc1 => whole_folder(trigger, covering),
        };
        // A millisecond between them keeps the order.
        let at = |place: usize| later(trigger.at, SignedDuration::from_millis(place as i64));
        chosen.iter().enumerate().map(|(place, source)| triggered(trigger, *source, at(place))).collect()
    }

    /// When a source is visited again for the same event, after `visits` visits for it, the last of which brought `new`
    /// articles. `None`: back to the plan.
    pub fn again(self, visits: u32, new: u32, at: Timestamp) -> Option<Timestamp> {
        if self != Self::Dc1 || new == 0 || visits >= MOST_VISITS {
            return None;
        }
        let doublings = visits.saturating_sub(2).min(16);
        Some(later(at, AGAIN * (1_i32 << doublings)))
    }
}

/// Those alike, most active first. Where nobody is alike, the most active ones: to go nowhere would help nobody.
fn similar(trigger: &Trigger<'_>, covering: &[Covering]) -> Vec<SourceId> {
    let others = || covering.iter().filter(|covering| covering.source != trigger.shown_by);
    let alike: Vec<_> = others().filter(|covering| covering.similarity >= SIMILAR).collect();
    let chosen = if alike.is_empty() { others().collect() } else { alike };
    chosen.iter().take(MOST_SIMILAR).map(|covering| covering.source).collect()
}

/// All, those that caused the alarm and those with few articles so far first.
fn whole_folder(trigger: &Trigger<'_>, covering: &[Covering]) -> Vec<SourceId> {
    let mut sources: Vec<_> = covering
        .iter()
        .filter(|covering| covering.source != trigger.shown_by)
        .map(|covering| (!trigger.unusual.contains(&covering.source), covering.articles, covering.source))
        .collect();
    sources.sort_unstable();
    sources.into_iter().take(MOST_OF_FOLDER).map(|(_, _, source)| source).collect()
}

fn triggered(trigger: &Trigger<'_>, source: SourceId, at: Timestamp) -> Triggered {
    let reason = format!(
        "event {}: {} is unusually busy, {} stories against {:.1} expected",
        trigger.event, trigger.folder, trigger.observed, trigger.expected
    );
    Triggered { source, at, reason }
}

fn later(at: Timestamp, wait: SignedDuration) -> Timestamp {
    at.checked_add(wait).unwrap_or(Timestamp::MAX)
}

impl fmt::Display for Reaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl std::str::FromStr for Reaction {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|reaction| reaction.word() == text);
        found.ok_or_else(|| {
            format!("there is no reaction {text:?}; choose one of {}", Self::ALL.map(Self::word).join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covering(counts: &[u32], own: u32) -> Vec<Covering> {
        let all = counts.iter().enumerate();
        all.map(|(place, articles)| Covering {
            source: SourceId(place as i64),
            articles: *articles,
            similarity: f64::from(own.min(*articles)) / f64::from(own.max(*articles)),
        })
        .collect()
    }

    fn trigger(unusual: &[SourceId]) -> Trigger<'_> {
        Trigger {
            event: EventId(7),
            folder: "Sport",
            at: Timestamp::UNIX_EPOCH,
            shown_by: SourceId(0),
            unusual,
            observed: 7.0,
            expected: 2.1,
        }
    }

    fn sources(visits: &[Triggered]) -> Vec<i64> {
        visits.iter().map(|visit| visit.source.0).collect()
    }

    /// 17, 15 and 4 articles: A picks B at 0.88, not C at 0.24.
    #[test]
    fn goes_to_the_similar_source_of_the_papers_example() {
        let visits = Reaction::DayHour.react(&trigger(&[]), &covering(&[17, 15, 4], 17));
        assert_eq!(sources(&visits), [1]);
        assert_eq!(visits[0].reason, "event 7: Sport is unusually busy, 7 stories against 2.1 expected");
        assert_eq!(visits[0].at, Timestamp::UNIX_EPOCH);
    }

    #[test]
    fn at_most_five_similar_ones_the_most_active_first() {
        let visits = Reaction::DayHour.react(&trigger(&[]), &covering(&[9, 16, 15, 14, 13, 12, 11], 9));
        assert_eq!(sources(&visits), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn the_most_active_where_nobody_is_alike() {
        let visits = Reaction::DayHour.react(&trigger(&[]), &covering(&[1, 40, 30], 1));
        assert_eq!(sources(&visits), [1, 2]);
    }

    #[test]
    fn the_whole_folder_causes_and_quiet_ones_first() {
        let unusual = [SourceId(0), SourceId(2)];
        let visits = Reaction::Dc1.react(&trigger(&unusual), &covering(&[9, 4, 30, 2], 9));
        assert_eq!(sources(&visits), [2, 3, 1]);
        assert!(visits.is_sorted_by_key(|visit| visit.at));
    }

    #[test]
    fn one_unusual_source_alone_is_visited_alone() {
        let visits = Reaction::Dc1.react(&trigger(&[SourceId(0)]), &covering(&[9, 4, 30], 9));
        assert_eq!(sources(&visits), [0]);
        assert_eq!(visits[0].at, later(Timestamp::UNIX_EPOCH, AGAIN));
    }

    #[test]
    fn again_until_nothing_comes_and_less_and_less_often() {
        let minutes = |visits, new| {
            Reaction::Dc1.again(visits, new, Timestamp::UNIX_EPOCH).map(|at| at.as_second() / 60)
        };
        assert_eq!(
            (1..9).map(|visits| minutes(visits, 3)).collect::<Vec<_>>(),
            [Some(10), Some(10), Some(20), Some(40), Some(80), Some(160), Some(320), None]
        );
        assert_eq!(minutes(1, 0), None);
        assert_eq!(Reaction::DayHour.again(1, 3, Timestamp::UNIX_EPOCH), None);
    }
}
