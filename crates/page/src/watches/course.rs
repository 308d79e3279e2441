//! The course of a watch: what was seen and told, and what a further sight means.

use super::damping::{Damping, Turn};
use super::part::{GONE, Part, Sight};
use super::{Diff, Terms};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What a watch has seen and told so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Course {
    /// Looks that counted.
    pub looks: u64,
    /// When the last one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<Timestamp>,
    /// What it showed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Seen>,
    /// What was seen since, waiting for a look that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Sight>,
    /// What people know: the first sight, or what was last told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Told>,
    /// How often it was told.
    pub tellings: u32,
    /// Whether it flaps.
    #[serde(default)]
    pub damping: Damping,
}

/// What a look showed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Since when it is so.
    pub since: Timestamp,
    /// Why the part is not there, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<String>,
    /// The part; as it was last, if it is gone.
    pub part: Part,
}

/// What people know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// When they were told, or when it was first seen.
    pub at: Timestamp,
    /// What they know.
    #[serde(flatten)]
    pub seen: Seen,
    /// The number that moves are measured from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
}

/// What came of a look.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Finding {
    /// What changed, if anything did.
    pub change: Option<Change>,
    /// Why the watch ends, if it does.
    pub ended: Option<String>,
}

/// A change that a look showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Of which kind.
    pub kind: Kind,
    /// Whether it is to be told.
    pub told: bool,
    /// Why it is told or not, in words.
    pub why: String,
    /// What changed: since the last telling if it is told, else since the last look.
    pub diff: Diff,
    /// Since when that is.
    pub since: Option<Timestamp>,
    /// The first number before,
    pub number_before: Option<f64>,
    /// and now.
    pub number: Option<f64>,
}

/// Kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The first look.
    First,
    /// The part changed.
    Changed,
    /// The part is gone from the page.
    Gone,
    /// The part is there (again).
    Back,
    /// The part has begun to flap.
    Flapping,
    /// The part flapped and has come to rest on something else than was last told.
    Settled,
}

impl Seen {
    /// Stable hash of what is seen.
    pub fn hash(&self) -> i64 {
        if self.gone.is_some() { GONE } else { self.part.hash() }
    }
}

impl Course {
    /// Whether it has ever seen its page.
    pub fn has_seen(&self) -> bool {
        self.now.is_some() || self.waiting.is_some()
    }

    /// A visit at `at` showed this, or that the page is as it was.
    pub fn look(&mut self, terms: &Terms, sight: Option<Sight>, at: Timestamp) -> Finding {
        self.waiting = sight.or_else(|| self.waiting.take());
        let zone = terms.time_zone();
        if !self.has_seen() || !terms.when.is_due(self.looked_at, at, &zone) {
            return Finding::default();
        }
        self.looks += 1;
        self.looked_at = Some(at);
        let change = match (self.waiting.take(), self.now.take()) {
            (Some(sight), None) => Some(self.first(sight, at)),
            (Some(sight), Some(now)) if sight.hash() != now.hash() => {
                Some(self.changed(terms, &now, sight, at))
            }
            (_, now) => {
                self.now = now;
                self.same(terms, at)
            }
        };
        let part = self.now.as_ref().filter(|now| now.gone.is_none()).map(|now| &now.part);
        let ended = terms.stops.iter().find_map(|stop| stop.holds(part, self.tellings, at, &zone));
        Finding { change, ended }
    }

    /// The baseline: nothing to tell, for whoever made the watch has just seen the page.
    fn first(&mut self, sight: Sight, at: Timestamp) -> Change {
        let (gone, part) = match sight {
            Sight::Part(part) => (None, part),
            Sight::Gone(why) => (Some(why), Part::default()),
        };
        let why = gone.as_ref().map_or("the first look".into(), |why| format!("not on the page yet: {why}"));
        let number = part.number();
        let seen = Seen { since: at, gone, part };
        self.now = Some(seen.clone());
        self.told = Some(Told { at, seen, number });
        Change {
            kind: Kind::First,
            told: false,
            why,
            diff: Diff::default(),
            since: None,
            number_before: None,
            number,
        }
    }

