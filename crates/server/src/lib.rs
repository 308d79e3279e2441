//! The API and the web UI. Alone knows HTML.
//!
//! Every request passes the same doors, outermost first: security headers, the Host check, and, by the kind
//! of route, the login, the same-origin check of the API or the form token of the pages. Routes are listed as
//! they are added ([`routes`]), so that tests can try every door of every route.

mod access;
mod api;
mod app;
mod calendar;
mod crawls;
mod events;
mod feeds;
mod headers;
mod operations;
mod plan;
mod problem;
mod reviewing;
mod routes;
mod serve;
mod settings;
mod stored_text;
mod teaching;
mod telling;
mod topics;
mod ui;
mod watches;
mod watching;
mod what_if;
mod words;

pub use access::password::{PasswordError, SHORTEST_PASSWORD, hash_password, set_password};
pub use api::openapi;
pub use routes::{Access, Route, routes};
pub use serve::serve;
pub use settings::{Login, ServerSettings};
