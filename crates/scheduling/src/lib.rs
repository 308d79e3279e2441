//! Which source to visit next, and why. Pure: the live monitor and the laboratory drive the same policies.

mod bounds;
mod bursts;
mod drift;
mod even;
mod forecast;
mod ground;
mod history;
mod intervals;
pub mod journal;
mod name;
mod planner;
mod policy;
mod pool;
mod price;
mod profile;
mod reaction;
mod recursion;
mod roster;
mod settings;
mod spending;
mod trust;
mod tuning;
mod week;

pub use bursts::BurstScale;
pub use drift::DriftTuning;
pub use even::Even;
pub use history::ForecastTuning;
pub use name::PolicyName;
pub use planner::{Planner, PlannerTuning};
pub use policy::{News, Observation, Outlook, Past, Plan, Point, Policy, Signal, Watched};
pub use profile::ProfileTuning;
pub use reaction::{Reaction, Trigger, Triggered};
pub use settings::{Interests, Pace, PlanSettings};
pub use trust::TrustTuning;
pub use tuning::Tuning;
