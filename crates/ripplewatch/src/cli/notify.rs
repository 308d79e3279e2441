//! What can be typed about telling people.

use super::network;
use clap::{Args, Subcommand};
use model::{ChannelId, DeliveryId};

#[derive(Debug, Subcommand)]
pub(crate) enum Notify {
    /// List the channels, and how each is doing
    List,
    /// Make a channel
    #[command(subcommand)]
    Add(Box<AddChannel>),
    /// Remove channels, and what is on its way through them
    Remove {
        /// Their ids or names
        #[arg(required = true)]
        channels: Vec<ChannelRef>,
    },
    /// Send a test through a channel, or through all, and say how it went
    Test {
        /// Its id or name
        channel: Option<ChannelRef>,
        /// Address or network that may be reached although it is private; may be repeated
        #[arg(long, value_name = "NET", value_parser = network)]
        allow: Vec<ipnet::IpNet>,
    },
    /// List what was delivered, what waits and what was given up, newest first
    Deliveries {
        /// Only those through this channel
        #[arg(long)]
        channel: Option<ChannelRef>,
        /// Only those that stand so
        #[arg(long, value_parser = ["waiting", "delivered", "given_up"])]
        state: Option<String>,
        /// At most this many
        #[arg(long, default_value_t = 50)]
        limit: usize,
    },
    /// Try a delivery again that was given up, or now instead of later
    Retry {
        /// Its id
        delivery: DeliveryId,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum AddChannel {
    /// Post messages as signed JSON; the secret to verify them with is printed
    Webhook {
        /// Where to
        url: String,
        /// Sign with this secret instead of a new random one
        #[arg(long)]
        secret: Option<String>,
        #[command(flatten)]
        common: ChannelOptions,
    },
    /// Send messages as e-mail
    Mail {
        /// Whom to
        #[arg(required = true)]
        to: Vec<String>,
        /// Who it is from
        #[arg(long, value_name = "ADDRESS")]
        from: String,
        /// The mail server
        #[arg(long, value_name = "NAME")]
        host: String,
        /// Its port [default: 465, with starttls 587]
        #[arg(long)]
        port: Option<u16>,
        /// How the connection is encrypted; none only to private addresses
        #[arg(long, default_value = "implicit", value_parser = ["implicit", "starttls", "none"])]
        encryption: String,
        /// The user to log in as; the password is read from standard input
        #[arg(long)]
        user: Option<String>,
        #[command(flatten)]
        common: ChannelOptions,
    },
}

/// What every channel has.
#[derive(Debug, Args)]
pub(crate) struct ChannelOptions {
    /// What to call it [default: after where it leads]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Which messages, separated by commas: `event_opened`, `event_ended`, `watch_changed`, `watch_gone`, `watch_ended`, `source_late` [default: all but the last]
    #[arg(long, value_delimiter = ',', value_name = "KINDS")]
    pub(crate) wants: Vec<String>,
    /// Only about this folder and those inside it; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) folder: Vec<String>,
    /// `at_once`, `hourly` or `daily 08:00` [default: `at_once`]
    #[arg(long)]
    pub(crate) rhythm: Option<String>,
    /// Hours in which nothing is sent, e.g. 22:00-07:00
    #[arg(long, value_name = "HOURS")]
    pub(crate) quiet: Option<String>,
    /// Time zone of these hours [default: this machine's]
    #[arg(long)]
    pub(crate) zone: Option<String>,
    /// Address or network that may be reached although it is private; may be repeated
    #[arg(long, value_name = "NET", value_parser = network)]
    pub(crate) allow: Vec<ipnet::IpNet>,
}

/// A channel by id or name.
#[derive(Debug, Clone)]
pub(crate) enum ChannelRef {
    Id(ChannelId),
    Name(String),
}

impl std::str::FromStr for ChannelRef {
    type Err = std::convert::Infallible;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.parse().map_or_else(|_| Self::Name(text.to_owned()), Self::Id))
    }
}
