//! A problem as a page.

use super::shell;
use crate::problem::Problem;
use axum::response::{IntoResponse, Response};
use maud::html;

/// A problem as a page.
#[derive(Debug)]
pub(crate) struct Trouble(Problem);

impl<P: Into<Problem>> From<P> for Trouble {
    fn from(problem: P) -> Self {
        Self(problem.into())
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let Problem { status, error, hint, source } = self.0;
        let content = html! {
            section .card.narrow {
                h1 { (crate::words::capitalised(&error)) "." }
                @if let Some(hint) = hint {
                    p { (crate::words::capitalised(&hint)) "." }
                }
                @if let Some(source) = source {
                    p { a href={ "/sources/" (source) } { "Show the source that already watches it" } }
                }
                p .actions {
                    a .button.primary href="/" { "To the articles" }
                }
                p .quiet { "HTTP " (status.as_u16()) }
            }
        };
        (status, shell::bare("Trouble", &content)).into_response()
    }
}

/// There is no such page.
pub(crate) async fn nothing_here() -> Trouble {
    Problem::not_found("there is no such page")
        .hint("it may have moved, or the address has a typing mistake")
        .into()
}
