//! Flapping content: a part that comes back again and again to what it was says nothing new.
//!
//! The first return is news (a price is what it was before). The second one within a few looks is told once as
//! flapping; then all is quiet until the part shows what it never showed, or stays as it is for long.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// A return counts if what it returns to was left at most this many looks ago.
pub const WITHIN_LOOKS: u64 = 10;
/// So many returns in that time are flapping.
const RETURNS: usize = 2;
/// Unchanged for this many looks is stable,
pub const STABLE_LOOKS: u64 = 10;
/// and so is unchanged for this time, if it was looked at a few times.
pub const STABLE_FOR: SignedDuration = SignedDuration::from_hours(24);
const FEW_LOOKS: u64 = 3;
/// States that are remembered as seen.
const MEMORY: usize = 32;

/// What a part has been, as far as flapping is concerned.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Damping {
    /// States that it left, the latest last: hash and look.
    #[serde(default)]
    left: Vec<(i64, u64)>,
    /// Looks at which it came back to one of them.
    #[serde(default)]
    returns: Vec<u64>,
    /// When it last changed.
    #[serde(default)]
    changed: Option<(u64, Timestamp)>,
    /// Since when it flaps.
    #[serde(default)]
    since: Option<Timestamp>,
}

/// What a change means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Something else.
    New,
    /// It has begun to flap.
    BeganToFlap,
    /// It goes on flapping.
    Flaps(Timestamp),
}

impl Damping {
    /// Since when it flaps, if it does.
    pub fn flapping_since(&self) -> Option<Timestamp> {
        self.since
    }

    /// The part changed from one state to another.
    pub(super) fn change(&mut self, from: i64, to: i64, look: u64, at: Timestamp) -> Turn {
        let left = self.left.iter().find(|(hash, _)| *hash == to).map(|(_, look)| *look);
        self.left.retain(|(hash, _)| *hash != from);
        self.left.push((from, look));
        if self.left.len() > MEMORY {
            self.left.remove(0);
        }
        self.changed = Some((look, at));
        self.returns.retain(|then| look - then < WITHIN_LOOKS);
        if left.is_some_and(|left| look - left <= WITHIN_LOOKS) {
            self.returns.push(look);
        }
        match self.since {
            Some(_) if left.is_none() => {
                (self.since, self.returns) = (None, Vec::new());
                Turn::New
            }
            Some(since) => Turn::Flaps(since),
            None if self.returns.len() >= RETURNS => {
                self.since = Some(at);
                Turn::BeganToFlap
            }
            None => Turn::New,
        }
    }

    /// The part is as it was. Whether it has stopped flapping by that.
    pub(super) fn same(&mut self, look: u64, at: Timestamp) -> bool {
        let (Some(_), Some((then, changed_at))) = (self.since, self.changed) else {
            return false;
        };
        let looks = look - then;
        let stable =
            looks >= STABLE_LOOKS || looks >= FEW_LOOKS && at.duration_since(changed_at) >= STABLE_FOR;
        if stable {
            (self.since, self.returns) = (None, Vec::new());
        }
        stable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(look: u64, hours: u64) -> Timestamp {
        Timestamp::from_second(i64::try_from(look * hours).unwrap() * 3_600).unwrap()
    }

    fn told(states: &[i64]) -> String {
        told_every(1, states)
    }

    /// What each look at these states means: `.` same, `N` new, `B` began to flap, `f` flaps, `s` stable again.
    fn told_every(hours: u64, states: &[i64]) -> String {
        let mut damping = Damping::default();
        let mut out = String::new();
        for (place, pair) in states.windows(2).enumerate() {
            let look = place as u64 + 2;
            out.push(if pair[0] == pair[1] {
                if damping.same(look, at(look, hours)) { 's' } else { '.' }
            } else {
                match damping.change(pair[0], pair[1], look, at(look, hours)) {
                    Turn::New => 'N',
                    Turn::BeganToFlap => 'B',
                    Turn::Flaps(_) => 'f',
                }
            });
        }
        out
    }

    #[test]
    fn the_second_return_is_flapping_then_all_is_quiet() {
        assert_eq!(told(&[1, 2, 1, 2, 1, 2, 1]), "NNBfff");
        // What was never seen ends it.
        assert_eq!(told(&[1, 2, 1, 2, 1, 3, 4]), "NNBfNN");
        // So does staying as it is for ten looks.
        let mut states = vec![1, 2, 1, 2];
        states.extend([2; 10]);
        states.push(1);
        assert_eq!(told(&states), "NNB.........sN");
        // One that goes on changing is news every time.
        assert_eq!(told(&[1, 2, 3, 4, 5]), "NNNN");
    }

    #[test]
    fn a_late_return_is_no_flapping() {
        let mut states = vec![1];
        for _ in 0..4 {
            states.extend([2; 12]);
            states.extend([1; 12]);
        }
        assert!(!told(&states).contains(['B', 'f']));
    }

    /// By the definition, from the whole history, with nothing remembered but it.
    fn naive(hours: u64, states: &[i64]) -> String {
        let mut out = String::new();
        let (mut flapping, mut calm_from) = (false, 0_usize);
        for now in 1..states.len() {
            let (old, new) = (states[now - 1], states[now]);
            if old == new {
                let changed = (1..now).rev().find(|then| states[*then] != states[then - 1]);
                let stable = flapping
                    && changed.is_some_and(|then| {
                        let looks = now - then;
                        looks >= 10 || looks >= 3 && looks as u64 * hours >= 24
                    });
                (flapping, calm_from) = if stable { (false, now) } else { (flapping, calm_from) };
                out.push(if stable { 's' } else { '.' });
                continue;
            }
            let is_return = |at: usize| {
                states[at] != states[at - 1]
                    && (0..at).rev().skip(1).any(|then| states[then] == states[at] && at - (then + 1) <= 10)
            };
            let unseen = !states[..now].contains(&new);
            if flapping && unseen {
                (flapping, calm_from) = (false, now);
                out.push('N');
            } else if flapping {
                out.push('f');
            } else {
                let returns = (calm_from + 1..=now).filter(|at| now - at < 10 && is_return(*at)).count();
                flapping = returns >= 2;
                out.push(if flapping { 'B' } else { 'N' });
            }
        }
        out
    }

    proptest! {
        #[test]
        fn the_course_is_the_definition(hours in 1_u64..30, states in proptest::collection::vec((1_i64..6, 1_usize..14), 1..25)) {
            // Runs of the same state, so that long calm happens.
            let states: Vec<i64> = states.into_iter().flat_map(|(state, times)| std::iter::repeat_n(state, times)).collect();
            prop_assert_eq!(told_every(hours, &states), naive(hours, &states));
        }
    }
}
