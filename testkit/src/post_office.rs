//! A scripted mail server on loopback that keeps what it was given.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// How the server behaves. By default it takes everything, in the clear.
#[derive(Clone, Default)]
pub struct Manner {
    /// TLS from the first byte.
    pub implicit: Option<TlsAcceptor>,
    /// Offers STARTTLS.
    pub starttls: Option<TlsAcceptor>,
    /// Wants this login, offered in these ways, e.g. `PLAIN LOGIN`.
    pub login: Option<(&'static str, &'static str, &'static str)>,
    /// What it does badly.
    pub trouble: Option<Trouble>,
}

/// What a mail server may do badly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It accepts and says nothing.
    Silent,
    /// It greets with this code.
    Greets(u16),
    /// It answers every recipient with this code.
    Recipient(u16),
    /// It answers the letter with this code.
    Letter(u16),
    /// It hangs up in the middle of the letter.
    HangsUp,
    /// It thinks this long before each answer.
    Slow(Duration),
    /// It smuggles words in between STARTTLS and TLS.
    Smuggles,
}

/// A letter as received.
#[derive(Debug, Clone)]
pub struct Received {
    /// The envelope's sender.
    pub from: String,
    /// The envelope's recipients.
    pub to: Vec<String>,
    /// Headers and body, unstuffed.
    pub content: String,
    /// It came through TLS.
    pub encrypted: bool,
    /// Who had logged in.
    pub user: Option<String>,
}

impl Received {
    /// The content with quoted-printable undone.
    pub fn readable(&self) -> String {
        let mut bytes = Vec::new();
        let mut rest = self.content.replace("=\n", "").into_bytes().into_iter().peekable();
        while let Some(byte) = rest.next() {
            let code: String =
                if byte == b'=' { rest.clone().take(2).map(char::from).collect() } else { String::new() };
            match u8::from_str_radix(&code, 16) {
                Ok(meant) if code.len() == 2 => {
                    bytes.push(meant);
                    rest.nth(1);
                }
                _ => bytes.push(byte),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A header's value, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        let head = self.content.split("\n\n").next()?.replace("\n ", " ").replace("\n\t", " ");
        let line = head
            .lines()
            .find(|line| line.to_lowercase().starts_with(&format!("{}:", name.to_lowercase())))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    }
}

/// A scripted mail server. Dropping it stops it.
pub struct PostOffice {
    address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    said: Arc<Mutex<Vec<String>>>,
    _server: JoinSet<()>,
}

impl PostOffice {
    /// A server on a free port of 127.0.0.1.
    pub async fn start(manner: Manner) -> Self {
        Self::start_on(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), manner).await
    }

    /// A server on this very address.
    pub async fn start_on(address: SocketAddr, manner: Manner) -> Self {
        assert!(address.ip().is_loopback(), "tests stay on loopback");
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (received, said) = (Arc::default(), Arc::default());
        let mut server = JoinSet::new();
        let clerk = Clerk { manner, received: Arc::clone(&received), said: Arc::clone(&said) };
        server.spawn(async move {
            let mut sessions = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let clerk = clerk.clone();
                sessions.spawn(async move { clerk.serve(stream).await });
            }
        });
        Self { address, received, said, _server: server }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The letters taken so far.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// What was said to it so far, the letters left out.
    pub fn said(&self) -> Vec<String> {
        self.said.lock().unwrap().clone()
    }
}

#[derive(Clone)]
struct Clerk {
    manner: Manner,
    received: Arc<Mutex<Vec<Received>>>,
    said: Arc<Mutex<Vec<String>>>,
}

impl Clerk {
    async fn serve(&self, stream: tokio::net::TcpStream) {
        if let Some(tls) = &self.manner.implicit {
            if let Ok(stream) = tls.accept(stream).await {
                Talk { clerk: self, stream: BufReader::new(stream), encrypted: true, user: None }
                    .run(true)
                    .await;
            }
            return;
        }
        let talk = Talk { clerk: self, stream: BufReader::new(stream), encrypted: false, user: None };
        let (Some(stream), Some(tls)) = (talk.run(true).await, &self.manner.starttls) else { return };
        if let Ok(stream) = tls.accept(stream).await {
            Talk { clerk: self, stream: BufReader::new(stream), encrypted: true, user: None }
                .run(false)
                .await;
        }
    }
}

struct Talk<'a, S> {
    clerk: &'a Clerk,
    stream: BufReader<S>,
    encrypted: bool,
    user: Option<String>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Talk<'_, S> {
    /// Until it is over; the bare connection if TLS is to begin.
    async fn run(mut self, greet: bool) -> Option<S> {
        let trouble = self.clerk.manner.trouble;
        match trouble {
            Some(Trouble::Silent) => std::future::pending().await,
            Some(Trouble::Greets(code)) if greet => self.answer(&format!("{code} not now")).await?,
            _ if greet => self.answer("220 post office").await?,
            _ => {}
        }
        let (mut from, mut to) = (String::new(), Vec::new());
        loop {
            let line = self.line().await?;
            self.clerk.said.lock().unwrap().push(line.clone());
            if let Some(Trouble::Slow(pause)) = trouble {
                tokio::time::sleep(pause).await;
            }
            let word = line.to_ascii_uppercase();
            if word.starts_with("EHLO") {
                self.offers().await?;
            } else if word == "STARTTLS" {
                let smuggled = if trouble == Some(Trouble::Smuggles) { "\r\n250 trust me" } else { "" };
                self.answer(&format!("220 go on{smuggled}")).await?;
                return Some(self.stream.into_inner());
            } else if let Some(rest) = line.strip_prefix("AUTH ") {
                self.log_in(rest).await?;
            } else if word.starts_with("MAIL FROM:") {
                line[10..].trim_matches(['<', '>']).clone_into(&mut from);
                let allowed = self.clerk.manner.login.is_none() || self.user.is_some();
                self.answer(if allowed { "250 fine" } else { "530 log in first" }).await?;
            } else if word.starts_with("RCPT TO:") {
                to.push(line[8..].trim_matches(['<', '>']).to_owned());
                match trouble {
                    Some(Trouble::Recipient(code)) => self.answer(&format!("{code} not here")).await?,
                    _ => self.answer("250 fine").await?,
                }
            } else if word == "DATA" {
                self.answer("354 go on").await?;
                self.letter(&from, &to).await?;
            } else if word == "QUIT" {
                self.answer("221 bye").await?;
                return None;
            } else {
                self.answer("500 what?").await?;
            }
        }
    }

