//! The course of an event: it opens with an alarm, goes on, and ends when the folder is quiet again.

use super::finding::What;
use crate::automaton::{self, Ongoing};
use crate::score::Score;
use crate::window::Window;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// What lasts longer is no event but how things are now.
const LONGEST: SignedDuration = SignedDuration::from_hours(7 * 24);

/// In a folder that has hardly anything, a story a window is quiet enough: or each of its events would last for days.
const LEAST_USUAL: f64 = 1.0;
/// Fewer stories in a window are a coincidence, whatever came before: nobody wants to be called for two.
const FEWEST: f64 = 3.0;
/// An event of which nothing is seen for so long is over as far as anybody knows: its sources are paused, gone or failing.
const UNSEEN: SignedDuration = SignedDuration::from_hours(24);

/// Whether a folder has an event, and what is needed to say when it is over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    phase: Phase,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
enum Phase {
    #[default]
    Quiet,
    Event {
        opened_at: Timestamp,
        last_alarm: Timestamp,
        ongoing: Ongoing,
    },
    /// A person said that it is none; silent until it is over.
    Muted {
        since: Timestamp,
        ongoing: Ongoing,
    },
    /// It went on for too long and is being learned; until a window without an alarm, alarms begin nothing.
    Settling,
}

impl Phase {
    fn event(at: Timestamp) -> Self {
        let ongoing = Ongoing::new(automaton::Settings::default());
        Self::Event { opened_at: at, last_alarm: at, ongoing }
    }
}

impl Course {
    pub(super) fn is_quiet(&self) -> bool {
        matches!(self.phase, Phase::Quiet)
    }

    fn is_event(&self) -> bool {
        matches!(self.phase, Phase::Event { .. } | Phase::Muted { .. })
    }

    /// The open window was scored anew, after it grew.
    pub(super) fn step(&mut self, at: Timestamp, window: &Window, score: Score, tell: &mut dyn FnMut(What)) {
        match &mut self.phase {
            Phase::Quiet if score.alarm && score.observed >= FEWEST => {
                self.phase = Phase::event(at);
                tell(What::Opened { began_at: began(window), score });
            }
            Phase::Event { last_alarm, .. } => {
                if score.alarm {
                    *last_alarm = at;
                }
                tell(What::Grew(score));
            }
            Phase::Quiet | Phase::Muted { .. } | Phase::Settling => {}
        }
    }

    /// A window is complete; whether it is to be learned as usual.
    pub fn close(&mut self, window: &Window, score: &Score, tell: &mut dyn FnMut(What)) -> bool {
        let was_quiet = !self.is_event();
        self.go_on(window, score, tell);
        was_quiet && !self.is_event()
    }

    fn go_on(&mut self, window: &Window, score: &Score, tell: &mut dyn FnMut(What)) {
        let is_old = self.is_old(window.to);
        let is_over = |ongoing: &mut Ongoing| {
            let expected = score.expected.max(LEAST_USUAL);
            let quiet = ongoing.step(score.observed, expected, automaton::Settings::default());
            (quiet && !score.alarm) || is_old
        };
        let after = if is_old { Phase::Settling } else { Phase::Quiet };
        match &mut self.phase {
            Phase::Quiet => self.step(window.to, window, score.clone(), tell),
            Phase::Settling if score.alarm => {}
            Phase::Settling => self.phase = Phase::Quiet,
            Phase::Event { last_alarm, ongoing, .. } => {
                // The window after the last alarm must be complete: half of one says nothing.
                if is_over(ongoing) && (*last_alarm <= window.from || is_old) {
                    self.phase = after;
                    tell(What::Ended(window.from));
                }
            }
            Phase::Muted { ongoing, .. } => {
                if is_over(ongoing) {
                    self.phase = after;
                }
            }
        }
    }

    /// Time passes, and nothing is seen of the folder.
    pub(super) fn tick(&mut self, now: Timestamp, tell: &mut dyn FnMut(What)) {
        let Phase::Event { last_alarm, .. } = self.phase else { return };
        if now.duration_since(last_alarm) > UNSEEN {
            self.phase = Phase::Quiet;
            tell(What::Ended(now));
        }
    }

    pub(super) fn mute(&mut self) {
        if let Phase::Event { opened_at, ongoing, .. } = self.phase {
            self.phase = Phase::Muted { since: opened_at, ongoing };
        }
    }

    /// Brings the phase in line with the books: an event since this moment, or none.
    pub(super) fn set_event(&mut self, since: Option<Timestamp>) {
        self.phase = match (since, self.phase) {
            (Some(_), same @ Phase::Event { .. }) => same,
            (Some(at), _) => Phase::event(at),
            // Dismissed, or never told: silent until it is over.
            (None, Phase::Event { opened_at, ongoing, .. }) => Phase::Muted { since: opened_at, ongoing },
            (None, same) => same,
        };
    }

    pub(super) fn take_phase(&mut self, from: Option<Self>) {
        self.phase = from.map_or(Phase::Quiet, |course| course.phase);
    }

    fn is_old(&self, now: Timestamp) -> bool {
        let since = match self.phase {
            Phase::Quiet | Phase::Settling => return false,
            Phase::Event { opened_at, .. } => opened_at,
            Phase::Muted { since, .. } => since,
        };
        now.duration_since(since) > LONGEST
    }
}

/// When it can have begun: not before the window, and not before any source that has it was last seen without.
fn began(window: &Window) -> Timestamp {
    let since = window.parts.iter().filter(|part| part.count > 0).map(|part| part.since).min();
    since.map_or(window.from, |since| since.max(window.from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::Level;

    /// Whether the nth window is learned as usual, with three stories expected.
    fn close(course: &mut Course, n: i64, observed: f64, alarm: bool) -> bool {
        let at = |n: i64| Timestamp::from_second(n * 7200).unwrap();
        let window =
            Window { from: at(n), to: at(n + 1), open: false, level: Level::USUAL, parts: Vec::new() };
        let score = Score {
            observed,
            expected: 3.0,
            low: 0.0,
            high: 6.0,
            score: observed,
            threshold: 6.0,
            alarm,
            outputs: Vec::new(),
            contributions: Vec::new(),
            reason: String::new(),
        };
        course.close(&window, &score, &mut |_| {})
    }

    #[test]
    fn what_follows_an_alarm_is_not_usual_until_it_is_quiet() {
        let mut course = Course::default();
        assert!(close(&mut course, 0, 3.0, false));
        assert!(!close(&mut course, 1, 12.0, true));
        assert!(!close(&mut course, 2, 6.0, false), "still more than usual");
        assert!(!close(&mut course, 3, 2.0, false), "one quiet window is not enough");
        assert!(!close(&mut course, 4, 1.0, false), "over with this one");
        assert!(close(&mut course, 5, 3.0, false));
        assert!(!close(&mut course, 6, 12.0, true), "and anew");
    }

    #[test]
    fn what_never_ends_is_learned_after_a_week() {
        let mut course = Course::default();
        let usual: Vec<bool> = (0..120).map(|n| close(&mut course, n, 12.0, true)).collect();
        let first = usual.iter().position(|usual| *usual).unwrap();
        assert!((84..=87).contains(&first), "{first}");
        assert!(usual[first..].iter().all(|usual| *usual), "no second event out of the first");
    }

    #[test]
    fn two_stories_are_a_coincidence() {
        assert!(close(&mut Course::default(), 0, 2.0, true));
        assert!(!close(&mut Course::default(), 0, 3.0, true));
    }
}
