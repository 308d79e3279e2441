//! The sites on loopback. Each host is an address of its own; one listener answers for all of them, and writes down every
//! request the moment it is read.

mod pages;

use super::world::World;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use jiff::Timestamp;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// What a busy host asks for. The program rests longer than that anyway.
pub(crate) const RETRY_AFTER: Duration = Duration::from_secs(5);

/// One line of the log.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// When it was read, from the beginning on.
    pub(crate) at: Duration,
    pub(crate) host: usize,
    pub(crate) path: String,
    pub(crate) status: u16,
    /// The process that asked, as it calls itself.
    pub(crate) by: String,
    /// From which address and port.
    pub(crate) from: SocketAddr,
}

/// The running sites.
pub(crate) struct Web {
    pub(crate) world: Arc<World>,
    pub(crate) port: u16,
    /// The moment from which all times count, and what the clock on the wall said then.
    pub(crate) began: Instant,
    pub(crate) began_at: Timestamp,
    shared: Arc<Shared>,
    _server: JoinSet<()>,
}

struct Shared {
    world: Arc<World>,
    began: Instant,
    began_at: Timestamp,
    port: u16,
    log: Mutex<Vec<Asked>>,
    /// How often each host has been busy.
    busy: Vec<AtomicUsize>,
}

impl Web {
    /// A port for all hosts. Nobody answers there before the web is started.
    pub(crate) async fn bind() -> anyhow::Result<TcpListener> {
        Ok(TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await?)
    }

    /// Starts the sites: their time begins now.
    pub(crate) fn start(world: Arc<World>, listener: TcpListener) -> anyhow::Result<Self> {
        let port = listener.local_addr()?.port();
        let (began, began_at) = (Instant::now(), Timestamp::now());
        let busy = world.hosts.iter().map(|_| AtomicUsize::new(0)).collect();
        let shared =
            Arc::new(Shared { world: world.clone(), began, began_at, port, log: Mutex::default(), busy });
        let mut server = JoinSet::new();
        server.spawn(listen(listener, shared.clone()));
        Ok(Self { world, port, began, began_at, shared, _server: server })
    }

    /// The URL of a path on a host.
    pub(crate) fn url(&self, host: usize, path: &str) -> String {
        self.world.url(self.port, host, path)
    }

    /// Time since the beginning.
    pub(crate) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// What was asked so far.
    pub(crate) fn log(&self) -> Vec<Asked> {
        self.shared.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How much was asked so far.
    pub(crate) fn requests(&self) -> usize {
        self.shared.log.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        // Too many open files for a moment are no reason to close for ever.
        let Ok((stream, from)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        connections.spawn(talk(stream, from, shared.clone()));
        while connections.try_join_next().is_some() {}
    }
}

async fn talk(stream: TcpStream, from: SocketAddr, shared: Arc<Shared>) {
    let Ok(here) = stream.local_addr() else { return };
    let IpAddr::V4(address) = here.ip() else { return };
    let Some(host) = shared.world.host_at(address) else { return };
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let (answer, thinks) = shared.answer(host, from, &request);
        async move {
            if !thinks.is_zero() {
                tokio::time::sleep(thinks).await;
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

impl Shared {
    fn answer(
        &self,
        host: usize,
        from: SocketAddr,
        request: &Request<Incoming>,
    ) -> (Response<Full<Bytes>>, Duration) {
        let (at, path) = (self.began.elapsed(), request.uri().path().to_owned());
        let answer = self.page(host, &path, at, request.headers());
        let status = answer.status().as_u16();
        let line = Asked { at, host, path, status, by: name_in(request.headers()), from };
        self.log.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        (answer, self.world.hosts[host].thinks)
    }

    fn page(&self, host: usize, path: &str, at: Duration, headers: &HeaderMap) -> Response<Full<Bytes>> {
        let is_list = path.starts_with("/list/") || path.starts_with("/feed/");
        if is_list && self.is_busy(host, at) {
            let retry_after = RETRY_AFTER.as_secs().to_string();
            return reply(StatusCode::SERVICE_UNAVAILABLE, &[("retry-after", &retry_after)], String::new());
        }
        let Some((kind, tag, body)) = self.content(host, path, at) else {
            return reply(StatusCode::NOT_FOUND, &[("content-type", "text/plain")], String::new());
        };
        if headers.get("if-none-match").is_some_and(|known| known == tag.as_str()) {
            return reply(StatusCode::NOT_MODIFIED, &[("etag", &tag)], String::new());
        }
        reply(StatusCode::OK, &[("content-type", kind), ("etag", &tag)], body)
    }

    /// Whether it is this host's time to be busy; each time holds for one request.
    fn is_busy(&self, host: usize, at: Duration) -> bool {
        let times = &self.world.hosts[host].busy;
        let been = self.busy[host].load(Ordering::Relaxed);
        let due = times.get(been).is_some_and(|time| *time <= at);
        due && self.busy[host].compare_exchange(been, been + 1, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// The process that asks, from what it says about its user: `Ripplewatch/0.1 (+http://rig/worker-2.7)`.
fn name_in(headers: &HeaderMap) -> String {
    let agent = headers.get("user-agent").and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let name = agent.rsplit('/').next().unwrap_or_default();
    name.trim_end_matches(')').to_owned()
}

fn reply(status: StatusCode, headers: &[(&'static str, &str)], body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    for (name, value) in headers {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(*name, value);
        }
    }
    response
}
