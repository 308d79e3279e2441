//! What a crawl says about what it was told.

use super::known::{HostNumber, Spot};
use super::traps::DropReason;
use crate::ontology::{Evidence, Lesson};
use serde::{Deserialize, Serialize};
use url::Url;

/// A URL that was not known before: what the store keeps of it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewUrl {
    /// Its number.
    pub spot: Spot,
    /// The address, normalised.
    pub url: Url,
    /// Its host's number.
    pub host: HostNumber,
    /// Links in a row from a seed.
    pub depth: u16,
    /// What it seems to be worth, for now.
    pub priority: f32,
    /// The page that told of it; `None` for a seed.
    pub parent: Option<Spot>,
    /// The text of the link.
    pub anchor: String,
}

/// What came of a page.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Does it belong into the topic's repository?
    pub on_topic: bool,
    /// How sure that is, 0 to 1.
    pub score: f64,
    /// What speaks for it.
    pub evidence: Vec<Evidence>,
    /// URLs that were not known before.
    pub new: Vec<NewUrl>,
    /// Links that will not be followed, and why.
    pub dropped: Vec<(Url, DropReason)>,
    /// What the topic learned.
    pub lessons: Vec<Lesson>,
}

/// Why a URL gave no page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailReason {
    /// No answer, or one that may be better later (5xx, 429, time-out).
    Trouble,
    /// There is no such page (4xx).
    Gone,
    /// robots.txt or the gate does not let us.
    Refused,
    /// Not something that can be read.
    Unreadable,
}
