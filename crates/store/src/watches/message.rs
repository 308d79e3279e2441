//! What watches tell, as messages.

use super::Watch;
use crate::StoreError;
use crate::database::Connection;
use crate::outbox::{Message, post};
use jiff::Timestamp;
use model::{ChangeId, VisitId};
use page::watches::{Change, Kind};
use serde_json::{Value, json};

/// Of a part, this much goes into a message.
const TEXT_BYTES: usize = 2_000;

pub(super) fn tell_change(
    connection: &Connection,
    watch: &Watch,
    id: ChangeId,
    change: &Change,
    at: Timestamp,
) -> Result<(), StoreError> {
    let kind = if change.kind == Kind::Gone { "watch_gone" } else { "watch_changed" };
    let mut payload = facts(watch);
    payload["change"] = json!(id);
    payload["state"] = json!(change.kind);
    payload["why"] = json!(change.why);
    payload["since"] = json!(change.since);
    payload["number_before"] = json!(change.number_before);
    payload["number"] = json!(change.number);
    payload["summary"] = json!(change.diff.summary());
    payload["diff"] = json!(change.diff);
    payload["diff_text"] = json!(change.diff.text());
    let key = format!("watch:{}:{id}", watch.id);
    post(connection, &Message { key, kind: kind.into(), payload, created_at: at })?;
    Ok(())
}

pub(super) fn tell_end(
    connection: &Connection,
    watch: &Watch,
    visit: VisitId,
    why: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut payload = facts(watch);
    payload["why"] = json!(why);
    // One that was begun anew may end again.
    let key = format!("watch:{}:ended:{visit}", watch.id);
    post(connection, &Message { key, kind: "watch_ended".into(), payload, created_at: at })?;
    Ok(())
}

fn facts(watch: &Watch) -> Value {
    let now = watch.course.now.as_ref().filter(|now| now.gone.is_none());
    let text = now.map(|now| now.part.text());
    json!({
        "watch": {"id": watch.id, "name": watch.name},
        "source": {"id": watch.source, "title": watch.source_title, "url": watch.source_url},
        "what": watch.terms.aim.what,
        "text": text.as_ref().map(|text| &text[..text.floor_char_boundary(TEXT_BYTES)]),
        "tellings": watch.course.tellings,
        "url": format!("/watches/{}", watch.id),
    })
}
