//! What a person says of an event, which trains the weights.

use super::apply::tell;
use super::{Event, get_event};
use crate::database::{Connection, params};
use crate::rows::ms;
use crate::watch::Loaded;
use crate::{Store, StoreError};
use detection::DetectorName;
use jiff::Timestamp;
use model::EventId;
use serde::{Deserialize, Serialize};

/// What a person says of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It was one.
    Confirmed,
    /// It was none: nothing more of it.
    Dismissed,
}

impl Verdict {
    /// As stored.
    pub fn word(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Dismissed => "dismissed",
        }
    }

    /// The inverse of [`Verdict::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Confirmed, Self::Dismissed].into_iter().find(|verdict| verdict.word() == word)
    }
}

impl Store {
    /// A person judges an event. The weights of the detector that found it are trained, once for each change of mind;
    /// a dismissed event ends at once.
    pub async fn judge_event(
        &self,
        id: EventId,
        verdict: Verdict,
        at: Timestamp,
    ) -> Result<Event, StoreError> {
        let judged =
            self.watch_write(move |connection, loaded| judge(connection, loaded, id, verdict, at)).await?;
        judged.ok_or_else(|| StoreError::not_found(format!("event {id}")))
    }
}

fn judge(
    connection: &Connection,
    loaded: &mut Loaded,
    id: EventId,
    verdict: Verdict,
    at: Timestamp,
) -> Result<Option<Event>, StoreError> {
    let before = get_event(connection, id)?;
    if before.verdict == Some(verdict) {
        return Ok(Some(before));
    }
    connection.execute(
        "UPDATE event SET verdict = ?2, judged_at = ?3,
             ended_at = CASE WHEN CAST(?2 AS TEXT) = 'dismissed' THEN coalesce(ended_at, max(?3, opened_at)) ELSE ended_at END
         WHERE id = ?1",
        params![id.0, verdict.word(), ms(at)],
    )?;
    train(connection, loaded, &before, verdict)?;
    if verdict == Verdict::Dismissed && before.ended_at.is_none() {
        loaded.watcher.mute(before.folder);
        loaded.changed = true;
        // Whoever was told that it began is told that it is over.
        tell(connection, &get_event(connection, id)?, "ended", at)?;
    }
    get_event(connection, id).map(Some)
}

fn train(
    connection: &Connection,
    loaded: &mut Loaded,
    event: &Event,
    verdict: Verdict,
) -> Result<(), StoreError> {
    // Weights belong to the detector that was at work.
    let Ok(detector) = event.detector.parse::<DetectorName>() else { return Ok(()) };
    let weights = crate::watch::weights_of(connection, detector)?;
    let Some(trained) =
        detection::train(detector, &weights, &event.opening.outputs, verdict == Verdict::Confirmed)
    else {
        return Ok(());
    };
    crate::watch::save_weights(connection, detector, &trained)?;
    // Other processes hear of it.
    crate::watch::count_up(connection)?;
    if detector == loaded.settings.detector {
        loaded.watcher.set_weights(trained);
    }
    Ok(())
}
