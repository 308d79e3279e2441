//! Whether a channel can work, as far as that can be told without trying.

use super::letter;
use fetch::gate::{Gate, Refusal};
use jiff::tz::TimeZone;
use store::{ChannelSettings, Encryption, MESSAGE_KINDS, MailTarget, StoreError, Target};

const LONGEST_NAME: usize = 100;
const MOST_RECIPIENTS: usize = 20;
/// HMAC-SHA-256 gains nothing from more; fewer than this could be guessed.
const SHORTEST_SECRET: usize = 16;

/// What is wrong with a channel, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum ChannelError {
    /// Its name.
    #[error("a channel needs a name of 1 to {LONGEST_NAME} characters")]
    Name,
    /// The gate would not let it out.
    #[error("{0}")]
    Gate(#[from] Refusal),
    /// The secret is too short.
    #[error(
        "the secret is too short: give at least {SHORTEST_SECRET} characters, or leave it to Ripplewatch"
    )]
    Secret,
    /// An address.
    #[error("{0}")]
    Address(String),
    /// Nobody to write to.
    #[error("say whom to write to: 1 to {MOST_RECIPIENTS} addresses")]
    Recipients,
    /// User and password belong together.
    #[error("a user name needs a password, and a password a user name")]
    Login,
    /// Mail in the clear over the internet.
    #[error(
        "without encryption mail goes only to private addresses that are allowed by name; use implicit TLS or STARTTLS"
    )]
    Unprotected,
    /// An unknown kind of message.
    #[error("“{0}” is no kind of message; there are {kinds}", kinds = kinds())]
    Kind(String),
    /// Nothing to tell.
    #[error("choose at least one kind of message")]
    Nothing,
    /// Something that must be said was not.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// Something that cannot be read, or does not belong to this kind of channel.
    #[error("{0}")]
    Unreadable(String),
    /// It could not be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An unknown time zone.
    #[error("“{0}” is not the name of a time zone; write for example Europe/Berlin or UTC")]
    Zone(String),
    /// Quiet hours that never end, or never begin.
    #[error("quiet hours must end at another time than they begin")]
    Quiet,
}

pub(super) fn check(gate: &Gate, settings: &ChannelSettings) -> Result<(), ChannelError> {
    let length = settings.name.trim().chars().count();
    if !(1..=LONGEST_NAME).contains(&length) || settings.name.chars().any(char::is_control) {
        return Err(ChannelError::Name);
    }
    match &settings.target {
        Target::Webhook { url, secret } => {
            gate.check_url(url)?;
            if secret.reveal().len() < SHORTEST_SECRET {
                return Err(ChannelError::Secret);
            }
        }
        Target::Mail(mail) => check_mail(gate, mail)?,
    }
    if settings.wants.is_empty() {
        return Err(ChannelError::Nothing);
    }
    let known = |kind: &String| MESSAGE_KINDS.iter().any(|(word, _)| word == kind);
    if let Some(unknown) = settings.wants.iter().find(|kind| !known(kind)) {
        return Err(ChannelError::Kind(unknown.clone()));
    }
    if TimeZone::get(&settings.zone).is_err() {
        return Err(ChannelError::Zone(settings.zone.clone()));
    }
    match settings.quiet {
        Some(quiet) if quiet.from == quiet.to => Err(ChannelError::Quiet),
        _ => Ok(()),
    }
}

fn check_mail(gate: &Gate, mail: &MailTarget) -> Result<(), ChannelError> {
    let host = gate.check_server(&mail.host, mail.port)?;
    // A name shows where it leads only when mail is sent; then it is looked at again.
    let is_public = match host {
        url::Host::Domain(_) => false,
        url::Host::Ipv4(address) => Gate::default().check_address(address.into()).is_ok(),
        url::Host::Ipv6(address) => Gate::default().check_address(address.into()).is_ok(),
    };
    if mail.encryption == Encryption::None && is_public {
        return Err(ChannelError::Unprotected);
    }
    let filled = |text: Option<&str>| text.is_some_and(|text| !text.is_empty());
    if filled(mail.user.as_deref()) != filled(mail.password.as_ref().map(store::Hidden::reveal)) {
        return Err(ChannelError::Login);
    }
    if !(1..=MOST_RECIPIENTS).contains(&mail.to.len()) {
        return Err(ChannelError::Recipients);
    }
    for address in mail.to.iter().chain([&mail.from]) {
        letter::mailbox(address).map_err(|error| ChannelError::Address(error.to_string()))?;
    }
    Ok(())
}

fn kinds() -> String {
    MESSAGE_KINDS.map(|(word, _)| word).join(", ")
}
