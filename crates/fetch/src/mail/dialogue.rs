//! What is said, step by step.

use super::stream::{Line, Reply};
use super::{Letter, MailFailure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncRead, AsyncWrite};

/// A conversation with a mail server.
pub(super) struct Dialogue<S> {
    line: Line<S>,
    /// Who we say we are.
    name: String,
    /// What the server offers, in upper case.
    offers: Vec<String>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Dialogue<S> {
    pub(super) fn new(line: Line<S>, name: String) -> Self {
        Self { line, name, offers: Vec::new() }
    }

    /// Waits for its greeting and introduces us.
    pub(super) async fn greet(&mut self) -> Result<(), MailFailure> {
        let greeting = self.line.reply().await?;
        fine("the connection", &greeting)?;
        self.introduce().await
    }

    /// Introduces us and hears what is offered.
    pub(super) async fn introduce(&mut self) -> Result<(), MailFailure> {
        let reply = self.say(&format!("EHLO {}", self.name)).await?;
        fine("EHLO", &reply)?;
        self.offers = reply.lines.iter().skip(1).map(|line| line.to_ascii_uppercase()).collect();
        Ok(())
    }

    /// Asks for TLS; the connection it may then be spoken on.
    pub(super) async fn start_tls(mut self) -> Result<S, MailFailure> {
        if !self.offers.iter().any(|offer| offer == "STARTTLS") {
            return Err(MailFailure::NotOffered(
                "the mail server does not offer STARTTLS, so nothing was sent: use implicit TLS (port 465), or check host and port".into(),
            ));
        }
        fine("STARTTLS", &self.say("STARTTLS").await?)?;
        // Words sent before TLS begins would be taken for words sent within it.
        self.line.into_inner().ok_or_else(|| {
            MailFailure::NotOffered(
                "the mail server sent something between STARTTLS and TLS; nothing was sent".into(),
            )
        })
    }

    /// Logs in, hands the letter over, says goodbye.
    pub(super) async fn send(
        &mut self,
        login: Option<(&str, &str)>,
        letter: &Letter,
    ) -> Result<(), MailFailure> {
        if let Some((user, password)) = login {
            self.log_in(user, password).await?;
        }
        let from = envelope(&letter.from)?;
        fine_letter("MAIL FROM", &self.say(&format!("MAIL FROM:<{from}>")).await?)?;
        // One address that is not known must not keep the letter from the others.
        let (mut accepted, mut refused) = (false, None);
        for to in &letter.to {
            let to = envelope(to)?;
            match fine_letter("RCPT TO", &self.say(&format!("RCPT TO:<{to}>")).await?) {
                Ok(()) => accepted = true,
                Err(failure) => {
                    tracing::warn!(%failure, "a mail server refused one of the recipients");
                    refused = refused.or(Some(failure));
                }
            }
        }
        if let Some(failure) = refused.filter(|_| !accepted) {
            return Err(failure);
        }
        let reply = self.say("DATA").await?;
        if reply.code != 354 {
            return Err(said("DATA", &reply, true));
        }
        self.line.write(&stuffed(&letter.content)).await?;
        fine_letter("the letter", &self.line.reply().await?)?;
        // It has the letter; what it thinks of our goodbye does not matter.
        let _ = self.line.write(b"QUIT\r\n").await;
        Ok(())
    }

    async fn log_in(&mut self, user: &str, password: &str) -> Result<(), MailFailure> {
        let offered = self.offers.iter().find_map(|offer| offer.strip_prefix("AUTH"));
        let ways: Vec<&str> =
            offered.unwrap_or_default().split([' ', '=']).filter(|way| !way.is_empty()).collect();
        if ways.contains(&"PLAIN") {
            let secret = STANDARD.encode(format!("\0{user}\0{password}"));
            return fine("AUTH", &self.say(&format!("AUTH PLAIN {secret}")).await?);
        }
        if ways.contains(&"LOGIN") {
            for words in ["AUTH LOGIN".to_owned(), STANDARD.encode(user)] {
                let reply = self.say(&words).await?;
                if reply.code != 334 {
                    return Err(said("AUTH", &reply, false));
                }
            }
            return fine("AUTH", &self.say(&STANDARD.encode(password)).await?);
        }
        Err(MailFailure::NotOffered(format!(
            "the mail server offers no login we know (PLAIN or LOGIN) but {}; leave user and password empty if it needs none",
            if ways.is_empty() { "none at all".into() } else { ways.join(", ") }
        )))
    }

    async fn say(&mut self, words: &str) -> Result<Reply, MailFailure> {
        self.line.write(format!("{words}\r\n").as_bytes()).await?;
        Ok(self.line.reply().await?)
    }
}

fn fine(step: &'static str, reply: &Reply) -> Result<(), MailFailure> {
    if reply.is_fine() { Ok(()) } else { Err(said(step, reply, false)) }
}

fn fine_letter(step: &'static str, reply: &Reply) -> Result<(), MailFailure> {
    if reply.is_fine() { Ok(()) } else { Err(said(step, reply, true)) }
}

fn said(step: &'static str, reply: &Reply, about_letter: bool) -> MailFailure {
    // 421: it is closing, whatever the step was.
    let about_letter = about_letter && reply.code != 421;
    MailFailure::Said { step, code: reply.code, text: reply.text(), about_letter }
}

/// An address that cannot be taken for anything else on its line.
fn envelope(address: &str) -> Result<&str, MailFailure> {
    let fits = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>');
    if !address.is_empty() && address.len() <= 320 && address.bytes().all(fits) {
        return Ok(address);
    }
    Err(MailFailure::NotOffered(format!(
        "{address:?} cannot be written on an envelope: use plain ASCII addresses"
    )))
}

/// Lines ended by CR LF, dots at their beginning doubled, a dot alone at the end.
fn stuffed(content: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(content.len() + content.len() / 50 + 8);
    let content = content.strip_suffix(b"\n").unwrap_or(content);
    for line in content.split(|byte| *byte == b'\n') {
        if line.first() == Some(&b'.') {
            text.push(b'.');
        }
        // A bare CR may be taken for the end of a line by the next server: none is sent.
        text.extend(line.iter().filter(|byte| **byte != b'\r'));
        text.extend_from_slice(b"\r\n");
    }
    text.extend_from_slice(b".\r\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_cannot_end_early() {
        assert_eq!(stuffed(b"a\r\n.\r\nb"), b"a\r\n..\r\nb\r\n.\r\n");
        assert_eq!(stuffed(b".\n"), b"..\r\n.\r\n");
        assert_eq!(stuffed(b"a\r.\rb\n"), b"a.b\r\n.\r\n");
        assert_eq!(stuffed(b""), b"\r\n.\r\n");
    }

    #[test]
    fn an_envelope_holds_one_address() {
        assert!(envelope("a@b.example").is_ok());
        for odd in ["", "a@b>\r\nRCPT TO:<c@d", "a b@c", "ä@b", "<a@b>", &"a".repeat(400)] {
            assert!(envelope(odd).is_err(), "{odd}");
        }
    }
}
