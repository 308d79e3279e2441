//! The course of an event: it opens with an alarm, goes on, and ends when the folder is quiet again.

use super::finding::What;
use crate::automaton;
use crate::score::Score;
use crate::window::Window;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Windows the automaton looks back on: a week of two hours each.
const LOOK_BACK: usize = 84;
/// What lasts longer is no event but how things are now.
const LONGEST: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Whether a folder has an event, and what is needed to say when it is over.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    phase: Phase,
    /// (stories of the folder, new articles of its sources) of the last windows.
    recent: VecDeque<(u32, u32)>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
enum Phase {
    #[default]
    Quiet,
    Event {
        opened_at: Timestamp,
        last_alarm: Timestamp,
    },
    /// A person said that it is none; silent until it is over.
    Muted {
        since: Timestamp,
    },
}

impl Course {
    pub(super) fn is_event(&self) -> bool {
        self.phase != Phase::Quiet
    }

    /// The open window was scored anew, after it grew.
    pub(super) fn step(&mut self, at: Timestamp, window: &Window, score: Score, tell: &mut dyn FnMut(What)) {
        match &mut self.phase {
            Phase::Quiet if score.alarm => {
                self.phase = Phase::Event { opened_at: at, last_alarm: at };
                tell(What::Opened { began_at: window.from, score });
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
    pub(super) fn close(&mut self, window: &Window, total: u32, score: &Score, tell: &mut dyn FnMut(What)) {
        let stories = u32::try_from(window.observed()).unwrap_or(u32::MAX);
        if self.recent.len() == LOOK_BACK {
            self.recent.pop_front();
        }
        self.recent.push_back((stories, total.max(stories)));
        match self.phase {
            Phase::Quiet => self.step(window.to, window, score.clone(), tell),
            _ if score.alarm && !self.is_old(window.to) => {}
            Phase::Event { last_alarm, .. } => {
                // The window after the last alarm must be complete: half of one says nothing.
                if (last_alarm <= window.from && self.is_quiet()) || self.is_old(window.to) {
                    self.phase = Phase::Quiet;
                    tell(What::Ended(window.from));
                }
            }
            Phase::Muted { .. } => {
                if self.is_quiet() || self.is_old(window.to) {
                    self.phase = Phase::Quiet;
                }
            }
        }
    }

    pub(super) fn mute(&mut self) {
        if let Phase::Event { opened_at, .. } = self.phase {
            self.phase = Phase::Muted { since: opened_at };
        }
    }

    /// Brings the phase in line with the books: an event since this moment, or none.
    pub(super) fn set_event(&mut self, since: Option<Timestamp>) {
        self.phase = match (since, self.phase) {
            (Some(_), same @ Phase::Event { .. }) | (None, same @ (Phase::Quiet | Phase::Muted { .. })) => {
                same
            }
            (Some(at), _) => Phase::Event { opened_at: at, last_alarm: at },
            (None, Phase::Event { .. }) => Phase::Quiet,
        };
    }

    pub(super) fn take_phase(&mut self, from: Option<Self>) {
        self.phase = from.map_or(Phase::Quiet, |course| course.phase);
    }

    fn is_old(&self, now: Timestamp) -> bool {
        let since = match self.phase {
            Phase::Quiet => return false,
            Phase::Event { opened_at, .. } => opened_at,
            Phase::Muted { since } => since,
        };
        now.duration_since(since) > LONGEST
    }

    fn is_quiet(&self) -> bool {
        let counts: Vec<(u64, u64)> =
            self.recent.iter().map(|(r, d)| (u64::from(*r), u64::from(*d))).collect();
        automaton::states(&counts, automaton::Settings::default()).last().is_none_or(|state| *state == 0)
    }
}
