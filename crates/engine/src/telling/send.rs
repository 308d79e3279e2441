//! One try: through the gate, to a webhook or a mail server.

use super::{letter, webhook};
use crate::worker::Worker;
use fetch::{Encryption, MailFailure, MailServer, Post, PostFailure, Posted};
use std::time::Duration;
use store::{Dispatch, MailTarget, Target};
use url::Url;

/// The status it was taken with, or why it was not.
pub(super) type Sent = Result<Option<u16>, Trouble>;

/// Why it was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    /// In words.
    pub(super) error: String,
    /// The status it was answered with.
    pub(super) status: Option<u16>,
    /// How long the endpoint wants to be left alone.
    pub(super) retry_after: Option<Duration>,
    /// It never wants this one.
    pub(super) for_good: bool,
    /// Any other message would have met the same.
    pub(super) channel_waits: bool,
}

impl Trouble {
    /// Trouble that any message would have met.
    pub(super) fn of_channel(error: impl Into<String>) -> Self {
        Self { error: error.into(), status: None, retry_after: None, for_good: false, channel_waits: true }
    }

    /// Trouble that may be about this message alone.
    pub(super) fn of_message(error: impl Into<String>) -> Self {
        Self { channel_waits: false, ..Self::of_channel(error) }
    }
}

pub(super) async fn send(worker: &Worker, dispatch: &Dispatch) -> Sent {
    match &dispatch.channel.settings.target {
        Target::Webhook { url, secret } => post(worker, dispatch, url, secret.reveal()).await,
        Target::Mail(mail) => mail_it(worker, dispatch, mail).await,
    }
}

async fn post(worker: &Worker, dispatch: &Dispatch, url: &Url, secret: &str) -> Sent {
    let content = webhook::content(dispatch, &worker.settings.public_url);
    let headers = webhook::headers(&dispatch.key, secret, &content);
    let post = Post { url, headers: &headers, content_type: "application/json", content };
    match worker.fetcher.post(post).await {
        Ok(posted) => judge(posted),
        Err(refused @ PostFailure::Refused(_)) => Err(Trouble::of_channel(refused.to_string())),
        Err(PostFailure::Failed(outcome)) => Err(Trouble::of_channel(outcome.to_string())),
    }
}

fn judge(posted: Posted) -> Sent {
    let Posted { status, retry_after, redirect, said } = posted;
    let words = |error: String| if said.is_empty() { error } else { format!("{error}: {said}") };
    let trouble = match status {
        200..=299 => return Ok(Some(status)),
        410 => Trouble {
            for_good: true,
            ..Trouble::of_message(
                "HTTP 410: the endpoint is gone; remove the channel, or give it another address",
            )
        },
        _ if redirect.is_some() => Trouble::of_channel(format!(
            "HTTP {status}: it redirects to {}, which is not followed; if that is right, set the new address",
            redirect.unwrap_or_default()
        )),
        408 | 425 | 429 | 500.. => Trouble::of_channel(words(format!("HTTP {status}"))),
        _ => Trouble::of_message(words(format!("HTTP {status}"))),
    };
    Err(Trouble { status: Some(status), retry_after, ..trouble })
}

async fn mail_it(worker: &Worker, dispatch: &Dispatch, mail: &MailTarget) -> Sent {
    let letter = letter::letter(dispatch, mail, &worker.settings.public_url, worker.clock.now())
        .map_err(|error| Trouble::of_message(error.to_string()))?;
    let login = mail.user.as_deref().zip(mail.password.as_ref().map(store::Hidden::reveal));
    let server = MailServer {
        host: &mail.host,
        port: mail.port,
        encryption: match mail.encryption {
            store::Encryption::Implicit => Encryption::Implicit,
            store::Encryption::Starttls => Encryption::Starttls,
            store::Encryption::None => Encryption::None,
        },
        login,
    };
    worker.fetcher.mail(&server, &letter).await.map(|()| None).map_err(|failure| {
        let error = failure.to_string();
        match failure {
            MailFailure::Said { code, about_letter, .. } => {
                Trouble { status: Some(code), channel_waits: !about_letter, ..Trouble::of_channel(error) }
            }
            _ => Trouble::of_channel(error),
        }
    })
}
