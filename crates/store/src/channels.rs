//! Channels: the ways a person is told.

mod target;
mod timing;

pub use target::{Encryption, Hidden, MailTarget, Target};
pub use timing::{Quiet, Rhythm};

use crate::database::{self, Connection, OptionalExtension, Row, params};
use crate::rows::{json, maybe_time, ms, time, to_json};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{ChannelId, FolderId};

/// Kinds of messages a channel may ask for, and what each tells of.
pub const MESSAGE_KINDS: [(&str, &str); 6] = [
    ("event_opened", "a folder becomes unusually busy"),
    ("event_ended", "an event ends"),
    ("source_late", "a source was not visited on time"),
    ("watch_changed", "a watch sees a change"),
    ("watch_gone", "a watched part is gone from its page"),
    ("watch_ended", "a watch ends"),
];

/// A way to tell a person, with how it is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Its id.
    pub id: ChannelId,
    /// What a person has set.
    pub settings: ChannelSettings,
    /// Since when there is one.
    pub created_at: Timestamp,
    /// Tries in a row that failed for a reason that holds for every message.
    pub failures: u32,
    /// Since when it fails.
    pub failing_since: Option<Timestamp>,
    /// Not tried before this, because it fails.
    pub retry_at: Option<Timestamp>,
    /// Why the last try failed; `None` after one that did not.
    pub last_error: Option<String>,
    /// When something last went through.
    pub last_delivered_at: Option<Timestamp>,
}

/// What a person sets about a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelSettings {
    /// What it is called; unique.
    pub name: String,
    /// Where to.
    pub target: Target,
    /// The kinds of messages it gets, of [`MESSAGE_KINDS`].
    pub wants: Vec<String>,
    /// Only messages of these folders and of those inside them; none stands for all.
    pub folders: Vec<FolderId>,
    /// At once, or gathered.
    pub rhythm: Rhythm,
    /// When nobody wants to be told; what comes then waits for the end.
    pub quiet: Option<Quiet>,
    /// The time zone that hours are meant in, by its IANA name.
    pub zone: String,
    /// Whether it is told anything.
    pub enabled: bool,
}

impl Store {
    /// All channels, in the order they were made.
    pub async fn channels(&self) -> Result<Vec<Channel>, StoreError> {
        self.read(all).await
    }

    /// One channel.
    pub async fn channel(&self, id: ChannelId) -> Result<Channel, StoreError> {
        self.read(move |connection| one(connection, id)).await
    }

    /// Makes a channel.
    pub async fn add_channel(
        &self,
        settings: ChannelSettings,
        now: Timestamp,
    ) -> Result<ChannelId, StoreError> {
        self.write(move |connection| {
            refuse_taken_name(connection, &settings.name, None)?;
            let id = connection.query_row(
                "INSERT INTO channel (name, target, wants, folders, rhythm, quiet, zone, enabled, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id",
                params![
                    settings.name,
                    to_json(&settings.target)?,
                    to_json(&settings.wants)?,
                    to_json(&settings.folders)?,
                    to_json(&settings.rhythm)?,
                    settings.quiet.map(|quiet| to_json(&quiet)).transpose()?,
                    settings.zone,
                    settings.enabled,
                    ms(now)
                ],
                |row| row.get(0),
            )?;
            Ok(ChannelId(id))
        })
        .await
    }

    /// Sets a channel anew. Whatever failed is tried again at once: that is what one mends a channel for.
    pub async fn set_channel(
        &self,
        id: ChannelId,
        settings: ChannelSettings,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            refuse_taken_name(connection, &settings.name, Some(id))?;
            let changed = connection.execute(
                "UPDATE channel SET name = ?2, target = ?3, wants = ?4, folders = ?5, rhythm = ?6, quiet = ?7,
                     zone = ?8, enabled = ?9, failures = 0, failing_since = NULL, retry_at = NULL, last_error = NULL
                 WHERE id = ?1",
                params![
                    id.0,
                    settings.name,
                    to_json(&settings.target)?,
                    to_json(&settings.wants)?,
                    to_json(&settings.folders)?,
                    to_json(&settings.rhythm)?,
                    settings.quiet.map(|quiet| to_json(&quiet)).transpose()?,
                    settings.zone,
                    settings.enabled
                ],
            )?;
            if changed == 0 {
                return Err(missing(id));
            }
            connection.execute(
                "UPDATE delivery SET due_at = ?2 WHERE channel_id = ?1 AND due_at > ?2 AND tries > 0",
                params![id.0, ms(now)],
            )?;
            Ok(())
        })
        .await
    }

    /// Removes a channel, and what was on its way through it.
    pub async fn remove_channel(&self, id: ChannelId) -> Result<(), StoreError> {
        self.write(move |connection| {
            match connection.execute("DELETE FROM channel WHERE id = ?1", [id.0])? {
                0 => Err(missing(id)),
                _ => Ok(()),
            }
        })
        .await
    }
}

pub(crate) fn all(connection: &Connection) -> Result<Vec<Channel>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT * FROM channel ORDER BY id")?;
    let rows = statement.query_map([], channel)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(crate) fn one(connection: &Connection, id: ChannelId) -> Result<Channel, StoreError> {
    let mut statement = connection.prepare_cached("SELECT * FROM channel WHERE id = ?1")?;
    statement.query_row([id.0], channel).optional()?.ok_or_else(|| missing(id))
}

fn channel(row: &Row<'_>) -> database::Result<Channel> {
    let quiet: Option<String> = row.get("quiet")?;
    Ok(Channel {
        id: ChannelId(row.get("id")?),
        settings: ChannelSettings {
            name: row.get("name")?,
            target: json(row, "target")?,
            wants: json(row, "wants")?,
            folders: json(row, "folders")?,
            rhythm: json(row, "rhythm")?,
            quiet: if quiet.is_some() { Some(json(row, "quiet")?) } else { None },
            zone: row.get("zone")?,
            enabled: row.get("enabled")?,
        },
        created_at: time(row, "created_at")?,
        failures: row.get("failures")?,
        failing_since: maybe_time(row, "failing_since")?,
        retry_at: maybe_time(row, "retry_at")?,
        last_error: row.get("last_error")?,
        last_delivered_at: maybe_time(row, "last_delivered_at")?,
    })
}

fn refuse_taken_name(connection: &Connection, name: &str, own: Option<ChannelId>) -> Result<(), StoreError> {
    let taken: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM channel WHERE name = ?1 AND id IS DISTINCT FROM ?2)",
        params![name, own.map(|id| id.0)],
        |row| row.get(0),
    )?;
    if taken { Err(StoreError::NameTaken { what: "channel", name: name.to_owned() }) } else { Ok(()) }
}

fn missing(id: ChannelId) -> StoreError {
    StoreError::not_found(format!("channel {id}"))
}
