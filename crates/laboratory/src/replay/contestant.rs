//! Who takes part in a replay: the policies, and the limits nobody can pass.

use super::error::ReplayError;
use super::near::nearest;
use scheduling::PolicyName;
use std::fmt;

/// Who takes part in a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contestant {
    /// A policy.
    Policy(PolicyName),
    /// The limit of one that knows the rates of the test weeks, cross-fitted between odd and even weeks.
    KnownRate,
    /// The limit of one that knows when each article will be published.
    Oracle,
}

impl Contestant {
    /// All, in the order of reports.
    pub fn all() -> Vec<Self> {
        let policies = PolicyName::ALL.into_iter().map(Self::Policy);
        policies.chain([Self::KnownRate, Self::Oracle]).collect()
    }

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Policy(name) => name.word(),
            Self::KnownRate => "known-rate",
            Self::Oracle => "oracle",
        }
    }

    /// A limit knows what no policy can.
    pub fn is_limit(self) -> bool {
        !matches!(self, Self::Policy(_))
    }

    /// By names separated by commas, or `all`.
    pub fn list(text: &str) -> Result<Vec<Self>, ReplayError> {
        if text.trim() == "all" {
            return Ok(Self::all());
        }
        let mut list: Vec<Self> = Vec::new();
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let one = name.parse()?;
            if !list.contains(&one) {
                list.push(one);
            }
        }
        if list.is_empty() { Err(ReplayError::Policy("no policy is named".to_owned())) } else { Ok(list) }
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl std::str::FromStr for Contestant {
    type Err = ReplayError;
    fn from_str(text: &str) -> Result<Self, ReplayError> {
        let all = Self::all();
        all.iter().copied().find(|one| one.word() == text).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|one| one.word()).collect();
            // Whoever stops in the middle of a word means that word.
            let begun = names.iter().copied().find(|name| !text.is_empty() && name.starts_with(text));
            let meant = begun.or_else(|| nearest(text, names.iter().copied()));
            let meant = meant.map_or_else(String::new, |name| format!(" Did you mean “{name}”?"));
            ReplayError::Policy(format!(
                "there is no policy “{text}”.{meant} There are {}, or all",
                names.join(", ")
            ))
        })
    }
}
