//! The project's chores: test, bars
fn main() {}
