//! The whole program, as a user has it: the binary, its commands, its API, its crashes.

#![expect(clippy::unwrap_used, reason = "in a test, a failed unwrap is a failed test")]

mod bad_input;
mod calendar;
mod commands;
mod crash;
mod crawl;
mod demo;
mod detect;
mod events;
mod fleet;
mod help;
mod interchange;
mod knowledge;
mod moving;
mod notify;
mod plan;
mod program;
mod replay;
mod serve;
mod telling;
mod topics;
mod watches;
