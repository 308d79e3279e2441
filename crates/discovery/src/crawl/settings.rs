//! What a crawl may do, and the numbers behind its scores. Every default in one place, with its reason.

use super::name::StrategyName;
use super::tuning::Tuning;
use serde::{Deserialize, Serialize};

/// What a crawl may do, and the numbers behind its scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrawlSettings {
    /// How the next URL is chosen.
    pub strategy: StrategyName,
    /// Fetch at most so many pages.
    pub pages: u32,
    /// Follow at most so many links in a row from a seed.
    pub depth: u16,
    /// Only these hosts and what is under them; empty: any.
    pub allowed: Vec<String>,
    /// Never these hosts nor what is under them.
    pub forbidden: Vec<String>,
    /// May the ontology and the value of links be learned from what is found?
    pub learning: bool,
    /// Weight of a page's content in (9).
    pub r1: f64,
    /// Weight of its links in (9).
    pub r2: f64,
    /// Smoothing of online link reinforcement, θ in (8).
    pub theta: f64,
    /// How much rank flows along links, D in (5).
    pub damping: f64,
    /// (9b), the sum of weighted logarithms, in the place of (9).
    pub logarithms: bool,
    /// Remember at most so many URLs; further links are dropped.
    pub known: u32,
    /// The numbers that were tuned.
    pub tuning: Tuning,
}

impl Default for CrawlSettings {
    fn default() -> Self {
        Self {
            strategy: StrategyName::Ontology,
            pages: 1_000,
            // Six links lead nearly everywhere on one site; beyond twenty, links are made by a machine.
            depth: 20,
            allowed: Vec::new(),
            forbidden: Vec::new(),
            learning: true,
            // Both are between 0 and 1 after normalisation, and the paper gives no reason to favour one.
            r1: 0.5,
            r2: 0.5,
            // The paper's.
            theta: 0.5,
            // Brin and Page 1998.
            damping: 0.85,
            logarithms: false,
            // 90 bytes each: 450 MB if all are used, and no crawl of this size ends in a week.
            known: 5_000_000,
            tuning: Tuning::default(),
        }
    }
}

/// Why a crawl cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CrawlError {
    /// No pages may be fetched.
    #[error("a crawl of 0 pages finds nothing; give it at least one")]
    NoPages,
    /// A number that makes no sense.
    #[error("{name} must be {wanted}, not {given}")]
    Number {
        /// The setting.
        name: &'static str,
        /// What it must be.
        wanted: &'static str,
        /// What it was.
        given: String,
    },
    /// A host name that cannot be one.
    #[error("{0:?} is no host name; write it as in example.org")]
    Host(String),
    /// What was stored of a crawl does not fit together.
    #[error("the stored state of this crawl cannot be read: {0}")]
    Stored(String),
}

impl CrawlSettings {
    /// Do the numbers make sense?
    pub fn check(&self) -> Result<(), CrawlError> {
        if self.pages == 0 {
            return Err(CrawlError::NoPages);
        }
        let between = |name, value: f64, low: f64, high: f64, wanted| {
            // Not a number is in no range.
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(CrawlError::Number { name, wanted, given: value.to_string() })
            }
        };
        between("r1", self.r1, 0.0, 1e6, "0 or more")?;
        between("r2", self.r2, 0.0, 1e6, "0 or more")?;
        between("theta", self.theta, 1e-9, 1e6, "more than 0")?;
        between("damping", self.damping, 0.0, 0.999, "from 0 to 0.999")?;
        if self.r1 + self.r2 <= 0.0 {
            return Err(CrawlError::Number { name: "r1 + r2", wanted: "more than 0", given: "0".to_owned() });
        }
        let strange = |host: &&String| host.is_empty() || host.contains(['/', ' ', '?', '#', '@']);
        match self.allowed.iter().chain(&self.forbidden).find(strange) {
            Some(host) => Err(CrawlError::Host(host.clone())),
            None => Ok(()),
        }
    }

    /// May this host be asked at all?
    pub fn allows(&self, host: &str) -> bool {
        let under = |name: &String| {
            let name = name.trim_start_matches("*.").trim_matches('.');
            host.eq_ignore_ascii_case(name)
                || host.len() > name.len()
                    && host.as_bytes().get(host.len() - name.len() - 1) == Some(&b'.')
                    && host.get(host.len() - name.len()..).is_some_and(|end| end.eq_ignore_ascii_case(name))
        };
        !self.forbidden.iter().any(under) && (self.allowed.is_empty() || self.allowed.iter().any(under))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_allowed_with_what_is_under_them() {
        let settings = CrawlSettings {
            allowed: vec!["example.org".into()],
            forbidden: vec!["shop.example.org".into()],
            ..CrawlSettings::default()
        };
        assert!(settings.allows("example.org") && settings.allows("www.Example.org"));
        assert!(!settings.allows("badexample.org") && !settings.allows("a.shop.example.org"));
    }

    #[test]
    fn numbers_without_sense_are_refused() {
        let refused = |settings: CrawlSettings| settings.check().unwrap_err().to_string();
        assert!(refused(CrawlSettings { pages: 0, ..CrawlSettings::default() }).contains("at least one"));
        let theta = CrawlSettings { theta: f64::NAN, ..CrawlSettings::default() };
        assert_eq!(refused(theta), "theta must be more than 0, not NaN");
        let host = CrawlSettings { allowed: vec!["http://x".into()], ..CrawlSettings::default() };
        assert!(refused(host).contains("no host name"));
        assert_eq!(CrawlSettings::default().check(), Ok(()));
    }
}
