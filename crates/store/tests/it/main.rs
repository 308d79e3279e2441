//! The conformance suite: what every store must do, whatever database is underneath.

mod articles;
mod backup;
mod leases;
mod schema;
mod shop;
mod sources;
mod visits;
