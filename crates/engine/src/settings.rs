//! What the engine is told once, with every default in this one place.

use page::Caps;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use store::Retention;
use url::Url;

/// What the engine is told once.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// Hosts that have their turn at the same time. A turn mostly waits for politeness: it costs little.
    pub hosts_at_once: usize,
    /// How many of these may be hosts that were slow or in trouble, so that they never fill all places.
    pub slow_hosts_at_once: usize,
    /// Requests under way at the same time.
    pub requests_at_once: usize,
    /// Hosts a crawl asks at the same time.
    pub crawl_requests_at_once: usize,
    /// Visits and article pages a host may get in one turn.
    pub work_per_turn: usize,
    /// How long a lease holds if it is not given back; longer than any turn.
    pub lease_for: Duration,
    /// A turn takes on no new work after this time, so that others get theirs.
    pub turn: Duration,
    /// A turn waits no longer than this for politeness: then the host is given back until its time comes.
    pub patience: Duration,
    /// One page with all its redirects takes no longer than this; well below `lease_for` less `turn`.
    pub longest_reply: Duration,
    /// A request slower than this makes its host a slow one.
    pub slow_after: Duration,
    /// A source not visited this long after its time is late.
    pub late_after: Duration,
    /// How often plan and deed are compared.
    pub look_for_late_every: Duration,
    /// Article pages read after one visit.
    pub bodies_per_visit: usize,
    /// Article pages read after the first visit, which finds the back catalogue.
    pub bodies_at_first: usize,
    /// How often an article's page is tried.
    pub body_tries: u32,
    /// Child sitemaps read in one visit to an index of sitemaps.
    pub child_sitemaps: usize,
    /// What is kept.
    pub retention: Retention,
    /// What reading one page may cost.
    pub caps: Caps,
    /// Where people reach the pages: what links in messages begin with.
    pub public_url: Url,
}

impl Default for EngineSettings {
    fn default() -> Self {
        const DAY: Duration = Duration::from_hours(24);
        Self {
            hosts_at_once: 256,
            slow_hosts_at_once: 64,
            // Above the slow share: however many hosts hang, half of the places go on.
            requests_at_once: 128,
            // Half of all places: a crawl beside a monitor leaves it room.
            crawl_requests_at_once: 64,
            work_per_turn: 32,
            lease_for: Duration::from_mins(5),
            turn: Duration::from_mins(1),
            patience: Duration::from_secs(5),
            longest_reply: Duration::from_mins(2),
            slow_after: Duration::from_secs(5),
            late_after: Duration::from_mins(5),
            look_for_late_every: Duration::from_secs(10),
            bodies_per_visit: 200,
            bodies_at_first: 40,
            body_tries: 4,
            child_sitemaps: 5,
            retention: Retention {
                articles: None,
                visits: Some(DAY * 365),
                page_bytes: Some(2 << 30),
                messages: Some(DAY * 90),
            },
            caps: Caps::default(),
            public_url: own_url(SocketAddr::from((Ipv4Addr::LOCALHOST, 8765))),
        }
    }
}

/// Where the pages are for whoever sits at this machine.
#[expect(clippy::expect_used, reason = "an address and a port always make a URL")]
pub fn own_url(address: SocketAddr) -> Url {
    let mut shown = address;
    if address.ip().is_unspecified() {
        shown.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    Url::parse(&format!("http://{shown}/")).expect("a URL")
}
