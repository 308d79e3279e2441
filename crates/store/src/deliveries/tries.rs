//! How a try ended.

use super::Dispatch;
use crate::database::{Connection, params};
use crate::rows::ms;
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{ChannelId, DeliveryId};

/// How a try ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tried {
    /// It was taken.
    Delivered {
        /// The status it was answered with.
        status: Option<u16>,
    },
    /// It failed and is tried again.
    Again {
        /// When.
        at: Timestamp,
        /// Why it failed.
        error: String,
        /// The status it was answered with.
        status: Option<u16>,
        /// The reason holds for every message: the whole channel waits.
        channel_waits: bool,
    },
    /// It failed and is not tried again.
    GivenUp {
        /// Why.
        error: String,
        /// The status it was answered with.
        status: Option<u16>,
    },
}

impl Store {
    /// Writes down how a try ended.
    pub async fn record_try(
        &self,
        dispatch: &Dispatch,
        tried: Tried,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (channel, deliveries) = (dispatch.channel.id, dispatch.deliveries.clone());
        self.write(move |connection| {
            for delivery in &deliveries {
                record_delivery(connection, *delivery, &tried, now)?;
            }
            record_channel(connection, channel, &tried, now)
        })
        .await
    }

    /// Tries a delivery again now, although it was given up or waits for its time; with all of its digest, so
    /// that the key still names the same.
    pub async fn retry_delivery(&self, id: DeliveryId, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |connection| {
            let changed = connection.execute(
                "UPDATE delivery SET state = 'waiting', due_at = ?2, first_try_at = NULL
                 WHERE state != 'delivered'
                     AND (id = ?1 OR digest = (SELECT digest FROM delivery WHERE id = ?1))",
                params![id.0, ms(now)],
            )?;
            if changed == 0 {
                return Err(StoreError::not_found(format!("delivery {id} that could be tried again")));
            }
            connection.execute(
                "UPDATE channel SET retry_at = NULL WHERE id = (SELECT channel_id FROM delivery WHERE id = ?1)",
                [id.0],
            )?;
            Ok(())
        })
        .await
    }
}

fn record_delivery(
    connection: &Connection,
    delivery: DeliveryId,
    tried: &Tried,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (state, due_at, error, status) = match tried {
        Tried::Delivered { status } => ("delivered", None, None, status),
        Tried::Again { at, error, status, .. } => ("waiting", Some(ms(*at)), Some(error), status),
        Tried::GivenUp { error, status } => ("given_up", None, Some(error), status),
    };
    connection
        .prepare_cached(
            "UPDATE delivery SET state = ?2, due_at = ?3, last_error = ?4, last_status = ?5, last_try_at = ?6,
                 first_try_at = coalesce(first_try_at, ?6), tries = tries + 1,
                 delivered_at = CASE WHEN CAST(?2 AS TEXT) = 'delivered' THEN ?6 ELSE CAST(NULL AS BIGINT) END
             WHERE id = ?1 AND state = 'waiting'",
        )?
        .execute(params![delivery.0, state, due_at, error, status, ms(now)])?;
    Ok(())
}

fn record_channel(
    connection: &Connection,
    channel: ChannelId,
    tried: &Tried,
    now: Timestamp,
) -> Result<(), StoreError> {
    match tried {
        Tried::Delivered { .. } => connection
            .prepare_cached(
                "UPDATE channel SET failures = 0, failing_since = NULL, retry_at = NULL, last_error = NULL,
                     last_delivered_at = ?2
                 WHERE id = ?1",
            )?
            .execute(params![channel.0, ms(now)])?,
        Tried::Again { at, error, channel_waits, .. } => connection
            .prepare_cached(
                "UPDATE channel SET failures = failures + 1, failing_since = coalesce(failing_since, ?2),
                     retry_at = CASE WHEN ?4 THEN ?5 ELSE retry_at END, last_error = ?3
                 WHERE id = ?1",
            )?
            .execute(params![channel.0, ms(now), error, channel_waits, ms(*at)])?,
        Tried::GivenUp { error, .. } => connection
            .prepare_cached(
                "UPDATE channel SET failing_since = coalesce(failing_since, ?2), last_error = ?3 WHERE id = ?1",
            )?
            .execute(params![channel.0, ms(now), error])?,
    };
    Ok(())
}
