//! A channel as someone asks for it, in words: the pages, the API and the command line mean the same by them.

use super::check::{ChannelError, check};
use crate::worker::Worker;
use jiff::tz::TimeZone;
use model::{ChannelId, FolderId};
use std::str::FromStr;
use store::{Channel, ChannelSettings, Encryption, Hidden, MailTarget, Rhythm, Secret, StoreError, Target};

/// What is to be set. What is left out stays as it is, or takes its default.
#[derive(Clone, Default)]
pub struct ChannelWish {
    /// What it is called; by default after where it leads.
    pub name: Option<String>,
    /// Where a webhook is.
    pub url: Option<String>,
    /// What its messages are signed with; by default a new random text.
    pub secret: Option<String>,
    /// Make a new secret.
    pub new_secret: bool,
    /// The mail server.
    pub host: Option<String>,
    /// Its port; by default the usual one.
    pub port: Option<u16>,
    /// `implicit` (the default), `starttls` or `none`.
    pub encryption: Option<String>,
    /// The user to log in as; empty: no login.
    pub user: Option<String>,
    /// The password to log in with.
    pub password: Option<String>,
    /// Who the mail is from.
    pub from: Option<String>,
    /// Whom it is for.
    pub to: Option<Vec<String>>,
    /// Kinds of messages.
    pub wants: Option<Vec<String>>,
    /// Only these folders; none: all.
    pub folders: Option<Vec<FolderId>>,
    /// `at_once` (the default), `hourly` or `daily 08:00`.
    pub rhythm: Option<String>,
    /// `22:00-07:00`; empty: none.
    pub quiet: Option<String>,
    /// The time zone these hours are meant in; by default this machine's.
    pub zone: Option<String>,
    /// Whether it is told anything.
    pub enabled: Option<bool>,
}

/// This machine's time zone, by its name.
pub fn default_zone() -> String {
    let zone = TimeZone::system();
    let name = zone.iana_name().filter(|name| TimeZone::get(name).is_ok());
    name.unwrap_or("UTC").to_owned()
}

pub(crate) async fn add(worker: &Worker, kind: &str, wish: ChannelWish) -> Result<Channel, ChannelError> {
    let settings = wish.fulfilled(blank(kind, &wish)?)?;
    settle(worker, &settings).await?;
    let id = worker.store.add_channel(settings, worker.clock.now()).await?;
    Ok(worker.store.channel(id).await?)
}

pub(crate) async fn change(
    worker: &Worker,
    id: ChannelId,
    wish: ChannelWish,
) -> Result<Channel, ChannelError> {
    let settings = wish.fulfilled(worker.store.channel(id).await?.settings)?;
    settle(worker, &settings).await?;
    worker.store.set_channel(id, settings, worker.clock.now()).await?;
    worker.tell.notify_one();
    Ok(worker.store.channel(id).await?)
}

async fn settle(worker: &Worker, settings: &ChannelSettings) -> Result<(), ChannelError> {
    check(worker.fetcher.gate(), settings)?;
    let wanted = settings.folders.clone();
    let unknown = worker
        .store
        .knowledge(move |base| wanted.into_iter().find(|id| base.folders().get(*id).is_none()))
        .await?;
    match unknown {
        Some(id) => Err(StoreError::NotFound { what: format!("folder {id}") }.into()),
        None => Ok(()),
    }
}

/// A new channel before anything is said about it.
fn blank(kind: &str, wish: &ChannelWish) -> Result<ChannelSettings, ChannelError> {
    let target = match kind {
        "webhook" => Target::Webhook {
            url: read_url(wish.url.as_deref().ok_or(ChannelError::Missing("the webhook's URL"))?)?,
            secret: new_secret()?,
        },
        "mail" => Target::Mail(MailTarget {
            host: wish.host.clone().ok_or(ChannelError::Missing("the mail server's name"))?,
            port: 0,
            encryption: Encryption::Implicit,
            user: None,
            password: None,
            from: wish.from.clone().ok_or(ChannelError::Missing("the address it is from"))?,
            to: wish.to.clone().ok_or(ChannelError::Missing("the address it is for"))?,
        }),
        other => {
            return Err(ChannelError::Unreadable(format!(
                "“{other}” is no kind of channel: webhook or mail"
            )));
        }
    };
    let name = match &target {
        Target::Webhook { url, .. } => url.host_str().unwrap_or("webhook").to_owned(),
        Target::Mail(mail) => mail.to.first().cloned().unwrap_or_else(|| "mail".into()),
    };
    Ok(ChannelSettings {
        name,
        target,
        wants: ["event_opened", "event_ended", "watch_changed", "watch_gone", "watch_ended"]
            .map(str::to_owned)
            .into(),
        folders: Vec::new(),
        rhythm: Rhythm::AtOnce,
        quiet: None,
        zone: default_zone(),
        enabled: true,
    })
}

