//! Servers that misbehave in every way we could think of. Each lives on a loopback address of its own, so that
//! being polite to one does not hold up another: all cases can run at once.

mod bombs;
mod pages;
mod rebinding;
mod tls;
mod tricks;

pub use bombs::{brotli_bomb, gzip_bomb, zstd_bomb};
pub use rebinding::Rebinding;

use crate::authority::Authority;
use crate::site::Site;
use model::{FailureKind, Outcome};
use rustls::pki_types::CertificateDer;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicU16, Ordering};
use tokio::task::JoinSet;
use url::Url;

/// Whether a visit that ended like this has coped.
pub type Expected = fn(&Outcome) -> bool;

/// One way to misbehave.
pub struct Case {
    /// What it does.
    pub name: &'static str,
    /// Where it does it.
    pub url: Url,
    /// Whether a visit that ended like this has coped.
    pub expected: Expected,
}

/// All hostile servers, running until this is dropped.
pub struct Hostile {
    /// The cases.
    pub cases: Vec<Case>,
    authority: Authority,
    sites: Vec<Site>,
    servers: JoinSet<()>,
}

impl Hostile {
    /// Starts them all. The client must be allowed to ask 127.0.0.0/8.
    pub async fn start() -> Self {
        let mut hostile = Self {
            cases: Vec::new(),
            authority: Authority::new(),
            sites: Vec::new(),
            servers: JoinSet::new(),
        };
        pages::add(&mut hostile).await;
        tricks::add(&mut hostile).await;
        tls::add(&mut hostile).await;
        hostile
    }

    /// The authority the TLS cases claim to be certified by: with it unknown, all of them would fail for that
    /// reason alone.
    pub fn root(&self) -> CertificateDer<'static> {
        self.authority.root()
    }

    fn case(&mut self, name: &'static str, url: &str, expected: Expected) {
        self.cases.push(Case { name, url: Url::parse(url).unwrap(), expected });
    }
}

/// A loopback address nobody else in this process uses.
fn own_address() -> IpAddr {
    static NEXT: AtomicU16 = AtomicU16::new(1);
    let [high, low] = NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    Ipv4Addr::new(127, 66, high, low).into()
}

fn is_content(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::NewContent)
}

/// What was sent is fine for who only fetches; who also reads it must stop at a cap.
fn is_content_or_capped(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::NewContent | Outcome::Truncated { .. })
}

fn is_truncated(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Truncated { .. })
}

fn is_refused(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::RefusedByGate { .. })
}

fn failed(outcome: &Outcome) -> Option<FailureKind> {
    match outcome {
        Outcome::Failed { kind, .. } => Some(*kind),
        _ => None,
    }
}

fn is_timeout(outcome: &Outcome) -> bool {
    failed(outcome) == Some(FailureKind::Timeout)
}

fn is_protocol(outcome: &Outcome) -> bool {
    failed(outcome) == Some(FailureKind::Protocol)
}

/// Where robots.txt is as broken as the page, who asks for it first need not ask for the page.
fn is_unreadable(outcome: &Outcome) -> bool {
    is_protocol(outcome) || matches!(outcome, Outcome::RefusedByRobots { .. })
}

fn is_redirects(outcome: &Outcome) -> bool {
    failed(outcome) == Some(FailureKind::Redirects)
}

fn is_tls(outcome: &Outcome) -> bool {
    failed(outcome) == Some(FailureKind::Tls)
}

fn is_empty(outcome: &Outcome) -> bool {
    failed(outcome) == Some(FailureKind::Empty)
}
