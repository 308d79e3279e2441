//! Handing mail to a server over SMTP (RFC 5321), on a connection that the gate opened.
//!
//! Small on purpose: one letter a connection, every step with a time limit and a cap. The letter itself is made
//! elsewhere.

mod dialogue;
mod stream;

use crate::failure::{Failure, Fault};
use crate::fetcher::{Fetcher, Shared};
use crate::gate::Refusal;
use crate::tls;
use dialogue::Dialogue;
use model::{FailureKind, Outcome};
use std::time::Duration;
use stream::Line;
use tokio::net::TcpStream;
use url::Host;

/// A server that takes our mail. It cannot be printed: it holds a password.
#[derive(Clone, Copy)]
pub struct MailServer<'a> {
    /// Its name or address.
    pub host: &'a str,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: Encryption,
    /// User name and password, if it wants them.
    pub login: Option<(&'a str, &'a str)>,
}

/// How the connection is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    /// From the first byte.
    Implicit,
    /// After `STARTTLS`; a server that does not offer it gets nothing.
    Starttls,
    /// Not at all: only to private addresses that are allowed by name.
    None,
}

/// A letter with its envelope.
#[derive(Debug, Clone)]
pub struct Letter {
    /// The address it is from.
    pub from: String,
    /// The addresses it is for.
    pub to: Vec<String>,
    /// Headers and body, 7-bit.
    pub content: Vec<u8>,
}

/// Why a letter was not taken.
#[derive(Debug, thiserror::Error)]
pub enum MailFailure {
    /// The gate refused; nobody was asked.
    #[error("the gate refused it: {0}")]
    Refused(#[from] Refusal),
    /// Without encryption mail leaves only to private addresses.
    #[error(
        "{0} is not a private address, and without encryption anyone on the way could read the mail: use implicit TLS or STARTTLS"
    )]
    Unprotected(String),
    /// The connection failed.
    #[error("{0}")]
    Failed(String),
    /// The server does not offer what is needed.
    #[error("{0}")]
    NotOffered(String),
    /// The server said no.
    #[error("the mail server answered to {step}: {code} {text}")]
    Said {
        /// What we had said.
        step: &'static str,
        /// Its code.
        code: u16,
        /// Its words.
        text: String,
        /// It is about this letter rather than about us.
        about_letter: bool,
    },
}

/// All steps together; RFC 5321 allows single ones to take minutes, but nobody waits for that here.
const TOTAL: Duration = Duration::from_mins(1);

impl Fetcher {
    /// Hands a letter to a mail server.
    pub async fn mail(&self, server: &MailServer<'_>, letter: &Letter) -> Result<(), MailFailure> {
        let limit = self.shared().settings.limits.total.min(TOTAL);
        let late = || Err(Failure::timeout("the mail server did not take the letter", limit).into());
        tokio::time::timeout(limit, hand_over(self.shared(), server, letter)).await.unwrap_or_else(|_| late())
    }
}

async fn hand_over(shared: &Shared, server: &MailServer<'_>, letter: &Letter) -> Result<(), MailFailure> {
    let limits = &shared.settings.limits;
    let host = shared.gate.check_server(server.host, server.port)?;
    let connecting = connect(shared, server, borrowed(&host));
    let stream = tokio::time::timeout(limits.connect, connecting)
        .await
        .unwrap_or_else(|_| Err(Failure::timeout("no connection", limits.connect).into()))?;
    let name = stream.local_addr().map_or_else(|_| "localhost".into(), |address| literal(address.ip()));
    let encrypt = async |stream: TcpStream| {
        let name = tls::server_name(&borrowed(&host))
            .ok_or_else(|| Failure::new(FailureKind::Tls, "no certificate can name this host"))?;
        // HTTP's protocols mean nothing here.
        let handshake = shared.tls.with_alpn(Vec::new()).connect(name, stream);
        let done = tokio::time::timeout(limits.connect, handshake).await;
        let stream = done.map_err(|_| Failure::timeout("no TLS", limits.connect))?;
        Ok::<_, MailFailure>(stream.map_err(|error| Failure::tls(&error))?)
    };
    match server.encryption {
        Encryption::Implicit => {
            let mut dialogue = Dialogue::new(Line::new(encrypt(stream).await?, limits.first_byte), name);
            dialogue.greet().await?;
            dialogue.send(server.login, letter).await
        }
        Encryption::Starttls => {
            let mut dialogue = Dialogue::new(Line::new(stream, limits.first_byte), name.clone());
            dialogue.greet().await?;
            let stream = encrypt(dialogue.start_tls().await?).await?;
            let mut dialogue = Dialogue::new(Line::new(stream, limits.first_byte), name);
            // What was offered in the clear may have been forged.
            dialogue.introduce().await?;
            dialogue.send(server.login, letter).await
        }
        Encryption::None => {
            let mut dialogue = Dialogue::new(Line::new(stream, limits.first_byte), name);
            dialogue.greet().await?;
            dialogue.send(server.login, letter).await
        }
    }
}

async fn connect(
    shared: &Shared,
    server: &MailServer<'_>,
    host: Host<&str>,
) -> Result<TcpStream, MailFailure> {
    let admitted =
        shared.gate.admit_host(host, server.port, shared.resolver.as_ref()).await.map_err(Fault::from)?;
    if server.encryption == Encryption::None && !admitted.is_private() {
        return Err(MailFailure::Unprotected(server.host.to_owned()));
    }
    Ok(admitted.connect().await.map_err(|error| {
        Failure::new(FailureKind::Connect, format!("{}:{}: {error}", server.host, server.port))
    })?)
}

fn borrowed(host: &Host) -> Host<&str> {
    match host {
        Host::Domain(name) => Host::Domain(name),
        Host::Ipv4(address) => Host::Ipv4(*address),
        Host::Ipv6(address) => Host::Ipv6(*address),
    }
}

/// An address as SMTP writes it in place of a name.
fn literal(address: std::net::IpAddr) -> String {
    match address {
        std::net::IpAddr::V4(address) => format!("[{address}]"),
        std::net::IpAddr::V6(address) => format!("[IPv6:{address}]"),
    }
}

impl From<Failure> for MailFailure {
    fn from(failure: Failure) -> Self {
        // The kind is named after HTTP, which this is not.
        let is_http = failure.kind == FailureKind::Protocol;
        Self::Failed(if is_http { failure.detail } else { Outcome::from(failure).to_string() })
    }
}

impl From<Fault> for MailFailure {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(refusal) => Self::Refused(refusal),
            Fault::Failed(failure) | Fault::Lost(failure) => failure.into(),
        }
    }
}
