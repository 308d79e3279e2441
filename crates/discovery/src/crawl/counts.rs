//! Where a crawl stands, and why it does nothing.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Where a crawl stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CrawlCounts {
    /// URLs known.
    pub known: u32,
    /// URLs that wait.
    pub waiting: u32,
    /// Handed out and not yet answered.
    pub asked: u32,
    /// Pages read.
    pub fetched: u32,
    /// Pages on the topic.
    pub relevant: u32,
    /// URLs that failed for good, or were refused.
    pub failed: u32,
    /// Hosts known.
    pub hosts: u32,
}

impl CrawlCounts {
    /// The share of the pages read that are on the topic.
    pub fn harvest(&self) -> f64 {
        if self.fetched == 0 { 0.0 } else { f64::from(self.relevant) / f64::from(self.fetched) }
    }
}

/// Why there is nothing to do right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "why")]
pub enum Idle {
    /// As many pages were fetched as were asked for.
    Budget,
    /// Nothing is known that was not asked for.
    Exhausted,
    /// Everything that is left has been handed out.
    Asked {
        /// How many.
        urls: u32,
    },
    /// Every host with something waiting rests or is busy.
    Hosts {
        /// How many hosts.
        hosts: u32,
        /// When the next one may be asked, if that is known.
        until: Option<Timestamp>,
    },
}
