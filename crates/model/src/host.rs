//! Hosts: what is remembered about being polite to one.

use jiff::Timestamp;
use std::time::Duration;
use url::Url;

/// The durable part of our manners towards one host. `fetch` decides how it changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manners {
    /// The delay the user set for this host; `None` means the configured default.
    pub own_delay: Option<Duration>,
    /// The delay robots.txt asks for.
    pub crawl_delay: Option<Duration>,
    /// No request before this time.
    pub not_before: Option<Timestamp>,
    /// Troubles (busy, failed) in a row that have not been forgiven: the exponent of the back-off.
    pub troubles: u32,
    /// When the last trouble was.
    pub last_trouble: Option<Timestamp>,
}

/// What a host's robots.txt said, kept so that a restart need not ask again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsRecord {
    /// `scheme://host:port` it holds for.
    pub origin: String,
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// When it must be asked again.
    pub expires_at: Timestamp,
    /// What it means.
    pub verdict: RobotsVerdict,
}

/// What came of asking for robots.txt (RFC 9309).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RobotsVerdict {
    /// The rules as served, at most 512 KiB.
    Rules(String),
    /// There is none (4xx): everything is allowed.
    AllowAll,
    /// It could not be read (5xx, no connection): nothing is allowed until it can. The text says why.
    DisallowAll(String),
}

/// How a host is named in manners, leases and the frontier: its host name without the port, so that all
/// services of one machine share one polite visitor.
pub fn host_name(url: &Url) -> Option<String> {
    url.host_str().map(str::to_ascii_lowercase)
}

/// The origin robots.txt is asked for: `scheme://host:port`.
pub fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}
