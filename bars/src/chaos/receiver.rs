//! Where messages are posted to: writes each down, and does not always answer as it should.

use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use sample::Dice;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// A message as it came.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    pub(super) key: String,
    pub(super) content: String,
    /// Whether it was answered well.
    pub(super) thanked: bool,
}

/// What it does with a message it has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    Thanks,
    /// 500.
    Fails,
    /// Hangs up without a word.
    HangsUp,
}

pub(super) struct Receiver {
    pub(super) url: String,
    heard: Arc<Mutex<Vec<Heard>>>,
    _server: JoinSet<()>,
}

impl Receiver {
    pub(super) async fn start(seed: u64, failing: usize) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let url = format!("http://{}/hook", listener.local_addr()?);
        let (heard, dice) = (Arc::default(), Arc::new(Mutex::new(Dice::new(seed ^ 0xdead))));
        let mut server = JoinSet::new();
        server.spawn(listen(listener, Arc::clone(&heard), dice, failing));
        Ok(Self { url, heard, _server: server })
    }

    pub(super) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn listen(
    listener: TcpListener,
    heard: Arc<Mutex<Vec<Heard>>>,
    dice: Arc<Mutex<Dice>>,
    failing: usize,
) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (heard, dice) = (heard.clone(), dice.clone());
        connections.spawn(async move {
            let service = service_fn(move |request| hear(request, heard.clone(), dice.clone(), failing));
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn hear(
    request: Request<Incoming>,
    heard: Arc<Mutex<Vec<Heard>>>,
    dice: Arc<Mutex<Dice>>,
    failing: usize,
) -> Result<Response<Full<Bytes>>, std::io::Error> {
    let key = request
        .headers()
        .get("idempotency-key")
        .and_then(|key| key.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let content = request.into_body().collect().await.map_err(std::io::Error::other)?.to_bytes();
    let manner = {
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        let manner = manner(heard.len(), failing, &mut dice.lock().unwrap_or_else(PoisonError::into_inner));
        let content = String::from_utf8_lossy(&content).into_owned();
        heard.push(Heard { key, content, thanked: manner == Manner::Thanks });
        manner
    };
    match manner {
        Manner::Thanks => Ok(Response::new(Full::default())),
        Manner::Fails => {
            let mut response = Response::new(Full::default());
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            Ok(response)
        }
        Manner::HangsUp => Err(std::io::Error::other("hung up")),
    }
}

/// Each failure makes the channel rest for half a minute: few percent, but the third message for sure.
fn manner(before: usize, failing: usize, dice: &mut Dice) -> Manner {
    match (dice.chance(failing), dice.chance(50)) {
        (false, _) if before != 2 => Manner::Thanks,
        (_, true) => Manner::Fails,
        _ => Manner::HangsUp,
    }
}
