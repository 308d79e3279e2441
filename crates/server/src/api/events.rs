//! Events: list, show, judge.

use super::event_views::{Event, EventDetail};
use super::extract::{Body, Id, Params, limit};
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::problem::Problem;
use crate::ui::link;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::LINK;
use model::{EventId, FolderId};
use serde::Deserialize;
use store::{EventFilter, Verdict};
use utoipa::{IntoParams, ToSchema};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// At most this many, 1 to 1000; 50 unless said.
    limit: Option<i64>,
    /// `true`: only those that go on; `false`: only those that are over.
    open: Option<bool>,
    /// Only those of this folder, by its number.
    folder: Option<i64>,
    /// Only those judged so: `confirmed` or `dismissed`.
    verdict: Option<String>,
    /// Go on after the last page; follow the `Link` header rather than making it up.
    before: Option<i64>,
}

impl Wanted {
    fn filter(&self) -> Result<EventFilter, Problem> {
        let verdict = match self.verdict.as_deref() {
            None => None,
            Some(word) => Some(
                Verdict::from_word(word)
                    .ok_or_else(|| Problem::bad_request("verdict must be “confirmed” or “dismissed”"))?,
            ),
        };
        Ok(EventFilter {
            folder: self.folder.map(FolderId),
            open: self.open,
            verdict,
            before: self.before.map(EventId),
            limit: limit(self.limit, 50)?,
        })
    }

    fn next(&self, before: i64) -> String {
        let text = |number: Option<i64>| number.map(|number| number.to_string());
        let query = [
            ("limit", text(self.limit)),
            ("open", self.open.map(|open| open.to_string())),
            ("folder", text(self.folder)),
            ("verdict", self.verdict.clone()),
            ("before", Some(before.to_string())),
        ];
        format!("<{}>; rel=\"next\"", link("/api/v1/events", &query))
    }
}

/// Events, newest first. The `Link` header has the next page.
#[utoipa::path(
    get, path = "/events", tag = "events", operation_id = "list_events", params(Wanted),
    responses((status = 200, body = Vec<Event>, headers(("Link" = String, description = "The next page"))),
        (status = 400, body = ErrorBody))
)]
pub(crate) async fn list(
    State(app): State<App>,
    Params(wanted): Params<Wanted>,
) -> Result<Response, Refusal> {
    let mut filter = wanted.filter()?;
    let most = filter.limit;
    filter.limit = most.saturating_add(1);
    let mut events = app.store().events(filter).await?;
    let more = events.len() > most;
    events.truncate(most);
    let next = events.last().filter(|_| more).map(|last| wanted.next(last.id.0));
    let mut response = Json(events.into_iter().map(Event::from).collect::<Vec<_>>()).into_response();
    if let Some(next) = next.and_then(|next| HeaderValue::try_from(next).ok()) {
        response.headers_mut().insert(LINK, next);
    }
    Ok(response)
}

/// One event: windows against what was expected, who had it first and who followed, the visits it caused, its stories.
#[utoipa::path(
    get, path = "/events/{id}", tag = "events", operation_id = "get_event", params(("id" = i64, Path)),
    responses((status = 200, body = EventDetail), (status = 404, body = ErrorBody))
)]
pub(crate) async fn one(State(app): State<App>, Id(id): Id) -> Result<Json<EventDetail>, Refusal> {
    Ok(Json(app.store().event(EventId(id)).await?.into()))
}

/// What an event was.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JudgeEvent {
    /// `confirmed` or `dismissed`.
    verdict: String,
}

/// Says what an event was, which trains the detector. A dismissed event ends at once; the last word counts.
#[utoipa::path(
    post, path = "/events/{id}/verdict", tag = "events", operation_id = "judge_event", params(("id" = i64, Path)),
    request_body = JudgeEvent,
    responses((status = 200, body = Event), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn judge(
    State(app): State<App>,
    Id(id): Id,
    Body(said): Body<JudgeEvent>,
) -> Result<Json<Event>, Refusal> {
    Ok(Json(crate::events::judge(&app, EventId(id), &said.verdict).await?.into()))
}
