//! Connections and requests of one site.

use super::answer::{Answer, Stage};
use super::journal::Logged;
use http::Request;
use http::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH, USER_AGENT};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// A pause after a failed accept, so that a machine out of descriptors is not kept spinning.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// Serves a site until dropped; its connections end with it.
pub(super) async fn serve(listener: TcpListener, stage: Arc<Stage>) {
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                connections.spawn(converse(stream, Arc::clone(&stage)));
            }
            Err(error) => {
                tracing::debug!(%error, base = stage.base, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn converse(stream: TcpStream, stage: Arc<Stage>) {
    // Answers are written at once and small; waiting to fill a packet only adds delay.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| respond(Arc::clone(&stage), request));
    let connection =
        http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service);
    if let Err(error) = connection.await {
        tracing::trace!(%error, base = stage.base, "a connection ended early");
    }
}

async fn respond(stage: Arc<Stage>, request: Request<Incoming>) -> Result<Answer, Infallible> {
    let (at, real) = (stage.clock.now(), Instant::now());
    let behaviour = stage.scene.of(stage.site);
    if !behaviour.slow.is_zero() {
        tokio::time::sleep(behaviour.slow).await;
    }
    let (request, _) = request.into_parts();
    let answer = stage.answer(&request, &behaviour, stage.clock.now());
    let agent = request.headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    stage.journal.add(Logged {
        at,
        real,
        site: stage.site,
        path: request.uri.path_and_query().map_or_else(|| request.uri.to_string(), ToString::to_string),
        status: answer.status().as_u16(),
        agent: agent.to_owned(),
        conditional: request.headers.contains_key(IF_NONE_MATCH)
            || request.headers.contains_key(IF_MODIFIED_SINCE),
    });
    Ok(answer)
}
