//! Messages on their way. Every try is written down as soon as it is over; a crash in between repeats it, under
//! the same key.

mod list;
mod tries;

pub use list::{DeliveryFilter, DeliveryInfo, DeliveryState};
pub use tries::Tried;

use crate::channels::{self, Channel};
use crate::database::{Connection, OptionalExtension, params};
use crate::outbox::{self, Message};
use crate::rows::{maybe_time, ms};
use crate::{Secret, Store, StoreError};
use jiff::Timestamp;
use model::{ChannelId, DeliveryId};

/// More in one digest would be read by nobody.
const MOST_IN_A_DIGEST: i64 = 200;

/// What is to be sent in one piece: a message, or a digest of some.
#[derive(Debug, Clone)]
pub struct Dispatch {
    /// Through which channel.
    pub channel: Channel,
    /// Names it for ever, however often it is sent.
    pub key: String,
    /// The deliveries it fulfils.
    pub deliveries: Vec<DeliveryId>,
    /// What it tells, oldest first.
    pub messages: Vec<Message>,
    /// How often it was tried before.
    pub tries: u32,
    /// When it was first tried.
    pub first_try_at: Option<Timestamp>,
    /// A test: not tried again.
    pub test: bool,
}

impl Store {
    /// Channels with something due now that no other worker serves, whether each is failing, and the longest waiting first.
    pub async fn due_channels(
        &self,
        worker: &str,
        now: Timestamp,
    ) -> Result<Vec<(ChannelId, bool)>, StoreError> {
        let worker = worker.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT c.id, c.failures > 0, min(d.due_at) AS due FROM channel c
                     JOIN delivery d ON d.channel_id = c.id
                 WHERE d.due_at IS NOT NULL AND d.due_at <= ?1
                     AND (d.test = 1 OR (c.enabled = 1 AND coalesce(c.retry_at, 0) <= ?1))
                     AND (c.lease_owner IS NULL OR c.lease_owner = ?2 OR c.lease_until <= ?1)
                 GROUP BY c.id ORDER BY due",
            )?;
            let rows = statement
                .query_map(params![ms(now), worker], |row| Ok((ChannelId(row.get(0)?), row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// What is to be sent next through a channel, if anything is due and no other worker serves it. Until `until` the channel
    /// is this worker's. A digest's content is settled here.
    pub async fn next_dispatch(
        &self,
        channel: ChannelId,
        worker: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Dispatch>, StoreError> {
        let worker = worker.to_owned();
        self.write(move |connection| {
            let taken = connection.execute(
                "UPDATE channel SET lease_owner = ?2, lease_until = ?4
                 WHERE id = ?1 AND (lease_owner IS NULL OR lease_owner = ?2 OR lease_until <= ?3)",
                params![channel.0, worker, ms(now), ms(until)],
            )?;
            if taken == 0 {
                return Ok(None);
            }
            let found = channels::one(connection, channel)?;
            let held = !found.settings.enabled || found.retry_at.is_some_and(|at| at > now);
            let mut first = connection.prepare_cached(
                "SELECT id, gathered, digest, test FROM delivery
                 WHERE channel_id = ?1 AND due_at <= ?2 AND (test = 1 OR NOT ?3) ORDER BY test DESC, due_at, id LIMIT 1",
            )?;
            let first: Option<(i64, bool, Option<String>, bool)> = first
                .query_row(params![channel.0, ms(now), held], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
                })
                .optional()?;
            let Some((id, gathered, digest, test)) = first else {
                return Ok(None);
            };
            let digest = match digest {
                None if gathered => Some(gather(connection, channel, id, now)?),
                digest => digest,
            };
            load(connection, found, id, digest, test).map(Some)
        })
        .await
    }

    /// A channel is served no more by this worker.
    pub async fn leave_channel(&self, channel: ChannelId, worker: &str) -> Result<(), StoreError> {
        let worker = worker.to_owned();
        self.write_beside(move |connection| {
            connection.execute(
                "UPDATE channel SET lease_owner = NULL, lease_until = NULL WHERE id = ?1 AND lease_owner = ?2",
                params![channel.0, worker],
            )?;
            Ok(())
        })
        .await
    }

    /// What is to be sent for one delivery, due or not; `None` if it is over.
    pub async fn dispatch_of(&self, id: DeliveryId) -> Result<Option<Dispatch>, StoreError> {
        self.read(move |connection| {
            let found: Option<(i64, Option<String>, bool)> = connection
                .prepare_cached(
                    "SELECT channel_id, digest, test FROM delivery WHERE id = ?1 AND state = 'waiting'",
                )?
                .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .optional()?;
            let Some((channel, digest, test)) = found else {
                return Ok(None);
            };
            let channel = channels::one(connection, ChannelId(channel))?;
            load(connection, channel, id.0, digest, test).map(Some)
        })
        .await
    }

    /// A message that only tries a channel out: whatever its hours are, and once. Whoever posts it may send it
    /// before it is due.
    pub async fn post_test(
        &self,
        channel: ChannelId,
        now: Timestamp,
        due_at: Timestamp,
    ) -> Result<DeliveryId, StoreError> {
        let key: String = Secret::new("test:")?.reveal().chars().take(37).collect();
        self.write(move |connection| {
            let name = channels::one(connection, channel)?.settings.name;
            let payload = serde_json::json!({ "channel": name });
            let message = Message { key: key.clone(), kind: "test".into(), payload, created_at: now };
            let message = outbox::insert(connection, &message)?
                .ok_or_else(|| StoreError::Unreadable("the key of a test".into()))?;
            let id = connection.query_row(
                "INSERT INTO delivery (message_id, channel_id, state, due_at, test) VALUES (?1, ?2, 'waiting', ?3, 1)
                 RETURNING id",
                params![message, channel.0, ms(due_at)],
                |row| row.get(0),
            )?;
            Ok(DeliveryId(id))
        })
        .await
    }
}

/// Settles what goes into a digest: all that is due now. Its name holds from here on.
fn gather(
    connection: &Connection,
    channel: ChannelId,
    first: i64,
    now: Timestamp,
) -> Result<String, StoreError> {
    let name = format!("digest:{channel}:{first}");
    connection
        .prepare_cached(
            "UPDATE delivery SET digest = ?1 WHERE id IN (
                 SELECT id FROM delivery
                 WHERE channel_id = ?2 AND due_at <= ?3 AND gathered = 1 AND digest IS NULL AND test = 0
                 ORDER BY due_at, id LIMIT ?4)",
        )?
        .execute(params![name, channel.0, ms(now), MOST_IN_A_DIGEST])?;
    Ok(name)
}

fn load(
    connection: &Connection,
    channel: Channel,
    first: i64,
    digest: Option<String>,
    test: bool,
) -> Result<Dispatch, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT o.*, d.id AS delivery_id, d.tries, d.first_try_at FROM delivery d JOIN outbox o ON o.id = d.message_id
         WHERE d.state = 'waiting' AND CASE WHEN CAST(?2 AS TEXT) IS NULL THEN d.id = ?1 ELSE d.digest = ?2 END
         ORDER BY o.id",
    )?;
    let rows = statement.query_map(params![first, digest], |row| {
        let delivery = DeliveryId(row.get("delivery_id")?);
        let tries: u32 = row.get("tries")?;
        Ok((delivery, tries, maybe_time(row, "first_try_at")?, outbox::message(row)?))
    })?;
    let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
    let key = match (rows.as_slice(), digest) {
        ([(_, _, _, message)], _) => message.key.clone(),
        (_, digest) => digest.unwrap_or_default(),
    };
    Ok(Dispatch {
        channel,
        key,
        deliveries: rows.iter().map(|(id, ..)| *id).collect(),
        tries: rows.iter().map(|(_, tries, ..)| *tries).max().unwrap_or(0),
        first_try_at: rows.iter().filter_map(|(_, _, at, _)| *at).min(),
        messages: rows.into_iter().map(|(.., message)| message).collect(),
        test,
    })
}
