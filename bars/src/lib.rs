//! Measurements that tests run, too: several processes of the program on one database, in trouble and at work.

#![expect(clippy::print_stdout, reason = "a measurement prints its figure")]

pub mod chaos;
pub mod processes;
pub mod scaling;
