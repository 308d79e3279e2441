//! Which source to visit next, and why. Pure: the live monitor and the laboratory drive the same policies.

mod even;
pub mod journal;
mod name;
mod policy;
mod reaction;
mod settings;

pub use even::Even;
pub use name::PolicyName;
pub use policy::{News, Observation, Outlook, Past, Plan, Point, Policy, Signal, Watched};
pub use reaction::{Reaction, Trigger, Triggered};
pub use settings::{Interests, Pace, PlanSettings, Tuning};
