//! The laboratory from outside.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod amoc;
mod expert;
mod growth;
mod labelled;
mod replay;
mod trace;
