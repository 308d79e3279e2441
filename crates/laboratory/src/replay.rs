//! Replay: what would have been seen, and how soon, had another policy planned the visits?
//!
//! A [`Trace`] is a history in memory. The first weeks teach each policy what it would have known; then a virtual clock goes
//! from one planned visit to the next, and a visit finds what its source had published until then. The policies, the rules
//! that file articles and the detectors are those that run live. An [`Experiment`] sets policies against each other.
//!
//! Equal visits: what is asked of a policy is adjusted until the visits it makes are the budget (to 0.4 %, where that can be
//! reached). Articles of the last 24 hours are not counted, for no policy; one that is never met waits until the end.

pub mod as_published;
mod budget;
mod bursts;
mod contestant;
mod drive;
mod error;
mod experiment;
mod limits;
mod measure;
mod near;
mod reacting;
pub mod report;
mod row;
mod span;
mod summary;
#[cfg(test)]
mod tests;
mod trace;
mod visits;

pub use contestant::Contestant;
pub use error::ReplayError;
pub use experiment::{Experiment, Progress};
pub use measure::Day;
pub use row::Row;
pub use span::{Span, Training};
pub use summary::{Summary, summaries};
pub use trace::{Article, Collector, Source, Trace};
pub use visits::Visits;
