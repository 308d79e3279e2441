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
}

impl Phase {
    fn event(at: Timestamp) -> Self {
        let ongoing = Ongoing::new(automaton::Settings::default());
        Self::Event { opened_at: at, last_alarm: at, ongoing }
    }
}

impl Course {
    pub(super) fn is_event(&self) -> bool {
        self.phase != Phase::Quiet
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
            Phase::Quiet | Phase::Muted { .. } => {}
        }
    }

    /// A window is complete.
    pub(super) fn close(&mut self, window: &Window, score: &Score, tell: &mut dyn FnMut(What)) {
        let is_old = self.is_old(window.to);
        let is_over = |ongoing: &mut Ongoing| {
            let expected = score.expected.max(LEAST_USUAL);
            let quiet = ongoing.step(score.observed, expected, automaton::Settings::default());
            (quiet && !score.alarm) || is_old
        };
        match &mut self.phase {
            Phase::Quiet => self.step(window.to, window, score.clone(), tell),
            Phase::Event { last_alarm, ongoing, .. } => {
                // The window after the last alarm must be complete: half of one says nothing.
                if is_over(ongoing) && (*last_alarm <= window.from || is_old) {
                    self.phase = Phase::Quiet;
                    tell(What::Ended(window.from));
                }
            }
            Phase::Muted { ongoing, .. } => {
                if is_over(ongoing) {
                    self.phase = Phase::Quiet;
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
            (Some(_), same @ Phase::Event { .. }) | (None, same @ (Phase::Quiet | Phase::Muted { .. })) => {
                same
            }
            (Some(at), _) => Phase::event(at),
            // Dismissed, or never told: silent until it is over.
            (None, Phase::Event { opened_at, ongoing, .. }) => Phase::Muted { since: opened_at, ongoing },
        };
    }

    pub(super) fn take_phase(&mut self, from: Option<Self>) {
        self.phase = from.map_or(Phase::Quiet, |course| course.phase);
    }

    fn is_old(&self, now: Timestamp) -> bool {
        let since = match self.phase {
            Phase::Quiet => return false,
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
