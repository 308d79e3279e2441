//! URL to bytes. The only crate that opens sockets outwards.
//!
//! A [`Fetcher`] is what the whole process shares: the [`gate`], the manners towards each host, the robots.txt
//! files it knows. A [`Session`] makes requests and keeps its connections. One [`Session::get`] goes:
//!
//! 1. the [`gate`] looks at the URL;
//! 2. robots.txt of that origin is asked, unless it is known and fresh;
//! 3. the pacer makes the request wait its turn: one request at a time for a host, with a delay in between;
//! 4. the name is resolved once, the gate looks at the addresses, and exactly one of those is connected to;
//! 5. the answer is read under caps and time limits; a redirect begins again at 1.
//!
//! Bodies are kept as sent: decoding is the `page` crate's work.
//!
//! Messages to people leave through the same gate: [`Fetcher::post`] for webhooks, [`Fetcher::mail`] for mail. They
//! go to servers of the user's own choice, so neither robots.txt nor the pacer has a say.

mod answer;
mod connection;
mod error;
mod exchange;
mod failure;
mod fetcher;
pub mod gate;
mod headers;
mod journey;
mod mail;
mod pacer;
pub mod politeness;
mod post;
mod redirect;
mod request;
mod resolve;
mod robots;
mod session;
mod settings;
mod tls;

pub use answer::{OWN_MANNERS, Reply, Response};
pub use connection::Leave;
pub use error::FetchError;
pub use fetcher::Fetcher;
pub use futures_util::future::BoxFuture;
pub use mail::{Encryption, Letter, MailFailure, MailServer};
pub use post::{Post, PostFailure, Posted};
pub use request::{Accept, Request};
pub use resolve::{Resolve, SystemResolver};
pub use session::{Entry, Session};
pub use settings::{Limits, Settings, user_agent};
