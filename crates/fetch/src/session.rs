//! Requests one after the other, over connections that are kept.

mod ask;
mod connections;
mod robots;

use crate::answer::{OWN_MANNERS, Reply, Response};
use crate::connection::Leave;
use crate::exchange::BodyEnd;
use crate::failure::Failure;
use crate::fetcher::Shared;
use crate::headers;
use crate::journey::Journey;
use crate::redirect;
use crate::request::{Request, is_conditional};
use ask::{Asked, Errand};
use connections::Connections;
use http::HeaderMap;
use http::header::LOCATION;
use jiff::Timestamp;
use model::{Cap, FailureKind, Outcome, RobotsRecord};
use std::pin::Pin;
use std::sync::Arc;
use url::Url;

/// Makes requests one after the other. Consecutive requests to one origin share a connection; dropping the
/// session closes them all.
pub struct Session {
    shared: Arc<Shared>,
    connections: Connections,
    new_robots: Vec<RobotsRecord>,
    leave: Option<Leave>,
    entry: Option<Entry>,
}

/// Asked for leave before a host is asked that the one before did not belong to; otherwise, when to try again.
pub type Entry =
    Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = Result<(), Timestamp>> + Send>> + Send + Sync>;

impl Session {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, connections: Connections::default(), new_robots: Vec::new(), leave: None, entry: None }
    }

    /// Nothing is sent once `leave` says no. It is asked at the last moment: a process may be stopped while a request waits for
    /// its turn or its connection, and find when it goes on that others visit the host by now.
    #[must_use]
    pub fn only_while(mut self, leave: Leave) -> Self {
        self.leave = Some(leave);
        self
    }

    /// Before [`Self::get`] asks another host than before, it asks `entry`: a redirect may lead to a host that somebody else visits.
    #[must_use]
    pub fn entering(mut self, entry: Option<Entry>) -> Self {
        self.entry = entry;
        self
    }

    async fn enter(&self, url: &Url, before: Option<&str>) -> Result<String, Outcome> {
        let host = model::host_name(url).unwrap_or_default();
        if let Some(entry) = self.entry.as_ref().filter(|_| before != Some(host.as_str())) {
            entry(host.clone()).await.map_err(own_manners)?;
        }
        Ok(host)
    }

    fn may_ask(&self) -> bool {
        self.leave.as_ref().is_none_or(|leave| leave())
    }

    /// Gets a page. Never fails: how it ended is in the reply. Dropping the future is safe at any point, and
    /// counts as the end of the request.
    pub async fn get(&mut self, request: &Request<'_>) -> Reply {
        let mut journey = Journey::new(request.url, self.shared.now());
        let (outcome, response) = match self.travel(request, &mut journey).await {
            Ok((outcome, response)) => (outcome, Some(response)),
            Err(outcome) => (outcome, None),
        };
        journey.end(outcome, response, self.shared.now())
    }

    /// Asks one URL and goes no further: where a redirect leads is said, not followed. For whoever keeps a list of what
    /// to ask, and wants every hop on it.
    pub async fn hop(&mut self, request: &Request<'_>) -> (Reply, Option<Url>) {
        let mut journey = Journey::new(request.url, self.shared.now());
        let mut to = None;
        let (outcome, response) = match self.hop_once(request, &mut journey, &mut to).await {
            Ok((outcome, response)) => (outcome, Some(response)),
            Err(outcome) => (outcome, None),
        };
        (journey.end(outcome, response, self.shared.now()), to)
    }

    async fn hop_once(
        &mut self,
        request: &Request<'_>,
        journey: &mut Journey,
        to: &mut Option<Url>,
    ) -> Result<(Outcome, Response), Outcome> {
        let shared = self.shared.clone();
        let headers = shared
            .templates
            .personal(request)
            .map_err(|detail| Outcome::Failed { kind: FailureKind::Internal, detail })?;
        let url = journey.here.clone();
        let asked = self.ask_politely(&url, &headers, request, journey).await?;
        if redirect::is_redirect(asked.answer.response.status) {
            *to = Some(redirect::target(&url, headers::text(&asked.answer.headers, &LOCATION))?);
            return Ok((Outcome::NewContent, asked.answer.response));
        }
        Ok(judge(asked, is_conditional(&headers)))
    }

    /// The robots.txt files read since this was last called, to be stored with what they made possible.
    pub fn take_robots(&mut self) -> Vec<RobotsRecord> {
        std::mem::take(&mut self.new_robots)
    }

    /// One hop: the gate, robots.txt, the host's turn, the request.
    async fn ask_politely(
        &mut self,
        url: &Url,
        headers: &HeaderMap,
        request: &Request<'_>,
        journey: &mut Journey,
    ) -> Result<Asked, Outcome> {
        let shared = self.shared.clone();
        shared.gate.check_url(url)?;
        self.consult_robots(url, request.patience, journey).await?;
        let turn = shared.turn(url, request.patience).await.map_err(own_manners)?;
        let cap = shared.settings.limits.body_bytes;
        let errand = Errand { url, headers, cap, patience: request.patience };
        self.ask(turn, &errand, journey).await
    }

    /// From hop to hop; `Err` is an end without an answer.
    async fn travel(
        &mut self,
        request: &Request<'_>,
        journey: &mut Journey,
    ) -> Result<(Outcome, Response), Outcome> {
        let shared = self.shared.clone();
        let templates = &shared.templates;
        let mut headers = templates
            .personal(request)
            .map_err(|detail| Outcome::Failed { kind: FailureKind::Internal, detail })?;
        let mut host = None;
        loop {
            let url = journey.here.clone();
            host = Some(self.enter(&url, host.as_deref()).await?);
            let asked = self.ask_politely(&url, &headers, request, journey).await?;
            let status = asked.answer.response.status;
            if !redirect::is_redirect(status) {
                return Ok(judge(asked, is_conditional(&headers)));
            }
            let to = redirect::target(&url, headers::text(&asked.answer.headers, &LOCATION))?;
            if to.origin() != url.origin() {
                // Validators and the user's own headers are nobody else's business, from here on.
                headers = templates.plain(request.accept);
            }
            journey.follow(to, status, shared.settings.limits.redirects)?;
        }
    }
}

/// What an answer that is no redirect means.
fn judge(asked: Asked, conditional: bool) -> (Outcome, Response) {
    let Asked { answer, until } = asked;
    let response = answer.response;
    let failed = |kind, detail: String| Failure::new(kind, detail).into();
    let outcome = match (response.status, until) {
        (304, _) if conditional => Outcome::NotModified,
        (304, _) => failed(FailureKind::Protocol, "304 though nothing conditional was asked".to_owned()),
        (206, _) => failed(FailureKind::Protocol, "only a part was sent, unasked".to_owned()),
        (200..=299, _) => match answer.body {
            BodyEnd::Broken(failure) => failure.into(),
            BodyEnd::Capped => Outcome::Truncated { cap: Cap::BodyBytes },
            BodyEnd::Whole if response.body.is_empty() => {
                failed(FailureKind::Empty, format!("HTTP {} without a body", response.status))
            }
            BodyEnd::Whole => Outcome::NewContent,
        },
        (status @ (404 | 410), _) => Outcome::Gone { status },
        (status @ (429 | 503), Some(until)) => Outcome::Busy { status, until },
        (status, _) => failed(FailureKind::Status, format!("HTTP {status}")),
    };
    (outcome, response)
}

/// Our own manners say: not before `until`.
fn own_manners(until: Timestamp) -> Outcome {
    Outcome::Busy { status: OWN_MANNERS, until }
}