fn new_secret() -> Result<Hidden, ChannelError> {
    Ok(Hidden::new(Secret::new("rwh_")?.reveal()))
}

fn read_url(text: &str) -> Result<url::Url, ChannelError> {
    let text = text.trim();
    if text.contains('\\') {
        return Err(fetch::gate::Refusal::Backslash.into());
    }
    let url = url::Url::parse(text);
    url.map_err(|why| fetch::gate::Refusal::NotAUrl { text: text.to_owned(), why }.into())
}

fn read<T: FromStr<Err = String>>(text: &str) -> Result<T, ChannelError> {
    text.trim().parse().map_err(ChannelError::Unreadable)
}

impl ChannelWish {
    fn fulfilled(&self, mut settings: ChannelSettings) -> Result<ChannelSettings, ChannelError> {
        match &mut settings.target {
            Target::Webhook { url, secret } => {
                if let Some(new) = &self.url {
                    *url = read_url(new)?;
                }
                match self.secret.as_deref().filter(|secret| !secret.is_empty()) {
                    Some(given) => *secret = Hidden::new(given),
                    None if self.new_secret => *secret = new_secret()?,
                    None => {}
                }
                let odd = self.host.is_some() || self.to.is_some() || self.from.is_some();
                refuse(odd, "a webhook has no mail server and no addresses")?;
            }
            Target::Mail(mail) => {
                self.set_mail(mail)?;
                let odd = self.url.is_some() || self.secret.is_some() || self.new_secret;
                refuse(odd, "a mail channel has no URL and no secret")?;
            }
        }
        if let Some(name) = self.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
            name.clone_into(&mut settings.name);
        }
        set(&mut settings.wants, self.wants.as_ref());
        set(&mut settings.folders, self.folders.as_ref());
        set(&mut settings.zone, self.zone.as_ref());
        set(&mut settings.enabled, self.enabled.as_ref());
        if let Some(rhythm) = &self.rhythm {
            settings.rhythm = read(rhythm)?;
        }
        match self.quiet.as_deref().map(str::trim) {
            None => {}
            Some("") => settings.quiet = None,
            Some(hours) => settings.quiet = Some(read(hours)?),
        }
        Ok(settings)
    }

    fn set_mail(&self, mail: &mut MailTarget) -> Result<(), ChannelError> {
        if let Some(word) = &self.encryption {
            mail.encryption = Encryption::from_word(word).ok_or_else(|| {
                ChannelError::Unreadable(format!("“{word}” is no encryption: implicit, starttls or none"))
            })?;
        }
        if let Some(host) = &self.host {
            host.trim().clone_into(&mut mail.host);
        }
        match self.port {
            Some(port) => mail.port = port,
            None if mail.port == 0 || self.encryption.is_some() => mail.port = mail.encryption.usual_port(),
            None => {}
        }
        match self.user.as_deref().map(str::trim) {
            None => {}
            Some("") => (mail.user, mail.password) = (None, None),
            Some(user) => mail.user = Some(user.to_owned()),
        }
        if let Some(password) = self.password.as_deref().filter(|password| !password.is_empty()) {
            mail.password = Some(Hidden::new(password));
        }
        set(&mut mail.from, self.from.as_ref());
        set(&mut mail.to, self.to.as_ref());
        Ok(())
    }
}

fn set<T: Clone>(target: &mut T, value: Option<&T>) {
    if let Some(value) = value {
        value.clone_into(target);
    }
}

fn refuse(odd: bool, why: &str) -> Result<(), ChannelError> {
    if odd { Err(ChannelError::Unreadable(why.into())) } else { Ok(()) }
}
