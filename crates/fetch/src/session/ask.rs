//! One hop: a connection, the request, and what the host's behaviour means for our manners.

use super::{Session, own_manners};
use crate::connection::{Connection, Outgoing, Unanswered};
use crate::exchange::{Answer, BodyEnd, exchange};
use crate::failure::{Failure, Fault};
use crate::headers;
use crate::journey::Journey;
use crate::pacer::Turn;
use crate::politeness::PAGE_STUMBLE;
use http::HeaderMap;
use jiff::Timestamp;
use model::{FailureKind, Outcome};
use std::time::Duration;
use url::Url;

/// One thing to ask.
pub(super) struct Errand<'a> {
    pub(super) url: &'a Url,
    pub(super) headers: &'a HeaderMap,
    /// Bytes of body to read at most.
    pub(super) cap: usize,
    pub(super) patience: Duration,
}

/// An answer, and what it taught us.
pub(super) struct Asked {
    pub(super) answer: Answer,
    /// The host is in trouble and may not be asked before.
    pub(super) until: Option<Timestamp>,
}

impl Session {
    /// Asks one thing while it is our turn.
    pub(super) async fn ask(
        &mut self,
        mut turn: Turn,
        errand: &Errand<'_>,
        journey: &mut Journey,
    ) -> Result<Asked, Outcome> {
        journey.visits(errand.url, self.shared.now());
        loop {
            let attempt = self.attempt(errand, journey).await;
            match attempt {
                Ok(answer) => {
                    let until = self.learn(&turn, &answer);
                    return Ok(Asked { answer, until });
                }
                Err(Fault::Refused(refusal)) => return Err(refusal.into()),
                // That is no fault of the host's.
                Err(_) if !self.may_ask() => return Err(own_manners(self.shared.now())),
                Err(Fault::Failed(failure)) => {
                    failure.stumble().map(|weight| turn.stumble(weight));
                    return Err(failure.into());
                }
                Err(Fault::Lost(failure)) => {
                    // At most once: the next attempt is on a new connection, which cannot be lost like this.
                    tracing::debug!(url = %errand.url, detail = failure.detail, "kept connection was lost; asking again");
                    drop(turn);
                    turn = self.shared.turn(errand.url, errand.patience).await.map_err(own_manners)?;
                }
            }
        }
    }

    async fn attempt(&mut self, errand: &Errand<'_>, journey: &mut Journey) -> Result<Answer, Fault> {
        let shared = self.shared.clone();
        let Errand { url, headers, cap, .. } = errand;
        let limits = &shared.settings.limits;
        let origin = model::origin(url);
        let mut kept = self.connections.take(&origin);
        loop {
            let is_kept = kept.is_some();
            if !self.may_ask() {
                return Err(Failure::new(FailureKind::Internal, "it is not ours to ask any more").into());
            }
            let mut connection = match kept.take() {
                Some(connection) => connection,
                None => Connection::open(&shared, url, self.leave.as_ref()).await?,
            };
            let outgoing = Outgoing { url, headers, content: None };
            match exchange(&mut connection, &outgoing, *cap, limits).await {
                Ok(answer) => {
                    journey.requests += 1;
                    if matches!(answer.body, BodyEnd::Whole) && connection.is_open() {
                        self.connections.keep(origin, connection);
                    }
                    return Ok(answer);
                }
                // Nobody has seen it, so it is still the same request.
                Err(Unanswered::Unsent) if is_kept => {}
                Err(Unanswered::Unsent) => {
                    let detail = "the connection was closed before anything could be asked";
                    return Err(Failure::new(FailureKind::Protocol, detail).into());
                }
                Err(Unanswered::Died(failure)) => {
                    journey.requests += 1;
                    return Err(if is_kept { Fault::Lost(failure) } else { Fault::Failed(failure) });
                }
                Err(Unanswered::Failed(failure)) => {
                    journey.requests += 1;
                    return Err(failure.into());
                }
            }
        }
    }

    fn learn(&self, turn: &Turn, answer: &Answer) -> Option<Timestamp> {
        let retry_after = headers::retry_after(&answer.headers, self.shared.now());
        match (answer.response.status, &answer.body) {
            (429 | 503, _) => Some(turn.trouble(retry_after)),
            (500.., _) if retry_after.is_some() => Some(turn.trouble(retry_after)),
            (500.., _) => turn.stumble(PAGE_STUMBLE),
            (_, BodyEnd::Broken(failure)) if failure.stumble().is_some() => turn.stumble(PAGE_STUMBLE),
            _ => {
                turn.success();
                None
            }
        }
    }
}
