//! Lists of sources people bring from elsewhere and take away: OPML, or one address a line.

mod opml;
mod plain;

pub use opml::write_opml;

use std::fmt;
use url::Url;

/// One source to watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// Where it is.
    pub url: Url,
    /// What it is called.
    pub title: Option<String>,
    /// The folder it was in; folders in folders are joined by ` / `.
    pub folder: Option<String>,
}

/// Why a list cannot be read: all that is wrong with it, so that one round of mending is enough.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SubscriptionsError {
    /// Everything that is wrong, in the list's order. Never empty.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong with a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which line, or which outline: `line 3`, `outline 7 (Harbour Times)`.
    pub place: String,
    /// What is wrong and what to do.
    pub reason: String,
}

/// More sources in one list are refused.
pub(crate) const MOST: usize = 20_000;

/// More problems are not listed; they have one cause.
const PROBLEMS: usize = 100;

/// Reads OPML or a plain list, whichever it is.
pub fn read(bytes: &[u8]) -> Result<Vec<Subscription>, SubscriptionsError> {
    let text = crate::charset::text(bytes, None);
    let text = text.trim_start_matches('\u{feff}');
    let (found, mut problems) =
        if text.trim_start().starts_with('<') { opml::read(text) } else { plain::read(text) };
    if found.is_empty() && problems.is_empty() {
        problems.push(Problem::new("the file", "it names no source: give OPML, or one address a line"));
    }
    if problems.is_empty() {
        Ok(found)
    } else {
        let more = problems.len().saturating_sub(PROBLEMS);
        problems.truncate(PROBLEMS);
        if more > 0 {
            problems.push(Problem::new("the file", format!("and {more} more like these")));
        }
        Err(SubscriptionsError { problems })
    }
}

impl Problem {
    fn new(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { place: place.into(), reason: reason.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl fmt::Display for SubscriptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the list of sources cannot be read")?;
        self.problems.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}
