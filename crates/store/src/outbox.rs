//! Messages to people. A message is stored with the deed it tells of and delivered later; its key makes a
//! repeated delivery recognisable.

use crate::rows::{json, maybe_time, ms, time, to_json};
use crate::{Store, StoreError};
use jiff::Timestamp;
use rusqlite::{Connection, params};

/// A message to be delivered, or delivered.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Message {
    /// Names the message for ever: the same happening never makes two.
    pub key: String,
    /// What it tells of, e.g. `source_late`.
    pub kind: String,
    /// The facts.
    pub payload: serde_json::Value,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it is to be delivered next; `None`: delivered, or nobody wants it.
    pub due_at: Option<Timestamp>,
    /// How often delivery was tried.
    pub tries: u32,
    /// Why the last try failed.
    pub last_error: Option<String>,
    /// When it was delivered.
    pub delivered_at: Option<Timestamp>,
}

impl Store {
    /// Writes messages, each once: a key that is known already changes nothing. Returns how many were new.
    pub async fn post_messages(&self, messages: Vec<Message>) -> Result<usize, StoreError> {
        self.write(move |connection| {
            let mut new = 0;
            for message in &messages {
                new += usize::from(post(connection, message)?);
            }
            Ok(new)
        })
        .await
    }

    /// The last messages, newest first.
    pub async fn messages(&self, limit: usize) -> Result<Vec<Message>, StoreError> {
        self.read(move |connection| {
            let mut statement =
                connection.prepare_cached("SELECT * FROM outbox ORDER BY id DESC LIMIT ?1")?;
            let rows = statement.query_map([limit as i64], |row| {
                Ok(Message {
                    key: row.get("idempotency_key")?,
                    kind: row.get("kind")?,
                    payload: json(row, "payload")?,
                    created_at: time(row, "created_at")?,
                    due_at: maybe_time(row, "due_at")?,
                    tries: row.get("tries")?,
                    last_error: row.get("last_error")?,
                    delivered_at: maybe_time(row, "delivered_at")?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}

/// Writes a message with the deed it tells of; false if its key is known already.
pub(crate) fn post(connection: &Connection, message: &Message) -> Result<bool, StoreError> {
    let new = connection
        .prepare_cached(
            "INSERT INTO outbox (idempotency_key, kind, payload, created_at, due_at)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (idempotency_key) DO NOTHING",
        )?
        .execute(params![
            message.key,
            message.kind,
            to_json(&message.payload)?,
            ms(message.created_at),
            message.due_at.map(ms)
        ])?;
    Ok(new > 0)
}
