//! Which hosts can be reached, and whether any can: told from what came of each request.

use discovery::crawl::HostNumber;
use jiff::{SignedDuration, Timestamp};
use model::{FailureKind, Outcome};
use std::collections::{HashMap, HashSet};

/// What a crawl knows about reaching hosts.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// Hosts that have answered this crawl.
    answered: HashSet<HostNumber>,
    /// Hosts that could not be reached, since they last could.
    lost: HashMap<HostNumber, Lost>,
    /// Hosts in a row of which nothing at all was heard, and since when.
    silent: HashSet<HostNumber>,
    silent_since: Option<Timestamp>,
}

#[derive(Debug)]
struct Lost {
    tries: u32,
    since: Timestamp,
    why: String,
}

/// How a host stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Standing<'a> {
    /// It answers, or has not failed often enough to say.
    Open,
    /// It has never answered, and asking again will hardly help; why.
    Dead(&'a str),
    /// It used to answer and does not any more, for a short while yet.
    Away,
    /// It used to answer and has not for long; why.
    Gone(&'a str),
}

/// A host that never answered is dead after so many tries.
const DEAD_AFTER: u32 = 2;

/// A host that used to answer may be restarting: it is waited for this long when nothing else is left.
const GONE_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// So many hosts in a row without a sign of life, and it is our own network. Lists of dead links are common, but a name that
/// is not known and a connection that is refused are signs of life.
const DOWN_AFTER: usize = 4;

impl Reach {
    /// These hosts have answered in an earlier run.
    pub(super) fn answered_before(&mut self, hosts: impl IntoIterator<Item = HostNumber>) {
        self.answered.extend(hosts);
    }

    /// What came of a request.
    pub(super) fn heard(&mut self, host: HostNumber, outcome: &Outcome, now: Timestamp) {
        match sign(outcome) {
            Sign::None => {}
            Sign::Answer => {
                self.answered.insert(host);
                self.lost.remove(&host);
                self.hears();
            }
            Sign::Refusal => {
                self.lose(host, outcome, now);
                self.hears();
            }
            Sign::Silence => {
                self.lose(host, outcome, now);
                self.silent.insert(host);
                self.silent_since.get_or_insert(now);
            }
        }
    }

    fn hears(&mut self) {
        self.silent.clear();
        self.silent_since = None;
    }

    fn lose(&mut self, host: HostNumber, outcome: &Outcome, now: Timestamp) {
        let lost = self.lost.entry(host).or_insert_with(|| Lost { tries: 0, since: now, why: String::new() });
        lost.tries += 1;
        lost.why = outcome.to_string();
    }

    /// How a host stands.
    pub(super) fn standing(&self, host: HostNumber, now: Timestamp) -> Standing<'_> {
        match self.lost.get(&host) {
            Some(lost) if self.answered.contains(&host) => {
                if now.duration_since(lost.since) >= GONE_AFTER {
                    Standing::Gone(&lost.why)
                } else {
                    Standing::Away
                }
            }
            Some(lost) if lost.tries >= DEAD_AFTER => Standing::Dead(&lost.why),
            _ => Standing::Open,
        }
    }

    /// Since when nobody could be reached, if our own network seems to be down. Only who has reached somebody can tell.
    pub(super) fn is_down(&self) -> Option<Timestamp> {
        let down = self.silent.len() >= DOWN_AFTER && !self.answered.is_empty();
        self.silent_since.filter(|_| down)
    }

    /// Whether a failure to reach this host says something about its URLs: not if the host used to answer, nor if
    /// nobody does.
    pub(super) fn is_urls_fault(&self, host: HostNumber) -> bool {
        !self.answered.contains(&host) && self.is_down().is_none()
    }

    /// Whether it has answered this crawl.
    pub(super) fn has_answered(&self, host: HostNumber) -> bool {
        self.answered.contains(&host)
    }

    /// Whether every host that was asked last could be reached.
    pub(super) fn is_fine(&self) -> bool {
        self.lost.is_empty()
    }
}

enum Sign {
    /// The host itself.
    Answer,
    /// Nobody is there, and somebody said so.
    Refusal,
    /// Nothing.
    Silence,
    /// Nobody was asked.
    None,
}

fn sign(outcome: &Outcome) -> Sign {
    match outcome {
        // Both may be said without asking anybody.
        Outcome::RefusedByGate { .. } | Outcome::RefusedByRobots { .. } | Outcome::Busy { status: 0, .. } => {
            Sign::None
        }
        Outcome::Failed { kind: FailureKind::Internal | FailureKind::Timeout, .. }
            if !is_unreachable(outcome) =>
        {
            Sign::None
        }
        Outcome::Failed { detail, .. } if is_unreachable(outcome) => {
            // As the system's libraries say it; in other words it is taken for silence.
            let said = ["not known", "No address", "no address", "refused"];
            if said.iter().any(|words| detail.contains(words)) { Sign::Refusal } else { Sign::Silence }
        }
        _ => Sign::Answer,
    }
}

/// No connection came about.
pub(super) fn is_unreachable(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Failed { kind: FailureKind::Dns | FailureKind::Connect, .. } => true,
        Outcome::Failed { kind: FailureKind::Timeout, detail } => detail.starts_with("no connection"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(kind: FailureKind, detail: &str) -> Outcome {
        Outcome::Failed { kind, detail: detail.into() }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_000_000 + second).unwrap()
    }

    #[test]
    fn a_host_that_never_answered_is_dead_after_two_tries_and_one_that_did_is_waited_for() {
        let mut reach = Reach::default();
        let refused = failed(FailureKind::Connect, "Connection refused (os error 111)");
        let (new, known) = (HostNumber(1), HostNumber(2));
        reach.heard(known, &Outcome::NewContent, at(0));
        reach.heard(new, &refused, at(1));
        assert_eq!(reach.standing(new, at(1)), Standing::Open);
        reach.heard(new, &refused, at(6));
        assert!(matches!(reach.standing(new, at(6)), Standing::Dead(why) if why.contains("refused")));
        for second in [10, 20, 30] {
            reach.heard(known, &refused, at(second));
            assert_eq!(reach.standing(known, at(second)), Standing::Away);
        }
        assert!(matches!(reach.standing(known, at(700)), Standing::Gone(_)));
        reach.heard(known, &Outcome::Gone { status: 404 }, at(701));
        assert_eq!(reach.standing(known, at(701)), Standing::Open);
    }

    #[test]
    fn silence_all_around_is_our_own_network() {
        let mut reach = Reach::default();
        let silence = failed(FailureKind::Dns, "failed to lookup address information: Temporary failure");
        let unknown =
            failed(FailureKind::Dns, "failed to lookup address information: Name or service not known");
        for host in 1..9 {
            reach.heard(HostNumber(host), &silence, at(i64::from(host)));
        }
        assert_eq!(reach.is_down(), None, "who never reached anybody cannot tell");
        reach.heard(HostNumber(0), &Outcome::NewContent, at(10));
        for host in 1..4 {
            reach.heard(HostNumber(host), &silence, at(20));
        }
        assert_eq!(reach.is_down(), None);
        reach.heard(HostNumber(5), &silence, at(21));
        assert_eq!(reach.is_down(), Some(at(20)));
        assert!(!reach.is_urls_fault(HostNumber(5)));
        // A name server that knows no such name is a sign of life.
        reach.heard(HostNumber(6), &unknown, at(30));
        assert_eq!(reach.is_down(), None);
        assert!(reach.is_urls_fault(HostNumber(6)));
    }
}
