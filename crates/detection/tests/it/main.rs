//! Detectors from outside, on series made here.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod cost;
mod made;
mod naive;
mod quiet;
mod scores;
