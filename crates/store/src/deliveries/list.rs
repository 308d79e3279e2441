//! Deliveries as people see them.

use crate::database::{self, OptionalExtension, Row, params};
use crate::outbox::{self, Message};
use crate::rows::maybe_time;
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{ChannelId, DeliveryId};

/// A message on its way through a channel, or at the end of it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct DeliveryInfo {
    /// Its id.
    pub id: DeliveryId,
    /// Through which channel.
    pub channel_id: ChannelId,
    /// What that is called.
    pub channel: String,
    /// What is delivered.
    pub message: Message,
    /// How it stands.
    pub state: DeliveryState,
    /// When it is tried next.
    pub due_at: Option<Timestamp>,
    /// How often it was tried.
    pub tries: u32,
    /// When it was last tried.
    pub last_try_at: Option<Timestamp>,
    /// Why the last try failed.
    pub last_error: Option<String>,
    /// The status of the last answer.
    pub last_status: Option<u16>,
    /// When it was delivered.
    pub delivered_at: Option<Timestamp>,
    /// It only tries the channel out.
    pub test: bool,
}

/// How a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// It is still to be tried.
    Waiting,
    /// It was taken.
    Delivered,
    /// It failed too often, or for good.
    GivenUp,
}

/// Which deliveries to list.
#[derive(Debug, Clone, Default)]
pub struct DeliveryFilter {
    /// Only those through this channel.
    pub channel: Option<ChannelId>,
    /// Only those that stand so.
    pub state: Option<DeliveryState>,
    /// At most this many.
    pub limit: usize,
}

impl DeliveryState {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::GivenUp => "given_up",
        }
    }

    /// By its name.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Waiting, Self::Delivered, Self::GivenUp].into_iter().find(|state| state.word() == word)
    }
}

const SELECT: &str =
    "SELECT o.*, d.id AS delivery_id, d.channel_id, c.name AS channel, d.state, d.due_at, d.tries,
        d.last_try_at, d.last_error, d.last_status, d.delivered_at, d.test
    FROM delivery d JOIN outbox o ON o.id = d.message_id JOIN channel c ON c.id = d.channel_id";

impl Store {
    /// The last deliveries, newest first.
    pub async fn deliveries(&self, filter: DeliveryFilter) -> Result<Vec<DeliveryInfo>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&format!(
                "{SELECT} WHERE (d.channel_id = ?1 OR ?1 IS NULL) AND (d.state = ?2 OR ?2 IS NULL)
                 ORDER BY d.id DESC LIMIT ?3"
            ))?;
            let state = filter.state.map(DeliveryState::word);
            let rows = statement
                .query_map(params![filter.channel.map(|id| id.0), state, filter.limit as i64], delivery)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// One delivery.
    pub async fn delivery(&self, id: DeliveryId) -> Result<DeliveryInfo, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&format!("{SELECT} WHERE d.id = ?1"))?;
            let found = statement.query_row([id.0], delivery).optional()?;
            found.ok_or_else(|| StoreError::not_found(format!("delivery {id}")))
        })
        .await
    }
}

fn delivery(row: &Row<'_>) -> database::Result<DeliveryInfo> {
    let state: String = row.get("state")?;
    Ok(DeliveryInfo {
        id: DeliveryId(row.get("delivery_id")?),
        channel_id: ChannelId(row.get("channel_id")?),
        channel: row.get("channel")?,
        message: outbox::message(row)?,
        state: DeliveryState::from_word(&state).unwrap_or(DeliveryState::GivenUp),
        due_at: maybe_time(row, "due_at")?,
        tries: row.get("tries")?,
        last_try_at: maybe_time(row, "last_try_at")?,
        last_error: row.get("last_error")?,
        last_status: row.get("last_status")?,
        delivered_at: maybe_time(row, "delivered_at")?,
        test: row.get("test")?,
    })
}
