//! One connection: HTTP/1.1, or HTTP/2 where TLS agreed on it.

mod leave;
mod tasks;

pub use leave::Leave;

use crate::failure::{Failure, Fault};
use crate::fetcher::Shared;
use crate::settings::Limits;
use crate::tls;
use http::{HeaderMap, HeaderValue, Method, Request, Uri};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper_util::rt::TokioIo;
use leave::Watched;
use model::FailureKind;
use std::future::poll_fn;
use tasks::Stop;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use url::{Position, Url};

type Content = Full<Bytes>;

/// What is sent: a GET, or a POST if it has content.
pub(crate) struct Outgoing<'a> {
    pub(crate) url: &'a Url,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) content: Option<Bytes>,
}

/// An open connection to one origin. Dropping it closes it.
pub(crate) struct Connection {
    sender: Sender,
    _stop: Stop,
}

enum Sender {
    H1 { sender: http1::SendRequest<Content>, surplus: oneshot::Receiver<bool> },
    H2(http2::SendRequest<Content>),
}

/// Why no head came back.
pub(crate) enum Unanswered {
    /// The request never left us.
    Unsent,
    /// The connection ended instead of answering; the request may have been seen.
    Died(Failure),
    /// It was answered badly, or not in time.
    Failed(Failure),
}

impl Connection {
    /// Resolves, passes the gate, connects and agrees on TLS, all within the connect limit. Nothing is sent on it without
    /// `leave`.
    pub(crate) async fn open(shared: &Shared, url: &Url, leave: Option<&Leave>) -> Result<Self, Fault> {
        let limit = shared.settings.limits.connect;
        tokio::time::timeout(limit, Self::open_unhurried(shared, url, leave))
            .await
            .unwrap_or_else(|_| Err(Failure::timeout("no connection", limit).into()))
    }

    async fn open_unhurried(shared: &Shared, url: &Url, leave: Option<&Leave>) -> Result<Self, Fault> {
        let limits = &shared.settings.limits;
        let admitted = shared.gate.admit(url, shared.resolver.as_ref()).await?;
        let stream = admitted
            .connect()
            .await
            .map_err(|error| Failure::new(FailureKind::Connect, error.to_string()))?;
        let stream = Watched::new(stream, leave.cloned());
        if url.scheme() == "http" {
            return Ok(Self::http1(stream, limits).await?);
        }
        let name = url.host().as_ref().and_then(tls::server_name);
        let name = name.ok_or_else(|| Failure::new(FailureKind::Tls, "no certificate can name this host"))?;
        let stream = shared.tls.connect(name, stream).await.map_err(|error| Failure::tls(&error))?;
        if stream.get_ref().1.alpn_protocol() == Some(tls::H2) {
            Ok(Self::http2(stream, limits).await?)
        } else {
            Ok(Self::http1(stream, limits).await?)
        }
    }

    async fn http1<S>(stream: S, limits: &Limits) -> Result<Self, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (tasks, stop) = tasks::group();
        let (sender, mut connection) = http1::Builder::new()
            .max_headers(limits.headers)
            .max_header_size(limits.header_bytes)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| Failure::protocol(&error))?;
        let (tell, surplus) = oneshot::channel();
        tasks.spawn(async move {
            // Whoever waits for an answer is told of an error by hyper itself.
            let _ = poll_fn(|cx| connection.poll_without_shutdown(cx)).await;
            let _ = tell.send(!connection.into_parts().read_buf.is_empty());
        });
        Ok(Self { sender: Sender::H1 { sender, surplus }, _stop: stop })
    }

    async fn http2<S>(stream: S, limits: &Limits) -> Result<Self, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (tasks, stop) = tasks::group();
        let (sender, connection) = http2::Builder::new(tasks.clone())
            .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX))
            // Nothing is pushed to us, and one stream at a time is what manners allow.
            .initial_stream_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| Failure::protocol(&error))?;
        tasks.spawn(async move {
            let _ = connection.await;
        });
        Ok(Self { sender: Sender::H2(sender), _stop: stop })
    }

    /// Whether another request can be tried on it.
    pub(crate) fn is_open(&self) -> bool {
        match &self.sender {
            Sender::H1 { sender, .. } => !sender.is_closed(),
            Sender::H2(sender) => !sender.is_closed(),
        }
    }

    /// Sends it and waits for the head of the answer.
    pub(crate) async fn send(
        &mut self,
        outgoing: &Outgoing<'_>,
    ) -> Result<http::Response<Incoming>, Unanswered> {
        let url = outgoing.url;
        match &mut self.sender {
            Sender::H1 { sender, .. } => {
                sender.ready().await.map_err(|_| Unanswered::Unsent)?;
                let mut request = outgoing.request(&url[Position::BeforePath..Position::AfterQuery])?;
                request.headers_mut().insert(http::header::HOST, authority(url)?);
                sender
                    .try_send_request(request)
                    .await
                    .map_err(|mut error| unanswered(error.take_message().is_some(), error.error()))
            }
            Sender::H2(sender) => {
                sender.ready().await.map_err(|_| Unanswered::Unsent)?;
                let request = outgoing.request(&url[..Position::AfterQuery])?;
                sender
                    .try_send_request(request)
                    .await
                    .map_err(|mut error| unanswered(error.take_message().is_some(), error.error()))
            }
        }
    }

    /// After a whole body: whether it was followed by bytes that belong to no answer, which means that its
    /// length was a lie. Only HTTP/1 can do that, and only what had arrived by then is seen.
    pub(crate) async fn has_surplus(&mut self) -> bool {
        match &mut self.sender {
            Sender::H1 { sender, surplus } => sender.ready().await.is_err() && surplus.await.unwrap_or(false),
            Sender::H2(_) => false,
        }
    }
}

/// How much an HTTP/2 server may send before we say "go on". A larger window only fills memory.
const WINDOW: u32 = 1 << 20;

fn unanswered(unsent: bool, error: &hyper::Error) -> Unanswered {
    match Failure::protocol(error) {
        _ if unsent => Unanswered::Unsent,
        failure if error.is_parse() => Unanswered::Failed(failure),
        failure => Unanswered::Died(failure),
    }
}

impl Outgoing<'_> {
    fn request(&self, target: &str) -> Result<Request<Content>, Unanswered> {
        let uri = Uri::try_from(target).map_err(|why| unsendable(target, &why))?;
        let mut request = Request::new(self.content.clone().map(Content::new).unwrap_or_default());
        if self.content.is_some() {
            *request.method_mut() = Method::POST;
        }
        *request.uri_mut() = uri;
        *request.headers_mut() = self.headers.clone();
        Ok(request)
    }
}

fn authority(url: &Url) -> Result<HeaderValue, Unanswered> {
    let text = &url[Position::BeforeHost..Position::AfterPort];
    HeaderValue::from_str(text).map_err(|why| unsendable(text, &why))
}

fn unsendable(text: &str, why: &dyn std::error::Error) -> Unanswered {
    Unanswered::Failed(Failure::new(FailureKind::Internal, format!("{text:?} cannot be sent: {why}")))
}
