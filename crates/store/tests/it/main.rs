//! The conformance suite: what every store must do, whatever database is underneath.

#![expect(clippy::unwrap_used, reason = "in a test, a failed unwrap is a failed test")]

mod articles;
mod backup;
mod crawls;
mod data;
mod events;
mod failover;
mod fleet;
mod folders;
mod foreign;
mod knowledge;
mod leases;
mod moving;
mod plan;
mod postgres;
mod processes;
mod schema;
mod shop;
mod sources;
mod telling;
mod together;
mod visits;
mod watches;
