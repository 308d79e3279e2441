//! Why a URL stands where it stands, for people.

use super::known::{HostNumber, Spot, SpotState};
use serde::{Deserialize, Serialize};

/// What a URL's priority is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreBreakdown {
    /// The URL.
    pub spot: Spot,
    /// How far it has come.
    pub state: SpotState,
    /// Its host.
    pub host: HostNumber,
    /// Links in a row from a seed.
    pub depth: u16,
    /// Its priority now.
    pub priority: f32,
    /// What that is made of.
    pub parts: Vec<Part>,
    /// The pages that link to it, the newest first, with their scores.
    pub parents: Vec<(Spot, f32)>,
}

/// One summand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// What it looks at.
    pub name: String,
    /// What it saw.
    pub value: f32,
    /// How much that weighs.
    pub weight: f32,
}

impl Part {
    pub(crate) fn new(name: &str, value: f32, weight: f32) -> Self {
        Self { name: name.to_owned(), value, weight }
    }

    /// What it adds to the priority.
    pub fn product(&self) -> f32 {
        self.value * self.weight
    }
}
