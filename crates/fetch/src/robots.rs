//! What robots.txt files say, kept as long as RFC 9309 allows.

use crate::settings::PRODUCT;
use jiff::{SignedDuration, Timestamp};
use model::{RobotsRecord, RobotsVerdict};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use url::{Position, Url};

/// What is read of a robots.txt. The parser itself stops at 500 KiB, which is the least RFC 9309 allows.
pub(crate) const MOST_BYTES: usize = 512 << 10;

/// Redirects followed to a robots.txt.
pub(crate) const MOST_REDIRECTS: usize = 5;

/// How long an answer holds.
const FRESH: SignedDuration = SignedDuration::from_hours(24);

/// How long a failure to read it holds: the site is closed to us that long, so not for a day.
const FRESH_FAILURE: SignedDuration = SignedDuration::from_hours(1);

/// How much text of rules is kept in memory; the oldest go first. The store remembers them all.
const MOST_KEPT: usize = 32 << 20;

/// The robots.txt files known to this process, by origin.
#[derive(Default)]
pub(crate) struct Robots {
    files: Mutex<Files>,
}

#[derive(Default)]
struct Files {
    known: HashMap<String, Known>,
    bytes: usize,
}

struct Known {
    fetched_at: Timestamp,
    expires_at: Timestamp,
    bytes: usize,
    rules: Rules,
}

/// One robots.txt, read for us. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) enum Rules {
    /// What it says to us; a missing file says nothing.
    Said(Arc<robotxt::Robots>),
    /// It could not be read, so nothing is allowed. The text says why.
    Unreadable(Arc<str>),
}

impl Robots {
    /// What is known of an origin, unless it has expired.
    pub(crate) fn fresh(&self, origin: &str, now: Timestamp) -> Option<Rules> {
        let files = self.files();
        files.known.get(origin).filter(|known| known.expires_at > now).map(|known| known.rules.clone())
    }

    /// Remembers a record unless a newer one is known.
    pub(crate) fn learn(&self, record: &RobotsRecord) -> Rules {
        let mut files = self.files();
        if let Some(known) = files.known.get(&record.origin)
            && known.fetched_at >= record.fetched_at
        {
            return known.rules.clone();
        }
        let rules = Rules::read(&record.verdict);
        files.keep(record, rules.clone());
        rules
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files {
    fn keep(&mut self, record: &RobotsRecord, rules: Rules) {
        // A constant for the entry itself, so that a million empty files are not free either.
        let bytes = 512
            + match &record.verdict {
                RobotsVerdict::Rules(text) | RobotsVerdict::DisallowAll(text) => text.len(),
                RobotsVerdict::AllowAll => 0,
            };
        let known = Known { fetched_at: record.fetched_at, expires_at: record.expires_at, bytes, rules };
        self.bytes += bytes;
        if let Some(replaced) = self.known.insert(record.origin.clone(), known) {
            self.bytes -= replaced.bytes;
        }
        if self.bytes > MOST_KEPT {
            self.sweep();
        }
    }

    /// Drops the older half, so that the next sweep is far.
    fn sweep(&mut self) {
        let mut ages: Vec<_> = self.known.values().map(|known| (known.fetched_at, known.bytes)).collect();
        ages.sort_unstable();
        let mut dropped = 0;
        let enough = self.bytes / 2;
        let newest_dropped = ages.iter().find_map(|(fetched_at, bytes)| {
            dropped += bytes;
            (dropped >= enough).then_some(*fetched_at)
        });
        self.known.retain(|_, known| Some(known.fetched_at) > newest_dropped);
        self.bytes = self.known.values().map(|known| known.bytes).sum();
    }
}

impl Rules {
    fn read(verdict: &RobotsVerdict) -> Self {
        match verdict {
            RobotsVerdict::Rules(text) => {
                Self::Said(Arc::new(robotxt::Robots::parse(text.as_bytes(), PRODUCT)))
            }
            RobotsVerdict::AllowAll => Self::Said(Arc::new(robotxt::Robots::allow_all())),
            RobotsVerdict::DisallowAll(why) => {
                Self::Unreadable(format!("robots.txt could not be read: {why}").into())
            }
        }
    }

    /// `Err` with the rule that forbids `url`.
    pub(crate) fn check(&self, url: &Url) -> Result<(), String> {
        let path = &url[Position::BeforePath..Position::AfterQuery];
        match self {
            Self::Said(rules) if rules.is_allowed(path) => Ok(()),
            Self::Said(rules) => {
                let pattern = rules.matching_rule(path).map_or("/", robotxt::Rule::pattern);
                Err(format!("Disallow: {pattern}"))
            }
            Self::Unreadable(why) => Err(why.to_string()),
        }
    }
}

/// A record of a verdict given now.
pub(crate) fn record(origin: String, verdict: RobotsVerdict, now: Timestamp) -> RobotsRecord {
    let fresh = match verdict {
        RobotsVerdict::DisallowAll(_) => FRESH_FAILURE,
        RobotsVerdict::Rules(_) | RobotsVerdict::AllowAll => FRESH,
    };
    let expires_at = now.checked_add(fresh).unwrap_or(Timestamp::MAX);
    RobotsRecord { origin, fetched_at: now, expires_at, verdict }
}

/// What the final answer to a request for robots.txt means (RFC 9309, section 2.3.1).
pub(crate) fn verdict(status: u16, encoding: Option<&str>, body: Vec<u8>) -> RobotsVerdict {
    match status {
        200..=299 if encoding.is_none_or(|name| name.eq_ignore_ascii_case("identity")) => {
            let text = String::from_utf8(body)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            RobotsVerdict::Rules(text)
        }
        200..=299 => RobotsVerdict::DisallowAll("it was sent compressed though asked for plain".to_owned()),
        500.. => RobotsVerdict::DisallowAll(format!("HTTP {status}")),
        _ => RobotsVerdict::AllowAll,
    }
}

#[cfg(test)]
mod tests;
