//! Which source to visit next, and why. Pure: the live monitor and the laboratory drive the same policies.

mod even;
mod policy;

pub use even::Even;
pub use policy::{Observation, Policy, Watched};
