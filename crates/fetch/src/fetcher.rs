//! What the whole process shares.

use crate::error::FetchError;
use crate::gate::Gate;
use crate::pacer::Pacer;
use crate::request::Templates;
use crate::resolve::{Resolve, SystemResolver};
use crate::robots::{Robots, Rules};
use crate::session::Session;
use crate::settings::Settings;
use crate::tls;
use jiff::Timestamp;
use model::{Clock, Manners, RobotsRecord};
use std::sync::Arc;
use std::time::Duration;
use tokio_rustls::TlsConnector;
use url::Url;

/// Makes sessions, and remembers between them how to be polite. Cheap to clone; one for a process.
#[derive(Clone)]
pub struct Fetcher {
    shared: Arc<Shared>,
}

/// What all sessions look at.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) templates: Templates,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) resolver: Arc<dyn Resolve>,
    pub(crate) gate: Gate,
    pub(crate) tls: TlsConnector,
    pub(crate) pacer: Pacer,
    pub(crate) robots: Robots,
}

impl Fetcher {
    /// A fetcher that asks the system for addresses. Its creation is the moment from which delays count for
    /// hosts it has not asked yet.
    pub fn new(settings: Settings, clock: Arc<dyn Clock>) -> Result<Self, FetchError> {
        Self::with_resolver(settings, clock, Arc::new(SystemResolver::default()))
    }

    /// A fetcher that asks `resolver` for addresses.
    pub fn with_resolver(
        settings: Settings,
        clock: Arc<dyn Clock>,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Self, FetchError> {
        let shared = Shared {
            templates: Templates::new(&settings)
                .ok_or_else(|| FetchError::UserAgent(settings.user_agent.clone()))?,
            gate: Gate::new(settings.allow.clone()),
            tls: tls::connector(&settings.extra_roots)?,
            pacer: Pacer::new(clock.clone(), settings.default_delay),
            robots: Robots::default(),
            settings,
            clock,
            resolver,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// A session: makes requests one after the other and keeps its connections.
    pub fn session(&self) -> Session {
        Session::new(self.shared.clone())
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The gate, e.g. to look at a URL a person typed before it is stored.
    pub fn gate(&self) -> &Gate {
        &self.shared.gate
    }

    /// Takes over manners from the store. What this process has learnt since is kept if it is stricter.
    #[expect(clippy::needless_pass_by_value, reason = "it is handed over: the fetcher knows it from now on")]
    pub fn restore(&self, host: &str, manners: Manners) {
        self.shared.pacer.restore(host, &manners);
    }

    /// The manners towards a host, to be stored; `None` if there is nothing to remember.
    pub fn manners(&self, host: &str) -> Option<Manners> {
        self.shared.pacer.manners(host)
    }

    /// Takes over a robots.txt from the store, unless a newer one is known.
    #[expect(clippy::needless_pass_by_value, reason = "it is handed over: the fetcher knows it from now on")]
    pub fn restore_robots(&self, record: RobotsRecord) {
        let rules = self.shared.robots.learn(&record);
        let host = Url::parse(&record.origin).ok().as_ref().and_then(model::host_name);
        if let (Rules::Said(said), Some(host)) = (&rules, host) {
            self.shared.pacer.set_crawl_delay(&host, said.crawl_delay());
        }
    }

    /// When a host may next be asked: now, or later. Only a request itself knows whether somebody else is
    /// asking at this very moment.
    pub fn earliest(&self, host: &str) -> Timestamp {
        self.shared.pacer.earliest(host)
    }
}

impl Shared {
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Waits for the turn to ask a URL's host.
    pub(crate) async fn turn(&self, url: &Url, patience: Duration) -> Result<crate::pacer::Turn, Timestamp> {
        self.pacer.turn(url.host_str().unwrap_or_default(), patience).await
    }
}
