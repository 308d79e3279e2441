//! What most tests need: a fetcher that may ask loopback, on a clock a thousand times faster than ours.

use fetch::{Accept, BoxFuture, Fetcher, Limits, Reply, Request, Resolve, Session, Settings};
use model::Validators;
use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use testkit::clock::Fast;
use url::Url;

/// Longer than any politeness in these tests.
pub(crate) const PATIENT: Duration = Duration::from_hours(48);

/// How much faster than ours the tests' clock runs.
pub(crate) const FACTOR: u32 = 1_000;

/// May ask loopback, waits for nobody, asks no robots.txt.
pub(crate) fn settings() -> Settings {
    Settings {
        allow: vec!["127.0.0.0/8".parse().unwrap()],
        default_delay: Duration::ZERO,
        obey_robots: false,
        ..Settings::default()
    }
}

/// Limits that a misbehaving server hits within a second.
pub(crate) fn short_limits() -> Limits {
    Limits {
        body_bytes: 1 << 20,
        connect: Duration::from_millis(1_500),
        first_byte: Duration::from_secs(1),
        idle: Duration::from_millis(500),
        total: Duration::from_secs(4),
        ..Limits::default()
    }
}

pub(crate) fn fetcher(settings: Settings) -> Fetcher {
    Fetcher::new(settings, Arc::new(Fast::new(FACTOR))).unwrap()
}

pub(crate) fn fetcher_with(settings: Settings, resolver: impl Resolve + 'static) -> Fetcher {
    Fetcher::with_resolver(settings, Arc::new(Fast::new(FACTOR)), Arc::new(resolver)).unwrap()
}

/// A request for a URL without anything special.
pub(crate) fn plain(url: &Url) -> Request<'_> {
    Request { url, validators: None, accept: Accept::Any, headers: &[], patience: PATIENT }
}

pub(crate) async fn get(session: &mut Session, url: &Url) -> Reply {
    session.get(&plain(url)).await
}

/// One page in a session of its own.
pub(crate) async fn get_once(fetcher: &Fetcher, url: &Url) -> Reply {
    get(&mut fetcher.session(), url).await
}

pub(crate) fn validators(etag: &str) -> Validators {
    Validators { etag: Some(etag.to_owned()), ..Validators::default() }
}

/// Knows these names, wherever they are said to be.
pub(crate) struct Names(pub(crate) HashMap<&'static str, SocketAddr>);

impl Resolve for Names {
    fn resolve(&self, host: &str, _port: u16) -> BoxFuture<'_, io::Result<Vec<SocketAddr>>> {
        let found = self.0.get(host).map(|address| vec![*address]);
        Box::pin(async { found.ok_or(io::ErrorKind::NotFound.into()) })
    }
}