    async fn offers(&mut self) -> Option<()> {
        let mut lines = vec!["post office at your service".to_owned(), "SIZE 1000000".to_owned()];
        if self.clerk.manner.starttls.is_some() && !self.encrypted {
            lines.push("STARTTLS".into());
        }
        if let Some((_, _, ways)) = self.clerk.manner.login {
            lines.push(format!("AUTH {ways}"));
        }
        let last = lines.len() - 1;
        for (index, line) in lines.iter().enumerate() {
            let mark = if index == last { ' ' } else { '-' };
            self.answer(&format!("250{mark}{line}")).await?;
        }
        Some(())
    }

    async fn log_in(&mut self, words: &str) -> Option<()> {
        let decode =
            |text: &str| String::from_utf8(STANDARD.decode(text).unwrap_or_default()).unwrap_or_default();
        let (user, password) = if let Some(secret) = words.strip_prefix("PLAIN ") {
            let secret = decode(secret);
            let mut parts = secret.split('\0').skip(1);
            (parts.next()?.to_owned(), parts.next()?.to_owned())
        } else {
            self.answer("334 VXNlcm5hbWU6").await?;
            let user = decode(&self.line().await?);
            self.answer("334 UGFzc3dvcmQ6").await?;
            (user, decode(&self.line().await?))
        };
        let right = self.clerk.manner.login.is_some_and(|(name, word, _)| name == user && word == password);
        self.user = right.then_some(user);
        self.answer(if right { "235 welcome" } else { "535 wrong user or password" }).await
    }

    async fn letter(&mut self, from: &str, to: &[String]) -> Option<()> {
        let mut content = String::new();
        loop {
            let line = self.line().await?;
            if self.clerk.manner.trouble == Some(Trouble::HangsUp) {
                return None;
            }
            if line == "." {
                break;
            }
            content += line.strip_prefix('.').unwrap_or(&line);
            content.push('\n');
        }
        if let Some(Trouble::Letter(code)) = self.clerk.manner.trouble {
            return self.answer(&format!("{code} not this one")).await;
        }
        self.clerk.received.lock().unwrap().push(Received {
            from: from.to_owned(),
            to: to.to_vec(),
            content,
            encrypted: self.encrypted,
            user: self.user.clone(),
        });
        self.answer("250 taken").await
    }

    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).await.ok()?;
        (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
    }

    async fn answer(&mut self, words: &str) -> Option<()> {
        self.stream.write_all(format!("{words}\r\n").as_bytes()).await.ok()?;
        self.stream.flush().await.ok()
    }
}
