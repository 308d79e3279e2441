//! What a fetcher is told once, with every default in this one place.

use ipnet::IpNet;
use rustls::pki_types::CertificateDer;
use std::time::Duration;

/// What a fetcher is told once.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Who we say we are, see [`user_agent`].
    pub user_agent: String,
    /// Addresses allowed by name although the gate would refuse them. Empty by default.
    pub allow: Vec<IpNet>,
    /// What one answer may cost.
    pub limits: Limits,
    /// The pause between two requests to one host that has no delay of its own.
    pub default_delay: Duration,
    /// Whether robots.txt is asked and obeyed.
    pub obey_robots: bool,
    /// Certificate authorities trusted besides the system's, e.g. a company's own.
    pub extra_roots: Vec<CertificateDer<'static>>,
}

/// What one answer may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a body as sent.
    pub body_bytes: usize,
    /// Bytes of status line and headers.
    pub header_bytes: usize,
    /// How many headers.
    pub headers: usize,
    /// How many redirects are followed.
    pub redirects: usize,
    /// To resolve the name, connect and agree on TLS.
    pub connect: Duration,
    /// From the request to the end of the answer's headers.
    pub first_byte: Duration,
    /// Between two pieces of a body. A body may also be slower than `min_rate` for this long.
    pub idle: Duration,
    /// From the request to the end of the body.
    pub total: Duration,
    /// Bytes a second a body must come at.
    pub min_rate: u64,
}

/// Who we say we are: our name, which robots.txt may address, the version, and where a webmaster can complain.
pub fn user_agent(contact: &str) -> String {
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    format!("{PRODUCT}/{major}.{minor} (+{contact})")
}

/// The name robots.txt knows us by.
pub(crate) const PRODUCT: &str = "Ripplewatch";

impl Default for Settings {
    fn default() -> Self {
        Self {
            user_agent: user_agent("https://ripplewatch.example/bot"),
            allow: Vec::new(),
            limits: Limits::default(),
            // What well-behaved crawlers use where robots.txt is silent; a person clicks faster.
            default_delay: Duration::from_secs(2),
            obey_robots: true,
            extra_roots: Vec::new(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // News pages are below 5 MiB; big sitemaps reach 50 MiB unpacked, about 5 packed.
            body_bytes: 16 << 20,
            header_bytes: 64 << 10,
            headers: 100,
            redirects: 5,
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(20),
            idle: Duration::from_secs(10),
            total: Duration::from_mins(1),
            // A slow modem is ten times faster; a slow loris is a hundred times slower.
            min_rate: 256,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_say_who_we_are_and_where_to_complain() {
        assert_eq!(Settings::default().user_agent, "Ripplewatch/0.1 (+https://ripplewatch.example/bot)");
    }
}
