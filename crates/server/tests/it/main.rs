//! The server as a whole: real store, real engine, a real web site on loopback, requests over TCP.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a helper that cannot do its part is a failed test"
)]

mod access;
mod api;
mod browser;
mod calendar;
mod client;
mod discovery;
mod discovery_browser;
mod events;
mod events_browser;
mod feeds;
mod folders;
mod knowledge_browser;
mod live;
mod newsroom;
mod notifications;
mod notifications_browser;
mod openapi;
mod pages;
mod plan;
mod plan_browser;
mod rules;
mod school;
mod teaching;
mod teaching_browser;
mod watches;
mod watches_browser;
mod world;
