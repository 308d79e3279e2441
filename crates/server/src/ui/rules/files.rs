//! The whole base as a file, to take along.

use crate::app::App;
use crate::ui::trouble::Trouble;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use knowledge::Interchange;

pub(crate) async fn json_lines(State(app): State<App>) -> Result<Response, Trouble> {
    let headers = [
        (CONTENT_TYPE, "application/x-ndjson; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"ripplewatch-rules.jsonl\""),
    ];
    let file = app.store().knowledge(|base| Interchange::of(base).to_json_lines()).await?;
    Ok((headers, file).into_response())
}

pub(crate) async fn text(State(app): State<App>) -> Result<Response, Trouble> {
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"ripplewatch-rules.txt\""),
    ];
    let file = app.store().knowledge(|base| Interchange::of(base).to_text()).await?;
    Ok((headers, file).into_response())
}