    fn changed(&mut self, terms: &Terms, before: &Seen, sight: Sight, at: Timestamp) -> Change {
        let turn = self.damping.change(before.hash(), sight.hash(), self.looks, at);
        let now = match sight {
            Sight::Part(part) => Seen { since: at, gone: None, part },
            Sight::Gone(why) => Seen { since: at, gone: Some(why), part: before.part.clone() },
        };
        let kind = match (&before.gone, &now.gone) {
            (_, Some(_)) => Kind::Gone,
            (Some(_), None) => Kind::Back,
            (None, None) => Kind::Changed,
        };
        self.now = Some(now.clone());
        let news = self.news(terms, kind, before, &now);
        let (kind, verdict) = match (news, turn) {
            (Err(why), _) => (kind, Err(why)),
            (Ok(why), Turn::New) => (kind, Ok(why)),
            (Ok(_), Turn::BeganToFlap) => {
                (Kind::Flapping, Ok("it flaps: quiet until it shows something new or comes to rest".into()))
            }
            (Ok(_), Turn::Flaps(since)) => (kind, Err(format!("damped: it flaps since {}", minute(since)))),
        };
        self.conclude(kind, verdict, before, now, at)
    }

    /// Nothing changed; but what flapped may have come to rest.
    fn same(&mut self, terms: &Terms, at: Timestamp) -> Option<Change> {
        if !self.damping.same(self.looks, at) {
            return None;
        }
        let now = self.now.clone()?;
        let before = self.told.as_ref()?.seen.clone();
        let why = self.news(terms, Kind::Settled, &before, &now).ok()?;
        Some(self.conclude(Kind::Settled, Ok(why), &before, now, at))
    }

    /// Why a change is worth telling, or why not.
    fn news(&mut self, terms: &Terms, kind: Kind, before: &Seen, now: &Seen) -> Result<String, String> {
        let Some(told) = &mut self.told else {
            return Ok("it changed".into());
        };
        if told.seen.hash() == now.hash() {
            return Err("it is again as it was last told".into());
        }
        match kind {
            // Without its part a watch is blind; that is told whatever the conditions are.
            Kind::Gone => return Ok("the part is gone".into()),
            Kind::Back => return Ok("the part is there".into()),
            _ => {}
        }
        if let Some(moved) = &terms.moved {
            let Some(number) = now.part.number() else {
                return Err("there is no number in it".into());
            };
            let Some(old) = told.number else {
                told.number = Some(number);
                return Err("the first number: moves are measured from here".into());
            };
            moved.is_met(old, number)?;
        }
        terms.notify.is_met(&before.part, &now.part, &told.seen.part)?;
        Ok(match &terms.moved {
            Some(moved) => format!("it moved {moved} or more"),
            None => "it changed".into(),
        })
    }

    fn conclude(
        &mut self,
        kind: Kind,
        verdict: Result<String, String>,
        before: &Seen,
        now: Seen,
        at: Timestamp,
    ) -> Change {
        let number = now.part.number().filter(|_| now.gone.is_none());
        let known = self.told.as_ref().filter(|_| verdict.is_ok());
        let base = known.map_or(before, |told| &told.seen);
        let since = known.map_or(before.since, |told| told.at);
        let number_before = known.map_or_else(|| before.part.number(), |told| told.number);
        let mut change = Change {
            kind,
            told: verdict.is_ok(),
            why: verdict.unwrap_or_else(|why| why),
            // What is gone has not changed to nothing.
            diff: if now.gone.is_some() { Diff::default() } else { Diff::between(&base.part, &now.part) },
            since: Some(since),
            number_before,
            number,
        };
        if let Some(why) = now.gone.as_ref().filter(|_| change.told) {
            change.why = format!("the part is gone: {why}");
        }
        if change.told {
            self.tellings = self.tellings.saturating_add(1);
            let number = number.or(self.told.as_ref().and_then(|told| told.number));
            self.told = Some(Told { at, seen: now, number });
        }
        change
    }
}

/// To the minute: nobody wants the seconds.
fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

#[cfg(test)]
#[path = "course_tests.rs"]
mod tests;
