//! A live stream: something visible has changed.

use crate::app::App;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, stream};
use std::convert::Infallible;
use std::time::Duration;

/// At most two events a second: a page that follows along need not blink.
const PAUSE: Duration = Duration::from_millis(500);

/// Server-sent events: `change` whenever something visible changed, at most twice a second.
#[utoipa::path(
    get, path = "/events", tag = "state", operation_id = "events",
    responses((status = 200, body = String, content_type = "text/event-stream"))
)]
pub(crate) async fn events(State(app): State<App>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let changes = app.engine.changes();
    let following = stream::unfold((changes, app.stopped.clone(), false), |(mut changes, stopped, again)| async move {
        let change = async {
            if again {
                tokio::time::sleep(PAUSE).await;
            }
            changes.changed().await
        };
        tokio::select! {
            () = stopped.cancelled() => return None,
            changed = change => changed.ok()?,
        }
        let number = *changes.borrow_and_update();
        let event = Event::default().event("change").id(number.to_string()).data(number.to_string());
        Some((Ok(event), (changes, stopped, true)))
    });
    Sse::new(following).keep_alive(KeepAlive::new())
}
