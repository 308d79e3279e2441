//! The time after an alarm, where there are only windows: what is not learned as usual.

use crate::automaton::{Ongoing, Settings};
use crate::score::Score;
use crate::window::Window;
use jiff::{SignedDuration, Timestamp};

/// What lasts for longer is how things are now.
const LONGEST: SignedDuration = SignedDuration::from_hours(48);

/// Follows a folder's windows from alarm to quiet, for series of counts; live, the watcher does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Aftermath {
    phase: Phase,
}

#[derive(Debug, Clone, Default, PartialEq)]
enum Phase {
    #[default]
    Quiet,
    Event {
        since: Timestamp,
        ongoing: Ongoing,
    },
    /// It went on for too long. Until a window without an alarm, alarms begin nothing.
    Settling,
}

impl Aftermath {
    /// Takes in a window and its score; whether the window is to be learned as usual.
    pub fn step(&mut self, window: &Window, score: &Score) -> bool {
        let settings = Settings::default();
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Quiet if score.alarm => {
                Phase::Event { since: window.from, ongoing: Ongoing::new(settings) }
            }
            Phase::Settling if score.alarm => Phase::Settling,
            Phase::Quiet | Phase::Settling => Phase::Quiet,
            Phase::Event { since, .. } if window.to.duration_since(since) > LONGEST => Phase::Settling,
            Phase::Event { since, mut ongoing } => {
                let is_over = ongoing.step(score.observed, score.expected, settings);
                if is_over && !score.alarm { Phase::Quiet } else { Phase::Event { since, ongoing } }
            }
        };
        !matches!(self.phase, Phase::Event { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::Level;

    fn step(aftermath: &mut Aftermath, n: i64, observed: f64, alarm: bool) -> bool {
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
        aftermath.step(&window, &score)
    }

    #[test]
    fn what_follows_an_alarm_is_not_usual_until_it_is_quiet() {
        let mut aftermath = Aftermath::default();
        assert!(step(&mut aftermath, 0, 3.0, false));
        assert!(!step(&mut aftermath, 1, 12.0, true));
        assert!(!step(&mut aftermath, 2, 6.0, false), "still more than usual");
        assert!(!step(&mut aftermath, 3, 2.0, false), "one quiet window is not enough");
        assert!(step(&mut aftermath, 4, 1.0, false));
        assert!(!step(&mut aftermath, 5, 12.0, true), "and anew");
    }

    #[test]
    fn what_never_ends_is_learned_after_two_days() {
        let mut aftermath = Aftermath::default();
        let usual: Vec<bool> = (0..60).map(|n| step(&mut aftermath, n, 12.0, true)).collect();
        assert_eq!(usual.iter().position(|usual| *usual), Some(24));
        assert!(usual[24..].iter().all(|usual| *usual), "no second event out of the first");
    }
}
