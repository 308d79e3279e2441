//! The knowledge crate through its public face.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its case has failed")]

mod interchange;
mod properties;
mod reference;
mod report;
mod teaching;
mod vectors;
