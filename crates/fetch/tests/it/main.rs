//! Fetching against scripted and hostile servers. Nothing here leaves loopback.
#![expect(clippy::unwrap_used, reason = "in the helpers of tests, too, a failed unwrap is a failed test")]

mod connections;
mod gate;
mod hostile;
mod manners;
mod messages;
mod outcomes;
mod pacing;
mod redirects;
mod robots;
mod structure;
mod trouble;
mod world;
