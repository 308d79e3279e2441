//! Messages to people. A message is stored with the deed it tells of, together with one delivery for every
//! channel that wants it; its key makes a repeated delivery recognisable.

use crate::channels::{self, Channel};
use crate::database::{self, Connection, OptionalExtension, Row, params};
use crate::rows::{json, ms, time, to_json};
use crate::{Store, StoreError};
use jiff::Timestamp;
use serde_json::Value;

/// A message to people.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Message {
    /// Names the message for ever: the same happening never makes two.
    pub key: String,
    /// What it tells of, one of [`MESSAGE_KINDS`](crate::MESSAGE_KINDS) or `test`.
    pub kind: String,
    /// The facts. One about a folder names it as `folder.id`.
    pub payload: Value,
    /// When it was written.
    pub created_at: Timestamp,
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
            let rows = statement.query_map([limit as i64], message)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}

/// Writes a message within the deed it tells of; false if it is known already.
pub(crate) fn post(connection: &Connection, message: &Message) -> Result<bool, StoreError> {
    let Some(id) = insert(connection, message)? else {
        return Ok(false);
    };
    connection.tell_everybody();
    let wanted =
        |channel: &Channel| channel.settings.enabled && channel.settings.wants.contains(&message.kind);
    for channel in channels::all(connection)?.iter().filter(|channel| wanted(channel)) {
        if is_about(connection, channel, message)? {
            let (due_at, gathered) = channel.settings.due(message.created_at);
            connection
                .prepare_cached(
                    "INSERT INTO delivery (message_id, channel_id, state, due_at, gathered)
                     VALUES (?1, ?2, 'waiting', ?3, ?4)",
                )?
                .execute(params![id, channel.id.0, ms(due_at), gathered])?;
        }
    }
    Ok(true)
}

/// Writes the message alone; its number if it is new.
pub(crate) fn insert(connection: &Connection, message: &Message) -> Result<Option<i64>, StoreError> {
    let payload = to_json(&message.payload)?;
    let new = connection
        .prepare_cached(
            "INSERT INTO outbox (idempotency_key, kind, payload, created_at)
             VALUES (?1, ?2, ?3, ?4) ON CONFLICT (idempotency_key) DO NOTHING RETURNING id",
        )?
        .query_row(params![message.key, message.kind, payload, ms(message.created_at)], |row| row.get(0));
    Ok(new.optional()?)
}

pub(crate) fn message(row: &Row<'_>) -> database::Result<Message> {
    Ok(Message {
        key: row.get("idempotency_key")?,
        kind: row.get("kind")?,
        payload: json(row, "payload")?,
        created_at: time(row, "created_at")?,
    })
}

/// Whether it is about a folder of the channel, or one inside it. What is about no folder concerns everyone.
fn is_about(connection: &Connection, channel: &Channel, message: &Message) -> Result<bool, StoreError> {
    let folder = message.payload["folder"]["id"].as_i64();
    let (Some(mut folder), false) = (folder, channel.settings.folders.is_empty()) else {
        return Ok(true);
    };
    let mut parent_of = connection.prepare_cached("SELECT parent_id FROM folder WHERE id = ?1")?;
    // Folders are a tree; the bound is for a file that says otherwise.
    for _ in 0..100 {
        if channel.settings.folders.iter().any(|id| id.0 == folder) {
            return Ok(true);
        }
        let mut rows = parent_of.query([folder])?;
        match rows.next()?.map(|row| row.get::<_, Option<i64>>(0)).transpose()?.flatten() {
            Some(parent) => folder = parent,
            None => break,
        }
    }
    Ok(false)
}
