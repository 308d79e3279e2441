//! Which source to visit next, and why. Pure: the live monitor and the laboratory drive the same policies.

mod even;
mod policy;
mod reaction;

pub use even::Even;
pub use policy::{News, Observation, Past, Plan, Policy, Signal, Watched};
pub use reaction::{Reaction, Trigger, Triggered};
