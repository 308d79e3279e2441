//! Where a channel leads. Secrets are kept, for they are needed to sign and to log in, but never shown by chance.

use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

/// Where a channel leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Target {
    /// Messages are posted there as JSON.
    Webhook {
        /// Where to.
        url: Url,
        /// What they are signed with.
        secret: Hidden,
    },
    /// Messages are sent as e-mail.
    Mail(MailTarget),
}

/// A mail server that takes our mail, and whom it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailTarget {
    /// The server's name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: Encryption,
    /// The user name to log in with; none: no login.
    pub user: Option<String>,
    /// The password to log in with.
    pub password: Option<Hidden>,
    /// Who it is from.
    pub from: String,
    /// Whom it is for.
    pub to: Vec<String>,
}

/// How a connection to a mail server is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encryption {
    /// TLS from the first byte (port 465).
    Implicit,
    /// TLS after `STARTTLS` (port 587).
    Starttls,
    /// None: only to private addresses that are allowed by name.
    None,
}

/// A text that is stored but not shown: not in logs, not in debug output.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hidden(String);

impl Hidden {
    /// A text to be hidden.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hidden")
    }
}

impl Encryption {
    /// Its name in settings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Implicit => "implicit",
            Self::Starttls => "starttls",
            Self::None => "none",
        }
    }

    /// By its name.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Implicit, Self::Starttls, Self::None].into_iter().find(|known| known.word() == word)
    }

    /// The port that mail programs use for it.
    pub fn usual_port(self) -> u16 {
        match self {
            Self::Implicit => 465,
            Self::Starttls => 587,
            Self::None => 25,
        }
    }
}

impl Target {
    /// Its kind in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Webhook { .. } => "webhook",
            Self::Mail(_) => "mail",
        }
    }
}

impl fmt::Display for Target {
    /// Where it leads, without secrets. A webhook's path often is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Webhook { url, .. } => f.write_str(&url.origin().ascii_serialization()),
            Self::Mail(mail) => write!(f, "{}", mail.to.join(", ")),
        }
    }
}
