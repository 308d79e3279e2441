//! The laboratory: measures on real histories, through the very code that runs live.
//!
//! [`labelled`] reads texts with known folders; [`expert`] teaches the knowledge base as a careful person would, article
//! by article, and [`growth`] says how well it did. [`trace`] reads histories of sites; [`amoc`] measures on them how soon detectors
//! notice a burst.

pub mod amoc;
pub mod crawl;
pub mod expert;
pub mod growth;
pub mod labelled;
mod plot;
mod random;
pub mod replay;
pub mod trace;
