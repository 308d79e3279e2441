//! A live stream: something visible has changed.

use crate::app::App;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use std::convert::Infallible;
use std::time::Duration;

/// At most two events a second: a page that follows along need not blink.
const PAUSE: Duration = Duration::from_millis(500);

/// Server-sent events: `change` whenever something visible changed, at most twice a second. The first comes at
/// once and says where things stand: the number counts up with every change.
#[utoipa::path(
    get, path = "/stream", tag = "state", operation_id = "stream",
    responses((status = 200, body = String, content_type = "text/event-stream"))
)]
pub(crate) async fn stream(State(app): State<App>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut changes = app.engine.changes();
    changes.mark_changed();
    let following =
        unfold((changes, app.stopped.clone(), Duration::ZERO), |(mut changes, stopped, pause)| async move {
            let next = async {
                tokio::time::sleep(pause).await;
                changes.changed().await
            };
            tokio::select! {
                () = stopped.cancelled() => return None,
                told = next => told.ok()?,
            }
            let number = changes.borrow_and_update().to_string();
            let event = Event::default().event("change").id(&number).data(&number);
            Some((Ok(event), (changes, stopped, PAUSE)))
        });
    Sse::new(following).keep_alive(KeepAlive::new())
}
