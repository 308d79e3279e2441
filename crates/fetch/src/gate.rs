//! The gate every outgoing request passes, each redirect hop again.
//!
//! A server that fetches what strangers name can be turned against its own network. So a name is resolved
//! once, the addresses are looked at, and exactly those are connected to. That order cannot be skipped: the
//! one function in Ripplewatch that opens a connection is a method of [`Admitted`], and only [`Gate::admit`]
//! makes one of those.
//!
//! ```compile_fail,E0451
//! let forged = fetch::gate::Admitted { addresses: vec!["127.0.0.1:80".parse().unwrap()] };
//! ```

mod address;
mod connect;

use crate::resolve::Resolve;
use ipnet::IpNet;
use std::io;
use std::net::{IpAddr, SocketAddr};
use url::{Host, Url};

/// Decides which URLs and addresses may be asked.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    allow: Vec<IpNet>,
}

/// Addresses the gate has looked at. Only [`Gate::admit`] makes one, and only this can be connected to.
#[derive(Debug)]
pub struct Admitted {
    addresses: Vec<SocketAddr>,
}

/// What the gate refused, why, and how to allow it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Not a URL at all.
    #[error("{text:?} is not a URL: {why}")]
    NotAUrl {
        /// What was given.
        text: String,
        /// What the parser says.
        why: url::ParseError,
    },
    /// Not the name of a server.
    #[error("{text:?} is neither the name of a server nor an address: {why}")]
    NotAServer {
        /// What was given.
        text: String,
        /// What the parser says.
        why: url::ParseError,
    },
    /// Browsers read `\` as `/`, other programs do not: two readers see two hosts.
    #[error("the URL contains a backslash; write %5C if it is meant")]
    Backslash,
    /// Neither http nor https.
    #[error("only http and https can be fetched, not {0}:")]
    Scheme(String),
    /// No host, or port 0.
    #[error("the URL names no host and port to ask")]
    NoHost,
    /// A user name or password in the URL.
    #[error("the URL carries a user name or password; remove it")]
    Credentials,
    /// An address on the list.
    #[error("{address} is {what}; if that is meant, add \"{address}\" or its range to the allowed addresses")]
    Address {
        /// The address.
        address: IpAddr,
        /// What it is.
        what: &'static str,
    },
}

/// Why [`Gate::admit`] admitted nothing.
#[derive(Debug, thiserror::Error)]
pub enum Barred {
    /// The gate refused the URL or every one of its addresses.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The name has no address.
    #[error("the name could not be resolved: {0}")]
    Unresolved(#[from] io::Error),
}

impl Admitted {
    /// Whether all of them are private ones, which were allowed by name.
    pub(crate) fn is_private(&self) -> bool {
        self.addresses.iter().all(|address| address::special(address.ip()).is_some())
    }
}

impl Gate {
    /// A gate that also admits what lies in `allow`.
    pub fn new(allow: Vec<IpNet>) -> Self {
        Self { allow }
    }

    /// Reads a URL as written by a stranger, and looks at it.
    pub fn read_url(&self, text: &str) -> Result<Url, Refusal> {
        if text.contains('\\') {
            // Before parsing, for the parser silently turns them into slashes.
            return Err(Refusal::Backslash);
        }
        let url = Url::parse(text).map_err(|why| Refusal::NotAUrl { text: text.to_owned(), why })?;
        self.check_url(&url)?;
        Ok(url)
    }

    /// Looks at a URL without resolving its name. An address in place of a name is looked at as well.
    pub fn check_url(&self, url: &Url) -> Result<(), Refusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal::Scheme(url.scheme().to_owned()));
        }
        if url.as_str().contains('\\') {
            return Err(Refusal::Backslash);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refusal::Credentials);
        }
        if url.port_or_known_default().is_none_or(|port| port == 0) {
            return Err(Refusal::NoHost);
        }
        match url.host() {
            None => Err(Refusal::NoHost),
            Some(Host::Domain(_)) => Ok(()),
            Some(Host::Ipv4(address)) => self.check_address(address.into()),
            Some(Host::Ipv6(address)) => self.check_address(address.into()),
        }
    }

    /// Looks at an address.
    pub fn check_address(&self, address: IpAddr) -> Result<(), Refusal> {
        match address::special(address) {
            Some(what) if !self.allow.iter().any(|net| net.contains(&address)) => {
                Err(Refusal::Address { address, what })
            }
            _ => Ok(()),
        }
    }

    /// Resolves a URL's host once and keeps the addresses that may be asked.
    pub async fn admit(&self, url: &Url, resolver: &dyn Resolve) -> Result<Admitted, Barred> {
        self.check_url(url)?;
        let port = url.port_or_known_default().ok_or(Refusal::NoHost)?;
        self.admit_host(url.host().ok_or(Refusal::NoHost)?, port, resolver).await
    }

    /// Looks at a server that is named without a URL, e.g. for mail: a name, or an address in any spelling.
    pub fn check_server(&self, name: &str, port: u16) -> Result<Host, Refusal> {
        let host = match name.parse::<IpAddr>() {
            Ok(IpAddr::V4(address)) => Host::Ipv4(address),
            Ok(IpAddr::V6(address)) => Host::Ipv6(address),
            Err(_) => Host::parse(name).map_err(|why| Refusal::NotAServer { text: name.to_owned(), why })?,
        };
        match host {
            _ if port == 0 => Err(Refusal::NoHost),
            Host::Domain(_) => Ok(host),
            Host::Ipv4(address) => self.check_address(address.into()).map(|()| host),
            Host::Ipv6(address) => self.check_address(address.into()).map(|()| host),
        }
    }

    /// Resolves a host once and keeps the addresses that may be asked.
    pub(crate) async fn admit_host(
        &self,
        host: Host<&str>,
        port: u16,
        resolver: &dyn Resolve,
    ) -> Result<Admitted, Barred> {
        let mut addresses = match host {
            Host::Domain(name) => resolver.resolve(name, port).await?,
            Host::Ipv4(address) => vec![(address, port).into()],
            Host::Ipv6(address) => vec![(address, port).into()],
        };
        let mut refusal = None;
        addresses.retain(|address| match self.check_address(address.ip()) {
            Ok(()) => true,
            Err(why) => {
                refusal = Some(why);
                false
            }
        });
        match refusal {
            Some(why) if addresses.is_empty() => Err(why.into()),
            None if addresses.is_empty() => {
                Err(io::Error::new(io::ErrorKind::NotFound, "it has no address").into())
            }
            _ => Ok(Admitted { addresses }),
        }
    }
}
