//! A scripted web server on loopback that writes down what it was asked, and when.

mod answer;

pub use answer::Answer;

use http::{HeaderMap, Version};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use url::Url;

/// A scripted web server. Dropping it stops it.
pub struct Site {
    address: SocketAddr,
    scheme: &'static str,
    log: Log,
    _server: JoinSet<()>,
}

/// One line of the server's log.
#[derive(Debug, Clone)]
pub struct Asked {
    /// When it arrived.
    pub at: Instant,
    /// Path and query.
    pub path: String,
    /// The headers as received.
    pub headers: HeaderMap,
    /// HTTP/1.1 or HTTP/2.
    pub version: Version,
    /// On which connection, counted from 0.
    pub connection: usize,
    /// What was sent with it.
    pub content: Vec<u8>,
}

type Log = Arc<Mutex<Lines>>;

#[derive(Default)]
struct Lines {
    asked: Vec<Asked>,
    connections: usize,
}

impl Site {
    /// A server on 127.0.0.1 that answers as `script` says.
    pub async fn start(script: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        Self::start_at(Ipv4Addr::LOCALHOST.into(), None, script).await
    }

    /// A server that knows these paths, and answers 404 to all others, robots.txt included.
    pub async fn with<const N: usize>(routes: [(&'static str, Answer); N]) -> Self {
        Self::start(by_path(routes)).await
    }

    /// A server on any loopback address, with TLS if given a certificate.
    pub async fn start_at(
        address: IpAddr,
        tls: Option<TlsAcceptor>,
        script: impl Fn(&Asked) -> Answer + Send + Sync + 'static,
    ) -> Self {
        Self::start_on((address, 0).into(), tls, script).await
    }

    /// A server on this very address and port, e.g. that of one that was stopped.
    pub async fn start_on(
        address: SocketAddr,
        tls: Option<TlsAcceptor>,
        script: impl Fn(&Asked) -> Answer + Send + Sync + 'static,
    ) -> Self {
        assert!(address.ip().is_loopback(), "tests stay on loopback");
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let log = Log::default();
        let mut server = JoinSet::new();
        server.spawn(run(listener, tls, Arc::new(script), log.clone()));
        Self { address, scheme, log, _server: server }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a path here.
    pub fn url(&self, path: &str) -> Url {
        Url::parse(&format!("{}://{}{path}", self.scheme, self.address)).unwrap()
    }

    /// What it was asked so far.
    pub fn log(&self) -> Vec<Asked> {
        self.log.lock().unwrap().asked.clone()
    }

    /// The paths it was asked for so far.
    pub fn paths(&self) -> Vec<String> {
        self.log().into_iter().map(|asked| asked.path).collect()
    }

    /// How many connections were opened to it.
    pub fn connections(&self) -> usize {
        self.log.lock().unwrap().connections
    }
}

/// A script that knows these paths, and answers 404 to all others.
pub fn by_path<const N: usize>(
    routes: [(&'static str, Answer); N],
) -> impl Fn(&Asked) -> Answer + Send + Sync + 'static {
    move |asked| {
        let known = routes.iter().find(|(path, _)| *path == asked.path);
        known.map_or_else(|| Answer::status(404), |(_, answer)| answer.clone())
    }
}

type Script = Arc<dyn Fn(&Asked) -> Answer + Send + Sync>;

async fn run(listener: TcpListener, tls: Option<TlsAcceptor>, script: Script, log: Log) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        let (tls, script, log) = (tls.clone(), script.clone(), log.clone());
        let connection = {
            let mut lines = log.lock().unwrap();
            lines.connections += 1;
            lines.connections - 1
        };
        connections.spawn(async move {
            let Some(tls) = tls else {
                return serve(stream, false, connection, script, log).await;
            };
            // A client that refuses our certificate is what some tests are about.
            if let Ok(stream) = tls.accept(stream).await {
                let h2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                serve(stream, h2, connection, script, log).await;
            }
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn serve<S>(stream: S, h2: bool, connection: usize, script: Script, log: Log)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(move |request: http::Request<Incoming>| {
        let (script, log, at) = (script.clone(), log.clone(), Instant::now());
        async move {
            let (head, body) = request.into_parts();
            let asked = Asked {
                at,
                path: head.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned(),
                headers: head.headers,
                version: head.version,
                connection,
                content: body.collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default(),
            };
            log.lock().unwrap().asked.push(asked.clone());
            let answer = script(&asked);
            Ok::<http::Response<Full<Bytes>>, Infallible>(answer.give().await)
        }
    });
    // Clients that hang up are part of the tests.
    let _ = if h2 {
        hyper::server::conn::http2::Builder::new(TokioExecutor::new())
            .serve_connection(TokioIo::new(stream), service)
            .await
    } else {
        hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await
    };
}
