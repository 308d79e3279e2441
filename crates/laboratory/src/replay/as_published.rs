//! Experiments of the papers, as they were published.

mod dc1;
mod pages;
mod simulation;
mod table1;
mod words;

pub use dc1::{Dc1, Delayed, dc1};
pub use table1::{PAPER, Table1, Table1Row, table1};
